"""Items → facts. Of each type only the members that linking, judging and showing need are kept."""

from typing import Any

from tracelink.fold.bodies import Bodies, text
from tracelink.model.facts import Fact, ItemSeen
from tracelink.model.record import Kind, Record

TEXT_KEPT = 2000
"""Characters of a message or of a command's output that are kept."""

_KEPT = {
    "function_call": ("name", "arguments"),
    "function_call_output": ("output", "error"),
    "mcp_call": ("server_label", "name", "arguments", "error"),
    "command_execution": ("command", "exit_code"),
    "computer_use_call": ("title",),
    "computer_use_approval_request": ("request",),
    "computer_use_approval_request_result": ("response",),
    "web_search_call": ("action",),
    "create_subagent_call": ("agent_id", "model"),
    "message": ("role", "phase"),
}
"""Members kept as they are, beside the ids and the status, which every item keeps."""

_WORDS = frozenset(("name", "server_label", "command", "title", "agent_id", "model", "role", "phase"))
"""Kept members that are text by their type."""

_AGENT_ITEMS = frozenset(
    (
        "agent_message",
        "create_subagent_call",
        "send_subagent_input_call",
        "wait_for_subagents_call",
        "interrupt_subagent_call",
        "resume_subagent_call",
        "close_subagent_call",
    )
)


_CONTENT = frozenset(("content", "task", "input", "text", "summary"))


def item_seen(record: Record, bodies: Bodies) -> Fact:
    """The fact of an item, from an event or on its own."""
    event = record.kind is Kind.ITEM_EVENT
    item: Any = record.value.get("item") if event else record.value
    if item.__class__ is not dict:
        item = {}
    get = item.get
    type_ = get("type")
    if type_.__class__ is not str:
        type_ = "unknown"
    status = get("status")
    phase = "listed" if not event else "done" if (record.type or "").endswith(".done") else "added"
    ids = record.ids
    share = bodies.share.setdefault
    return tuple.__new__(
        ItemSeen,
        (
            record.origin,
            share(ids.session_id, ids.session_id),
            share(ids.turn_id, ids.turn_id),
            ids.item_id,
            phase,
            type_,
            status if status.__class__ is str else None,
            share(ids.call_id, ids.call_id),
            ids.request_id,
            _value(type_, item),
            record.page,
            ids.subagent_id if type_ not in _AGENT_ITEMS else None,
        ),
    )


def _value(type_: str, item: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name in _KEPT.get(type_, ()):
        if name in item:
            value = item[name]
            if name in _WORDS and value.__class__ is not str:  # a name is text; another vendor's number is shown as one
                value = str(value) if isinstance(value, int | float) else None
            kept[name] = value
    if type_ in _AGENT_ITEMS:
        kept["sender"] = text(item.get("sender_agent_id")) or text(item.get("from")) or text(item.get("agent_id"))
        kept["recipients"] = _recipients(item)
    if _CONTENT.isdisjoint(item):
        return kept
    words = readable(item.get("content", item.get("task", item.get("input", item.get("text")))))
    if words is None and type_ == "reasoning":
        words = readable(item.get("summary"))
    if words is not None:
        kept["text"] = words[:TEXT_KEPT]
    return kept


def _recipients(item: dict[str, Any]) -> list[str]:
    """`recipient_agent_ids`, `recipient_agent_id`, or the article's `subagent_id` / `subagent_ids` (fact sheet K)."""
    found: list[str] = []
    for name in ("recipient_agent_ids", "recipient_agent_id", "subagent_ids", "subagent_id"):
        value = item.get(name)
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and one and one not in found:
                found.append(one)
    return found


def readable(content: object) -> str | None:
    """The readable text of a string or a list of content parts; None where there is none (encrypted, empty)."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [part.get("text") for part in content if isinstance(part, dict)]
    words = [part for part in parts if isinstance(part, str)]
    return "\n".join(words) if words else None
