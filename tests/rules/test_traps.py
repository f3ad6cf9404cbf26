"""The traps of the fact sheet that no other test holds by its number, and that each number has one (`traps`)."""

import ast
from functools import cache
from typing import Any

import pytest

import tracelink
from tests.rules.cases import (
    ROOT,
    SESSION,
    TURN,
    Json,
    action,
    added,
    call,
    codes,
    done,
    ending,
    lines,
    loud,
    numbered,
    of,
    opening,
    output,
    page,
    post,
    refusal,
    said,
    session,
    snapshot,
    subagent,
    told,
    turn,
    user,
    waiting,
)
from tests.rules.traps import TRAPS

NUMBERS = (
    *(f"A.3.{number}" for number in range(1, 6)),
    *(f"A.4.{number}" for number in (2, 3, 4, 5, 7, 8, 9, 10, 11, 12)),
    *(f"B.4.{number}" for number in (*range(1, 8), "r1", "r2", "r3", "r4", "r5")),
    *(f"B.5.{number}" for number in range(1, 5)),
    *(f"H.{number}" for number in range(1, 17)),
    *(f"L.2.{number}" for number in range(1, 21)),
)


@cache
def functions_of(path: str) -> frozenset[str]:
    return frozenset(node.name for node in ast.parse((ROOT / path).read_text()).body if isinstance(node, ast.FunctionDef))


def test_every_trap_has_its_test() -> None:
    assert tuple(TRAPS) == NUMBERS
    for number, (_, held_by) in TRAPS.items():
        assert held_by, number
        for test in held_by:
            path, name = test.split("::")
            assert name in functions_of(path), (number, test)


def awaits(*rows: Json) -> str:
    return told(*rows).sessions[0].verdict.awaits


WHOLE = [*waiting(call()), post(), added(output()), snapshot("in_progress", at=12), added(said()), done(said()), *ending()]


def sse(rows: list[Json], between: str = "", end: str = "") -> bytes:
    return ("".join(f"event: {row['type']}\ndata: {lines([row])}\n{between}" for row in numbered(rows)) + end).encode()


def environment(kind: str) -> Json:
    row = {"type": f"agent.session.environment.{kind}", "session_id": SESSION, "turn_id": None}
    return {**row, "environment": {"id": "env_reef1", "error": None, "status": kind, "type": "openai_hosted"}}


def delta(text: str) -> Json:
    ids = {"session_id": SESSION, "turn_id": TURN, "item_id": "item_said1", "output_index": 0, "content_index": 0}
    return {"type": "agent.session.turn.output_text.delta", **ids, "delta": text}


def test_trap_A3_1_the_documented_order() -> None:
    rows = [environment("connected"), turn("created"), turn("in_progress"), added(said()), delta("2.31"), turn("completed")]
    assert codes(told(*rows, snapshot("idle"))) == []


def test_trap_A3_5_requires_action_before_its_item() -> None:
    """And the item announced only after its answer, and in_progress before the turn is created."""
    begin = [snapshot("created", at=0), snapshot("in_progress", at=1), turn("created"), turn("in_progress")]
    rows = [*begin, snapshot("requires_action", action(call())), post(), added(call()), done(call()), added(output())]
    assert codes(told(*rows, *ending())) == []


def test_trap_A4_4_done_or_none() -> None:
    events = [row for row in WHOLE if ".input." not in row["type"]]
    assert codes(tracelink.report(sse(events))) == codes(tracelink.report(sse(events, end="data: [DONE]\n\n"))) == []


def test_trap_A4_5_keepalives() -> None:
    events = [row for row in WHOLE if ".input." not in row["type"]]
    report = tracelink.report(sse(events, between=": keep-alive\n\nretry: 3000\n\n"))
    assert codes(report) == []
    assert report.sessions[0].trace.counts == tracelink.report(sse(events)).sessions[0].trace.counts


def test_trap_A4_7_an_error_event_alone() -> None:
    """It does not settle a turn: what it speaks of may go on, and complete."""
    error = {"type": "x", "code": "internal_error", "message": "One of the tools failed.", "param": None}
    rows = [*opening(), {"type": "error", "session_id": SESSION, "error": error}]
    assert loud(told(*rows)) == set()
    assert codes(told(*rows, *ending())) == []


@pytest.mark.parametrize("lost", range(5, 12))
def test_trap_A4_8_what_was_missed_is_nobodys_fault(lost: int) -> None:
    """One event of a whole turn was missed while the recorder was away: no error is made of it."""
    rows = WHOLE[:lost] + WHOLE[lost + 1 :]
    errors = {one.code for one in told(*rows).all_findings() if one.severity.value == "error"}
    assert errors == set(), WHOLE[lost]["type"]


def test_trap_A4_10_a_stream_that_stays_open_across_the_answer() -> None:
    """One ends after the first idle, another goes on with the next turn, another begins at requires_action."""
    again = [turn("created", "turn_tide2"), turn("in_progress", "turn_tide2"), turn("completed", "turn_tide2")]
    assert codes(told(*WHOLE)) == codes(told(*WHOLE, *again, snapshot("idle", at=50))) == []
    assert loud(told(*WHOLE[5:])) == set()


