"""Damaged histories in every shape, each with the answer that was written down before it was run.

A case: what is read, whether it may be sent, the reasons that block, what a repair leaves blocked, and what the new file holds.
"""

import base64
import gzip
import json
from typing import Any, NamedTuple

import pytest

from tests.gate.examples import LONG_ID, TOOLS, USER, call, lines, out, said
from tracelink.gate import judge, read_history
from tracelink.gate.checks.pairs import NOT_RECORDED
from tracelink.gate.judge import BLOCK, Judged
from tracelink.gate.repair import repair
from tracelink.gate.written import as_text, written
from tracelink.read import Values
from tracelink.rules.tl2_payloads.bounded import Checker


class Case(NamedTuple):
    data: bytes
    blocks: list[str]
    left: list[str]
    kept: Any = None
    """The new file; None: not looked at."""
    profile: str = "openresponses"
    synthesize: bool = False


def js(value: Any) -> bytes:
    return json.dumps(value).encode()


def sse(*events: Any, done: bool = True) -> str:
    text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return text + ("data: [DONE]\n\n" if done else "")


def streamed(*items: Any, ended: bool = True) -> list[Any]:
    events = [{"type": "response.created", "response": {"id": "resp_1", "status": "in_progress", "output": []}}]
    for index, item in enumerate(items):
        for end in ("added", "done"):
            events.append({"type": f"response.output_item.{end}", "output_index": index, "item": item})
    last = {"type": "response.completed", "response": {"id": "resp_1", "status": "completed", "output": list(items)}}
    return [*events, last] if ended else events


def agents(item: dict[str, Any], session: str = "s1") -> dict[str, Any]:
    return {
        "type": "agent.session.turn.item.done",
        "event_id": f"ev_{item['id']}",
        "session_id": session,
        "turn_id": item["turn_id"],
        "output_index": 0,
        "item": item,
    }


def a_call(n: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "type": "function_call",
        "id": f"item_{n}",
        "turn_id": "t1",
        "call_id": f"c{n}",
        "name": "f",
        "arguments": {"n": n},
        "status": "completed",
    } | more


def a_out(n: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "id": f"item_o{n}", "turn_id": "t1", "call_id": f"c{n}", "output": "ok"} | more


def wired(n: int = 1) -> list[Any]:
    return [
        {"type": "function_call", "id": f"item_{n}", "call_id": f"c{n}", "name": "f", "arguments": f'{{"n":{n}}}', "status": "completed"},
        {"type": "function_call_output", "id": f"item_o{n}", "call_id": f"c{n}", "output": "ok"},
    ]  # fmt: skip


def page(*items: Any, more: bool = True) -> dict[str, Any]:
    return {"object": "list", "data": list(items), "has_more": more}


TORN = b'{"type":"function_call_output","call_id":"call_1","outp\n'
COMMAND = {"type": "command_execution", "id": "item_9", "turn_id": "t1", "command": ["ls"], "status": "completed"}
BIG = b'{"big":12345678901234567890123,"huge":1e400,"minus":-0,"long":0.12345678901234567890,"half":"\\ud800"}'
TEXT = BIG.decode()
RAW_CALL = b'{"type":"function_call","call_id":"call_1","name":"f","status":"completed","arguments":' + BIG + b"}"

