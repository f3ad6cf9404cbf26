"""What a value is taken for, what stands beside it, and what is left alone."""

import base64
import json
from typing import Any

import pytest

from tests.read.samples import CALL, CREATE, ENVIRONMENT, EVENTS, OUTPUT, SESSION, SUBAGENT, TURN, USER, event
from tests.read.test_framing import essence, jsonl, read, sse
from tracelink.model.record import Kind, Record

ERROR = {
    "error": {
        "type": "invalid_request_error",
        "code": "invalid_request_error",
        "message": "Unknown pending tool call: c",
        "param": None,
    }
}
RESULT = EVENTS[9]


def kinds(value: Any) -> list[tuple[str, str | None]]:
    return [(str(record.kind), record.detail) for record in read(jsonl([value]))]


def one(value: Any) -> Record:
    (record,) = read(jsonl([value]))
    return record


BARE_CALL = {key: value for key, value in CALL.items() if key != "turn_id"}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (SESSION, "session"),
        ({key: value for key, value in SESSION.items() if key != "object"}, "session"),
        (TURN, "turn"),
        ({key: value for key, value in TURN.items() if key != "object"}, "turn"),
        (SUBAGENT, "subagent"),
        ({key: value for key, value in SUBAGENT.items() if key != "object"}, "subagent"),
        ({"object": "agent.environment", **ENVIRONMENT}, "environment"),
        (CALL, "item"),
        (CREATE, "item"),
        ({"type": "create_subagent_call", "agent_id": "agent_1", "task": "look"}, "item"),
        ({"type": "send_subagent_input_call", "subagent_id": "sub_1", "input": "x"}, "item"),
        ({"type": "agent_message", "from": "sub_1", "text": "x"}, "item"),
        (BARE_CALL, "item"),
        ({"type": "agent.session.input.function_call_output", "call_id": "c"}, "input"),
        ({"type": "session.input.tool_result", "call_id": "c"}, "input"),
        ({"type": "agent.session.never_heard_of", "event_id": "e"}, "unknown"),
        ({"object": "event", "id": "wh", "created_at": 1, "type": "agent.session.idle", "data": {"id": "sess_1"}}, "webhook"),
        (
            {"object": "event", "id": "wh", "created_at": 1, "type": "agent.environment.ready", "data": {"id": "env_1"}},
            "webhook",
        ),
        (ERROR, "http_error"),
        (ERROR["error"], "http_error"),
        ({"object": "agent.session.trace", "id": "turn_1", "session_id": "s", "otlp": {"resourceSpans": []}}, "object"),
        ({"object": "agent.session.deleted", "id": "sess_1", "deleted": True}, "object"),
        ({"object": "agent", "id": "agent_1"}, "object"),
        ({"session_id": "sess_1", "links": [{"object": "agent.session.turn", "id": "t"}]}, "object"),
        ({"anything": {"else": [1, 2, {}]}}, "unknown"),
        ({}, "unknown"),
        ([], "unknown"),
        ("text", "unknown"),
        (None, "unknown"),
    ],
)
def test_kind(value: Any, kind: str) -> None:
    assert kinds(value) == [(kind, None)]


@pytest.mark.parametrize(
    ("value", "detail"),
    [
        ({"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": {}}]}, "chat_completions"),
        ({"role": "tool", "tool_call_id": "c", "content": "x"}, "chat_completions"),
        ({"object": "chat.completion", "choices": []}, "chat_completions"),
        ({"model": "m", "messages": [{"role": "user", "content": "x"}, {"role": "tool", "content": "y"}]}, "chat_completions"),
        ({"type": "response.output_item.done", "item": CALL}, "responses"),
        ({"object": "response", "id": "r", "output": [CALL]}, "responses"),
        ({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}, "responses"),
        ({"type": "error", "sequence_number": 1, "error": {"code": "x", "message": "m", "param": None}}, "responses"),
        ({"type": "message", "role": "assistant", "content": [], "stop_reason": "tool_use"}, "anthropic"),
        ({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use"}}, "anthropic"),
        ({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]}, "anthropic"),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "m"}}, "anthropic"),
        ({"candidates": [{"content": {"parts": [{"functionCall": {}}]}}]}, "gemini"),
        ({"type": "handoff_output_item", "source_agent": "a"}, "handoff"),
        ({"type": "session.turn.item.added", "item": CALL}, "alpha"),
        ({"type": "agent.output.item", "item": CALL}, "alpha"),
        ({"type": "session.created", "session": {"id": "s"}}, "alpha"),
        ({"type": "agent.session.turn.created", "event_id": "e", "session_id": "s", "sha": "1"}, "digest"),
        ({"type": "agent.session.idle", "event_id": "e", "session": None}, "digest"),
    ],
)
def test_foreign(value: Any, detail: str) -> None:
    assert kinds(value) == [("foreign", detail)]


