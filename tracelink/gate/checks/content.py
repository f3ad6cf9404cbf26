"""What stands inside the items: outputs, reasoning, fields, parts, roles, and whether they are finished."""

from collections.abc import Iterator
from typing import Any

from tracelink.gate.agents import compact, raw
from tracelink.gate.call import of_program
from tracelink.gate.checks.bound import parts_of
from tracelink.gate.checks.context import Context
from tracelink.gate.containers import foreign
from tracelink.gate.item import Fix, Problem
from tracelink.gate.kinds import CALL, FIELDS, MESSAGE, OPENAI_EXTRAS, OUTPUT, OUTPUTS, REASONING, REFERENCE, text, type_of

MOST_OUTPUT = 10_485_760
"""Characters of `output` (A.1)."""
_NOT_AFTER_REASONING = frozenset(OUTPUTS) | {"mcp_approval_response", REFERENCE}
_PORTABLE_PARTS = frozenset(("input_text", "input_image", "input_file", "output_text", "refusal", "input_video"))


def outputs(context: Context) -> Iterator[Problem]:
    """`output_type`, `output_parts`, `output_size` of function outputs (C.3)."""
    problem = context.history.problem
    for position, item in enumerate(context.history.items):
        if type_of(item.value) != OUTPUT or raw(item.value):  # a raw item of the Agents API is told as that
            continue
        output = item.value.get("output")
        if isinstance(output, list):
            if not of_parts(output):
                yield problem(
                    "output_type",
                    "the output is a list, and not of content parts",
                    position,
                    fixes=_as_text(item.value, position),
                )
                continue
            plain = all(part["type"] in ("input_text", "output_text") and isinstance(part.get("text"), str) for part in output)
            joined = (
                (Fix("replace", position, item.value | {"output": "".join(part["text"] for part in output)}, False),)
                if plain
                else ()
            )
            filed = any(part["type"] == "input_file" for part in output)
            row = "output_parts/file" if filed else None
            yield problem(
                "output_parts",
                "the output is a list of content parts; some providers take text only",
                position,
                row=row,
                fixes=joined,
            )
        elif not isinstance(output, str):
            told = (
                "null"
                if "output" in item.value and output is None
                else "missing"
                if output is None
                else "neither a text nor a list of parts"
            )
            fixes = () if output is None else _as_text(item.value, position)
            yield problem("output_type", f"the output is {told}", position, fixes=fixes)
        elif len(output) > MOST_OUTPUT:
            yield problem("output_size", f"an output of {len(output):,} characters; {MOST_OUTPUT:,} are allowed", position)


def of_parts(output: Any) -> bool:
    """Whether an output is a list of content parts."""
    return isinstance(output, list) and all(isinstance(part, dict) and text(part, "type") for part in output)


def _as_text(value: dict[str, Any], position: int) -> tuple[Fix, ...]:
    return (Fix("replace", position, value | {"output": compact(value["output"])}),)


def reasoning(context: Context) -> Iterator[Problem]:
    """`reasoning_unpaired`, `reasoning_empty`, `reasoning_content` (C.4, D)."""
    items = context.history.items
    for position, item in enumerate(items):
        value = item.value
        if type_of(value) != REASONING:
            continue
        after = items[position + 1].value if position + 1 < len(items) else None
        follows = after is not None and _model_made(after)
        if not follows:
            told = "nothing" if after is None else f"a {type_of(after) or 'message'} that the model did not make"
            message = f"{told} follows this reasoning item, which goes with the item after it"
            yield context.history.problem("reasoning_unpaired", message, position, fixes=(Fix("drop", position, None, False),))
        if value.get("content"):
            message = "a reasoning item with content, which may come from a server but not go to one"
            yield context.history.problem(
                "reasoning_content", message, position, fixes=(Fix("drop-field", position, "content"),)
            )
        if not (value.get("summary") or value.get("content") or value.get("encrypted_content")):
            yield context.history.problem("reasoning_empty", "a reasoning item that holds nothing", position)


def _model_made(value: Any) -> bool:
    type_ = type_of(value)
    if type_ == MESSAGE or type_ is None:
        return isinstance(value, dict) and value.get("role") == "assistant"
    return type_ not in _NOT_AFTER_REASONING