def test_trap_A4_12_recovered_from_session_and_items() -> None:
    """A new stream, buffered while session, items and turns were read: what is final is not said again, nor missed."""
    items = page(user(), call(), output(), said())
    late = [*WHOLE[8:], session("idle", at=25), items, turn("completed")["turn"]]
    assert loud(told(*late)) == set()
    assert awaits(*late) == "not_awaiting"


def test_trap_B5_1_a_call_that_the_list_lacks() -> None:
    """The stream saw it; a whole page without it proves nothing."""
    report = told(*waiting(call()), page(user()))
    assert loud(report) == set()
    assert report.sessions[0].verdict.awaits == "awaiting"
    assert codes(told(*WHOLE, page(user(), said()))) == []


@pytest.mark.parametrize("status", ["in_progress", "completed", "incomplete", "failed"])
def test_trap_B5_4_any_status_while_pending(status: str) -> None:
    one = call(status=status)
    assert awaits(*opening(one), snapshot("requires_action", action(one))) == "awaiting"
    assert loud(told(*opening(one), snapshot("requires_action", action(one)))) == set()
    assert (
        awaits(*opening(one), snapshot("requires_action", action(one)), added(output()), snapshot("in_progress"))
        == "not_awaiting"
    )


def test_trap_H_5_text_without_deltas() -> None:
    bare = [*opening(), added(said()), done(said()), *ending()]
    spoken = [*opening(), added(said()), delta("2.31"), delta(" metres."), done(said()), *ending()]
    assert codes(told(*bare)) == codes(told(*spoken)) == []


def test_trap_H_6_an_identical_result_is_announced_twice() -> None:
    """A resend is taken and gets a second item.added under a new event_id: no conflict, and no delivery of the same event."""
    rows = [
        *waiting(call()),
        post(),
        added(output()),
        post(),
        added(output(id="item_again")),
        snapshot("in_progress"),
        *ending(),
    ]
    assert codes(told(*rows)) == ["TL107"]


def test_trap_H_10_command_output_that_was_cut() -> None:
    item = {"type": "command_execution", "id": "item_cmd1", "turn_id": TURN, "status": "completed", "command": "ls", "cwd": "/"}
    cut = item | {"duration_ms": 4, "exit_code": 0, "output": '{"files": ["a", "b'}
    assert codes(told(*opening(cut), done(cut), *ending())) == []


def test_trap_H_11_usage_is_null() -> None:
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    for value in (None, usage):
        assert codes(told(*opening(), {**turn("completed"), "usage": value}, snapshot("idle", usage=value))) == []


def test_trap_H_13_limits_are_the_servers() -> None:
    """More metadata and longer keys than it takes are none of our business."""
    much = {f"key_{number}" * 20: "x" * 600 for number in range(20)}
    assert codes(told(*opening(), turn("completed"), snapshot("idle", metadata=much))) == []


def test_trap_H_16_a_message_and_the_turn_it_makes() -> None:
    """Nothing says which turn a message started, nor that two posts made one turn."""
    words = {"role": "user", "content": [{"type": "input_text", "text": "And now?"}]}
    message = {"type": "agent.session.input.message", "input": [words]}
    assert codes(told(snapshot("created", at=0), message, message, *opening()[1:], *ending(), message)) == []


def test_trap_L2_5_nulls_for_ids() -> None:
    rows = [row | {"turn_id": None} if "item" in row else row for row in WHOLE]
    rows = [row | {"item": row["item"] | {"id": None}} if row.get("item", {}).get("type") == "message" else row for row in rows]
    assert loud(told(*rows)) == set()
    assert awaits(*rows[:6]) == "awaiting"


def test_trap_L2_6_seen_in_the_stream_and_not_listed() -> None:
    assert codes(told(*WHOLE, page(user()))) == []


def test_trap_L2_13_everything_in_one_file() -> None:
    """Two sessions, a webhook, a page, an HTTP error of something else, an object, and the stream as SSE text in a wrapper."""
    webhook: dict[str, Any] = {"id": "wh_1", "object": "event", "created_at": 1, "type": "agent.session.idle"}
    webhook["data"] = {"id": SESSION, "environment_type": "none"}
    other = [
        row | {"event_id": f"o_{n}"}
        for n, row in enumerate([snapshot("idle", session_id="sess_marsh2", at=n) for n in range(3)])
    ]
    text = sse([row for row in WHOLE if ".input." not in row["type"]]).decode()
    wrong = {"status": 404, "body": refusal("No such agent.", "not_found_error")}
    report = told({"response": text}, webhook, *other, page(user(), call(), output(), said()), wrong, session("idle", at=25))
    assert codes(report) == ["TL006"]
    assert {one.trace.session_id for one in report.sessions} == {SESSION, "sess_marsh2"}


def test_trap_L2_18_members_of_vendors() -> None:
    odd = {"role_arn": "arn:example", "aws_bedrock_agentcore": {"x": 1}}
    rows = [row | odd | ({"session": row["session"] | odd} if "session" in row else {}) for row in WHOLE]
    assert codes(told(*rows, subagent("created", vendor=odd))) == codes(told(*WHOLE, subagent("created")))
    assert of(told(*rows), "TL003") == []
