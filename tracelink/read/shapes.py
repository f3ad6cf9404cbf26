"""What a JSON object is: ours (which kind), another API's (which), or nothing known.

The idea: a dictionary of exact `type` and `object` strings decides nearly everything; then members that only one thing
has. What is not certain is not claimed: `None` means "no wire shape", and the caller looks inside. Facts: sheet A.2, B.2, C, D.2, F, L.1.
"""

from typing import Any, NamedTuple

from tracelink.model.record import Kind
from tracelink.read.foreign import ALPHA, ANTHROPIC, DIGEST, HANDOFF, RESPONSES, envelope

SESSION_EVENTS = ("created", "in_progress", "requires_action", "idle", "failed", "budget_reached")
_ENVIRONMENT_EVENTS = ("pending", "ready", "connected", "disconnected", "suspended", "expired", "failed")
_DELTAS = (
    *(f"agent.session.turn.content_part.{end}" for end in ("added", "done")),
    *(f"agent.session.turn.output_text.{end}" for end in ("delta", "done")),
    *(f"agent.session.turn.reasoning_summary_{part}" for part in ("part.added", "part.done", "text.delta", "text.done")),
    "agent.output.command_execution_output.delta",
)

EVENTS: dict[str, tuple[Kind, str | None]] = {
    **{f"agent.session.{end}": (Kind.SESSION_EVENT, "session") for end in SESSION_EVENTS},
    **{
        f"agent.session.turn.{end}": (Kind.TURN_EVENT, "turn")
        for end in ("created", "in_progress", "completed", "failed", "cancelled")
    },
    **{f"agent.session.turn.item.{end}": (Kind.ITEM_EVENT, "item") for end in ("added", "done")},
    **dict.fromkeys(_DELTAS, (Kind.DELTA, None)),
    **{f"agent.session.environment.{end}": (Kind.ENVIRONMENT_EVENT, "environment") for end in _ENVIRONMENT_EVENTS},
    "agent.session.environment.reset": (Kind.ENVIRONMENT_EVENT, None),
    **{f"agent.session.subagent.{end}": (Kind.SUBAGENT_EVENT, "subagent") for end in ("created", "active", "closed")},
    **{
        f"agent.session.input.{end}": (Kind.INPUT, None)
        for end in ("message", "cancel", "tool_result", "mcp_approval_request_result", "computer_use_approval_request_result")
    },
}
"""Exact type → its kind, and the member that must hold its object (without it, the record is a digest)."""

EVENT_MEMBERS = frozenset(
    [
        "type",
        "event_id",
        "obfuscation",
        "session",
        "session_id",
        "turn",
        "turn_id",
        "item",
        "item_id",
        "output_index",
        "content_index",
        "summary_index",
        "part",
        "delta",
        "text",
        "status",
        "environment",
        "environment_id",
        "reset_count",
        "subagent",
        "usage",
        "call_id",
        "request_id",
        "response",
        "success",
        "output",
        "error",
        "input",
    ]
)
"""Members that events and inputs have. Any other may be a recorder's own (a time, a direction)."""

AGENTS_ITEMS = frozenset(
    [
        "create_subagent_call",
        "send_subagent_input_call",
        "wait_for_subagents_call",
        "interrupt_subagent_call",
        "resume_subagent_call",
        "close_subagent_call",
        "computer_use_call",
        "computer_use_approval_request",
        "computer_use_approval_request_result",
    ]
)
"""Item types that no other API has."""

SHARED_ITEMS = frozenset(
    [
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "agent_message",
        "mcp_call",
        "web_search_call",
        "command_execution",
    ]
)
ITEMS = AGENTS_ITEMS | SHARED_ITEMS

_RESPONSES_ITEMS = frozenset(
    [
        "file_search_call",
        "computer_call",
        "computer_call_output",
        "code_interpreter_call",
        "image_generation_call",
        "local_shell_call",
        "local_shell_call_output",
        "shell_call",
        "shell_call_output",
        "apply_patch_call",
        "apply_patch_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "mcp_list_tools",
        "mcp_approval_request",
        "mcp_approval_response",
        "item_reference",
        "compaction",
        "compaction_summary",
        "tool_search_call",
        "tool_search_output",
        "program",
        "program_output",
    ]
)
_ALPHA_ITEMS = frozenset(
    [
        "spawn_agent_call",
        "send_input_call",
        "wait_for_agents_call",
        "interrupt_agent_call",
        "resume_agent_call",
        "close_agent_call",
    ]
)
_ALPHA_EVENTS = ("session.turn.", "session.thread.", "session.environment.", "agent.thread.", "thread.message.sent")
_ALPHA_SESSION = frozenset(f"session.{end}" for end in SESSION_EVENTS)
_ANTHROPIC = frozenset(
    [
        "message_start",
        "message_delta",
        "message_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "tool_use",
        "server_tool_use",
    ]
)
_HANDOFFS = frozenset(
    [
        "handoff",
        "handoff_call_item",
        "handoff_output_item",
        "handoff_requested",
        "handoff_occured",
        "handoff_occurred",
        "handoff_call",
    ]
)
_CODEX = ("thread.started", "turn.started", "turn.completed", "turn.failed", "item.started", "item.updated", "item.completed")

