"""Recordings → traces: puts the pieces of this room together, session by session."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from tracelink.link.adrift import told_of_adrift
from tracelink.link.agents import agents, coordination, root_id
from tracelink.link.answers import answers
from tracelink.link.calls import Homes, Linker, parts
from tracelink.link.clearing import clear_others
from tracelink.link.latest import latest, lives
from tracelink.link.refusals import match
from tracelink.link.results import results, tie
from tracelink.link.shelves import Named, final, shelves
from tracelink.link.states import calls
from tracelink.link.turns import page_lists, turns
from tracelink.model.facts import InputSeen, ItemSeen, SnapshotSeen, SubagentSeen, TroubleSeen, TurnSeen
from tracelink.model.location import Origin
from tracelink.model.quick import quick
from tracelink.model.recording import Recording
from tracelink.model.trace import Item, Repeat, Trace, Unlinkable

NO_TURN = "calls and results without a turn_id"


def link(
    recordings: Iterable[Recording], sources: tuple[str, ...] = (), troubles: Iterable[TroubleSeen] = ()
) -> tuple[Trace, ...]:
    """One trace a recording, in the same order. `sources`: the names of the run's sources by index; `troubles`: what could not be read."""
    recordings = list(recordings)
    homes = Homes(recordings)
    lost = _lost(recordings, troubles)
    traces = tuple(_trace(recording, homes, sources, lost) for recording in recordings)
    return told_of_adrift(recordings, traces, homes)


def _lost(recordings: list[Recording], troubles: Iterable[TroubleSeen]) -> dict[int, Origin]:
    """Source index → the last record in it that could not be read, for sources of a single session: it may be that one's."""
    last = {one.at.index: one.at for one in troubles if one.snapshot and not one.doubt}
    if not last:
        return {}
    sessions: dict[int, set[str | None]] = defaultdict(set)
    for recording in recordings:
        for index in {fact.at.index for fact in recording.order}:
            sessions[index].add(recording.session_id)
    return {index: at for index, at in last.items() if len(sessions[index]) == 1}


def _trace(recording: Recording, homes: Homes, sources: tuple[str, ...], lost: dict[int, Origin]) -> Trace:
    sorted_ = shelves(recording)
    adopted: list[Unlinkable] = []
    if sorted_.bare:
        recording, adopted = _adopt_turns(recording)
        sorted_ = shelves(recording)
    root = root_id(recording)
    lists = page_lists(recording)
    all_turns = turns(recording, sorted_, root, lists)
    current = latest(recording.snapshots)
    listed = lives(recording.snapshots, current)
    refusals = match(recording)
    of_calls = parts(sorted_.calls, listed.values(), ordered=len(sources) == 1)
    drafts = results(recording.inputs, sorted_.outputs, refusals, of_calls)
    clear_others(listed.values(), sorted_.others, recording.environments, drafts, all_turns)
    whole = any(one.event_type == "agent.session.created" for one in recording.snapshots)
    linker = Linker(of_calls, all_turns, listed.values(), homes, recording.session_id, whole)
    made = linker.tie(drafts)
    if made is not drafts:
        tie(made, of_calls)
    arrived = _arrived(recording, sources)
    found = calls(of_calls, made, all_turns, listed, arrived.live, _failed(current))
    actions = {key: life.action for key, life in listed.items() if life.action is not None}
    together = coordination(sorted_.coordination)
    everybody = agents(recording, root, all_turns, together)
    unlinkable = (*adopted, *linker.unlinkable)
    return Trace(
        session_id=recording.session_id,
        snapshots=tuple(recording.snapshots),
        latest=current,
        agents=everybody,
        turns=all_turns,
        calls=found,
        results=tuple(made),
        actions=tuple(actions.values()),
        answers=tuple(answers(recording, sorted_.others, actions, refusals)),
        coordination=together,
        items=_items(sorted_.others),
        inputs=tuple(recording.inputs),
        environments=tuple(recording.environments),
        errors=tuple(recording.errors),
        refusals=tuple(recording.refusals),
        webhooks=tuple(recording.webhooks),
        lists=tuple(lists),
        strangers=tuple(recording.strangers),
        repeats=tuple(Repeat(name, first, again) for name, first, again in recording.repeats),
        bursts=tuple(burst for _, burst in recording.bursts),
        unlinkable=unlinkable,
        sources=arrived.sources,
        starts_mid_turn=_starts_mid_turn(recording),
        lost=next((at for one in current if (at := lost.get(one.at.index)) is not None and at.seq > one.at.seq), None),
        last=arrived.last,
        counts={
            "records": len(recording) + len(recording.repeats) + sum(burst.count for _, burst in recording.bursts),
            "turns": len(all_turns),
            "calls": len(found),
            "results": len(made),
            "subagents": sum(1 for agent in everybody.values() if not agent.root and agent.seen),
            "actions": len(actions),
            "items": len(recording.items),
            "snapshots": len(recording.snapshots),
        },
        clocked=recording.clocked,
    )


