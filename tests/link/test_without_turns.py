"""Items of the simplified article (fact sheet K) name no turn: they belong to the turn that alone is named with their call."""

import json
from typing import Any

import tracelink
from tests.rules.cases import TURN, Json, action, call, codes, done, lines, opening, output, session
from tracelink.model.run import Report


def bare(item: Json) -> Json:
    return {name: value for name, value in item.items() if name not in ("id", "turn_id", "status")}


def told(*items: Json, **more: Any) -> Report:
    document = {
        "session": session(more.pop("status", "idle"), *more.pop("actions", ())),
        "items": {"data": list(items)},
        **more,
    }
    return tracelink.report(json.dumps(document).encode())


def test_the_required_action_names_the_turn() -> None:
    report = told(bare(call()), bare(call("call_ebb2")), status="requires_action", actions=(action(call()),))
    trace = report.sessions[0].trace
    assert sorted(trace.calls) == [("", "call_ebb2"), (TURN, "call_ebb1")]
    assert report.sessions[0].verdict.awaits == "awaiting"
    assert [(one.what, one.why) for one in trace.unlinkable] == [
        ("calls and results without a turn_id", "items carry no turn_id, so calls and results are tied by call_id alone")
    ]


def test_another_item_names_the_turn() -> None:
    """A call without a turn and its recorded result with one are of one turn."""
    report = told(bare(call()), output())
    trace = report.sessions[0].trace
    assert list(trace.calls) == [(TURN, "call_ebb1")]
    assert trace.calls[TURN, "call_ebb1"].state == "answered"
    assert codes(report) == []


def test_two_turns_with_that_call_name_none() -> None:
    """Which of the two is meant is not shown, so nothing is adopted."""
    report = told(bare(call()), output(), output(turn_id="turn_tide2", id="item_out_2"))
    assert ("", "call_ebb1") in report.sessions[0].trace.calls


def test_items_with_turns_are_left_alone() -> None:
    assert told(call(), output()).sessions[0].trace.unlinkable == ()


def test_a_call_and_its_result_without_turns_are_tied_by_call_id() -> None:
    report = told(bare(call()), bare(output()), bare(call("call_ebb2")))
    trace = report.sessions[0].trace
    assert trace.calls["", "call_ebb1"].results == (0,)
    assert trace.calls["", "call_ebb2"].results == ()
    assert codes(report) == []


def test_a_call_that_was_only_announced_keeps_its_arguments() -> None:
    """Until a finished item or the required action says otherwise."""
    early, late = call(status="in_progress"), call("call_ebb1", arguments={"gauge": "south pier"})
    (trace,) = tracelink.trace(lines([*opening(early)]).encode())
    assert trace.calls[TURN, "call_ebb1"].arguments == {"gauge": "north pier"}
    (trace,) = tracelink.trace(lines([*opening(early), done(late)]).encode())
    assert trace.calls[TURN, "call_ebb1"].arguments == {"gauge": "south pier"}
    assert trace.calls[TURN, "call_ebb1"].variants == ()
