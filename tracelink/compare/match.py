"""Which agent, turn and unit of one session is which of the other.

1. The root agents go together. The subagents of two matched agents are aligned in order of appearance: by name and instructions,
   then by name, then by place.
2. The turns of two matched agents are aligned in order: by what was asked and called, then by what was asked, then by the names
   called, then by place.
3. The units of two matched turns are aligned in order: by name and arguments, then by name. A unit of another name is another unit.
   What is left and has its equal elsewhere in the turn has moved.

Where it is one session at two times, whatever has the same id goes together first. Each step is n log n.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from tracelink.compare.align import Pair, staged
from tracelink.compare.parts import Parts, TurnPart, Unit
from tracelink.link.payload import digest
from tracelink.model.trace import Agent

T = TypeVar("T")


@dataclass(slots=True)
class Matches:
    """Pairs, None on the side that has no such thing.

    moved: units that go together, but out of order. silent: subagents of which only one side (`a` or `b`) records turns, as the root's
    stream need not hold them (DESIGN 5.7): those turns are in no pair.
    """

    agents: list[tuple[Agent | None, Agent | None]] = field(default_factory=list)
    turns: list[tuple[TurnPart | None, TurnPart | None]] = field(default_factory=list)
    units: list[tuple[TurnPart | None, TurnPart | None, Unit | None, Unit | None]] = field(default_factory=list)
    moved: list[tuple[Unit, Unit]] = field(default_factory=list)
    silent: list[tuple[Agent, Agent, str]] = field(default_factory=list)


def match(a: Parts, b: Parts, same_session: bool) -> Matches:
    """Everything of both sides is in exactly one pair, but for the turns of `silent` subagents."""
    found = Matches()
    unheard: set[int] = set()
    found.agents = list(_agents(a, b, same_session))
    for one, other in found.agents:
        turns_a = a.turns.get(one.id, []) if one is not None else []
        turns_b = b.turns.get(other.id, []) if other is not None else []
        found.turns += _both(turns_a, turns_b, _turns(turns_a, turns_b, same_session))
        if one is not None and other is not None and not one.root and bool(turns_a) != bool(turns_b):
            found.silent.append((one, other, "a" if turns_a else "b"))
            unheard |= {id(part) for part in (*turns_a, *turns_b)}
    if same_session:
        found.turns = list(_reunited(found.turns))
    found.turns = [(one, other) for one, other in found.turns if (one and other) or id(one or other) not in unheard]
    for part_a, part_b in found.turns:
        units_a, units_b = part_a.units if part_a else [], part_b.units if part_b else []
        pairs, moved = _units(units_a, units_b, same_session)
        if not same_session:
            found.moved += [(units_a[x], units_b[y]) for x, y in moved]
        found.units += [(part_a, part_b, one, other) for one, other in _both(units_a, units_b, pairs)]
    return found


def _reunited(turns: Sequence[tuple[TurnPart | None, TurnPart | None]]) -> Iterator[tuple[TurnPart | None, TurnPart | None]]:
    """A turn that one recording gives to another agent than the other does is still that turn."""
    alone = {other.id: other for one, other in turns if one is None and other is not None and other.id}
    lone = {one.id for one, other in turns if other is None and one is not None and one.id in alone}
    for one, other in turns:
        if one is not None and other is None and one.id in lone:
            yield one, alone[one.id]
        elif not (one is None and other is not None and other.id in lone):
            yield one, other


def _both(a: Sequence[T], b: Sequence[T], pairs: Sequence[Pair]) -> Iterator[tuple[T | None, T | None]]:
    """Everything of `a` in order, with its partner; what only `b` has stands behind what goes before it there."""
    partner = dict(pairs)
    with_b = {other for _, other in pairs}
    at_b = 0
    for at, one in enumerate(a):
        other = partner.get(at)
        if other is None:
            yield one, None
            continue
        while at_b < other:
            if at_b not in with_b:
                yield None, b[at_b]
            at_b += 1
        yield one, b[other]
    for at in range(at_b, len(b)):
        if at not in with_b:
            yield None, b[at]


def _fixed(a: Sequence[T], b: Sequence[T], key: Callable[[T], object], wanted: bool) -> list[Pair]:
    """Pairs of the same id, where ids mean something."""
    if not wanted:
        return []
    places = {key(one): at for at, one in enumerate(b)}
    return [(at, places.pop(key(one))) for at, one in enumerate(a) if key(one) in places]


def _agents(a: Parts, b: Parts, same_session: bool) -> Iterator[tuple[Agent | None, Agent | None]]:
    root_a = next((one for one in a.trace.agents.values() if one.root), None)
    root_b = next((one for one in b.trace.agents.values() if one.root), None)
    by_id: dict[str, str] = {}
    if same_session:
        by_id = {one: one for one in a.trace.agents if one in b.trace.agents and not a.trace.agents[one].root}
        by_id = {one: one for one in by_id if not b.trace.agents[one].root}
    done_a: set[str] = set(by_id)
    done_b: set[str] = set(by_id)
    if root_a is not None and root_b is not None:
        yield root_a, root_b
    yield from ((a.trace.agents[one], b.trace.agents[one]) for one in by_id)
    parents: list[tuple[str | None, str | None]] = [
        (root_a.id if root_a else None, root_b.id if root_b else None),
        (None, None),
        *by_id.items(),
    ]
    for parent_a, parent_b in parents:  # it grows while it is walked: breadth first
        left_a = [one for one in a.children.get(parent_a, ()) if one.id not in done_a]
        left_b = [one for one in b.children.get(parent_b, ()) if one.id not in done_b]
        done_a |= {one.id for one in left_a}
        done_b |= {one.id for one in left_b}
        keys = [([_agent_key(one, whole) for one in left_a], [_agent_key(one, whole) for one in left_b]) for whole in (1, 0)]
        for one, other in _both(left_a, left_b, staged(keys, len(left_a), len(left_b), by_place=True)):
            yield one, other
            if one is not None and other is not None:
                parents.append((one.id, other.id))
    yield from ((one, None) for one in a.trace.agents.values() if not one.root and one.id not in done_a)
    yield from ((None, other) for other in b.trace.agents.values() if not other.root and other.id not in done_b)


def _agent_key(agent: Agent, whole: int) -> bytes:
    return digest([agent.name, agent.instructions] if whole else agent.name)


def _turns(a: Sequence[TurnPart], b: Sequence[TurnPart], same_session: bool) -> list[Pair]:
    fixed = _fixed(a, b, lambda one: one.id, same_session)
    keys = [([key(one) for one in a], [key(one) for one in b]) for key in (_whole_turn, _asked, _called)]
    return staged(keys, len(a), len(b), fixed, by_place=True)


def _whole_turn(part: TurnPart) -> bytes:
    return _asked(part) + b"".join(digest(unit.full_key.hex()) for unit in part.units)


def _asked(part: TurnPart) -> bytes:
    return digest(part.text)


def _called(part: TurnPart) -> bytes:
    return b"\n".join(unit.plain_key for unit in part.units)


def _units(a: Sequence[Unit], b: Sequence[Unit], same_session: bool) -> tuple[list[Pair], list[Pair]]:
    """All pairs, and those of them that are out of order."""
    fixed = _fixed(a, b, lambda one: (one.kind, one.id), same_session)
    full_a, full_b = [one.full_key for one in a], [one.full_key for one in b]
    plain = ([one.plain_key for one in a], [one.plain_key for one in b])
    pairs = staged([(full_a, full_b)], len(a), len(b), fixed)
    with_a, with_b = {one for one, _ in pairs}, {other for _, other in pairs}
    elsewhere: dict[bytes, list[int]] = {}
    for at in range(len(b) - 1, -1, -1):
        if at not in with_b:
            elsewhere.setdefault(full_b[at], []).append(at)
    moved = [(at, elsewhere[full_a[at]].pop()) for at in range(len(a)) if at not in with_a and elsewhere.get(full_a[at])]
    return staged([plain], len(a), len(b), pairs + moved), moved
