"""How two sessions differ as wholes: what they are set up with, how they stand, and whom they await."""

from typing import Any

from tracelink.compare.align import staged
from tracelink.compare.notes import Notes, Thing
from tracelink.compare.values import SESSION, VERDICT
from tracelink.link.payload import digest
from tracelink.model.facts import SessionBody
from tracelink.model.run import SessionReport
from tracelink.model.trace import Trace
from tracelink.model.verdict import OpenAction


def session(a: Trace, b: Trace, notes: Notes) -> None:
    """The tools and the environment that the latest snapshots name."""
    body_a, body_b = _body(a), _body(b)
    thing = Thing(
        SESSION,
        None,
        _ids(a),
        _ids(b),
        a.latest[-1].at.location if a.latest else None,
        b.latest[-1].at.location if b.latest else None,
    )
    notes.plain(thing, "session_id", a.session_id, b.session_id)
    notes.payload(thing, "tools", *(_tools(body) for body in (body_a, body_b)))
    for name in ("environment_type", "multi_agent", "max_subagents"):
        notes.plain(thing, name, *(getattr(body, name) if body is not None else None for body in (body_a, body_b)))


def _tools(body: SessionBody | None) -> Any:
    """The declared tools, by name where each has one of its own: their order says nothing."""
    tools = body.tools if body is not None else None
    if not isinstance(tools, list):
        return tools
    named = {
        name: tool for tool in tools if isinstance(tool, dict) and isinstance(name := tool.get("name") or tool.get("type"), str)
    }
    return named if len(named) == len(tools) else tools


def _body(trace: Trace) -> SessionBody | None:
    """What the latest snapshot says, where there is one latest."""
    return trace.latest[0].body if len(trace.latest) == 1 else None


def _ids(trace: Trace) -> dict[str, str]:
    return {"session_id": trace.session_id} if trace.session_id is not None else {}


def status_of(trace: Trace) -> str | None:
    """The session's status by its latest snapshot; None where there is none, or several may be the latest and differ."""
    seen = {snapshot.body.status for snapshot in trace.latest}
    return seen.pop() if len(seen) == 1 else None


def verdict(a: SessionReport, b: SessionReport, same_session: bool, notes: Notes) -> None:
    """Status, verdict, stall and the actions that are open."""
    places = [one.verdict.evidence.location if one.verdict.evidence is not None else None for one in (a, b)]
    thing = Thing(VERDICT, None, _ids(a.trace), _ids(b.trace), *places)
    notes.plain(thing, "status", status_of(a.trace), status_of(b.trace))
    error_a, error_b = _body(a.trace), _body(b.trace)
    if error_a is not None and error_b is not None:
        notes.known(thing, "error", error_a.error, error_b.error)
    notes.plain(thing, "awaits", a.verdict.awaits, b.verdict.awaits)
    notes.plain(thing, "stall", a.stall.kind, b.stall.kind)
    left, right = a.verdict.actions, b.verdict.actions
    keys = [([_named(one) for one in left], [_named(one) for one in right])]
    if same_session:
        keys.insert(0, ([_key(one) for one in left], [_key(one) for one in right]))
    pairs = staged(keys[: 1 if same_session else 2], len(left), len(right))
    for x, y in pairs:
        open_ = Thing(
            VERDICT, left[x].action.name, _action_ids(left[x]), _action_ids(right[y]), left[x].evidence, right[y].evidence
        )
        notes.plain(open_, "answered", left[x].answered, right[y].answered)
    for side, actions, taken in (("a", left, {x for x, _ in pairs}), ("b", right, {y for _, y in pairs})):
        for at, one in enumerate(actions):
            if at not in taken:
                ids, at_ = _action_ids(one), one.evidence
                name = one.action.name or one.action.type
                alone = Thing(VERDICT, name, ids, {}, at_, None) if side == "a" else Thing(VERDICT, name, {}, ids, None, at_)
                notes.alone(alone, side, one.action.arguments)


def _named(one: OpenAction) -> bytes:
    return digest([one.action.type, one.action.name])


def _key(one: OpenAction) -> bytes:
    seen = one.action
    return digest([seen.type, seen.turn_id, seen.call_id or seen.request_id or seen.environment_id])


def _action_ids(one: OpenAction) -> dict[str, str]:
    seen = one.action
    ids = {
        "turn_id": seen.turn_id,
        "call_id": seen.call_id,
        "request_id": seen.request_id,
        "environment_id": seen.environment_id,
    }
    return {name: value for name, value in ids.items() if value}
