"""What to send now, as every teller of it needs it: beside the sentence and the body, the call it is about and what is to be filled in.

A body with a placeholder looks ready and is not, so whoever shows one says first what is to be put in. And who is told to run a
function, or to decide on one, should not have to look for its arguments.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from tracelink.judge.open_actions import NO
from tracelink.model.run import SessionReport
from tracelink.model.verdict import NextAction, OpenAction
from tracelink.render.escape import columns, escape, ident, json_text

ARGUMENTS = 400
"""Columns of a call's arguments that are shown beside the step; of the rest it is said how much it is."""
FILLED = 5
"""Gaps of one body that are named."""
SORTS = {"function_call": "call", "mcp_approval_request": "call to decide on", "computer_use_approval_request": "request"}


class Asked(NamedTuple):
    """What a step is about. sort: `call`, …; shown: its arguments as JSON, safe to show, or what is said where there are none;
    rest: characters of it that were left out."""

    sort: str
    name: str | None
    shown: str
    rest: int

    @property
    def more(self) -> str:
        return f"… and {self.rest:,} more character{'' if self.rest == 1 else 's'}" if self.rest else ""

    @property
    def line(self) -> str:
        """`The call: hold_fare {"day": … and 80 more characters`"""
        name = f" {ident(self.name)}" if self.name else ""
        return f"The {self.sort}:{name} {self.shown}{' ' if self.rest else ''}{self.more}"


class Gap(NamedTuple):
    """A placeholder of a body and the JSON Pointer (RFC 6901) that says where it is."""

    at: str
    text: str


class Sending(NamedTuple):
    step: NextAction
    asked: Asked | None
    gaps: tuple[Gap, ...]


def sendings(session: SessionReport, full: bool = False) -> Iterator[Sending]:
    """The next actions in order. full: leave nothing of the arguments out."""
    actions = session.verdict.actions if session.verdict.awaits != "unknown" else ()
    for number, step in enumerate(session.next_actions):
        found, action = gaps(step), actions[number] if number < len(actions) else None
        undone = action is not None and (found or action.answered == NO)
        yield Sending(step, _asked(action, None if full else ARGUMENTS) if action is not None and undone else None, found)


def _asked(action: OpenAction, width: int | None) -> Asked | None:
    """Of an action that is to be done still, for there is something to run or to decide on; None where nothing is posted for its kind."""
    seen = action.action
    if seen.type not in SORTS:
        return None
    value = seen.arguments if seen.arguments is not None else seen.request
    if value is None:
        return Asked(SORTS[seen.type], seen.name, "(its arguments are not recorded)", 0)
    return Asked(SORTS[seen.type], seen.name, *shortened(json_text(value), width))


def shortened(text: str, width: int | None) -> tuple[str, int]:
    """As much of `text`, which is safe to show, as fits into `width` columns, and how many characters are left out."""
    if width is None or (text.isascii() and len(text) <= width):
        return text, 0
    room = width
    for at, char in enumerate(text):
        room -= columns(char)
        if room < 0:
            return text[:at], len(text) - at
    return text, 0


def gaps(step: NextAction) -> tuple[Gap, ...]:
    return tuple(Gap(at, _value(step.body, at)) for at in step.placeholders)


def _value(body: Any, pointer: str) -> str:
    for name in pointer.split("/")[1:]:
        body = body[int(name)] if isinstance(body, list) else body[name.replace("~1", "/").replace("~0", "~")]
    return str(body)


def to_fill_in(found: tuple[Gap, ...]) -> str:
    """`<output of f as text> at /events/0/output`, some of them, on one line."""
    shown = [f"{escape(gap.text)} at {escape(gap.at)}" for gap in found[:FILLED]]
    return ", ".join(shown) + (f" and {len(found) - FILLED:,} more" if len(found) > FILLED else "")
