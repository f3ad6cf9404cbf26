"""Recordings → traces: puts the pieces of this room together, session by session."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from tracelink.link.agents import KINDS, agents, coordination, root_id
from tracelink.link.answers import answers
from tracelink.link.calls import Linker, call_keys, calls
from tracelink.link.clearing import with_clearing
from tracelink.link.latest import latest, lives
from tracelink.link.refusals import match
from tracelink.link.results import results
from tracelink.link.states import with_states
from tracelink.link.turns import page_lists, turns
from tracelink.model.facts import InputSeen, ItemSeen, SnapshotSeen, SubagentSeen, TroubleSeen, TurnSeen
from tracelink.model.location import Origin
from tracelink.model.recording import Recording
from tracelink.model.trace import CallKey, Item, Repeat, Trace, Unlinkable

NO_TURN = "calls and results without a turn_id"


def link(
    recordings: Iterable[Recording], sources: tuple[str, ...] = (), troubles: Iterable[TroubleSeen] = ()
) -> tuple[Trace, ...]:
    """One trace a recording, in the same order. `sources`: the names of the run's sources by index; `troubles`: what could not be read."""
    recordings = list(recordings)
    homes: dict[CallKey, set[str]] = defaultdict(set)
    if len(recordings) > 1:
        for recording in recordings:
            for key in _pairs(recording):
                if recording.session_id is not None:
                    homes[key].add(recording.session_id)
    lost = _lost(recordings, troubles)
    return tuple(_trace(recording, homes, sources, lost) for recording in recordings)


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


def _pairs(recording: Recording) -> Iterable[CallKey]:
    for (turn_id, _), seen in recording.items.items():
        if seen[0].type == "function_call" and turn_id and seen[-1].call_id:
            yield (turn_id, seen[-1].call_id)
    for snapshot in recording.snapshots:
        for action in snapshot.body.actions:
            if action.call_id and action.turn_id:
                yield (action.turn_id, action.call_id)


def _trace(recording: Recording, homes: dict[CallKey, set[str]], sources: tuple[str, ...], lost: dict[int, Origin]) -> Trace:
    recording, adopted = _adopt_turns(recording)
    root = root_id(recording)
    lists = page_lists(recording)
    all_turns = turns(recording, root, lists)
    current = latest(recording.snapshots)
    actions = lives(recording.snapshots, current)
    refusals = match(recording)
    drafts = results(recording, refusals, call_keys(recording, actions.values()))
    actions = with_clearing(actions, recording, drafts, all_turns)
    found = calls(recording, actions)
    whole = any(one.event_type == "agent.session.created" for one in recording.snapshots)
    linker = Linker(found, all_turns, actions.values(), homes, recording.session_id, whole)
    tied = linker.tie(drafts)
    found = with_states(found, tied, all_turns, actions, _live(recording), _failed(current))
    together = coordination(recording)
    everybody = agents(recording, root, all_turns, together)
    unlinkable = (*adopted, *linker.unlinkable)
    return Trace(
        session_id=recording.session_id,
        snapshots=tuple(recording.snapshots),
        latest=current,
        agents=everybody,
        turns=all_turns,
        calls=found,
        results=tuple(tied),
        actions=tuple(actions.values()),
        answers=tuple(answers(recording, actions, refusals)),
        coordination=together,
        items=_items(recording),
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
        sources=tuple(dict.fromkeys(_source(fact.at, sources) for fact in recording.order)),
        starts_mid_turn=_starts_mid_turn(recording),
        lost=next((at for one in current if (at := lost.get(one.at.index)) is not None and at.seq > one.at.seq), None),
        last=_last(recording),
        counts={
            "records": len(recording) + len(recording.repeats) + sum(burst.count for _, burst in recording.bursts),
            "turns": len(all_turns),
            "calls": len(found),
            "results": len(tied),
            "subagents": sum(1 for agent in everybody.values() if not agent.root and agent.seen),
            "actions": len(actions),
            "items": len(recording.items),
            "snapshots": len(recording.snapshots),
        },
    )


def _source(at: Origin, sources: tuple[str, ...]) -> str:
    return sources[at.index] if at.index < len(sources) else at.source


def _adopt_turns(recording: Recording) -> tuple[Recording, list[Unlinkable]]:
    """Gives items without a turn_id (the simplified shape, fact sheet K) the turn that alone is named with their call_id."""
    bare = [key for key, seen in recording.items.items() if key[0] is None and seen[0].call_id is not None]
    if not bare:
        return recording, []
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


def _items(recording: Recording) -> dict[str, Item]:
    """Items that are neither calls, results nor coordination."""
    found: dict[str, Item] = {}
    for (turn_id, item_id), seen in recording.items.items():
        if seen[0].type in KINDS or seen[0].type in ("function_call", "function_call_output"):
            continue
        final = next((one for one in reversed(seen) if one.phase != "added"), seen[-1])
        found[item_id] = Item(
            item_id, final.type, turn_id, final.status, tuple(one.at for one in seen), final.value, tuple(seen)
        )
    return found


def _failed(current: tuple[SnapshotSeen, ...]) -> bool:
    return bool(current) and all(one.body.status == "failed" for one in current)


def _live(recording: Recording) -> dict[int, int]:
    """Source index → position of the first event of a turn or session in it."""
    first: dict[int, int] = {}
    for fact in recording.order:
        if isinstance(fact, SnapshotSeen | TurnSeen) and fact.event_type is not None:
            first.setdefault(fact.at.index, fact.at.seq)
    return first


def _last(recording: Recording) -> Origin | None:
    ends = [fact.at for fact in recording.order] + [burst.last for _, burst in recording.bursts]
    return max(ends, key=lambda at: (at.index, at.seq), default=None)


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
