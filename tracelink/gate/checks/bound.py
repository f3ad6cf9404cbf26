"""What cannot leave its provider or its account: hosted items, ciphertext, state and files kept elsewhere, other APIs' messages."""

from collections.abc import Iterator
from typing import Any

from tracelink.gate.call import NAMESPACED
from tracelink.gate.checks.context import Context
from tracelink.gate.checks.leave import departures
from tracelink.gate.containers import foreign
from tracelink.gate.item import Fix, History, Problem
from tracelink.gate.kinds import (
    AGENTS_ONLY,
    BOUND,
    COMPACTION,
    CORE,
    MESSAGE,
    OUTPUT,
    REASONING,
    REFERENCE,
    TRIGGER,
    guessed,
    text,
    type_of,
)

_CUSTOM = frozenset(("custom_tool_call", "custom_tool_call_output"))
_HOLDS = ("file_id", "container_id", "vector_store_id")


def kept_elsewhere(history: History) -> bool:
    """Whether part of the history is on a server only (fact sheet E)."""
    if any(remark.reason == "state_elsewhere" for remark in history.remarks):
        return True
    return any(_is_reference(item.value) for item in history.items)


def _is_reference(value: Any) -> bool:
    return type_of(value) == REFERENCE or (type_of(value) is None and guessed(value) == "reference")


def types(context: Context) -> Iterator[Problem]:
    """`provider_bound` and `unknown_type`, by the type alone (A.2)."""
    problem, may_go = context.history.problem, departures(context)
    for position, item in enumerate(context.history.items):
        type_, fixes = type_of(item.value), may_go.get(position, ())
        if type_ is None or item.loss is not None or context.verdicts[position].verdict == NAMESPACED:
            continue
        if type_ in AGENTS_ONLY:
            message = f"{_a(type_)} of the Agents API has no form in Open Responses"
            yield problem("provider_bound", message, position, detail="agents", row="provider_bound/agents", fixes=fixes)
        elif type_ in BOUND:
            row = "provider_bound"
            if type_ in _CUSTOM:
                row += "/custom_tool_call"
            elif type_.startswith("mcp_"):
                row += "/mcp"
            message = f"{_a(type_)} belongs to the provider that made it"
            yield problem("provider_bound", message, position, detail=type_, row=row, fixes=fixes)
        elif type_ == REASONING:
            message = "a reasoning item, which not every provider takes"
            yield problem("provider_bound", message, position, detail=type_, row="provider_bound/reasoning", fixes=fixes)
        elif type_ not in CORE and foreign(item.value) is None:
            yield problem("unknown_type", f"nobody documents the type {type_}", position, detail=type_)
        if type_ == TRIGGER and position != len(context.history.items) - 1:
            yield problem("compaction_trigger_not_last", "a compaction_trigger must be the last item", position)


def _a(type_: str) -> str:
    """The type with its article, as it is read aloud: an mcp_call, an image_generation_call."""
    return f"{'an' if type_[:1] in 'aeio' or type_.startswith('mcp_') else 'a'} {type_}"


def ciphertext(context: Context) -> Iterator[Problem]:
    """`encrypted_bound` (C.4): ciphertext is bound to model, organisation and item id."""
    may_go = departures(context)
    for position, item in enumerate(context.history.items):
        type_, value = type_of(item.value), item.value
        if type_ not in (REASONING, COMPACTION) or not value.get("encrypted_content"):
            continue
        if type_ == COMPACTION:
            message = "a compaction whose ciphertext holds the earlier context; only its own provider and account can read it"
            yield context.history.problem("encrypted_bound", message, position, detail=type_, row="encrypted_bound/compaction")
        else:
            message = "reasoning whose ciphertext only its own provider, account and model can read"
            fixes = (Fix("drop", position, None, False), *may_go.get(position, ()))
            yield context.history.problem("encrypted_bound", message, position, detail=type_, fixes=fixes)


def references(context: Context) -> Iterator[Problem]:
    """`state_elsewhere` of items: references to stored ones."""
    for position, item in enumerate(context.history.items):
        if _is_reference(item.value):
            message = f"an item that is only referred to ({text(item.value, 'id') or 'no id'}); its body is on the server alone"
            yield context.history.problem("state_elsewhere", message, position, detail=REFERENCE)


def envelopes(context: Context) -> Iterator[Problem]:
    """`foreign_envelope`: messages of Chat Completions, Anthropic or Gemini among the items."""
    for position, item in enumerate(context.history.items):
        name = foreign(item.value) if not item.agents else None
        if name is not None:
            message = f"a message in the form of another API ({name}); the Responses API has no such item"
            yield context.history.problem("foreign_envelope", message, position, detail=name, ids=_chat_ids(item.value))


def _chat_ids(value: Any) -> dict[str, str]:
    made = value.get("tool_calls")
    first = made[0] if isinstance(made, list) and made else None
    found = {"tool_call_id": text(value, "tool_call_id") or text(first, "id")}
    return {name: id_ for name, id_ in found.items() if id_ is not None}


def files(context: Context) -> Iterator[Problem]:
    """`file_elsewhere`: parts and annotations that name a file of the account."""
    for position, item in enumerate(context.history.items):
        if type_of(item.value) not in (MESSAGE, OUTPUT):
            continue
        for part in parts_of(item.value):
            held = next((name for name in _HOLDS if text(part, name)), None)
            if held is not None:
                message = f"a content part names the {held} {text(part, held)}, which only its own account has"
                yield context.history.problem(
                    "file_elsewhere", message, position, detail=held, ids={held: text(part, held) or ""}
                )
            noted = _annotations(part)
            if noted:
                message = "an annotation names a file of the account"
                fix = Fix("replace", position, _without_annotations(item.value))
                yield context.history.problem(
                    "file_elsewhere", message, position, detail="annotation", row="file_elsewhere/annotation", fixes=(fix,)
                )
                break


def parts_of(value: Any) -> list[dict[str, Any]]:
    """The content parts of a message, or of an output that is a list."""
    listed = value.get("output" if type_of(value) == OUTPUT else "content")
    return [part for part in listed if isinstance(part, dict)] if isinstance(listed, list) else []


def _annotations(part: dict[str, Any]) -> list[Any]:
    listed = part.get("annotations")
    return [one for one in listed if any(text(one, name) for name in _HOLDS)] if isinstance(listed, list) else []


def _without_annotations(value: dict[str, Any]) -> dict[str, Any]:
    """The same without annotations that name a file; everything else as it was."""
    member = "output" if type_of(value) == OUTPUT else "content"
    listed = []
    for part in value[member]:
        if isinstance(part, dict) and (gone := _annotations(part)):
            part = part | {"annotations": [one for one in part["annotations"] if one not in gone]}
        listed.append(part)
    return value | {member: listed}
