"""A result without a call: what it was meant for where it lacks an id, and why its call may lie outside the recording."""

import json
from typing import Any

import pytest

import tracelink
from tests.rules.cases import (
    TURN,
    Json,
    action,
    added,
    call,
    codes,
    ending,
    function,
    lines,
    output,
    page,
    post,
    session,
    snapshot,
    told,
    turn,
    waiting,
    wrapped,
)
from tracelink.model.trace import Result, Trace


def traced(*rows: Any) -> Trace:
    (trace,) = tracelink.trace(lines(list(rows)).encode())
    return trace


def last(*rows: Any) -> Result:
    return traced(*rows).results[-1]


def meant(*rows: Any) -> tuple[str | None, str | None] | None:
    found = last(*rows).meant
    return (found.turn_id, found.call_id) if found is not None else None


def test_a_result_that_lacks_an_id_may_fit_one_open_call() -> None:
    one = waiting(call())
    two = waiting(call(), call("call_ebb2"))
    assert meant(*one, post(turn_id=None)) == (TURN, "call_ebb1")
    assert meant(*one, post(call_id=None)) == (TURN, "call_ebb1")
    assert meant(*two, post(turn_id=None)) == (TURN, "call_ebb1")
    assert meant(*two, post(call_id=None)) is None  # which of the two is not told
    assert meant(*two, added(output("call_ebb2")), post(call_id=None)) == (TURN, "call_ebb1")
    assert meant(*one, post(call_id=None, turn_id=None)) is None
    assert meant(*one, post(call_id="call_far1", turn_id=None)) is None
    assert meant(*one, post(call_id=None, turn_id="turn_far1")) is None


def why(trace: Trace) -> list[str]:
    return [one.why for one in trace.unlinkable if one.what == "which call a result answers"]


def test_a_turn_that_is_covered_hides_no_call() -> None:
    trace = traced(*waiting(call()), post("call_unlike9"), *ending())
    assert (trace.results[-1].problem, why(trace)) == ("TL102", [])


def test_a_turn_that_began_elsewhere_may_hide_it() -> None:
    trace = traced(snapshot("in_progress"), turn("in_progress"), post("call_unlike9"), *ending())
    assert trace.results[-1].problem is None
    assert why(trace) == ["its turn's beginning is not in the recording, so its call may lie before the start"]


def test_a_turn_that_nobody_saw_is_none_where_all_was_seen() -> None:
    """The stream holds the session from its creation: a turn that it does not show is not there."""
    assert last(*waiting(call()), post("call_unlike9", "turn_far1")).problem == "TL102"
    late = traced(snapshot("in_progress"), post("call_unlike9", "turn_far1"))
    assert late.results[-1].problem is None


def test_a_turn_that_goes_on_shows_the_calls_made_so_far() -> None:
    """In its own stream a call would stand before its result."""
    assert last(*waiting(call()), post("call_unlike9")).problem == "TL102"


def test_a_post_in_another_file_may_be_for_a_call_yet_to_come() -> None:
    stream, posts = lines(waiting(call())).encode(), lines([post("call_unlike9")]).encode()
    (trace,) = tracelink.trace(stream, posts)
    assert trace.results[-1].problem is None
    assert why(trace) == ["the recording of its turn ends before its end, so its call may come later"]


# Snapshots


def test_two_session_objects_in_one_document() -> None:
    """Fetched twice and kept together: the later by the server's own clock decides, on either side."""
    pending, over = session("requires_action", action(call()), at=10), session("idle", at=20)
    for first, second in ((pending, over), (over, pending)):
        report = tracelink.report(json.dumps({"first": first, "second": second}).encode())
        assert report.sessions[0].verdict.awaits == "not_awaiting"


@pytest.mark.parametrize("later", [{"session": session("idle", at=20), "items": page(call(), output())}])
def test_an_export_after_a_stream_in_one_file(later: Json) -> None:
    report = told(*waiting(call()), later)
    assert report.sessions[0].verdict.awaits == "not_awaiting"


