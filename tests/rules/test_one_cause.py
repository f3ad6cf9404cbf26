"""What looks like a second cause and is none; and sentences that say no more than is recorded."""

import json

import tracelink
from tests.rules.cases import (
    TURN,
    Json,
    action,
    added,
    call,
    codes,
    done,
    ending,
    lines,
    of,
    opening,
    output,
    page,
    post,
    refusal,
    session,
    snapshot,
    subagent,
    told,
    turn,
    waiting,
)

OLD: Json = session("requires_action", action(call()))
OVER: Json = {"object": "list", "data": [turn("completed")["turn"]], "has_more": False}


def bundle(*values: Json) -> bytes:
    return json.dumps(list(values)).encode()


def test_a_session_that_lists_a_call_of_a_turn_that_is_over() -> None:
    report = tracelink.report(bundle(OLD), bundle(OVER, page(call())))
    assert codes(report) == ["TL504"], "TL101 would say of the same that the call is not pending"
    (finding,) = of(report, "TL504")
    assert f"lists call_ebb1 as required, but its turn {TURN} is recorded as completed at" in finding.message


def test_a_session_that_lists_what_is_answered() -> None:
    (finding,) = of(tracelink.report(bundle(OLD), bundle(page(call(), output()))), "TL504")
    assert "but what answers it is recorded at" in finding.message


def test_a_call_without_a_result_that_nothing_lists() -> None:
    assert codes(tracelink.report(bundle(session("idle")), bundle(OVER, page(call())))) == ["TL101"]


def test_a_call_of_a_subagent_is_told_once() -> None:
    rows = [*opening(), subagent(), turn("created", "turn_gull1", subagent_id="sub_gull1"), done(call(turn_id="turn_gull1"))]
    report = told(*rows, turn("completed", "turn_gull1", subagent_id="sub_gull1"))
    assert "TL406" in codes(report)
    assert "TL101" not in codes(report)


def test_a_result_that_came_too_late_or_was_refused_is_named_where_its_call_was_abandoned() -> None:
    (finding,) = of(told(*waiting(call()), *ending("cancelled"), post()), "TL114")
    assert finding.message.endswith("the result that the app posted at <bytes>:9 came too late (TL110).")
    (finding,) = of(told(*waiting(call()), post(), refusal("Invalid."), *ending("cancelled")), "TL114")
    assert finding.message.endswith("the result that the app posted at <bytes>:7 was refused (TL307).")
    (finding,) = of(told(*waiting(call()), *ending("cancelled")), "TL114")
    assert finding.message.endswith("whether the function ran is not recorded.")


def test_calls_of_two_files_that_no_snapshot_lists_together() -> None:
    first = [*waiting(call()), added(output()), snapshot("in_progress", at=12)]
    second = [added(call("call_ebb2")), snapshot("requires_action", action(call("call_ebb2")), at=14)]
    for files in ((first, second), (second, first)):
        report = tracelink.report(*(lines(rows).replace("ev_", f"ev_{number}_").encode() for number, rows in enumerate(files)))
        assert "TL501" in codes(report)
        assert "TL502" not in codes(report)


def test_calls_of_two_files_that_a_snapshot_lists_together() -> None:
    first = [*waiting(call(), call("call_ebb2")), added(output())]
    second = [snapshot("requires_action", action(call("call_ebb2")), at=14)]
    report = tracelink.report(
        *(lines(rows).replace("ev_", f"ev_{number}_").encode() for number, rows in enumerate((first, second)))
    )
    assert "TL502" in codes(report)


def test_one_more_action() -> None:
    calls = [call(f"call_ebb{number}") for number in range(5)]
    for count, said in (
        (3, "call_ebb2) are required"),
        (4, "and one more action are required"),
        (5, "and 2 more actions are required"),
    ):
        (one,) = told(*waiting(*calls[:count])).sessions
        assert said in one.verdict.reason
