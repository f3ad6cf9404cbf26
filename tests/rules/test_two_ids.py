"""An event that names one id for itself and another in what it carries (fact sheet A.1, DESIGN 7: TL303)."""

from pathlib import Path

import pytest

import tracelink
from tests.rules.cases import (
    SESSION,
    TURN,
    Json,
    added,
    call,
    codes,
    done,
    ending,
    lines,
    of,
    opening,
    output,
    post,
    snapshot,
    subagent,
    told,
    turn,
    waiting,
)
from tracelink.model.finding import Severity

OTHER = "turn_tide9"


def story(*rows: Json) -> list[Json]:
    return [*waiting(call()), post(), *rows, snapshot("in_progress"), *ending()]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (added(output()) | {"turn_id": OTHER}, f"turn_id {OTHER}, but its item's turn_id {TURN}; {OTHER} was used"),
        (done(call()) | {"turn_id": OTHER}, f"turn_id {OTHER}, but its item's turn_id {TURN}; {OTHER} was used"),
        (turn("in_progress", id=OTHER), f"turn_id {TURN}, but its turn's id {OTHER}; {TURN} was used"),
        (
            turn("in_progress") | {"session_id": "sess_tide9"},
            f"session_id sess_tide9, but its turn's session_id {SESSION}; sess_tide9 was used",
        ),
        (
            subagent() | {"session_id": "sess_tide9"},
            f"session_id sess_tide9, but its subagent's session_id {SESSION}; {SESSION} was used",
        ),
    ],
    ids=["output", "call", "turn", "session of a turn", "session of a subagent"],
)
def test_an_event_that_contradicts_itself_is_told(row: Json, said: str) -> None:
    (finding,) = of(told(*story(row)), "TL303")
    assert finding.message.startswith(f"The event at <bytes>:8 says {said}: ")
    assert (finding.severity, [one.line for one in finding.locations]) == (Severity.WARNING, [8])
    assert "required_actions" in finding.hint


def test_many_that_say_the_same_are_one_finding_and_a_repeated_delivery_is_one_event() -> None:
    first, second = added(output()) | {"turn_id": OTHER}, added(output(id="item_out_again")) | {"turn_id": OTHER}
    again = first | {"event_id": "ev_8"}
    (finding,) = of(told(*story(first, second, again)), "TL303")
    assert ", and so does 1 more: " in finding.message
    assert [one.line for one in finding.locations] == [8, 9]


@pytest.mark.parametrize(
    "row",
    [
        added(output()),
        added(output()) | {"turn_id": None},
        added(
            {name: value for name, value in output().items() if name != "turn_id"} | {"turn_id": TURN, "status": "completed"}
        ),
        {name: value for name, value in turn("in_progress").items() if name != "turn_id"},
        turn("in_progress", session_id=SESSION),
        subagent() | {"session_id": SESSION},
        subagent(),
    ],
)
def test_one_id_said_twice_or_once_is_none(row: Json) -> None:
    assert of(told(*story(row)), "TL303") == []


def test_a_subagents_item_says_its_own_turn_twice() -> None:
    child = turn("created", "turn_gull1", subagent_id="sub_gull1")
    item = added(call("call_gull1", "turn_gull1"))
    assert "TL303" not in codes(told(*opening(), subagent(), child, item, *ending()))


def test_each_session_is_told_of_its_own(tmp_path: Path) -> None:
    other = lines([*waiting(call()), added(output()) | {"turn_id": OTHER}]).replace("tide1", "kelp1")
    (tmp_path / "one.jsonl").write_text(lines(story(added(output()))) + other)
    report = tracelink.report(tmp_path / "one.jsonl")
    assert [one.session_id for one in report.all_findings() if one.code == "TL303"] == ["sess_kelp1"]


def test_it_is_told_alike_by_any_number_of_processes(tmp_path: Path) -> None:
    for number in range(4):
        rows = story(added(output()) | {"turn_id": OTHER})
        (tmp_path / f"{number}.jsonl").write_text(lines(rows * 40).replace("tide1", f"reef{number}"))
    one, two = (tracelink.report(tracelink.trace(tmp_path, jobs=jobs)) for jobs in (1, 2))
    assert of(one, "TL303") == of(two, "TL303") != []
