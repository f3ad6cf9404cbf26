"""Sessions over the limit are counted and told; what names no session is no reason to lose the rest."""

import json
from typing import Any

import pytest

import tracelink
from tests.rules.cases import (
    SESSION,
    TURN,
    Json,
    action,
    added,
    call,
    lines,
    of,
    opening,
    output,
    post,
    session,
    snapshot,
    turn,
    wrapped,
)
from tracelink.model.limits import Limits
from tracelink.model.trace import Trace


def traced(*rows: Any) -> Trace:
    (trace,) = tracelink.trace(lines(list(rows)).encode())
    return trace


def delta(session_id: str | None = SESSION) -> Json:
    ids = {"session_id": session_id, "turn_id": TURN, "item_id": "item_said1", "output_index": 0, "content_index": 0}
    return {"type": "agent.session.turn.output_text.delta", **ids, "delta": "2"}


def test_sessions_over_the_limit_are_counted_as_not_read() -> None:
    other = [session("idle", session_id="sess_ebb2"), *(delta("sess_ebb2") for _ in range(3))]
    rows = lines([*opening(), *other, session("idle", session_id="sess_ebb3")]).encode()
    report = tracelink.report(rows, limits=Limits(sessions=1))
    assert [one.trace.session_id for one in report.sessions] == [SESSION]
    (finding,) = of(report, "TL011")
    assert "there are more than 1 session: 5 records of 2 further ones were counted and not used" in finding.message
    assert finding.locations[0].line == 5
    run = tracelink.trace(rows, limits=Limits(sessions=1))
    (counts,) = run.counts
    assert counts == {"used": 4, "unreadable": 5}
    assert [len(tracelink.trace(rows, limits=Limits(sessions=n))) for n in (2, 3, 4)] == [2, 3, 3]


STRAYS = [
    {"hello": 1},
    {"object": "thread", "id": "x"},
    {"type": "agent.unheard"},
    {"type": "response.created", "response": {}},
]


@pytest.mark.parametrize("stray", STRAYS, ids=[json.dumps(one)[:20] for one in STRAYS])
def test_a_stray_record_before_a_session_hides_nothing_of_it(stray: Json) -> None:
    trace = traced(stray, *opening(call()))
    assert (trace.session_id, list(trace.calls), len(trace.snapshots)) == (SESSION, [(TURN, "call_ebb1")], 2)


def test_deltas_that_name_no_session_are_of_the_one_that_streams() -> None:
    trace = traced(*opening(), delta(None), delta(None), added(call()))
    assert [(burst.count, burst.last.line) for burst in trace.bursts] == [(2, 6)]


def test_among_several_sessions_a_delta_is_of_that_of_its_turn_or_of_its_file() -> None:
    def rows(name: str) -> list[Json]:
        more = {"session_id": f"sess_{name}"}
        begun = [snapshot("in_progress", **more), turn("created", f"turn_{name}", **more)]
        return [{**row, "event_id": f"ev_{name}_{number}"} for number, row in enumerate(begun)]

    def found(*sources: list[Json]) -> dict[str | None, int]:
        traces = tracelink.trace(*(lines(one).encode() for one in sources))
        return {one.session_id: sum(burst.count for burst in one.bursts) for one in traces}

    mine, unknown = {**delta(None), "turn_id": "turn_ebb2"}, {**delta(None), "turn_id": None}
    one, two = rows("ebb1"), rows("ebb2")
    assert found([*one, *two, mine]) == {"sess_ebb1": 0, "sess_ebb2": 1}
    assert found([*one, mine], two) == {"sess_ebb1": 0, "sess_ebb2": 1}
    assert found(one, [*two, unknown]) == {"sess_ebb1": 0, "sess_ebb2": 1}
    assert found([*one, *two, unknown]) == {"sess_ebb1": 0, "sess_ebb2": 0}  # whose it is, is not shown


def test_within_one_file_arrival_decides_whatever_the_clock_says() -> None:
    """A recorder's clock that was set back in between."""
    rows = [
        wrapped(at, {"event_id": f"e{at}", **row})
        for at, row in ((50, snapshot("requires_action", action(call()))), (20, snapshot("idle")))
    ]
    trace = traced(*rows)
    assert [one.body.status for one in trace.latest] == ["idle"]


# Calls that only actions name


def test_calls_stand_in_the_order_of_their_first_place() -> None:
    """Two of one snapshot in the order of its list."""
    late, first, second = call("call_b"), call("call_z"), call("call_a")
    rows = [turn("created"), snapshot("requires_action", action(first), action(second)), added(late)]
    assert [call_id for _, call_id in traced(*rows).calls] == ["call_z", "call_a", "call_b"]


def test_an_action_without_a_call_id_has_none() -> None:
    bare = {"type": "function_call", "turn_id": TURN, "name": "read_gauge"}
    trace = traced(snapshot("requires_action", bare))
    assert {call_id for _, call_id in trace.calls} <= {""}


def test_a_call_is_answered_by_its_first_result() -> None:
    """A post under nearly its id that came after that was meant for something else, whatever else was answered later."""
    story = [*opening(call()), snapshot("requires_action", action(call()))]
    first, other = added(output()), added(output(value="2.4 m", id="item_out_2"))
    late = traced(*story, first, post("call_ebb9"), other).results
    early = traced(*story, post("call_ebb9"), first, other).results
    assert [one.problem for one in late if one.call_id == "call_ebb9"] == ["TL102"]
    assert [one.problem for one in early if one.call_id == "call_ebb9"] == ["TL105"]