_OBJECTS: dict[str, Kind] = {
    "agent.session": Kind.SESSION,
    "agent.session.turn": Kind.TURN,
    "agent.session.subagent": Kind.SUBAGENT,
    "agent.environment": Kind.ENVIRONMENT,
    "agent": Kind.OBJECT,
}
_OBJECT_FAMILIES = ("agent.", "vault", "automation")
_FOREIGN_OBJECTS: dict[str, str] = {
    "response": "responses",
    "chat.completion": "chat_completions",
    "chat.completion.chunk": "chat_completions",
    "text_completion": "chat_completions",
    "conversation": "responses",
    "session": "alpha",
    "session.turn": "alpha",
    "session.thread": "alpha",
}


class Shape(NamedTuple):
    """`sure`: False where only the company in a list can tell (a shared item type without turn_id)."""

    kind: Kind
    type: str | None
    detail: str | None = None
    sure: bool = True


def text_of(value: dict[str, Any], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) and found else None


def classify(value: dict[str, Any]) -> Shape | None:
    """The shape of one object, without looking at its neighbours; None if it is no wire shape by itself."""
    type_ = text_of(value, "type")
    object_ = text_of(value, "object")
    if (text_of(value, "schema") or "").startswith("tracelink."):
        return Shape(Kind.OBJECT, text_of(value, "schema"))  # our own report: what it quotes and proposes was not recorded
    if type_ is None and value.get("version") == "2.1.0" and isinstance(value.get("runs"), list):
        return Shape(Kind.OBJECT, "sarif")  # a report of somebody's findings: its examples were not recorded
    if object_ == "event" and type_ and isinstance(value.get("data"), dict):
        return Shape(Kind.WEBHOOK, type_) if type_.startswith("agent.") else Shape(Kind.UNKNOWN, type_)
    if object_ is not None:
        found = _by_object(object_, value)
        if found is not None:
            return found
    if type_ is not None:
        found = _by_type(type_, value)
        if found is not None:
            return found
    return _by_members(value, type_)


def _by_object(object_: str, value: dict[str, Any]) -> Shape | None:
    kind = _OBJECTS.get(object_)
    if kind is not None:
        return Shape(kind, object_)
    foreign = _FOREIGN_OBJECTS.get(object_)
    if foreign is not None:
        return Shape(Kind.FOREIGN, object_, foreign)
    if object_.startswith(_OBJECT_FAMILIES):
        return Shape(Kind.OBJECT, object_)
    if object_.startswith(("realtime.", "thread")):
        return Shape(Kind.UNKNOWN, object_)
    if object_ == "trace.span":
        data = value.get("span_data")
        if isinstance(data, dict) and data.get("type") == "handoff":
            return Shape(Kind.FOREIGN, object_, HANDOFF)
        return Shape(Kind.UNKNOWN, object_)
    return None


def _by_type(type_: str, value: dict[str, Any]) -> Shape | None:
    event = EVENTS.get(type_)
    if event is not None:
        kind, payload = event
        if payload is None or isinstance(value.get(payload), dict):
            return Shape(kind, type_)
        return Shape(Kind.FOREIGN, type_, DIGEST, sure=False)
    if type_.startswith(("agent.session.input.", "session.input.")):
        return Shape(Kind.INPUT, type_)
    if type_ in ITEMS:
        return _item(type_, value)
    if type_ == "error":
        return _error(value)
    if type_.startswith("response."):
        return Shape(Kind.FOREIGN, type_, RESPONSES)
    if type_ == "agent.output.item" or type_.startswith(_ALPHA_EVENTS) or type_ in _ALPHA_ITEMS:
        return Shape(Kind.FOREIGN, type_, ALPHA)
    if type_ in _ALPHA_SESSION:
        session = value.get("session")
        realtime = isinstance(session, dict) and str(session.get("object", "")).startswith("realtime")
        return Shape(Kind.UNKNOWN, type_) if realtime else Shape(Kind.FOREIGN, type_, ALPHA)
    if type_.startswith("agent."):
        return Shape(Kind.UNKNOWN, type_)
    if type_ in _RESPONSES_ITEMS:
        # A shared name with a turn_id is an item (or an action) that the Agents API may have by now.
        return Shape(Kind.UNKNOWN, type_) if text_of(value, "turn_id") else Shape(Kind.FOREIGN, type_, RESPONSES)
    if type_ in _ANTHROPIC or (type_ == "tool_result" and "tool_use_id" in value):
        return Shape(Kind.FOREIGN, type_, ANTHROPIC)
    if type_ in _HANDOFFS:
        return Shape(Kind.FOREIGN, type_, HANDOFF)
    if type_ == "run_item_stream_event" and str(value.get("name", "")).startswith("handoff"):
        return Shape(Kind.FOREIGN, type_, HANDOFF)
    if type_ in _CODEX:
        return Shape(Kind.UNKNOWN, type_)
    return None


