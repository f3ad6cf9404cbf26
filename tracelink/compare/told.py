"""How two matched agents, turns, units and results differ."""

from collections.abc import Callable, Iterable, Sequence

from tracelink.compare.align import staged
from tracelink.compare.match import Matches
from tracelink.compare.notes import Notes, Thing
from tracelink.compare.parts import Parts, TurnPart, Unit
from tracelink.compare.values import AGENT, APPROVAL, CALL, RESULT, TURN
from tracelink.link.payload import digest, plain
from tracelink.model.location import Location, Origin
from tracelink.model.trace import ROOT, Agent, Answer, Result, Turn

Pinned = list[tuple[Origin | None, Origin | None]]


def agents(found: Matches, a: Parts, b: Parts, notes: Notes, pinned: Pinned) -> None:
    for one, other in found.agents:
        name = (one.name if one is not None else None) or (other.name if other is not None else None)
        thing = Thing(AGENT, name, _agent_ids(one), _agent_ids(other), _agent_at(one, a), _agent_at(other, b))
        if one is None or other is None:
            notes.alone(thing, "b" if one is None else "a")
            continue
        pinned.append((_agent_at(one, a), _agent_at(other, b)))
        _ids(notes, thing)
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
        _ids(notes, thing)
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


def turn_ids(part: TurnPart | None) -> dict[str, str]:
    return {"turn_id": part.id} if part is not None and part.id else {}


def units(found: Matches, a: Parts, b: Parts, notes: Notes, pinned: Pinned) -> None:
    for part_a, part_b, one, other in found.units:
        unit = one or other
        assert unit is not None  # noqa: S101 - a pair has at least one side
        kind = CALL if unit.call is not None else APPROVAL
        at_a, at_b = one.at if one else None, other.at if other else None
        thing = Thing(kind, unit.name or _type(unit), unit_ids(part_a, one), unit_ids(part_b, other), at_a, at_b)
        if one is None or other is None:
            notes.alone(thing, "b" if one is None else "a", unit.asks)
            continue
        pinned.append((at_a, at_b))
        _ids(notes, thing)
        notes.plain(thing, "name", one.name, other.name)
        notes.payload(thing, "arguments", one.asks, other.asks)
        if one.call is not None and other.call is not None:
            _call(one, other, thing, notes, pinned)
        else:
            _answers(one, other, thing, notes, pinned)
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
    _results(said_a, said_b, thing, notes, pinned)


def _confirmed(unit: Unit) -> Origin | Location | None:
    """Where the result of a call was recorded; where it was posted, as a place without a time, where it was not."""
    recorded = next((one.recorded for one in unit.results if one.recorded is not None), None)
    return recorded or next((one.first.location for one in unit.results), None)


def _results(a: Sequence[Result], b: Sequence[Result], call: Thing, notes: Notes, pinned: Pinned) -> None:
    """Results of one call: those that say the same, then in order."""
    keys = (
        [digest([plain(one.output), plain(one.error)]) for one in a],
        [digest([plain(one.output), plain(one.error)]) for one in b],
    )
    partner = dict(staged([keys], len(a), len(b), by_place=True))
    taken = set(partner.values())
    for at, one in enumerate(a):
        other = b[partner[at]] if at in partner else None
        thing = _result_thing(one, other, call.name, call)
        if other is None:
            notes.alone(thing, "a", said(one))
        else:
            _result(one, other, thing, notes, pinned)
    for at, one in enumerate(b):
        if at not in taken:
            notes.alone(_result_thing(None, one, call.name, call), "b", said(one))


def said(result: Result) -> object:
    """What it says: its error if it failed, else its output."""
    return result.error if result.error is not None and not result.output else result.output


def _result_thing(one: Result | None, other: Result | None, name: str | None, call: Thing | None = None) -> Thing:
    at_a, at_b = one.first if one is not None else None, other.first if other is not None else None
    if one is not None and other is not None:  # the item on both sides, else the post on both, else what there is
        both = next(
            (
                (x, y)
                for x, y in ((one.recorded, other.recorded), (one.posted, other.posted))
                if x is not None and y is not None
            ),
            None,
        )
        at_a, at_b = both or (at_a, at_b)
    ids = [result_ids(one), result_ids(other)]
    if call is not None:  # where it is missing
        ids = [
            own or {key: value for key, value in there.items() if key != "item_id"}
            for own, there in zip(ids, (call.ids_a, call.ids_b), strict=True)
        ]
    return Thing(RESULT, name, ids[0], ids[1], at_a, at_b)