def fields(context: Context) -> Iterator[Problem]:
    """`unknown_field`: members that Open Responses does not know, and nulls that some refuse. A message of another API is told as that:
    to drop its `tool_calls` would hide the calls.
    """
    for position, item in enumerate(context.history.items):
        value, type_ = item.value, type_of(item.value)
        known = FIELDS.get(type_ or "")
        if known is None or item.loss is not None or raw(value) or foreign(value) is not None:
            continue
        for name in value:
            if name in known:
                if value[name] is None and name in ("id", "status"):
                    message = f"a null {name}, which may be left out; one provider refuses the null"
                    yield _field(context, position, name, message, "unknown_field/null")
            elif type_ == REASONING and name == "status":
                message = "a reasoning item has no status on its way in; OpenAI refuses the parameter, null or not"
                yield _field(context, position, name, message, "unknown_field/reasoning_status")
            elif value[name] is None or (type_ == OUTPUT and name == "name"):
                continue
            elif name in OPENAI_EXTRAS:
                if name == "caller" and type_ == CALL and of_program(value):
                    continue  # told as program_owned
                message = f"a member that only OpenAI knows: {name}"
                yield _field(context, position, name, message, "unknown_field/openai", fix=not of_program(value))
            else:
                yield _field(context, position, name, f"a member that a {type_} does not have: {name}", None)


def _field(context: Context, position: int, name: str, message: str, row: str | None, fix: bool = True) -> Problem:
    fixes = (Fix("drop-field", position, name),) if fix else ()
    return context.history.problem("unknown_field", message, position, detail=name, row=row, fixes=fixes)


def content_parts(context: Context) -> Iterator[Problem]:
    """`content_part_bound`, `role_dropped`, `phase_dropped`."""
    problem = context.history.problem
    for position, item in enumerate(context.history.items):
        value, type_ = item.value, type_of(item.value)
        if type_ not in (MESSAGE, OUTPUT):
            continue
        if type_ == OUTPUT and not of_parts(value.get("output")):
            continue  # told as output_type
        for part in parts_of(value):
            kind = text(part, "type") or "part without a type"
            if kind not in _PORTABLE_PARTS or (kind == "input_video" and type_ == MESSAGE) or part.get("detail") == "original":
                told = "detail original" if part.get("detail") == "original" else kind
                yield problem(
                    "content_part_bound", f"a content part ({told}) that the specification does not have", position, detail=told
                )
            elif (url := part.get("image_url")) and isinstance(url, str) and not url.startswith("data:"):
                yield problem(
                    "content_part_bound", "an image by its URL", position, detail="image_url", row="content_part_bound/url"
                )
        if type_ == MESSAGE and value.get("role") == "developer":
            message = "a developer message, which one provider drops without a word"
            fix = Fix("replace", position, value | {"role": "system"})
            yield problem("role_dropped", message, position, detail="developer", fixes=(fix,))
        if type_ == MESSAGE and value.get("phase") is not None:
            yield problem("phase_dropped", "a phase, which some providers drop", position)


def unfinished(context: Context) -> Iterator[Problem]:
    """`item_incomplete`, and `incomplete_not_last` where the border of a response is known (B)."""
    history, problem = context.history, context.history.problem
    last: dict[int, int] = {item.response: at for at, item in enumerate(history.items) if item.response is not None}
    for position, item in enumerate(history.items):
        status, type_ = text(item.value, "status"), type_of(item.value)
        number = item.response
        response = history.responses[number] if number is not None and number < len(history.responses) else None
        if status in ("incomplete", "in_progress") and type_ in (MESSAGE, REASONING):
            yield problem(
                "item_incomplete", f"a {type_} item that is {status}: what it says is cut off", position, detail=status
            )
        if response is None or number is None:
            continue
        if status == "incomplete" and last[number] != position:
            yield problem("incomplete_not_last", "an incomplete item with others of its response after it", position)
        elif status == "incomplete" and response.status == "completed":
            yield problem("incomplete_not_last", "an incomplete item in a response that says it is completed", position)
        elif status == "completed" and type_ == CALL and response.status == "incomplete":
            message = "a completed call in an incomplete response; clients disagree whether to run it"
            yield problem("incomplete_not_last", message, position, detail="response", row="incomplete_not_last/response")
