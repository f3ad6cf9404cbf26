"""What the gate works on: a history of items as they would be sent, each with its place, and what was noticed while it was read."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tracelink.model.location import Location


class Fix(NamedTuple):
    """One safe change. `what` (in the order in which repairs run): replace, drop-field, rename, reverse, move, drop-bound, drop, insert.

    at: position of the item. value: the new value, the field's name, the id to rename, the position to move to, or all that go together.
    mild: may be done for a warning too; else only where the reason blocks.
    """

    what: str
    at: int
    value: Any = None
    mild: bool = True


NO_GAP = ("bent", "earlier")
"""Details of `torn_line` that take nothing from the history: a record that was read after all, or one that lies before all of it."""
NOT_PROVABLE = "not_provable"
"""The detail of what a gap in the recording may explain."""
GIVEN_TWICE = "given_twice"
"""The detail of what hangs on an id that an item gives twice."""


TEXT_INPUT = "the text becomes a user message"
"""What is said of a request whose `input` is a text."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that a check saw. The profile decides how bad it is.

    reason: its declared name. cell: the row of the profile table, `reason` or `reason/detail`.
    items: positions of the items it speaks of, the first is the primary one. ids: by wire name.
    message: one sentence. remedy: in place of the declared one.
    """

    reason: str
    message: str
    items: tuple[int, ...] = ()
    ids: dict[str, str] = field(default_factory=dict)
    detail: str | None = None
    fixes: tuple[Fix, ...] = ()
    locations: tuple[Location, ...] = ()
    remedy: str | None = None
    row: str | None = None

    @property
    def cell(self) -> str:
        return self.row or self.reason


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a history.

    value: what would be sent; mapped already where the recording has another form. index: position in the history as read, None for
    one that a repair made. response: number of the recorded response it came in, None where no border is known.
    done: False for an item that a stream announced and never finished. changes: what reading it as Open Responses changed.
    loss: why it has no portable form at all, None if it has one. agents: it came from an Agents API recording.
    """

    value: Any
    location: Location
    index: int | None = None
    response: int | None = None
    done: bool = True
    changes: tuple[str, ...] = ()
    loss: str | None = None
    agents: bool = False


@dataclass(frozen=True, slots=True)
class Responded:
    """A recorded response: its status, where one is known, and the positions of its items are those that name it."""

    status: str | None
    response_id: str | None = None


@dataclass(frozen=True, slots=True)
class History:
    """Items in the order in which they would be sent.

    remarks: what reading noticed (state elsewhere, torn lines, streams). responses: those that were recorded, by number.
    tools: declared functions, name → parameter schema (None where it declares none); None where no list was found.
    allowed: names that `tool_choice` admits, None for all. body: members of the request to keep beside `input` in a repaired file;
    None where the input was no request. shapes: what was recognised, with counts. aborted: why the turn
    ended early, where the recording says so. errors: codes of errors that the server sent. sessions: those of the Agents API that the
    recording names; the items are of one of them.
    """

    items: tuple[Item, ...] = ()
    remarks: tuple[Problem, ...] = ()
    responses: tuple[Responded, ...] = ()
    tools: dict[str, Any] | None = None
    allowed: frozenset[str] | None = None
    body: dict[str, Any] | None = None
    shapes: dict[str, int] = field(default_factory=dict)
    aborted: str | None = None
    errors: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()

    @property
    def gap(self) -> bool:
        """Whether something is missing that may hold the other half of any pair: a torn record, a page with more, a source not read."""
        return any(one.reason == "torn_line" and one.detail not in NO_GAP for one in self.remarks)

    def problem(self, reason: str, message: str, *items: int, **more: Any) -> Problem:
        """A problem of these items, with the ids that they have."""
        ids = dict(more.pop("ids", {}))
        for position in items[:1]:
            value = self.items[position].value
            if isinstance(value, dict):
                for name in ("call_id", "approval_request_id", "id"):
                    found = value.get(name)
                    if isinstance(found, str) and found:
                        ids.setdefault("item_id" if name == "id" else name, found)
        return Problem(reason, message, items, ids, **more)
