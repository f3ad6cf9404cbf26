"""Facts: what each record said, in order, with its origin, and no conclusion drawn.

The fold turns each record into at most one fact; facts of two recordings are added by putting them one
after the other (DESIGN 3). A fact's `session_id` is only what the record itself or its wrapper said.
"""

import re
from typing import Any, NamedTuple

from tracelink.model.location import Origin

_UNKNOWN_CALL = re.compile(r"unknown pending tool call:?\s*[\"'`]?([^\s\"'`]+)", re.IGNORECASE)


class ActionSeen(NamedTuple):
    """One entry of `required_actions` (fact sheet D.1). `request` is the approval's request object."""

    type: str
    turn_id: str | None = None
    call_id: str | None = None
    request_id: str | None = None
    environment_id: str | None = None
    name: str | None = None
    arguments: Any = None
    request: Any = None


class SessionBody(NamedTuple):
    """The members of a session object that matter (C.1). Equal bodies are mostly one value, shared between snapshots."""

    status: str | None
    actions: tuple[ActionSeen, ...]
    has_actions: bool  # False where `required_actions` is absent (a vendor's preview lacks it)
    agent_id: str | None
    agent_name: str | None
    model: str | None
    multi_agent: bool | None
    max_subagents: int | None
    tools: Any  # the list of tool declarations as recorded, or None
    environment_type: str | None
    environment_id: str | None
    error: str | None


class SnapshotSeen(NamedTuple):
    at: Origin
    session_id: str | None
    event_type: str | None  # None for a retrieved session object
    created_at: int | None
    last_active_at: int | None
    body: SessionBody


class TurnSeen(NamedTuple):
    at: Origin
    session_id: str | None
    turn_id: str
    event_type: str | None  # None for a retrieved turn object
    subagent_id: str | None
    owner_known: bool  # the record had `turn.subagent_id`, be it null
    agent_id: str | None
    status: str | None
    created_at: int | None
    started_at: int | None
    completed_at: int | None
    error_code: str | None
    error_message: str | None


class ItemSeen(NamedTuple):
    """`phase`: added, done (events) or listed. `value` keeps the members that matter, the rest is dropped."""

    at: Origin
    session_id: str | None
    turn_id: str | None
    item_id: str | None
    phase: str
    type: str
    status: str | None
    call_id: str | None
    request_id: str | None
    value: dict[str, Any]
    page: int | None
    subagent_id: str | None  # only where a wrapper (a URL, a user's field) said whose history it is


class SubagentSeen(NamedTuple):
    at: Origin
    session_id: str | None
    subagent_id: str
    event_type: str | None
    parent_agent_id: str | None
    status: str | None
    opened_at: int | None
    closed_at: int | None
    name: str | None
    instructions: str | None  # readable text only


class InputSeen(NamedTuple):
    """What the app posted (D.2). `official` is False for an input type that the API does not take."""

    at: Origin
    session_id: str | None
    type: str
    official: bool
    turn_id: str | None
    call_id: str | None
    request_id: str | None
    value: dict[str, Any]


class EnvironmentSeen(NamedTuple):
    at: Origin
    session_id: str | None
    turn_id: str | None
    environment_id: str | None
    event_type: str | None
    status: str | None
    error_message: str | None
    reset_count: int | None


class ErrorSeen(NamedTuple):
    """The stream's `error` event: no turn id, so it belongs by position only (A.2)."""

    at: Origin
    session_id: str | None
    code: str | None
    type: str | None
    message: str


class RefusalSeen(NamedTuple):
    """An HTTP error body in the app's log (D.5, I)."""

    at: Origin
    session_id: str | None
    http_status: int | None
    code: str | None
    type: str | None
    message: str
    param: str | None

    @property
    def unknown_call(self) -> str | None:
        """The call that the message says is not pending; the SDK matches this text (fact sheet D.5)."""
        found = _UNKNOWN_CALL.search(self.message)
        return found.group(1).rstrip(".,;:)]") if found is not None else None


class WebhookSeen(NamedTuple):
    at: Origin
    session_id: str | None
    type: str
    action_type: str | None
    created_at: int | None


class PageSeen(NamedTuple):
    """The envelope of a list page. `order` is asc, desc or None (cannot be told); `number` matches `ItemSeen.page`."""

    at: Origin
    session_id: str | None
    subagent_id: str | None
    of: str  # item, turn, subagent, session, other
    number: int
    count: int  # type: ignore[assignment]
    has_more: bool | None
    first_id: str | None
    last_id: str | None
    order: str | None


class TroubleSeen(NamedTuple):
    """Something that could not be read (code TL001, TL002, TL011) or was read with a doubt (`doubt` True; TL001, TL303).

    snapshot: what is left of its text may be a session's snapshot, so it may have listed a required action.
    session_id, turn_id: of a record whose ids contradict each other (TL303), those that were used.
    """

    at: Origin
    code: str
    message: str
    doubt: bool = False
    snapshot: bool = False
    session_id: str | None = None
    turn_id: str | None = None


class StrangerSeen(NamedTuple):
    """Counted, not used: `group` is unknown or foreign; `what` is event, item, action, input, object or the envelope."""

    at: Origin
    session_id: str | None
    group: str
    what: str
    type: str | None


Fact = (
    SnapshotSeen
    | TurnSeen
    | ItemSeen
    | SubagentSeen
    | InputSeen
    | EnvironmentSeen
    | ErrorSeen
    | RefusalSeen
    | WebhookSeen
    | PageSeen
    | TroubleSeen
    | StrangerSeen
)


class Burst(NamedTuple):
    """Deltas of one turn that came without a long pause: proof of life, folded to a count."""

    first: Origin
    last: Origin
    count: int  # type: ignore[assignment]
