"""The answers: does the session await somebody, why did it stop, what to send (DESIGN 6)."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tracelink.model.facts import ActionSeen
from tracelink.model.location import Location

AWAITING = "awaiting"
ANSWERED_UNAPPLIED = "answered_unapplied"
NOT_AWAITING = "not_awaiting"
UNKNOWN = "unknown"


class Astray(NamedTuple):
    """A post that answers nothing known and may have been meant for an open action. code: the finding that tells of it, or None."""

    at: Location
    code: str | None


@dataclass(frozen=True, slots=True)
class OpenAction:
    """An action of the latest evidence that is not cleared.

    since: Unix seconds of the first snapshot that lists it (receive time, else the session's `last_active_at`), or None;
        `clock` says whose: `receiver` or `server`.
    answered: no, unapplied, misaddressed or refused. position / of: which of how many open actions.
    result: index into Trace.results of the post that answered it, rightly or wrongly, or None.
    astray: the last post of its kind that answers nothing known, where nothing answers this action.
    """

    action: ActionSeen
    since: float | None
    clock: str | None
    position: int
    of: int
    answered: str
    evidence: Location | None
    result: int | None = None
    astray: Astray | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The record that decided. age: seconds against `as_of`, None where either time is missing or `as_of` comes before it."""

    what: str
    location: Location | None
    age: float | None
    clock: str | None


CONTRADICTION, ENDED = "contradiction", "ended"


@dataclass(frozen=True, slots=True)
class Verdict:
    """unclear: why it is unknown, for the stall: the records contradict each other, or they end too early. Else empty."""

    awaits: str
    reason: str
    actions: tuple[OpenAction, ...] = ()
    evidence: Evidence | None = None
    changes_if: str = ""
    unclear: str = ""


@dataclass(frozen=True, slots=True)
class Stall:
    """kind and expected as in DESIGN 6; blame: whom it points at (`app`, `server`, `recording`, `subagent`, `user`, `nobody`,
    `unclear`), with `because`; `path`: agents from the one that waits to the one that blocks (a cycle repeats its first)."""

    kind: str
    expected: str
    blame: str
    because: str
    ids: dict[str, str] = field(default_factory=dict)
    path: tuple[str, ...] = ()
    evidence: tuple[Location, ...] = ()


class Placeholder(str):
    """A text in a body that only the app can know, such as `<output of …>`. Recorded text is never one, whatever it looks like."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class NextAction:
    """One sentence, and the body to post to `…/sessions/{id}/events` (None where nothing is posted)."""

    text: str
    body: dict[str, Any] | None = None

    @property
    def placeholders(self) -> tuple[str, ...]:
        """Where in the body a value is to be filled in first: JSON Pointers (RFC 6901), in order."""
        found: list[str] = []
        open_: list[tuple[str, Any]] = [("", self.body)]
        while open_:
            at, value = open_.pop()
            if isinstance(value, Placeholder):
                found.append(at)
            elif isinstance(value, dict):
                steps = [(str(name).replace("~", "~0").replace("/", "~1"), one) for name, one in value.items()]
                open_ += [(f"{at}/{step}", one) for step, one in reversed(steps)]
            elif isinstance(value, list):
                open_ += [(f"{at}/{number}", one) for number, one in reversed(list(enumerate(value)))]
        return tuple(found)
