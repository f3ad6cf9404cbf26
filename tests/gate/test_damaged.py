"""Damaged histories of every shape, each with the reasons that the fact sheet and the rules' pages give it, written down before it was run.

What is listed: (reason, severity, position of its first item or None) of everything but notes, under the default profile unless named.
"""

import json
from typing import Any, NamedTuple

import openai.types.responses as official
import pytest

from tests.gate.examples import LONG_ID, USER, call, lines, out, reasoning, request, said
from tracelink.gate import judge, read_history
from tracelink.gate.repair import repair
from tracelink.gate.written import as_text, written
from tracelink.read import Values
from tracelink.rules.tl2_payloads.bounded import Checker


class Case(NamedTuple):
    data: bytes
    told: list[tuple[str, str, int | None]]
    profile: str = "openresponses"
    unclear: bool = False


def js(value: Any) -> bytes:
    return json.dumps(value).encode()


def built(kind: str, **members: Any) -> dict[str, Any]:
    """An event or object made by the official type, as it goes over the wire."""
    made = getattr(official, kind).model_validate(members)
    return made.model_dump(mode="json", exclude_unset=True)


def response(status: str, *output: Any, **more: Any) -> dict[str, Any]:
    base = {
        "id": "resp_1", "object": "response", "created_at": 1.0, "model": "m", "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        "status": status, "output": list(output),
    }  # fmt: skip
    return built("Response", **base | more)


FC = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f", "arguments": '{"a":1}', "status": "completed"}
MSG = {
    "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
    "content": [{"type": "output_text", "text": "done", "annotations": []}],
}  # fmt: skip


def events(*outputs: tuple[dict[str, Any], bool], status: str | None = "completed") -> list[dict[str, Any]]:
    """A stream by official types: each item is announced, its arguments come in pieces, and it is done if so wanted."""
    number = iter(range(1000))
    found = [
        built("ResponseCreatedEvent", type="response.created", sequence_number=next(number), response=response("in_progress"))
    ]
    for index, (item, done) in enumerate(outputs):
        begun = item | {"status": "in_progress"} | ({"arguments": ""} if "arguments" in item else {"content": []})
        found.append(
            built(
                "ResponseOutputItemAddedEvent",
                type="response.output_item.added",
                sequence_number=next(number),
                output_index=index,
                item=begun,
            )
        )
        for piece in (item.get("arguments", "")[:4], item.get("arguments", "")[4:]):
            if piece:
                found.append(
                    built(
                        "ResponseFunctionCallArgumentsDeltaEvent",
                        type="response.function_call_arguments.delta", sequence_number=next(number), output_index=index, item_id=item["id"], delta=piece,
                    )
                )  # fmt: skip
        if done:
            found.append(
                built(
                    "ResponseOutputItemDoneEvent",
                    type="response.output_item.done",
                    sequence_number=next(number),
                    output_index=index,
                    item=item,
                )
            )
    if status is not None:
        kind = "ResponseIncompleteEvent" if status == "incomplete" else "ResponseCompletedEvent"
        ended = response(status, *(item for item, done in outputs if done))
        found.append(built(kind, type=f"response.{status}", sequence_number=next(number), response=ended))
    return found


def sse(listed: list[dict[str, Any]]) -> bytes:
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in listed).encode()


def rollout(*payloads: Any, type_: str = "response_item") -> bytes:
    return lines(*({"timestamp": "2026-11-01T09:00:00Z", "type": type_, "payload": one} for one in payloads))


def agents(*items: dict[str, Any]) -> bytes:
    return lines(
        *(
            {"type": "agent.session.turn.item.done", "event_id": f"ev_{n}", "session_id": "sess_1", "turn_id": "turn_1", "output_index": n, "item": item}
            for n, item in enumerate(items)
        )
    )  # fmt: skip


TURN = {"turn_id": "turn_1"}
A_CALL = TURN | {
    "type": "function_call",
    "id": "item_1",
    "call_id": "call_1",
    "name": "f",
    "arguments": {"a": 1},
    "status": "completed",
}
A_OUT = TURN | {"type": "function_call_output", "id": "item_2", "call_id": "call_1", "output": "ok", "error": None}
SHELL = {"type": "shell_call", "id": "sh_1", "call_id": "call_s", "action": {"commands": ["ls"]}, "status": "completed"}
TOOLS = [
    {
        "type": "function",
        "name": "f",
        "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
    }
]

