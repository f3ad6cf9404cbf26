"""How two matched agents, turns and units differ; their results are compared in `results`."""

from tracelink.compare import results
from tracelink.compare.match import Matches
from tracelink.compare.notes import Notes, Pinned, Thing
from tracelink.compare.parts import Parts, TurnPart, Unit, turn_ids
from tracelink.compare.values import AGENT, APPROVAL, CALL, TURN
from tracelink.model.location import Location, Origin
from tracelink.model.trace import ROOT, Agent, Turn


def agents(found: Matches, a: Parts, b: Parts, notes: Notes, pinned: Pinned) -> None:
    for one, other in found.agents:
        name = (one.name if one is not None else None) or (other.name if other is not None else None)
        thing = Thing(AGENT, name, _agent_ids(one), _agent_ids(other), _agent_at(one, a), _agent_at(other, b))
        if one is None or other is None:
            notes.alone(thing, "b" if one is None else "a")
            continue
        pinned.append((_agent_at(one, a), _agent_at(other, b)))
        notes.ids(thing)
        notes.plain(thing, "name", one.name, other.name)
        notes.plain(thing, "model", one.model, other.model)
        notes.plain(thing, "instructions", one.instructions, other.instructions)
        notes.plain(thing, "status", one.status, other.status, timed=False)


def _agent_ids(agent: Agent | None) -> dict[str, str]:
    if agent is None or agent.id == ROOT:
        return {}
    return {"agent_id" if agent.root else "subagent_id": agent.id}


def _agent_at(agent: Agent | None, side: Parts) -> Origin | None:
    if agent is None or agent.root:
        return None
    first = next((part.at for part in side.turns.get(agent.id, ()) if part.at is not None), None)
    return agent.origins[0] if agent.origins else first


def turns(found: Matches, notes: Notes, pinned: Pinned) -> None:
    for agent, twin, side in found.silent:
        thing = Thing(AGENT, agent.name, _agent_ids(agent), _agent_ids(twin), None, None)
        notes.missing(thing, "turns", *((True, None) if side == "a" else (None, True)))
    for one, other in found.turns:
        at_a, at_b = one.at if one else None, other.at if other else None
        thing = Thing(TURN, None, turn_ids(one), turn_ids(other), at_a, at_b)
        if one is None or other is None:
            part = one or other
            if part is not None and (part.turn is not None or part.id):
                notes.alone(thing, "b" if one is None else "a", part.text)
            continue
        pinned.append((at_a, at_b))
        notes.ids(thing)
        if one.asked and other.asked:
            thing.at_a, thing.at_b = one.asked[0][1], other.asked[0][1]
            pinned.append((thing.at_a, thing.at_b))
        notes.plain(thing, "asked", one.text, other.text)
        if one.turn is None or other.turn is None:
            continue
        end_a, end_b = one.turn.ended, other.turn.ended
        pinned.append((end_a, end_b))
        thing.at_a, thing.at_b = end_a or _last(one.turn), end_b or _last(other.turn)
        notes.plain(thing, "status", _status(one.turn), _status(other.turn))
        if one.turn.outcome and other.turn.outcome:
            notes.known(thing, "error_code", one.turn.error_code, other.turn.error_code)
            notes.known(thing, "error_message", one.turn.error_message, other.turn.error_message)
        if one.turn.covered and other.turn.covered:
            for type_ in sorted({*one.items, *other.items}):
                notes.known(thing, f"items.{type_}", one.items[type_], other.items[type_])


def _status(turn: Turn) -> str | None:
    """`waiting` is told by turn objects only; a stream says `in_progress` of the same turn (fact sheet A.3)."""
    status = turn.outcome or turn.status
    return "in_progress" if status == "waiting" else status


def _last(turn: Turn) -> Location | None:
    """The last word on a turn that has no end: a place, at no time of its own."""
    return turn.history[-1].at.location if turn.history else None


def units(found: Matches, a: Parts, b: Parts, notes: Notes, pinned: Pinned) -> None:
    for part_a, part_b, one, other in found.units:
        unit = one or other
        assert unit is not None  # noqa: S101 - a pair has at least one side
        kind = CALL if unit.call is not None else APPROVAL
        at_a, at_b = one.at if one else None, other.at if other else None
        thing = Thing(kind, unit.name or _type(unit), unit_ids(part_a, one), unit_ids(part_b, other), at_a, at_b)
        if one is None or other is None:
            side, there = ("b", a) if one is None else ("a", b)
            if unit.action is not None and not unit.action.listed_latest and not there.watched:
                notes.missing(thing, "request", *((True, None) if side == "a" else (None, True)))
            else:
                notes.alone(thing, side, unit.asks)
            continue
        pinned.append((at_a, at_b))
        notes.ids(thing)
        notes.plain(thing, "name", one.name, other.name)
        notes.payload(thing, "arguments", one.asks, other.asks)
        if one.call is not None and other.call is not None:
            _call(one, other, thing, notes, pinned)
        else:
            results.of_approval(one, other, (a, b), thing, notes, pinned)
    for one, other in found.moved:
        kind = CALL if one.call is not None else APPROVAL
        if one.at is not None and other.at is not None and one.at.stream and other.at.stream:
            notes.moved(Thing(kind, one.name or _type(one), unit_ids(None, one), unit_ids(None, other), one.at, other.at))


def _type(unit: Unit) -> str | None:
    return unit.kind if unit.call is None else None


def unit_ids(part: TurnPart | None, unit: Unit | None) -> dict[str, str]:
    if unit is None:
        return turn_ids(part)  # where it is missing
    turn_id = unit.call.turn_id if unit.call is not None else unit.action.seen.turn_id if unit.action is not None else None
    ids = {"turn_id": turn_id} if turn_id else turn_ids(part)
    if unit.call is not None:
        ids |= {"call_id": unit.call.call_id} if unit.call.call_id else {}
        return ids | ({"item_id": unit.call.item_ids[0]} if unit.call.item_ids else {})
    name = "environment_id" if unit.kind == "environment_connection" else "request_id"
    return ids | ({name: unit.id} if unit.id else {})


SILENT = frozenset({"unknown", "cleared"})
"""States of a call of which the recording does not hold the result (`cleared`), or cannot tell."""


def _call(one: Unit, other: Unit, thing: Thing, notes: Notes, pinned: Pinned) -> None:
    assert one.call is not None and other.call is not None  # noqa: S101, PT018 - two calls, by their kind
    states = (one.call.state, other.call.state)
    told = [None if state in SILENT else state for state in states]
    if "cleared" in states and not {"answered", "unknown"} & set(states):
        told = list(states)  # no longer required, against one that is open or required
    if set(told) == {"answered", "unapplied"}:  # it differs since the server confirmed the post on one side
        confirmed = Thing(thing.kind, thing.name, thing.ids_a, thing.ids_b, _confirmed(one), _confirmed(other))
        notes.plain(confirmed, "state", *told)
    else:
        notes.plain(thing, "state", *told, timed=False)
    said_a, said_b = list(one.results), list(other.results)
    if (not said_a and told[0] is None) or (not said_b and told[1] is None):
        notes.missing(thing, "result", said_a or None, said_b or None)
        return
    results.of_call(said_a, said_b, thing, notes, pinned)


def _confirmed(unit: Unit) -> Origin | Location | None:
    """Where the result of a call was recorded; where it was posted, as a place without a time, where it was not."""
    recorded = next((one.recorded for one in unit.results if one.recorded is not None), None)
    return recorded or next((one.first.location for one in unit.results), None)