# The verdict after every action was cleared


def test_cleared_and_a_call_made_since() -> None:
    rows = [*waiting(call()), added(output()), added(call("call_ebb2"))]
    verdict = told(*rows).sessions[0].verdict
    assert verdict.awaits == "unknown"
    assert (
        verdict.reason
        == "the recording ends after call_ebb2 was called (<bytes>:8) and before a snapshot tells whether it is required"
    )


def test_cleared_and_a_record_lost_since() -> None:
    text = lines([*waiting(call()), added(output())]) + '{"type": "agent.session.\n'
    verdict = tracelink.report(text.encode()).sessions[0].verdict
    assert verdict.awaits == "unknown"
    assert "could not be read (<bytes>:8)" in verdict.reason


def test_cleared_and_nothing_since() -> None:
    verdict = told(*waiting(call()), added(output())).sessions[0].verdict
    assert (verdict.awaits, verdict.reason) == (
        "not_awaiting",
        "every action of the latest snapshot was cleared after it, the last at <bytes>:7",
    )


# Tools declared in another file than the call


def items(at: float | None, *more: Json) -> bytes:
    rows = [*more, added(call(name="open_lock", arguments={}))]
    return lines(rows if at is None else [wrapped(at + n, {"event_id": f"i{n}", **row}) for n, row in enumerate(rows)]).encode()


def declared(at: float | None, *names: str) -> bytes:
    row = {"event_id": f"s{at}", **snapshot("in_progress", tools=[function(name) for name in names])}
    return lines([row if at is None else wrapped(at, row)]).encode()


def undeclared(*sources: bytes) -> bool:
    return "TL205" in codes(tracelink.report(*sources))


def test_tools_of_another_file_count_where_the_order_is_known() -> None:
    assert undeclared(declared(1, "read_gauge"), items(5))
    assert not undeclared(declared(1, "open_lock"), items(5))
    assert undeclared(declared(1, "open_lock"), declared(3, "read_gauge"), items(5))
    assert not undeclared(declared(1, "read_gauge"), declared(3, "open_lock"), items(5))
    assert not undeclared(declared(1, "open_lock"), declared(9, "read_gauge"), items(5))


def test_tools_of_another_file_count_where_all_declare_the_same() -> None:
    assert undeclared(declared(None, "read_gauge"), items(None))
    assert not undeclared(declared(None, "read_gauge"), declared(None, "open_lock"), items(None))


def test_events_kept_together_in_one_document_follow_each_other() -> None:
    """The last of them is the latest; a session object beside them is weighed by the server's clock."""
    events = [{"event_id": "a", **waiting(call())[-1]}, {"event_id": "b", **snapshot("idle", at=20)}]
    report = tracelink.report(json.dumps({"kept": events}).encode())
    assert report.sessions[0].verdict.awaits == "not_awaiting"
    report = tracelink.report(json.dumps({"kept": events[::-1]}).encode())
    assert report.sessions[0].verdict.awaits == "unknown"  # arrival and the server's clock contradict each other
    beside = {"session": session("idle", at=5), "kept": events[:1]}
    assert tracelink.report(json.dumps(beside).encode()).sessions[0].verdict.awaits == "awaiting"


def test_an_unclear_verdict_shows_its_snapshot_and_blames_the_recording() -> None:
    one = told(*waiting(call()), added(output()), added(call("call_ebb2"))).sessions[0]
    assert one.verdict.evidence is not None
    assert one.verdict.evidence.location is not None
    assert one.verdict.evidence.location.line == 6
    assert (one.stall.kind, one.stall.blame, one.stall.expected) == ("recording_ended", "recording", "unclear")
    files = [
        lines([{"event_id": "a", **waiting(call())[-1]}]).encode(),
        lines([{"event_id": "b", **snapshot("idle", at=10)}]).encode(),
    ]
    (unknown,) = tracelink.report(*files).sessions
    assert (unknown.verdict.awaits, unknown.stall.blame) == ("unknown", "recording")
    assert unknown.verdict.evidence is not None