CASES: dict[str, Case] = {
    # Item arrays.
    "one of three parallel outputs is missing": Case(
        js([USER, call("a"), call("b"), call("c"), out("a"), out("c"), USER]), [("missing_output", "block", 2)]
    ),
    "an id cut to 64 on the output only": Case(
        js([USER, call(LONG_ID), out(LONG_ID[:64])]),
        [("call_id_length", "block", 1), ("missing_output", "block", 1), ("orphan_output", "block", 2)],
    ),
    "a newest-first page without its envelope": Case(
        js([out("b"), call("b"), out("a"), call("a"), USER]), [("order", "warn", 0), ("order", "warn", 2)]
    ),
    "a failed hosted search beside a good call": Case(
        js([USER, {"type": "web_search_call", "id": "ws_1", "status": "failed"}, call(), out()]), [("provider_bound", "block", 1)]
    ),
    "a custom call answered in both forms": Case(
        js([USER, {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": "x"}, {"type": "custom_tool_call_output", "call_id": "c", "output": "y"}, out("c")]),
        [("provider_bound", "block", 1), ("provider_bound", "block", 2), ("output_type_mismatch", "block", 3)],
    ),
    "reasoning cut from its call by a user": Case(
        js([USER, reasoning(), USER, call(), out()]), [("reasoning_unpaired", "block", 1)], "openai"
    ),
    "Gemini parts among items": Case(
        js([USER, {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}]), [("foreign_envelope", "block", 1)]
    ),
    "an Anthropic result among items": Case(
        js([USER, call(), {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "ok"}]}]),
        [("foreign_envelope", "block", 2), ("missing_output", "block", 1)],
    ),
    "outputs under an empty id": Case(
        js([USER, call(""), out("")]), [("missing_call_id", "block", 1), ("missing_call_id", "block", 2)]
    ),
    "everything null that an SDK dumps": Case(
        js([USER, call(id=None, status=None, namespace=None), out(id=None, status=None)]), []
    ),
    # Request bodies.
    "arguments of a wrong type for the schema of the request": Case(
        request(tools=TOOLS, input=[USER, call(arguments='{"a":"1"}'), out()]), [("arguments_schema", "block", 1)]
    ),
    "a call outside the allowed tools is history": Case(
        request(
            tools=[*TOOLS, {"type": "function", "name": "g"}],
            tool_choice={"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "g"}]},
            input=[USER, call(arguments='{"a":1}'), out()],
        ),
        [],
    ),
    "only an output after a previous response": Case(
        request(previous_response_id="resp_9", input=[out("elsewhere")]), [("state_elsewhere", "block", None)]
    ),
    "a request after a request": Case(
        lines({"model": "m", "input": [USER, call(arguments="{")]}, {"model": "m", "input": [USER]}), []
    ),
    # Response objects.
    "a response that ended in a call": Case(js(response("completed", FC)), [("missing_output", "block", 0)]),
    "an incomplete message in a completed response": Case(
        js(response("completed", MSG | {"status": "incomplete"})), [("item_incomplete", "warn", 0), ("incomplete_not_last", "warn", 0)]
    ),
    # Streams.
    "a stream that stops inside the arguments": Case(
        sse(events((FC, False), status=None)), [("stream_unfinished", "warn", None), ("stream_unfinished", "warn", None), ("status", "block", 0)]
    ),
    "a whole stream as JSONL": Case(lines(*events((FC, True))), [("missing_output", "block", 0)]),
    "a stream whose message is whole": Case(sse(events((MSG, True))), []),
    "a stream, then its output in a request that goes on": Case(
        sse(events((FC, True))) + lines({"model": "m", "previous_response_id": "resp_1", "input": [out()]}), []
    ),
    "a stream whose last event is torn behind a whole response": Case(
        sse(events((FC, True)))[:-40], [("torn_line", "warn", None), ("missing_output", "block", 0)], unclear=True
    ),
    "a stream whose event of a done item is torn": Case(
        sse(events((FC, True), status=None))[:-6], [("torn_line", "warn", None), ("stream_unfinished", "warn", None), ("missing_output", "block", 0)], unclear=True
    ),
    "a stream of lines whose last event is torn": Case(
        lines(*events((MSG, True), (FC, True)))[:-60], [("torn_line", "warn", None), ("stream_unfinished", "warn", None), ("missing_output", "block", 1)], unclear=True
    ),
    # Codex rollouts.
    "a rollout that was aborted in a shell call": Case(
        rollout({"id": "t"}, type_="session_meta") + rollout(USER, SHELL) + rollout({"type": "turn_aborted", "reason": "interrupted"}, type_="event_msg"),
        [("provider_bound", "block", 1), ("missing_output", "block", 1)],
    ),
    "a rollout whose compaction took a call": Case(
        rollout(USER, call()) + rollout({"message": "", "replacement_history": [USER]}, type_="compacted") + rollout(out(), said()),
        [("orphan_output", "block", 1)],
    ),
    # SDK run state.
    "a run state with an open call": Case(
        js({"$schemaVersion": "1.0", "originalInput": [USER], "generatedItems": [{"type": "tool_call_item", "rawItem": FC}]}),
        [("missing_output", "block", 1)],
    ),
    # Agents API.
    "an Agents call and its answer": Case(agents(A_CALL, A_OUT), []),
    "an Agents call that failed, answered": Case(agents(A_CALL | {"status": "failed"}, A_OUT), [("status", "block", 0)]),
    "an Agents subagent call": Case(
        agents(TURN | {"type": "create_subagent_call", "id": "item_9", "status": "completed"}, A_CALL, A_OUT), [("provider_bound", "block", 0)]
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_answer_is_the_one_written_down(name: str) -> None:
    case = CASES[name]
    judged = judge(read_history(Values([case.data])), case.profile, Checker(50))
    found = [
        (one.reason, one.severity, one.items[0] if one.items else None) for one in judged.reasons if one.severity != "note"
    ]
    assert sorted(found, key=str) == sorted(case.told, key=str)
    assert judged.sendable is not any(severity == "block" for _, severity, _ in case.told)
    assert judged.unclear is case.unclear


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("asked", [{}, {"synthesize": True, "drop_bound": True}], ids=["safe", "all"])
def test_a_repair_of_it_is_a_fixed_point(name: str, asked: dict[str, bool]) -> None:
    case = CASES[name]
    first = repair(judge(read_history(Values([case.data])), case.profile), **asked)
    data = as_text(written(first.judged))
    again = judge(read_history(Values([data])), case.profile)
    assert as_text(written(repair(again, **asked).judged)) == data
    assert [(one.reason, one.items) for one in first.left] == [
        (one.reason, one.items) for one in again.reasons if one.severity == "block"
    ]
