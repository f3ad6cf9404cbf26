"""Calls, messages, coordination and other items → moments."""

from collections.abc import Iterator
from typing import Any

from tracelink.model.location import Origin
from tracelink.model.trace import Coordination, Item, Trace
from tracelink.story.times import when
from tracelink.story.values import Moment

VERBS = {
    "create": "asked for a subagent",
    "send": "sent input to {}",
    "wait": "began to wait for {}",
    "interrupt": "interrupted {}",
    "resume": "resumed {}",
    "close": "closed {}",
    "message": "messaged {}",
}
DONE_TYPES = frozenset({"mcp_call", "command_execution", "computer_use_call", "web_search_call"})
"""Items that take their time: their end is a moment of its own."""
FINAL = frozenset({"completed", "failed", "incomplete"})


def item_moments(trace: Trace) -> Iterator[Moment]:
    for call in trace.calls.values():
        at = call.first
        if at is None:
            continue
        time, clock = when(at)
        ids = {"turn_id": call.turn_id, "call_id": call.call_id}
        what = f"{call.name or '(no name)'} called ({call.call_id})"
        what += "" if call.origins else ", known only from what the session requires"
        loud = call.state not in ("answered", "cleared")
        key, owner = f"call:{call.turn_id}/{call.call_id}", _owner(trace, call.turn_id)
        if not at.stream and not call.origins:
            time, clock = None, None
        yield Moment(
            "called", key, at, what, time, clock, call.turn_id, owner, ids, call.arguments, True, loud, _began(call.turn_id)
        )
    for one in trace.coordination.values():
        yield from _coordination(trace, one)
    for item in trace.items.values():
        yield from _item(trace, item)


def _owner(trace: Trace, turn_id: str | None) -> str | None:
    turn = trace.turns.get(turn_id or "")
    return turn.agent_id if turn is not None else None


def _speaker(trace: Trace, turn_id: str | None) -> str:
    turn = trace.turns.get(turn_id or "")
    return "the agent" if turn is None or turn.subagent_id is None else f"subagent {turn.subagent_id}"


def _began(turn_id: str | None) -> tuple[str, ...]:
    return (f"turn_began:{turn_id}",) if turn_id else ()


def ended(one: Coordination) -> Origin | None:
    """Where a coordination item is first seen in a final state, if that is not where it is first seen at all."""
    at = next((seen.at for seen in one.history if seen.status in FINAL), None)
    return at if at is not None and at != one.first else None


def _coordination(trace: Trace, one: Coordination) -> Iterator[Moment]:
    whom = ", ".join(one.recipients) or "(nobody named)"
    verb = VERBS.get(one.kind, one.kind + " {}").replace("{}", whom, 1)
    who = one.sender or _owner(trace, one.turn_id)
    what = f"{who or 'an agent'} {verb}" + (" (failed)" if one.status == "failed" else "")
    ids = {"item_id": one.item_id} | ({"turn_id": one.turn_id} if one.turn_id else {})
    time, clock = when(one.first)
    loud = one.status == "failed" or (one.kind == "wait" and one.status == "in_progress")
    yield Moment(
        "coordination", f"item:{one.item_id}", one.first, what, time, clock, one.turn_id, who, ids, one.text, True, loud,
        _began(one.turn_id),
    )  # fmt: skip
    end = ended(one) if one.kind == "wait" else None
    if end is not None:
        time, clock = when(end)
        what = f"{who or 'an agent'} waited no longer for {whom}"
        yield Moment("returned", f"returned:{one.item_id}", end, what, time, clock, one.turn_id, who, ids)


def _item(trace: Trace, item: Item) -> Iterator[Moment]:
    ids = {"item_id": item.id} | ({"turn_id": item.turn_id} if item.turn_id else {})
    owner, value = _owner(trace, item.turn_id), item.value
    failed = item.status == "failed"
    last = item.history[-1].at if item.history else item.first
    if item.type == "message":
        role = value.get("role")
        kind = "asked" if role == "user" else "said"
        at = item.first if kind == "asked" else next((one.at for one in item.history if one.phase == "done"), item.first)
        if kind == "asked":
            what = "the user asked"
        else:
            what = f"{_speaker(trace, item.turn_id)} said" if role in ("assistant", None) else f"a message of role {role}"
        time, clock = when(at)
        yield Moment(
            kind, f"item:{item.id}", at, what, time, clock, item.turn_id, owner, ids, value.get("text"), True, False,
            _began(item.turn_id),
        )  # fmt: skip
        return
    what, quoted = _words(item.type, value)
    time, clock = when(item.first)
    state = f" ({item.status})" if item.status in ("failed", "incomplete") else ""
    yield Moment(
        "item", f"item:{item.id}", item.first, what + state, time, clock, item.turn_id, owner, ids, quoted, True, failed,
        _began(item.turn_id),
    )  # fmt: skip
    if item.type in DONE_TYPES and last != item.first and item.status in FINAL:
        time, clock = when(last)
        code = value.get("exit_code")
        what = f"{item.type} {item.status}" + (f", exit code {code}" if isinstance(code, int) else "")
        yield Moment(
            "item", f"done:{item.id}", last, what, time, clock, item.turn_id, owner, ids, value.get("error"), True, failed
        )


def _words(type_: str, value: dict[str, Any]) -> tuple[str, Any]:
    if type_ == "mcp_call":
        return f"mcp_call {value.get('name') or ''} of {value.get('server_label') or '?'}", value.get("arguments")
    if type_ == "command_execution":
        return "command_execution", value.get("command")
    return type_, value.get("text") or value.get("title") or value.get("action") or value.get("request") or value.get(
        "response"
    )