def result_ids(result: Result | None) -> dict[str, str]:
    if result is None:
        return {}
    ids = {"turn_id": result.turn_id, "call_id": result.call_id, "item_id": result.item_id}
    return {name: value for name, value in ids.items() if value}


def _result(one: Result, other: Result, thing: Thing, notes: Notes, pinned: Pinned) -> None:
    pinned.append(
        (thing.at_a if isinstance(thing.at_a, Origin) else None, thing.at_b if isinstance(thing.at_b, Origin) else None)
    )
    _ids(notes, thing)
    failed = [bool(each.error is not None and each.output is None) for each in (one, other)]
    if failed[0] != failed[1] and None not in (said(one), said(other)):
        notes.known(thing, "error", one.error, other.error)
        notes.known(thing, "output", plain(one.output), plain(other.output))
    else:
        notes.payload(thing, "output", one.output, other.output)
        notes.payload(thing, "error", one.error, other.error)
    notes.plain(thing, "success", one.success, other.success)
    notes.plain(thing, "status", one.status, other.status)
    notes.plain(thing, "problem", one.problem or "none", other.problem or "none")
    if one.posted is not None and other.posted is not None:
        notes.known(thing, "refused", *((each.refused.message if each.refused is not None else None) for each in (one, other)))


def _answers(one: Unit, other: Unit, thing: Thing, notes: Notes, pinned: Pinned) -> None:
    """Answers to an approval, in order; none where a side holds no posts at all is no difference."""
    for number in range(max(len(one.answers), len(other.answers))):
        x = one.answers[number] if number < len(one.answers) else None
        y = other.answers[number] if number < len(other.answers) else None
        at_a, at_b = x.posted.at if x is not None else None, y.posted.at if y is not None else None
        answer = Thing(RESULT, thing.name, thing.ids_a | _answer_ids(x), thing.ids_b | _answer_ids(y), at_a, at_b)
        if x is not None and y is not None:
            pinned.append((at_a, at_b))
            notes.payload(answer, "response", x.posted.value.get("response"), y.posted.value.get("response"))
        else:
            notes.alone(answer, "a" if y is None else "b", ((x or y).posted.value.get("response") if (x or y) else None))  # type: ignore[union-attr]


def _answer_ids(answer: Answer | None) -> dict[str, str]:
    return {"request_id": answer.request_id} if answer is not None and answer.request_id else {}


def strays(found: Matches, a: Parts, b: Parts, notes: Notes, pinned: Pinned, same_session: bool) -> None:
    """Results that answer no call, turn by turn. Where a side holds no posts at all, a post of the other's is untold there."""
    for part_a, part_b in found.turns:
        left, right = part_a.strays if part_a else [], part_b.strays if part_b else []
        if not left and not right:
            continue
        stages: list[Callable[[Result], bytes]] = [_stray_key, _stray_problem]
        if same_session:
            stages.insert(0, lambda one: digest([one.turn_id, one.call_id, plain(one.output)]))
            stages.insert(1, lambda one: digest([one.turn_id, one.call_id]))
        keys = [([key(one) for one in left], [key(one) for one in right]) for key in stages]
        pairs = staged(keys, len(left), len(right))
        for at_a, at_b in pairs:
            _result(left[at_a], right[at_b], _result_thing(left[at_a], right[at_b], None), notes, pinned)
        _alone(left, {at for at, _ in pairs}, "a", b.posts, notes)
        _alone(right, {at for _, at in pairs}, "b", a.posts, notes)


def _stray_key(one: Result) -> bytes:
    return digest([one.problem, plain(one.output), plain(one.error)])


def _stray_problem(one: Result) -> bytes:
    return digest([one.problem])


def _alone(results: Iterable[Result], taken: set[int], side: str, posts_there: bool, notes: Notes) -> None:
    for at, one in enumerate(results):
        if at in taken:
            continue
        thing = _result_thing(one, None, None) if side == "a" else _result_thing(None, one, None)
        if one.recorded is None and not posts_there:
            notes.missing(thing, "post", *((said(one) or "", None) if side == "a" else (None, said(one) or "")))
        else:
            notes.alone(thing, side, said(one))


def _ids(notes: Notes, thing: Thing) -> None:
    """Ids of the same thing that are not the same."""
    for name in thing.ids_a:
        if name in thing.ids_b and name != "turn_id":
            notes.plain(thing, name, thing.ids_a[name], thing.ids_b[name])
        elif name == "turn_id" and thing.kind == TURN:
            notes.plain(thing, name, thing.ids_a[name], thing.ids_b.get(name))
