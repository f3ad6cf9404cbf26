"""A rule that is quiet about one goes on to the next, and its sentences name what was seen."""

import json
from typing import Any

import tracelink
from tests.rules.cases import (
    SESSION,
    TURN,
    Json,
    action,
    added,
    call,
    computer,
    connection,
    done,
    function,
    of,
    opening,
    page,
    post,
    session,
    snapshot,
    told,
    turn,
    waiting,
)

STRICT = {"type": "object", "properties": {"gauge": {"type": "string"}}, "required": ["gauge"], "additionalProperties": False}


def with_tools(tools: list[Json], *calls: Json) -> list[Json]:
    rows = waiting(*calls)
    for row in rows:
        if "session" in row:
            row["session"]["agent"]["tools"] = tools
    return rows


def test_tl204_looks_on_after_what_it_cannot_check() -> None:
    tools = [function("free", parameters=True), function("strict", parameters=STRICT)]
    calls = [
        call("call_1", name="free", arguments={"x": 1}),
        call("call_2", name="strict", arguments='{"gauge'),
        call("call_3", name="strict", arguments=None),
        call("call_4", name="strict", arguments={"gauge": 3}),
        call("call_5", name="strict", arguments='{"gauge": "north"}'),
        call("call_6", name="strict", arguments='{"gauge": 3}'),
    ]
    findings = of(told(*with_tools(tools, *calls)), "TL204")
    assert [one.ids["call_id"] for one in findings] == ["call_4", "call_6"]
    assert findings[0].message.startswith("The arguments of call_4 (strict) at <bytes>:11 do not fit the schema")


def test_tl204_says_once_a_tool_and_reason_what_it_could_not_check_and_where() -> None:
    far = {"$ref": "https://schemas.example/gauge.json"}
    tools = [function("far", parameters=far), function("deep", parameters={"type": "objekt"})]
    calls = [call(f"call_{n}", name=name) for n, name in enumerate(("far", "far", "deep"))]
    report = told(*with_tools(tools, *calls))
    unchecked = [one for one in report.sessions[0].unchecked if one.what.startswith("the arguments of")]
    assert [(one.what, one.why, one.ids["call_id"]) for one in unchecked] == [
        ("the arguments of far", "its schema refers to another place", "call_0"),
        ("the arguments of deep", "its schema is no valid JSON Schema", "call_2"),
    ]
    assert [one.at.line if one.at is not None else None for one in unchecked] == [8, 8]


def test_tl205_names_what_is_declared() -> None:
    def listed(*names: str, others: tuple[Json, ...] = ()) -> str:
        tools = [*(function(name) for name in names), *others]
        (finding,) = of(told(*with_tools(tools, call(name="open_lock"))), "TL205")
        return finding.message

    assert "but the session declares a at <bytes>:" in listed("a")
    assert "but the session declares a, b, c at <bytes>:" in listed("c", "b", "a")
    assert "but the session declares a, b, c and others at <bytes>:" in listed("d", "c", "b", "a")
    assert "but the session declares no function at <bytes>:" in listed(others=({"type": "web_search"},))


def item(kind: str, item_id: str) -> Json:
    more = {"command": "make", "cwd": None, "duration_ms": None, "exit_code": None, "output": None}
    return {"type": kind, "id": item_id, "turn_id": TURN, "status": "in_progress", **more}


def test_tl305_looks_on_after_what_was_done() -> None:
    one, two, three = (item("command_execution", f"item_{n}") for n in "abc")
    rows = [*opening(one, two, three), done(two | {"status": "completed"}), turn("completed")]
    assert [finding.ids["item_id"] for finding in of(told(*rows), "TL305")] == ["item_a", "item_c"]
    rows = [*opening(two, one), done(two | {"status": "completed"}), turn("completed")]
    assert [finding.ids["item_id"] for finding in of(told(*rows), "TL305")] == ["item_a"]


def lost(kind: str, environment_id: str, turn_id: str | None = TURN) -> Json:
    event: Json = {"type": f"agent.session.environment.{kind}", "session_id": SESSION, "turn_id": turn_id}
    if kind == "reset":
        return {**event, "environment_id": environment_id, "reset_count": 1}
    return {**event, "environment": {"id": environment_id, "type": "self_hosted", "status": kind, "error": None}}


def test_tl306_looks_on_after_an_environment_that_was_not_lost() -> None:
    rows = [*opening(), lost("pending", "env_a"), lost("ready", "env_b"), lost("failed", "env_c"), lost("reset", "env_d", None)]
    assert [finding.ids["environment_id"] for finding in of(told(*rows), "TL306")] == ["env_c", "env_d"]


def test_tl306_asks_which_turn_ran_then() -> None:
    rows = [*opening(), turn("completed"), snapshot("idle", at=25)]
    assert of(told(*rows, lost("failed", "env_a", None)), "TL306") == []
    assert of(told(*rows, lost("failed", "env_a")), "TL306") == []  # its turn was over
    again = [*rows, turn("created", "turn_tide2"), lost("failed", "env_a", None)]
    assert [finding.ids["turn_id"] for finding in of(told(*again), "TL306")] == ["turn_tide2"]


def test_tl111_names_both_ids() -> None:
    (finding,) = of(told(*waiting(call()), post(turn_id=None, call_id=None)), "TL111")
    assert finding.message == "A posted result at <bytes>:7 has no turn_id and call_id, so it answers nothing as recorded."
    nameless = call() | {"turn_id": None, "call_id": None}
    (finding,) = of(told(snapshot("in_progress"), {**added(call()), "turn_id": None, "item": nameless}), "TL111")
    assert finding.message == "A call of read_gauge at <bytes>:2 has no turn_id and call_id, so no result can be tied to it."


def test_tl114_names_the_place_where_the_session_failed() -> None:
    (finding,) = of(told(*waiting(call()), snapshot("failed", error="gone", at=30)), "TL114")
    assert "had no result when its session failed at <bytes>:7: it is no longer pending" in finding.message
    assert [at.line for at in finding.locations] == [5, 7]


def stale(required: Json, *clears: Json) -> str:
    document = {"session": session("requires_action", required), "items": page(*clears)}
    (finding,) = of(tracelink.report(json.dumps(document).encode()), "TL504")
    return finding.message


def test_tl504_names_the_request() -> None:
    asked = {
        "type": "computer_use_approval_request",
        "id": "item_ask",
        "turn_id": TURN,
        "request_id": "cuar_reef1",
        "request": {},
    }
    said = {
        "type": "computer_use_approval_request_result",
        "id": "item_say",
        "turn_id": TURN,
        "request_id": "cuar_reef1",
        "response": {},
    }
    assert "lists cuar_reef1 as required" in stale(computer(), asked, said)
    assert "lists call_ebb1 as required" in stale(action(call()), call(), {**output(), "id": "item_o"})


def output() -> dict[str, Any]:
    return {
        "type": "function_call_output",
        "turn_id": TURN,
        "call_id": "call_ebb1",
        "output": "x",
        "error": None,
        "status": "completed",
    }


def test_an_environment_is_awaited_by_its_id() -> None:
    (finding,) = of(told(snapshot("requires_action", connection())), "TL501")
    assert finding.message.startswith("The session awaits environment_connection env_reef1 (1 of 1; <bytes>:1)")
    assert finding.message.endswith("nothing shows it connected.")