def test_another_products_items_are_not_ours() -> None:
    values = [
        {
            "type": "item.completed",
            "item": {"id": "item_0", "type": "command_execution", "command": "ls", "aggregated_output": ""},
        },
        {"type": "item.completed", "item": {"id": "item_1", "type": "agent_message", "text": "hi"}},
        {"type": "session.created", "event_id": "e", "session": {"object": "realtime.session", "id": "s"}},
    ]
    assert {record.kind for record in read(jsonl(values))} == {Kind.UNKNOWN}


def test_among_agents_items_a_shared_type_is_an_item() -> None:
    bare = {"type": "function_call_output", "call_id": "call_1", "output": "x"}
    assert kinds([bare]) == [("foreign", "responses")]
    assert kinds([BARE_CALL, bare]) == [("item", None)] * 2
    assert [kind for kind, _ in kinds({"data": [CREATE, bare]})] == ["page", "item", "item"]


def test_payload_is_never_looked_into() -> None:
    inner = json.dumps(EVENTS[0])
    call = {**CALL, "arguments": {"events": EVENTS, "text": inner}}
    message = {**USER, "content": [{"type": "input_text", "text": inner}]}
    session = {**SESSION, "metadata": {"payload": inner}}
    values = [
        event("agent.session.turn.item.added", 1, session_id="s", turn_id="t", item=call),
        message,
        session,
        {**OUTPUT, "output": inner},
        {"type": "agent.session.input.tool_result", "turn_id": "t", "call_id": "c", "success": True, "output": inner},
    ]
    assert len(read(jsonl(values))) == len(values)


def page(*members: Any, **more: Any) -> dict[str, Any]:
    return {"object": "list", "data": list(members), "has_more": False, **more}


@pytest.mark.parametrize(
    ("members", "of", "order", "emitted"),
    [
        ([CALL, OUTPUT], "item", "asc", ["item_1", "item_2"]),
        ([OUTPUT, CALL], "item", "desc", ["item_1", "item_2"]),
        ([USER, {**USER, "id": "a", "role": "assistant"}], "item", "asc", ["item_0", "a"]),
        ([{**USER, "id": "a", "role": "assistant"}, USER], "item", "desc", ["item_0", "a"]),
        ([CREATE, CALL], "item", None, ["item_1", "item_3"]),
        ([TURN, {**TURN, "id": "turn_2", "created_at": 1790000009}], "turn", "asc", ["turn_1", "turn_2"]),
        ([{**SUBAGENT, "id": "sub_2", "opened_at": 1790000009}, SUBAGENT], "subagent", "desc", ["sub_1", "sub_2"]),
    ],
)
def test_pages_come_out_in_order_of_time(members: list[Any], of: str, order: str | None, emitted: list[str]) -> None:
    head, *rest = read(jsonl([page(*members, first_id="x")]))
    assert head.kind is Kind.PAGE
    assert head.value == {"object": "list", "has_more": False, "first_id": "x", "of": of, "count": 2, "order": order}
    assert [record.value["id"] for record in rest] == emitted
    assert {record.page for record in rest} == {head.page} == {0}
    assert not any(record.origin.stream for record in [head, *rest])


def test_an_empty_page_and_numbers_of_pages() -> None:
    records = read(jsonl([page(), page(CALL)]))
    assert [(record.kind, record.page) for record in records] == [(Kind.PAGE, 0), (Kind.PAGE, 1), (Kind.ITEM, 1)]


def test_a_foreign_list_is_one_record() -> None:
    assert kinds(page({"type": "function_call", "call_id": "c", "arguments": "{}"})) == [("foreign", "responses")]


@pytest.mark.parametrize(
    ("beside", "received"),
    [
        ({"ts": "2026-10-01T10:00:00.500Z"}, 1790848800.5),
        ({"timestamp": 1790848800.5}, 1790848800.5),
        ({"time": 1790848800500}, 1790848800.5),
        ({"received_at": 1790848800500000}, 1790848800.5),
        ({"@timestamp": 1790848800500000000}, 1790848800.5),
        ({"at": "2026-10-01 12:00:00,5+02:00"}, 1790848800.5),
        ({"ts": "1790848800.5"}, 1790848800.5),
        ({"time": 12.5}, None),
        ({"ts": "soon"}, None),
    ],
)
def test_receive_time(beside: dict[str, Any], received: float | None) -> None:
    assert one({**beside, "event": EVENTS[0]}).origin.received == received
    assert one({**beside, "log": {"x": {"payload": EVENTS[0]}}}).origin.received == received
    assert one({**EVENTS[2], **beside}).origin.received == received


def test_the_inner_time_wins() -> None:
    assert one({"ts": 1790000000, "log": {"ts": 1790000009, "event": EVENTS[0]}}).origin.received == 1790000009


def test_a_log_lines_time_is_the_receive_time() -> None:
    (record,) = read(b'2026-10-01T10:00:00.500Z INFO recv {"event": ' + jsonl([EVENTS[0]]).strip() + b"}")
    assert record.origin.received == 1790848800.5


