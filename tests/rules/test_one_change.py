"""One change made to a sound recording: what it is told as, once, and in words that hold."""

import pytest

import tracelink
from tests.rules.cases import (
    TURN,
    Json,
    added,
    call,
    codes,
    create,
    done,
    ending,
    lines,
    of,
    opening,
    output,
    post,
    said,
    snapshot,
    subagent,
    told,
    turn,
    waiting,
    wrapped,
)

STORY = [*waiting(call()), post(), added(output()), snapshot("in_progress", at=12), *ending()]


def clocked(rows: list[Json], *pauses: int) -> list[Json]:
    """Each row a second after the one before it, and 1000 seconds later from the rows numbered in `pauses` on."""
    return [wrapped(number + 1000 * sum(number >= one for one in pauses), row) for number, row in enumerate(rows)]


def test_silence_where_no_snapshot_is_recorded() -> None:
    rows = [row for row in STORY if "session" not in row]
    (finding,) = of(tracelink.report(lines(clocked(rows, 2)).encode()), "TL505")
    assert finding.ids == {"turn_id": TURN}
    assert "TL505" not in codes(tracelink.report(lines(clocked(rows)).encode()))


def test_a_stray_record_of_another_session_long_before() -> None:
    stray = wrapped(-5000, added(call("call_fog7", "turn_marsh2"), session_id="sess_marsh2"))
    rows = clocked(STORY)
    assert "TL006" in codes(tracelink.report(lines([*rows[:8], stray, *rows[8:]]).encode()))


def test_a_log_that_runs_newest_first_makes_no_result_late() -> None:
    rows = clocked(STORY)[::-1]
    assert "TL110" not in codes(tracelink.report(lines(rows).encode()))
    late = clocked([*waiting(call()), *ending(), post()])
    assert "TL110" in codes(tracelink.report(lines(late).encode()))


def test_a_post_after_the_session_failed() -> None:
    broken = snapshot("failed", error="Broken.", at=20)
    (finding,) = of(told(*waiting(call()), broken, post()), "TL110")
    assert "after its session failed at <bytes>:7" in finding.message
    assert "new session" in str(finding.hint)
    assert "TL110" not in codes(told(*waiting(call()), post(), broken))


def test_a_recorded_result_under_the_name_of_another_session() -> None:
    """The server stores none: what is wrong is the record."""
    rows = [
        row if row.get("item", {}).get("type") != "function_call_output" else {**row, "session_id": "sess_tide2"}
        for row in STORY
    ]
    (finding,) = of(told(*rows), "TL112")
    assert (finding.severity.value, finding.confidence.value) == ("warning", "low")
    assert "went to" not in finding.message
    assert "neither session was answered" not in finding.message
    assert "Fetch" in str(finding.hint)


def test_an_event_that_names_two_turns_is_told_once() -> None:
    second = [turn("created", "turn_ebb0"), turn("completed", "turn_ebb0")]
    two = [
        row if row.get("item", {}).get("type") != "function_call_output" else {**row, "turn_id": "turn_ebb0"} for row in STORY
    ]
    report = told(two[0], *second, *two[1:])
    assert "TL303" in codes(report)
    assert "TL103" not in codes(report)
    wrong = [
        added(output(turn_id="turn_ebb0")) if row.get("item", {}).get("type") == "function_call_output" else row
        for row in STORY
    ]
    assert "TL103" in codes(told(wrong[0], *second, *wrong[1:]))


def test_an_end_without_its_payload_is_no_end_that_is_missing() -> None:
    item = said()
    whole = [*opening(), added({**item, "status": "in_progress"}), done(item), *ending()]
    bare = [{**row, "item": None} if row["type"].endswith("item.done") else row for row in whole]
    assert "TL009" in codes(told(*bare))
    assert "TL305" not in codes(told(*bare))
    assert "TL305" in codes(told(*[row for row in whole if not row["type"].endswith("item.done")]))


@pytest.mark.parametrize(("rows", "word"), [([], "open"), (ending("cancelled"), "unanswered")])
def test_a_call_whose_turn_is_over_is_not_called_open(rows: list[Json], word: str) -> None:
    (finding,) = of(told(*waiting(call()), *rows, post("call_Ebb1")), "TL105")
    assert f"the {word} call call_ebb1 differs only by case" in finding.message


def test_a_result_that_came_after_its_call_was_cleared_and_its_turn_over() -> None:
    """Both are true: nobody knows who cleared it, and what was posted came late."""
    report = told(*waiting(call()), snapshot("in_progress", at=12), *ending(), post())
    (cleared,) = of(report, "TL113")
    assert "no result for it is recorded up to there" in cleared.message
    assert len(of(report, "TL110")) == 1


def test_a_cancelled_root_turn_in_a_sentence() -> None:
    child = {"subagent_id": "sub_gull1"}
    rows = [*opening(create()), subagent(), turn("created", "turn_gull1", **child), turn("in_progress", "turn_gull1", **child)]
    (finding,) = of(told(*rows, *ending("cancelled")), "TL404")
    assert finding.message.startswith(f"The root's turn {TURN} was cancelled at <bytes>:")
    (finished,) = of(told(*rows, *ending()), "TL404")
    assert finished.message.startswith(f"The root's turn {TURN} completed at <bytes>:")
