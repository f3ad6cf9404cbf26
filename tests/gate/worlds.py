"""Histories for property tests: sound ones, and any mixture of what can be wrong with one, with few ids so that they meet."""

from typing import Any

from hypothesis import strategies as st

LONG = "x" * 70
CALL_IDS = ("c1", "c2", "c3", LONG, LONG + "y", "a.b:0", "")
ITEM_IDS = ("fc_1", "fc_2", "rs_1", "msg_1", "odd id", LONG, None)
ARGUMENTS: tuple[Any, ...] = ("{}", '{"a":1}', "[]", '{"a": ', "", {"a": 1}, None, 3)
STATUSES = ("completed", "completed", "in_progress", "incomplete", "failed", None)
OUTPUTS: tuple[Any, ...] = (
    "ok",
    "no",
    "",
    {"a": 1},
    3,
    None,
    [{"type": "input_text", "text": "t"}],
    [{"type": "input_file", "file_id": "f_1"}],
    [1],
)
CALL_TYPES = ("function_call", "function_call", "function_call", "custom_tool_call", "shell_call")
OUTPUT_TYPES = ("function_call_output", "function_call_output", "custom_tool_call_output", "shell_call_output")

_absent = object()


def _object(**members: Any) -> st.SearchStrategy[dict[str, Any]]:
    drawn = st.fixed_dictionaries(
        {name: member if isinstance(member, st.SearchStrategy) else st.just(member) for name, member in members.items()}
    )
    return drawn.map(lambda value: {name: member for name, member in value.items() if member is not _absent})


def _maybe(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from((*values, _absent))


calls = _object(
    type=st.sampled_from(CALL_TYPES),
    id=_maybe(*ITEM_IDS),
    call_id=_maybe(*CALL_IDS),
    name=_maybe("f", "g", "fs.read", "parallel"),
    arguments=_maybe(*ARGUMENTS),
    status=_maybe(*STATUSES),
    turn_id=_maybe(_absent, _absent, "turn_1"),
    caller=_maybe(_absent, _absent, {"type": "program", "caller_id": "c1"}, {"type": "direct"}),
)
outputs = _object(
    type=st.sampled_from(OUTPUT_TYPES), id=_maybe(*ITEM_IDS), call_id=_maybe(*CALL_IDS, "fc_1"), output=_maybe(*OUTPUTS)
)
messages = _object(
    type=_maybe("message"),
    id=_maybe("msg_1", None),
    role=st.sampled_from(("user", "assistant", "developer")),
    content=st.sampled_from(
        (
            "hi",
            [{"type": "input_text", "text": "hi"}],
            [{"type": "output_text", "text": "a", "annotations": [{"file_id": "f_1"}]}],
        )
    ),
    status=_maybe("completed", "incomplete"),
    phase=_maybe("commentary"),
)
reasonings = _object(
    type="reasoning",
    id=_maybe(*ITEM_IDS),
    summary=st.sampled_from(([], [{"type": "summary_text", "text": "s"}])),
    content=_maybe([], [{"type": "reasoning_text", "text": "t"}]),
    encrypted_content=_maybe("gAAA"),
    status=_maybe("completed", None),
)
others = st.sampled_from(
    (
        {"type": "web_search_call", "id": "ws_1", "status": "completed"},
        {"type": "openrouter:web_search", "id": "w"},
        {"type": "acme:ask", "call_id": "c1"},
        {"type": "program_output", "id": "cmo_1", "call_id": "c1", "status": "completed"},
        {"type": "mcp_approval_request", "id": "mcpr_1", "name": "n", "arguments": "{}"},
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True},
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_2", "approve": True},
        {"type": "item_reference", "id": "msg_9"},
        {"id": "msg_9"},
        {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA"},
        {"type": "compaction_trigger"},
        {"type": "program", "id": "cm_1", "call_id": "c1"},
        {"type": "future_thing", "id": "x"},
        {"role": "tool", "tool_call_id": "c1", "content": "ok"},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"type": 3},
        {},
        None,
        "text",
    )
)
items = st.one_of(calls, calls, outputs, outputs, messages, reasonings, others)
histories = st.lists(items, max_size=9)


@st.composite
def sound(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A history that passes: turns of a user's message, calls with their outputs, an answer."""
    result: list[dict[str, Any]] = []
    for turn in range(draw(st.integers(1, 4))):
        result.append({"type": "message", "role": "user", "content": draw(st.sampled_from(("go", "more")))})
        count = draw(st.integers(0, 3))
        made = [f"call_{turn}_{number}" for number in range(count)]
        result += [
            {
                "type": "function_call",
                "id": f"fc_{id_}",
                "call_id": id_,
                "name": "f",
                "arguments": '{"a":1}',
                "status": "completed",
            }
            for id_ in made
        ]
        result += [{"type": "function_call_output", "call_id": id_, "output": "ok"} for id_ in draw(st.permutations(made))]
        if draw(st.booleans()):
            result.append(
                {
                    "type": "message",
                    "role": "assistant",
                    "status": "completed",
                    "content": [{"type": "output_text", "text": "done"}],
                }
            )
    return result