@pytest.mark.parametrize(
    ("wrapper", "direction"),
    [
        ({"dir": "in", "event": RESULT}, "in"),
        ({"direction": "sent", "event": RESULT}, "out"),
        ({"direction": "OUTBOUND", "x": {"event": RESULT}}, "out"),
        ({"type": "response", "body": EVENTS[0]}, "in"),
        ({"request": {"body": RESULT}}, "out"),
        ({"response": EVENTS[0]}, "in"),
        ({"method": "POST", "body": {"events": [RESULT]}}, "out"),
        ({"method": "POST", "status": 409, "body": ERROR}, "in"),
        ({"event": EVENTS[0]}, None),
    ],
)
def test_direction(wrapper: Any, direction: str | None) -> None:
    assert one(wrapper).origin.direction == direction


def test_ids_from_the_wrapper() -> None:
    assert one({"session_id": "s", "event": RESULT}).ids.session_id == "s"
    assert one({"sessionId": "s", "body": {"events": [RESULT]}}).ids.session_id == "s"
    url = "https://api.openai.com/v1/agents/sessions/s9/subagents/sub7/items?limit=2"
    head, item = read(jsonl([{"url": url, "response": page(CALL)}]))
    assert (head.ids.session_id, head.ids.subagent_id) == ("s9", "sub7")
    assert (item.ids.session_id, item.ids.subagent_id, item.ids.turn_id) == ("s9", "sub7", "turn_1")
    assert one({"session_id": "other", "event": EVENTS[2]}).ids.session_id == "sess_1"


def test_an_http_error_keeps_its_status() -> None:
    record = one({"status": 409, "url": "/v1/agents/sessions/s9/events", "body": json.dumps(ERROR)})
    assert (record.kind, record.http_status, record.ids.session_id) == (Kind.HTTP_ERROR, 409, "s9")
    assert record.value == ERROR["error"]


def test_a_har_file() -> None:
    har = {
        "log": {
            "entries": [
                {
                    "startedDateTime": "2026-10-01T10:00:00Z",
                    "time": 12.5,
                    "request": {
                        "method": "POST",
                        "url": "https://x/v1/agents/sessions/s9/events",
                        "postData": {"text": json.dumps({"events": [RESULT]})},
                    },
                    "response": {"status": 400, "content": {"text": json.dumps(ERROR)}},
                },
                {
                    "startedDateTime": "2026-10-01T10:00:01Z",
                    "request": {"method": "GET", "url": "https://x/v1/agents/sessions/s9/events"},
                    "response": {
                        "status": 200,
                        "content": {"encoding": "base64", "text": base64.b64encode(sse(EVENTS[:2])).decode()},
                    },
                },
                {"request": {"method": "GET", "url": "https://x/favicon.ico"}, "response": {"content": {"text": "<html>"}}},
            ]
        }
    }
    records = read(json.dumps(har, indent=1).encode())
    assert [(record.kind, record.origin.direction, record.origin.received) for record in records] == [
        (Kind.INPUT, "out", 1790848800.0),
        (Kind.HTTP_ERROR, "in", 1790848800.0),
        (Kind.SESSION_EVENT, "in", 1790848801.0),
        (Kind.ENVIRONMENT_EVENT, "in", 1790848801.0),
    ]
    assert {record.ids.session_id for record in records} == {"s9", "sess_1"}
    assert records[1].http_status == 400


def test_sse_written_as_json() -> None:
    bare = {key: value for key, value in EVENTS[2].items() if key != "type"}
    assert essence(read(jsonl([{"event": EVENTS[2]["type"], "data": bare}]))) == essence(read(jsonl([EVENTS[2]])))
    assert essence(read(jsonl([{"event": EVENTS[2]["type"], "data": json.dumps(bare)}]))) == essence(read(jsonl([EVENTS[2]])))


def test_model_dump_with_nulls_everywhere() -> None:
    dumped = {**EVENTS[2], "item": None, "session": None, "obfuscation": None, "usage": None}
    assert one(dumped).kind is Kind.TURN_EVENT
    assert one({**SESSION, "review": None, "async_": None}).kind is Kind.SESSION


def test_every_element_of_a_list_counts() -> None:
    assert kinds([1, "a", None, {"x": 1}, EVENTS[0], []]) == [
        ("unknown", None),
        ("unknown", None),
        ("unknown", None),
        ("unknown", None),
        ("session_event", None),
        ("unknown", None),
    ]


@pytest.mark.parametrize("how", [lambda text: text, lambda text: f"  {text}\n", lambda text: f"data: {text}\n\n"])
def test_a_line_that_was_encoded_twice(how: Any) -> None:
    """A log that wrote each event as a JSON string, one a line, or all in one list."""
    texts = [how(json.dumps(event)) for event in EVENTS]
    assert essence(read(jsonl(texts))) == essence(read(jsonl(EVENTS)))
    assert essence(read(json.dumps(texts).encode())) == essence(read(json.dumps(EVENTS).encode()))


def test_a_string_that_holds_no_record_is_one_unknown_value() -> None:
    assert [record.kind for record in read(jsonl(["hello", '{"x": 1}', "{"]))] == [Kind.UNKNOWN] * 3
    payload = {"type": "message", "role": "user", "content": json.dumps(EVENTS[0])}
    assert all(record.kind is not Kind.SESSION_EVENT for record in read(jsonl([json.dumps(payload)])))