CASES: dict[str, Case] = {
    # What is missing may explain what is left over.
    "an open call beside a torn line is never said to have no result": Case(
        lines(USER, call()) + TORN + lines(said()), ["missing_output"], ["missing_output"], page(USER, call(), said()), synthesize=True
    ),
    "an orphan on a page with more": Case(js(page(USER, out())), ["orphan_output"], ["orphan_output"], page(USER, out())),
    "whole pairs on a page with more": Case(js(page(USER, call(), out())), [], [], [USER, call(), out()]),
    "a request torn at its end": Case(
        js({"model": "m", "input": [USER, out(), said("long")]})[:-20], ["orphan_output"], ["orphan_output"]
    ),
    "a torn line before a request that holds all": Case(
        TORN + lines({"model": "m", "input": [USER, out()]}), ["orphan_output"], [], {"model": "m", "input": [USER]}
    ),
    "a copy of an output across a gap may be another call's": Case(
        lines(USER, call(), out(), out("gone")) + TORN + lines(out()),
        ["orphan_output"],
        ["orphan_output"],
        page(USER, call(), out(), out("gone"), out()),
    ),
    "a second identical call across a gap": Case(
        lines(call()) + TORN + lines(call(), out()), ["duplicate_call_id"], ["duplicate_call_id"], page(call(), call(), out())
    ),
    "an item id beside a gap": Case(
        lines(call(id="fc_1")) + TORN + lines(out("fc_1")), ["item_id_as_call_id"], ["item_id_as_call_id"], synthesize=True
    ),
    "an approval on a page with more": Case(
        js(page(USER, {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True})),
        ["provider_bound", "approval_orphan"],
        ["provider_bound", "approval_orphan"],
    ),
    "a torn Codex rollout": Case(
        lines(*({"timestamp": "t", "type": "response_item", "payload": one} for one in (USER, call("c2"))))
        + b'{"timestamp":"t","type":"response_item","payl\n',
        ["missing_output"],
        ["missing_output"],
        synthesize=True,
    ),
    # Item ids.
    "three calls of one item id, one output": Case(
        js([call("c1", id="fc_1"), call("c2", id="fc_1"), call("c3", id="fc_1"), out("fc_1")]),
        ["duplicate_item_id", "duplicate_item_id", "item_id_as_call_id"],
        ["duplicate_item_id", "duplicate_item_id", "item_id_as_call_id"],
        synthesize=True,
    ),
    "one of two calls of one item id is answered": Case(
        js([call("c1", id="fc_1"), call("c2", id="fc_1"), out("c1"), out("fc_1", "2")]),
        ["duplicate_item_id", "item_id_as_call_id"],
        ["duplicate_item_id", "item_id_as_call_id"],
        synthesize=True,
    ),
    "an odd item id that an output names is no reason to lose the tie": Case(
        js([call("c1", id="odd id"), call("c2", id="odd id"), out("odd id")]),
        ["duplicate_item_id", "item_id_as_call_id"],
        ["duplicate_item_id", "item_id_as_call_id"],
    ),
    "a call answered twice, once by its item id, both the same": Case(
        js([call(id="fc_1"), out(), out("fc_1")]), ["item_id_as_call_id"], [], [call(id="fc_1"), out()]
    ),
    "a call answered twice, once by its item id, differently": Case(
        js([call(id="fc_1"), out(), out("fc_1", "no")]), ["duplicate_output"], ["duplicate_output"]
    ),
    "two equal outputs under an item id": Case(
        js([call(id="fc_1"), out("fc_1"), out("fc_1")]), ["item_id_as_call_id", "item_id_as_call_id"], [], [call(id="fc_1"), out()]
    ),
    "a copied call and an output under its item id": Case(
        js([call(id="fc_1"), call(id="fc_1"), out("fc_1")]),
        ["duplicate_item_id", "duplicate_call_id", "item_id_as_call_id"],
        [],
        [call(id="fc_1"), out()],
    ),
    # Values.
    "arguments keep every digit": Case(
        b"[" + RAW_CALL + b"," + js(out()) + b"]", ["arguments_type"], [], [call(arguments=TEXT), out()]
    ),
    "NaN in an arguments object": Case(
        b'[{"type":"function_call","call_id":"call_1","name":"f","status":"completed","arguments":{"a":NaN}},' + js(out()) + b"]",
        ["arguments_type"],
        ["arguments_parse"],
        [call(arguments='{"a":NaN}'), out()],
    ),
    "a member given twice in an arguments object": Case(
        b'[{"type":"function_call","call_id":"call_1","name":"f","status":"completed","arguments":{"a":1,"a":2}},' + js(out()) + b"]",
        ["arguments_type"],
        [],
        [call(arguments='{"a":1,"a":2}'), out()],
    ),
    "a member given twice in a body of an HTTP log": Case(
        js(
            {
                "body": '{"model":"m","input":[{"type":"function_call","call_id":"call_1","name":"f","status":"completed",'
                '"arguments":{"a":1,"a":2}},{"type":"function_call_output","call_id":"call_1","output":"ok"}]}'
            }
        ),
        ["arguments_type"],
        [],
        {"model": "m", "input": [call(arguments='{"a":1,"a":2}'), out()]},
    ),
    "numbers that nobody converts stay as they were written": Case(
        b'[{"type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"a","logprobs":[1e400]}]}]',
        [],
        [],
    ),
    "a file that is cut off inside its compression": Case(
        gzip.compress(lines(USER, call(), *(said(f"x{n}") for n in range(50))))[:-30], ["missing_output"], ["missing_output"], synthesize=True
    ),
    "a stream that is cut off in a call": Case(
        lines(
            streamed()[0],
            {"type": "response.output_item.added", "output_index": 0, "item": call(id="fc_1", status="in_progress", arguments="")},
            {"type": "response.function_call_arguments.delta", "output_index": 0, "item_id": "fc_1", "delta": '{"a'},
        ),
        ["status"],
        ["status"],
        [call(id="fc_1", status="in_progress", arguments='{"a')],
    ),
    "a torn line before a Codex compaction": Case(
        lines({"timestamp": "t", "type": "response_item", "payload": call("z")})
        + b'{"timestamp":"t","ty\n'
        + lines({"timestamp": "t", "type": "compacted", "payload": {"message": "", "replacement_history": [USER, out("gone")]}}),
        ["orphan_output"],
        [],
        [USER],
    ),
    "a long item id that an output names is not renamed away": Case(
        js([call("c1", id=LONG_ID), call("c2", id=LONG_ID), out(LONG_ID)]),
        ["call_id_length", "duplicate_item_id", "item_id_as_call_id"],
        ["call_id_length", "duplicate_item_id", "item_id_as_call_id"],
    ),
    "an error object of an Agents output": Case(
        lines(agents(a_call()), agents(a_out(output=None, error={"code": "x"}))), [], [], [wired()[0], wired()[1] | {"output": '{"code":"x"}'}]
    ),
    "an output object keeps every digit": Case(
        b"[" + js(call()) + b',{"type":"function_call_output","call_id":"call_1","output":' + BIG + b"}]",
        ["output_type"],
        [],
        [call(), out(output=TEXT)],
    ),
    "outputs that differ in the last of twenty digits": Case(
        b"["
        + js(call())
        + b',{"type":"function_call_output","call_id":"call_1","output":[1.00000000000000000001]}'
        + b',{"type":"function_call_output","call_id":"call_1","output":[1.00000000000000000002]}]',
        ["duplicate_output", "output_type", "output_type"],
        ["duplicate_output"],
    ),
    "an Agents call keeps every digit": Case(
        lines(agents(a_call())).replace(b'{"n": 1}', BIG) + lines(agents(a_out())),
        [],
        [],
        [wired()[0] | {"arguments": TEXT}, wired()[1]],
    ),
    "an Agents call in an HTTP log keeps every digit": Case(
        js({"response": {"body": lines(agents(a_call())).replace(b'{"n": 1}', BIG).decode().strip()}}) + b"\n" + lines(agents(a_out())),
        [],
        [],
        [wired()[0] | {"arguments": TEXT}, wired()[1]],
    ),
    # Whole: an item is an item.
    "an item whose object is an Agents name": Case(js([USER, call(object="agent.item"), out()]), [], [], [USER, call(object="agent.item"), out()]),
    "such an item alone on its line": Case(lines(USER, call(object="agent.thing"), USER), ["missing_output"], ["missing_output"]),
    "a turn_id on one of the items": Case(js([USER, call(turn_id="t"), out()]), [], [], [USER, call(turn_id="t"), out()]),
    "a turn_id on one line of items": Case(lines(USER, call(turn_id="t"), out(), said()), [], [], [USER, call(), out(), said()]),
    "a turn_id on one item of a page": Case(
        js(page(USER, call(turn_id="t"), out(), {"type": "item_reference", "id": "x"}, more=False)), ["state_elsewhere"], ["state_elsewhere"]
    ),
    # Containers.
    "SSE in an HTTP log": Case(
        js({"request": {"url": "u", "body": {"model": "m", "input": [USER]}}, "response": {"status": 200, "body": sse(*streamed(call()))}}),
        ["missing_output"],
        ["missing_output"],
        {"model": "m", "input": [USER, call()]},
    ),
    "SSE in base64, as HAR keeps it": Case(
        js({"log": {"entries": [{"response": {"content": {"encoding": "base64", "text": base64.b64encode(sse(*streamed(said())).encode()).decode()}}}]}}),
        [],
        [],
        [said()],
    ),
    "SSE in an HTTP log that is cut off": Case(
        js({"request": {"body": json.dumps({"model": "m", "input": [USER, out()]})}, "response": {"body": sse(*streamed(said()))[:-40]}}),
        ["orphan_output"],
        ["orphan_output"],
    ),
    "two exchanges of an HTTP log": Case(
        lines(
            {"request": {"body": {"model": "m", "input": [USER]}}, "response": {"body": sse(*streamed(call()))}},
            {"request": {"body": {"model": "m", "previous_response_id": "resp_1", "input": [out()]}}, "response": {"body": ""}},
        ),
        [],
        [],
        {"model": "m", "input": [USER, call(), out()]},
    ),
    "an Agents stream in an HTTP log": Case(
        js({"url": "/v1/agents/sessions/s1/events", "body": sse(agents(a_call()), agents(a_out()), done=False)}), [], [], wired()
    ),
    "a response object: a call before the message of the same response": Case(
        js({"object": "response", "id": "r", "status": "completed", "output": [call(), said()]}), ["missing_output"], ["missing_output"]
    ),
    # Agents API.
    "an Agents recording with a command": Case(
        lines(agents(a_call()), agents(a_out()), agents(COMMAND)), ["provider_bound"], ["provider_bound"], [*wired(), COMMAND]
    ),
    "an Agents call that failed": Case(
        lines(agents(a_call(status="failed")), agents(a_out())), ["status"], ["status"]
    ),
    "nothing but a command": Case(lines(agents(COMMAND)), ["provider_bound"], ["provider_bound"], [COMMAND]),
    "two outputs of one Agents call that differ": Case(
        lines(agents(a_call()), agents(a_out()), agents(a_out(id="item_o2", output="no"))), ["duplicate_output"], ["duplicate_output"]
    ),
    "two posts for one Agents call that differ": Case(
        lines(
            agents(a_call()),
            *({"type": "agent.session.input.tool_result", "turn_id": "t1", "call_id": "c1", "success": True, "output": one} for one in "ab"),
        ),
        ["duplicate_output"],
        ["duplicate_output"],
    ),
    "two Agents sessions in turn": Case(
        lines(agents(a_call()), agents(a_call(2), "s2"), agents(a_out()), agents(a_out(2), "s2")), [], [], wired()
    ),
    "a schema that the arguments break, from the response": Case(
        js({"object": "response", "id": "r", "status": "completed", "tools": TOOLS, "output": [call(), out()]}),
        ["arguments_schema"],
        ["arguments_schema"],
        {"tools": TOOLS, "input": [call(), out()]},
    ),
    # Programs, roles, parts.
    "a completed call of a program": Case(
        js([call(caller={"type": "program", "caller_id": "p"}), out()]), ["program_owned"], ["program_owned"]
    ),
    "a completed call of a program, at OpenAI": Case(js([call(caller={"type": "program", "caller_id": "p"}), out()]), [], [], None, "openai"),
    "a developer's message at hf": Case(
        js([{"type": "message", "role": "developer", "content": "be brief"}, call(), out(output=[{"type": "input_text", "text": "a"}])]),
        ["output_parts"],
        [],
        [{"type": "message", "role": "system", "content": "be brief"}, call(), out(output="a")],
        "hf",
    ),
    "an output of parts without types": Case(
        js([call(), out(output=[{"text": "a"}])]), ["output_type"], [], [call(), out(output='[{"text":"a"}]')]
    ),
    "a long id on both halves and a copy": Case(js([call(LONG_ID), out(LONG_ID), out(LONG_ID)]), ["call_id_length"], []),
    "an open call after all, closed on request": Case(
        js([USER, call()]), ["missing_output"], [], [USER, call(), out(output=NOT_RECORDED)], synthesize=True
    ),
}  # fmt: skip


def blocking(judged: Judged) -> list[str]:
    return [one.reason for one in judged.reasons if one.severity == BLOCK]


def told(judged: Judged) -> list[tuple[Any, ...]]:
    return [(one.reason, one.detail, one.items, one.ids, one.message) for one in judged.reasons if one.severity == BLOCK]


@pytest.mark.parametrize("name", CASES)
def test_the_answer_that_was_written_down(name: str) -> None:
    case = CASES[name]
    judged = judge(read_history(Values([case.data])), case.profile, Checker(9))
    assert blocking(judged) == case.blocks
    result = repair(judged, Checker(9), synthesize=case.synthesize)
    assert [one.reason for one in result.left] == case.left
    data = as_text(written(result.judged))
    if case.kept is not None:
        assert json.loads(data) == case.kept
    again = judge(read_history(Values([data])), case.profile, Checker(9))
    assert told(again) == told(result.judged)  # what is left is what the gate says of the new file
    once_more = repair(again, Checker(9), synthesize=case.synthesize)
    assert as_text(written(once_more.judged)) == data
    assert (NOT_RECORDED in data.decode()) == (case.kept is not None and case.synthesize and not case.left)
