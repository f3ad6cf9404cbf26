"""A history that gives each row of the profile table, and one as near to it as can be that does not. Values are JSON, or bytes of a file."""

import json
from typing import Any

Items = list[Any]
USER = {"type": "message", "role": "user", "content": "go"}


def call(id_: Any = "call_1", **more: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": id_, "name": "f", "arguments": "{}", "status": "completed"} | more


def out(id_: Any = "call_1", output: Any = "ok", **more: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": id_, "output": output} | more


def without(value: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: member for key, member in value.items() if key != name}


def said(content: Any = "done", **more: Any) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "status": "completed", "content": content} | more


def reasoning(**more: Any) -> dict[str, Any]:
    return {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "s"}]} | more


def response(status: str, *output: Any) -> bytes:
    return json.dumps({"id": "resp_1", "object": "response", "status": status, "output": output}).encode()


def lines(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def request(**members: Any) -> bytes:
    return json.dumps({"model": "m", **members}).encode()


TOOLS = [{"type": "function", "name": "f", "parameters": {"type": "object", "required": ["a"]}}]
ADDED = {"type": "response.output_item.added", "output_index": 0, "item": call(arguments="", status="in_progress", id="fc_1")}
CREATED = {"type": "response.created", "response": {"id": "resp_1", "status": "in_progress", "output": []}}
DONE = {"type": "response.output_item.done", "output_index": 0, "item": said(id="msg_1")}
COMPLETED = {"type": "response.completed", "response": {"id": "resp_1", "status": "completed", "output": []}}
APPROVAL = {"type": "mcp_approval_request", "id": "mcpr_1", "server_label": "s", "name": "n", "arguments": "{}"}
YES = {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True}
LONG_ID = "x" * 65
PROGRAM = {"type": "program", "caller_id": "c"}
NOTED = [{"type": "output_text", "text": "a", "annotations": [{"type": "file_citation", "file_id": "file_1", "index": 0}]}]
CITED = [{"type": "output_text", "text": "a", "annotations": [{"type": "url_citation", "url": "u", "title": "t"}]}]
PARTS = [{"type": "input_text", "text": "ok"}]
FILED = [{"type": "input_file", "filename": "a", "file_data": "data:,a"}]
PICTURE = [{"type": "input_image", "image_url": "https://x/y.png"}]
INLINE = [{"type": "input_image", "image_url": "data:image/png;base64,AA"}]

EXAMPLES: dict[str, tuple[Items | bytes, Items | bytes]] = {
    "namespaced": ([{"type": "acme:search_result", "id": "a"}], [USER]),
    "namespaced/openrouter": ([{"type": "openrouter:web_search", "id": "a"}], [{"type": "acme:openrouter", "id": "a"}]),
    "status": ([call(status="incomplete"), out()], [call(), out()]),
    "status/absent": ([without(call(), "status"), out()], [call(status="incomplete"), out()]),
    "arguments_type": ([call(arguments={"a": 1}), out()], [call(arguments='{"a":1}'), out()]),
    "arguments_parse": ([call(arguments='{"a":'), out()], [call(arguments='{"a":1}'), out()]),
    "arguments_schema": (
        request(tools=TOOLS, input=[call(), out()]),
        request(tools=TOOLS, input=[call(arguments='{"a":1}'), out()]),
    ),
    "arguments_not_object": ([call(arguments="[]"), out()], [call(), out()]),
    "arguments_size": ([call(arguments=json.dumps({"a": "x" * 1_048_576})), out()], [call(), out()]),
    "missing_output": ([USER, call(), USER], [USER, call(), USER, out()]),
    "orphan_output": ([USER, out()], [USER, call(), out()]),
    "item_id_as_call_id": ([call(id="fc_1"), out("fc_1")], [call(id="fc_1"), out()]),
    "output_type_mismatch": (
        [{"type": "custom_tool_call", "call_id": "call_1", "name": "f", "input": "ls"}, out()],
        [call(), out()],
    ),
    "missing_call_id": ([call(""), out("")], [call(), out()]),
    "missing_call_id/named": ([without(out(), "call_id") | {"name": "f"}], [call(), out()]),
    "missing_item_id": ([without(reasoning(), "id"), said()], [reasoning(), said()]),
    "call_id_length": ([call(LONG_ID), out(LONG_ID)], [call("x" * 64), out("x" * 64)]),
    "call_id_charset": (
        [call("functions.Bash:0"), out("functions.Bash:0")],
        [call("functions-Bash_0"), out("functions-Bash_0")],
    ),
    "duplicate_call_id": ([call(), call(name="g"), out(), out()], [call(), call("call_2", name="g"), out(), out("call_2")]),
    "call_id_reused": ([call(), out(), call(), out()], [call(), out(), call("call_2"), out("call_2")]),
    "duplicate_output": ([call(), out(), out(output="no")], [call(), out()]),
    "duplicate_output/identical": ([call(), out(), out()], [call(), out(), out(output="no")]),
    "duplicate_item_id": ([said(id="msg_1"), said("again", id="msg_1")], [said(id="msg_1"), said("again", id="msg_2")]),
    "item_id_form": ([said(id="msg 1")], [said(id="msg_1")]),
    "item_id_form/prefix": ([said(id="m_1")], [said(id="msg_1")]),
    "name_pattern": ([call(name="fs.read"), out()], [call(name="fs_read"), out()]),
    "output_type": ([call(), out(output={"ok": True})], [call(), out(output="")]),
    "output_parts": ([call(), out(output=PARTS)], [call(), out()]),
    "output_parts/file": ([call(), out(output=FILED)], [call(), out(output=PARTS)]),
    "output_size": ([call(), out(output="x" * 10_485_761)], [call(), out()]),
    "order": ([USER, out(), call()], [USER, call(), out()]),
    "adjacency": ([call(), USER, out()], [call(), out(), USER]),
    "provider_bound": ([{"type": "web_search_call", "id": "ws_1", "status": "completed"}], [USER]),
    "provider_bound/custom_tool_call": (
        [
            {"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1", "name": "f", "input": "ls"},
            {"type": "custom_tool_call_output", "call_id": "call_1", "output": "a"},
        ],
        [call(), out()],
    ),
    "provider_bound/mcp": (
        [{"type": "mcp_call", "id": "mcp_1", "name": "n", "arguments": "{}", "output": "o"}],
        [call(), out()],
    ),
    "provider_bound/reasoning": ([reasoning(), said()], [said()]),
    "provider_bound/agents": (
        [{"type": "command_execution", "id": "i", "turn_id": "turn_1", "command": ["ls"], "status": "completed"}],
        [{"type": "message", "id": "i", "turn_id": "turn_1", "role": "user", "content": "go"}],
    ),
    "program_owned": ([call(status="in_progress", caller=PROGRAM)], [call(caller={"type": "direct"}), out()]),
    "encrypted_bound": ([reasoning(encrypted_content="gAAA"), said()], [reasoning(), said()]),
    "encrypted_bound/compaction": (
        [{"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA"}, USER],
        [reasoning(encrypted_content="gAAA"), said()],
    ),
    "reasoning_unpaired": ([reasoning(), USER], [reasoning(), said()]),
    "reasoning_empty": ([reasoning(summary=[]), said()], [reasoning(), said()]),
    "reasoning_content": (
        [reasoning(content=[{"type": "reasoning_text", "text": "t"}]), said()],
        [reasoning(content=[]), said()],
    ),
    "unknown_field": ([call(created_by="me"), out()], [call(created_by=None), out()]),
    "unknown_field/openai": ([call(caller={"type": "direct"}), out()], [call(), out()]),
    "unknown_field/reasoning_status": ([reasoning(status=None), said()], [reasoning(), said()]),
    "unknown_field/null": ([said(id=None)], [said()]),
    "approval_unanswered": ([APPROVAL, USER], [APPROVAL, YES]),
    "approval_orphan": ([USER, YES], [APPROVAL, YES]),
    "item_incomplete": ([said(status="incomplete")], [said()]),
    "incomplete_not_last": (
        response("completed", said(status="incomplete")),
        response("incomplete", said(status="incomplete")),
    ),
    "incomplete_not_last/response": (response("incomplete", call()), response("completed", call())),
    "state_elsewhere": (request(previous_response_id="resp_0", input=[USER]), request(previous_response_id=None, input=[USER])),
    "file_elsewhere": (
        [{"type": "message", "role": "user", "content": [{"type": "input_image", "file_id": "file_1"}]}],
        [{"type": "message", "role": "user", "content": INLINE}],
    ),
    "file_elsewhere/annotation": ([said(NOTED)], [said(CITED)]),
    "foreign_envelope": (
        [USER, {"role": "tool", "tool_call_id": "call_1", "content": "ok"}],
        [USER, {"role": "user", "content": "ok"}],
    ),
    "foreign_envelope/container": (
        json.dumps({"messages": [{"role": "user", "content": "go"}]}).encode(),
        json.dumps({"input": [{"role": "user", "content": "go"}]}).encode(),
    ),
    "unknown_type": (
        [USER, {"type": "future_item", "id": "x", "status": "completed"}],
        [USER, {"type": "acme:item", "id": "x"}],
    ),
    "content_part_bound": (
        [{"type": "message", "role": "user", "content": [{"type": "input_audio", "input_audio": {}}]}],
        [{"type": "message", "role": "user", "content": PARTS}],
    ),
    "content_part_bound/system": (
        [{"type": "message", "role": "system", "content": INLINE}],
        [{"type": "message", "role": "system", "content": PARTS}],
    ),
    "content_part_bound/url": (
        [{"type": "message", "role": "user", "content": PICTURE}],
        [{"type": "message", "role": "user", "content": INLINE}],
    ),
    "role_dropped": (
        [{"type": "message", "role": "developer", "content": "be brief"}],
        [{"type": "message", "role": "system", "content": "b"}],
    ),
    "phase_dropped": ([said(phase="commentary")], [said()]),
    "compaction_trigger_not_last": ([{"type": "compaction_trigger"}, USER], [USER, {"type": "compaction_trigger"}]),
    "type_missing": ([{"role": "user", "content": "go"}], [USER]),
    "type_missing/other": ([USER, {"role": "user"}], [USER, {"role": "user", "content": ""}]),
    "message_shape": ([USER, {"type": "message", "role": "user"}], [USER, {"type": "message", "role": "user", "content": []}]),
    "stream_unfinished": (lines(CREATED, DONE), lines(CREATED, DONE, COMPLETED)),
    "ids_rotate": (
        lines(CREATED, {**ADDED, "item": said("", id="a", status="in_progress")}, {**DONE, "item": said(id="b")}, COMPLETED),
        lines(CREATED, {**ADDED, "item": said("", id="b", status="in_progress")}, {**DONE, "item": said(id="b")}, COMPLETED),
    ),
    "torn_line": (lines(USER) + b'{"type":"function_call_outp\n' + lines(said()), lines(USER, said())),
    "set_aside": (
        lines({"model": "m", "input": [USER]}, {"model": "m", "input": [USER, said()]}),
        lines({"model": "m", "input": [USER, said()]}),
    ),
    "parallel_wrapper": (
        [call(name="parallel", arguments='{"tool_uses":[]}'), out()],
        [call(name="parallel"), out()],
    ),
    "schema_missing": (request(tools=[{"type": "function", "name": "f"}], input=[call(), out()]), [call(), out()]),
    "tool_not_declared": (request(tools=TOOLS, input=[call(name="g"), out()]), [call(name="g"), out()]),
    "tool_not_allowed": (
        request(
            tool_choice={"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "g"}]},
            input=[call(), out()],
        ),
        request(tool_choice="auto", input=[call(), out()]),
    ),
    "empty_input": ([], [USER]),
}
NEVER = ("not_function_call",)
"""A verdict on items that is never a reason."""