def _adopt_turns(recording: Recording) -> tuple[Recording, list[Unlinkable]]:
    """Gives items without a turn_id (the simplified shape, fact sheet K) the turn that alone is named with their call_id."""
    named: dict[str, set[str]] = defaultdict(set)
    for call_id, turn_id in _named_pairs(recording):
        named[call_id].add(turn_id)
    items: dict[tuple[str | None, str], list[ItemSeen]] = {}
    for key, seen in recording.items.items():
        homes = named.get(seen[0].call_id or "", set()) if key[0] is None else set()
        if len(homes) == 1:
            turn_id = next(iter(homes))
            items.setdefault((turn_id, key[1]), []).extend(one._replace(turn_id=turn_id) for one in seen)
        else:
            items.setdefault(key, []).extend(seen)
    at = items[next(iter(items))][0].at
    why = "items carry no turn_id, so calls and results are tied by call_id alone"
    return replace(recording, items=items), [Unlinkable(NO_TURN, why, {}, at)]


def _named_pairs(recording: Recording) -> Iterable[tuple[str, str]]:
    for snapshot in recording.snapshots:
        for action in snapshot.body.actions:
            if action.call_id and action.turn_id:
                yield action.call_id, action.turn_id
    for (turn_id, _), seen in recording.items.items():
        if turn_id and seen[0].call_id:
            yield seen[0].call_id, turn_id


_item = quick(Item)
_at = attrgetter("at")


def _items(others: list[Named]) -> dict[str, Item]:
    """Items that are neither calls, results nor coordination."""
    found: dict[str, Item] = {}
    for turn_id, item_id, seen in others:
        last = final(seen)
        origins = tuple(map(_at, seen))
        found[item_id] = _item(item_id, last.type, turn_id, last.status, origins, last.value, tuple(seen))
    return found


def _failed(current: tuple[SnapshotSeen, ...]) -> bool:
    return bool(current) and all(one.body.status == "failed" for one in current)


class _Arrived(NamedTuple):
    """live: source index → position of the first event of a turn or session in it. last: the last record of the last source."""

    sources: tuple[str, ...]
    live: dict[int, int]
    last: Origin | None


def _arrived(recording: Recording, sources: tuple[str, ...]) -> _Arrived:
    """What the order of arrival tells, in one pass; for a run of one source its first and last records tell it."""
    names: dict[str, None] = {}
    live: dict[int, int] = {}
    last: Origin | None = None
    index, source = -1, ""
    order = recording.order
    one = len(sources) == 1 and bool(order) and not recording.pages  # a page stands where its members went, at the end
    if one:
        names[sources[0]] = None
        last, index = order[-1].at, order[-1].at.index
        events = (fact for fact in order if isinstance(fact, SnapshotSeen | TurnSeen) and fact.event_type is not None)
        live.update((index, fact.at.seq) for fact in islice(events, 1))
    for fact in () if one else order:
        at = fact.at
        if at.index != index or at.source != source:
            index, source = at.index, at.source
            names[sources[index] if index < len(sources) else source] = None
        if last is None or (at.index, at.seq) > (last.index, last.seq):
            last = at
        kind = fact.__class__
        if (kind is SnapshotSeen or kind is TurnSeen) and fact.event_type is not None:  # type: ignore[union-attr]
            live.setdefault(index, at.seq)
    for _, burst in recording.bursts:
        if last is None or (burst.last.index, burst.last.seq) > (last.index, last.seq):
            last = burst.last
    return _Arrived(tuple(names), live, last)


def _starts_mid_turn(recording: Recording) -> Origin | None:
    """The first record, if the stream begins inside a turn whose beginning it lacks."""
    begun = {
        turn_id for turn_id, seen in recording.turns.items() if any((one.event_type or "").endswith(".created") for one in seen)
    }
    for fact in recording.order:
        if not fact.at.stream or isinstance(fact, InputSeen):
            continue
        if isinstance(fact, SnapshotSeen):
            if fact.body.status == "idle" or fact.event_type == "agent.session.created":
                return None
            if any(action.turn_id not in begun for action in fact.body.actions if action.turn_id is not None):
                return fact.at
        elif isinstance(fact, TurnSeen | ItemSeen):
            return None if fact.turn_id in begun or fact.turn_id is None else fact.at
        elif isinstance(fact, SubagentSeen):
            continue
    return None
