"""What the app was asked to do: the final arguments of a call.

The required action decides, for the app acts on it; else the last finished item (done or listed beats added, later beats
earlier). An item that was only announced may hold a part of its arguments and proves nothing.
"""

import json
from typing import Any, NamedTuple

import orjson

from tracelink.model.location import Origin
from tracelink.model.trace import Action, Call, CallKey, Trace
from tracelink.rules.rule import Context


class Asked(NamedTuple):
    """`status` is that of the item, None for a required action."""

    value: Any
    at: Origin | None
    status: str | None


def actions_by_call(trace: Trace) -> dict[CallKey, Action]:
    """The required actions that ask for a function, by the key of their call."""
    return {(one.seen.turn_id or "", one.seen.call_id or ""): one for one in trace.actions if one.seen.type == "function_call"}


def required(context: Context) -> dict[CallKey, Action]:
    """The same, for `Context.once`."""
    return actions_by_call(context.trace)


def asked(call: Call, action: Action | None) -> Asked:
    """The arguments in their final state; None where the recording never shows them finished."""
    if action is not None and action.seen.arguments is not None:
        return Asked(action.seen.arguments, action.first, None)
    for item in reversed(call.history):
        finished = (
            item.phase == "done" or item.status == "completed" or (item.phase == "listed" and item.status != "in_progress")
        )
        if finished and item.value.get("arguments") is not None:
            return Asked(item.value["arguments"], item.at, item.status)
    return Asked(None, call.first, None)


def is_json(text: str) -> bool:
    """Whether a text is JSON for sure. A quick answer: where it is False, `decode` has the last word."""
    try:
        orjson.loads(text)
    except ValueError:
        return False
    return True


def decode(text: str) -> Any:
    """The JSON value of a text.

    Raises:
        ValueError: it is none; the message says from where, in our words.
    """
    try:
        return json.loads(text, parse_int=_integer, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        whole = text.rstrip()
        if not whole:
            raise ValueError("are an empty text") from None
        cut = error.pos >= len(whole) or error.msg.startswith(("Unterminated", "Invalid \\u"))
        what = f"break off after {len(whole):,} characters" if cut else f"stop being JSON at character {error.pos + 1:,}"
        raise ValueError(what) from None


def _integer(digits: str) -> int | float:
    """Python refuses integers of more than 4,300 digits; JSON knows no limit."""
    return int(digits) if len(digits) < 400 else float(digits)


def _refuse(name: str) -> Any:
    raise ValueError(f"hold {name}, which JSON does not know")