def _item(type_: str, value: dict[str, Any]) -> Shape | None:
    if type_ in AGENTS_ITEMS or text_of(value, "turn_id"):
        return Shape(Kind.ITEM, type_)
    if type_ == "agent_message":
        sent = any(key in value for key in ("sender_agent_id", "recipient_agent_id", "from"))
        return Shape(Kind.ITEM, type_) if sent else Shape(Kind.UNKNOWN, type_, sure=False)
    if type_ == "command_execution":
        return Shape(Kind.UNKNOWN, type_, sure=False) if "aggregated_output" in value else Shape(Kind.ITEM, type_)
    if type_ == "function_call" and isinstance(value.get("arguments"), dict):
        return Shape(Kind.ITEM, type_)
    if type_ == "message" and ("stop_reason" in value or "stop_sequence" in value):
        return Shape(Kind.FOREIGN, type_, ANTHROPIC)
    if type_ == "message" and not isinstance(value.get("role"), str):
        return None
    return Shape(Kind.FOREIGN, type_, RESPONSES, sure=False)


def _error(value: dict[str, Any]) -> Shape | None:
    inner = value.get("error")
    if not isinstance(inner, dict):
        if isinstance(value.get("message"), str) and ("code" in value or "param" in value):
            return Shape(Kind.FOREIGN, "error", RESPONSES)
        return None
    if "session_id" in value:
        return Shape(Kind.ERROR_EVENT, "error")
    if "sequence_number" in value:
        return Shape(Kind.FOREIGN, "error", RESPONSES)
    if "event_id" in value or ("code" in inner and "param" in inner):
        return Shape(Kind.ERROR_EVENT, "error")
    if isinstance(inner.get("type"), str) and isinstance(inner.get("message"), str):
        return Shape(Kind.FOREIGN, "error", ANTHROPIC)
    return None


def _by_members(value: dict[str, Any], type_: str | None) -> Shape | None:
    if isinstance(value.get("required_actions"), list) and type_ is None:
        return Shape(Kind.SESSION, None)
    if text_of(value, "id") and type_ is None:
        if isinstance(value.get("agent"), dict) and "last_active_at" in value and "status" in value:
            return Shape(Kind.SESSION, None)
        if "parent_agent_id" in value and ("opened_at" in value or value.get("status") in ("active", "closed")):
            return Shape(Kind.SUBAGENT, None)
        if "subagent_id" in value and "status" in value and ("started_at" in value or "completed_at" in value):
            return Shape(Kind.TURN, None)
        if isinstance(value.get("otlp"), dict):
            return Shape(Kind.OBJECT, None)
    if isinstance(value.get("links"), list) and text_of(value, "session_id") and type_ is None:
        return Shape(Kind.OBJECT, None)
    if isinstance(value.get("resourceSpans"), list):
        return Shape(Kind.OBJECT, None)
    detail = envelope(value)
    if detail is not None:
        return Shape(Kind.FOREIGN, type_, detail)
    if type_ is not None and text_of(value, "turn_id") and text_of(value, "id") and "object" not in value and "." not in type_:
        return Shape(Kind.UNKNOWN, type_)  # an item of a type that nobody documents yet
    return None


def http_error(value: dict[str, Any], wrapped: bool) -> bool:
    """True for the inner object of an HTTP error body (fact sheet I); `wrapped`: it stood under `error`."""
    if not isinstance(value.get("message"), str):
        return False
    type_, code = value.get("type"), value.get("code")
    if not all(found is None or isinstance(found, str) for found in (type_, code)) or (type_ is None and code is None):
        return False
    return "param" in value or (wrapped and type_ is not None and "code" in value)


STREAMED = frozenset(
    {
        Kind.SESSION_EVENT,
        Kind.TURN_EVENT,
        Kind.ITEM_EVENT,
        Kind.DELTA,
        Kind.ENVIRONMENT_EVENT,
        Kind.SUBAGENT_EVENT,
        Kind.ERROR_EVENT,
        Kind.INPUT,
        Kind.WEBHOOK,
        Kind.HTTP_ERROR,
        Kind.FOREIGN,
        Kind.UNKNOWN,
        Kind.UNREADABLE,
    }
)
"""Kinds whose order of arrival is order in time (`Origin.stream`)."""
