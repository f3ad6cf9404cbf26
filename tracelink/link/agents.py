"""Agents: the root, the subagents, and the create call that each subagent came from.

A create call does not carry the child's id (fact sheet B.4), so the edge is inferred, by this ladder, per parent; what one
rung ties is out of the game for the next:

1. `instructions`: exactly one create call and one subagent have the same readable text.
2. `position`: the subagent appears between the call's first and last event, or is the next one after it.
3. `unique`: one call and one subagent are left.
4. `order`: the nth call left goes to the nth subagent left, by `opened_at`, then by appearance. A call whose turn was over
   before, by the order of the stream or by the server's clock, is passed over.

A parent with one create call and one subagent is `unique` before anything else. Failed create calls have no subagent.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from tracelink.link.shelves import KINDS, Named, final
from tracelink.model.facts import SubagentSeen
from tracelink.model.location import order
from tracelink.model.recording import Recording
from tracelink.model.trace import ROOT, Agent, Coordination, Spawn, Turn

CONFIDENCE = {"unique": "high", "instructions": "high", "position": "medium", "order": "low"}


def root_id(recording: Recording) -> str:
    """The root agent's id: from a snapshot, else from any turn's `agent_id` (which names the root), else ROOT."""
    for snapshot in reversed(recording.snapshots):
        body = snapshot.body
        if body.agent_id is not None:
            return str(body.agent_id)
    for seen in recording.turns.values():
        for one in seen:
            named = one.agent_id
            if named is not None and named != one.subagent_id:
                return named
    return ROOT


def coordination(items: list[Named]) -> dict[str, Coordination]:
    """Coordination items by item id, in order of first appearance; done beats added, later beats earlier."""
    found: dict[str, Coordination] = {}
    for turn_id, item_id, seen in items:
        last = final(seen)
        found[item_id] = Coordination(
            item_id,
            KINDS[seen[0].type],
            turn_id,
            last.value.get("sender"),
            tuple(last.value.get("recipients") or ()),
            last.status,
            last.value.get("text"),
            tuple(one.at for one in seen),
            tuple(seen),
        )
    return found


def agents(recording: Recording, root: str, turns: dict[str, Turn], items: dict[str, Coordination]) -> dict[str, Agent]:
    """All agents by id: the root first, then subagents in order of appearance, then those that are only named."""
    body = next((one.body for one in reversed(recording.snapshots)), None)
    found = {
        root: Agent(
            root,
            True,
            body.agent_name if body else None,
            body.model if body else None,
            origins=tuple(one.at for one in recording.snapshots[:1]),
        )
    }
    for subagent_id, seen in recording.subagents.items():
        if subagent_id != root:  # a subagent object under the root's own id does not unmake the root
            found[subagent_id] = _subagent(subagent_id, seen)
    for turn in turns.values():
        if turn.subagent_id is not None and turn.subagent_id not in found:
            found[turn.subagent_id] = Agent(turn.subagent_id, False, origins=turn.origins[:1])
    spawns = _spawns(found.values(), items.values(), root, turns)
    for subagent_id, spawn in spawns.items():
        agent = found[subagent_id]
        parent = agent.parent_id or items[spawn.item_id].sender or root
        found[subagent_id] = replace(agent, spawn=spawn, parent_id=parent)
    names = {agent.name for agent in found.values() if agent.name}
    for item in items.values():
        for named in (item.sender, *item.recipients):
            if named is not None and named not in found and named not in names:
                if root == ROOT and item.kind == "create" and named == item.sender:
                    continue
                found[named] = Agent(named, False, seen=False, origins=item.origins[:1])
    return found


def _subagent(subagent_id: str, seen: list[SubagentSeen]) -> Agent:
    last = seen[-1]
    pick = {
        name: next((value for one in reversed(seen) if (value := getattr(one, name)) is not None), None)
        for name in ("name", "parent_agent_id", "instructions")
    }
    return Agent(
        subagent_id,
        False,
        pick["name"],
        None,
        pick["parent_agent_id"],
        last.status,
        last.opened_at,
        last.closed_at,
        pick["instructions"],
        origins=tuple(one.at for one in seen),
        history=tuple(seen),
    )


def _spawns(found: Iterable[Agent], items: Iterable[Coordination], root: str, turns: dict[str, Turn]) -> dict[str, Spawn]:
    """Subagent id → its spawn. A call of a turn that is over makes nobody any more."""
    children: dict[str, list[Agent]] = defaultdict(list)
    creates: dict[str, list[Coordination]] = defaultdict(list)
    for agent in found:
        if not agent.root and agent.history:
            children[agent.parent_id or root].append(agent)
    for item in items:
        if item.kind == "create" and item.status != "failed":
            creates[item.sender or root].append(item)
    if root == ROOT and len(creates) == 1 == len(children) and not set(creates) & set(children):
        # The root's id was never recorded and each side names it in its own way.
        creates = defaultdict(list, {next(iter(children)): next(iter(creates.values()))})
    spawns: dict[str, Spawn] = {}
    for parent, born in children.items():
        for item, agent, rule in _ladder(creates.get(parent, []), born, turns):
            spawns[agent.id] = Spawn(item.item_id, agent.id, rule, CONFIDENCE[rule])
    return spawns


LOOKED_AT = 64
"""Calls that are looked at for one subagent, so that the work stays linear."""


def _ladder(calls: list[Coordination], born: list[Agent], turns: dict[str, Turn]) -> list[tuple[Coordination, Agent, str]]:
    if len(calls) == 1 == len(born):
        return [(calls[0], born[0], "unique")]
    tied: list[tuple[Coordination, Agent, str]] = []
    free_calls = {call.item_id: call for call in calls}
    free_born = {agent.id: agent for agent in born}

    def tie(call: Coordination, agent: Agent, rule: str) -> None:
        tied.append((call, agent, rule))
        del free_calls[call.item_id], free_born[agent.id]

    by_text: dict[str, tuple[list[Coordination], list[Agent]]] = defaultdict(lambda: ([], []))
    for call in calls:
        if call.text:
            by_text[call.text][0].append(call)
    for agent in born:
        if agent.instructions:
            by_text[agent.instructions][1].append(agent)
    for same_calls, same_born in by_text.values():
        if len(same_calls) == 1 == len(same_born):
            tie(same_calls[0], same_born[0], "instructions")
    for call, agent in _by_position(list(free_calls.values()), list(free_born.values()), turns):
        tie(call, agent, "position")
    rule = "unique" if len(free_calls) == 1 == len(free_born) else "order"
    by_time = sorted(free_born.values(), key=lambda agent: agent.opened_at or 0)  # stable: ties by appearance
    left = dict(enumerate(free_calls.values()))
    unborn: list[Agent] = []
    for agent in by_time:
        place = next((number for number, one in islice(left.items(), LOOKED_AT) if not _over(one, agent, turns)), None)
        if place is None:
            unborn.append(agent)
        else:
            tie(left.pop(place), agent, rule)
    # A subagent came of some call. Where the clock leaves it none, the calls did not stand in order of time: the clock is not believed.
    for call, agent in zip(left.values(), unborn, strict=False):
        if not _gone(call, agent, turns):
            tie(call, agent, rule)
    return tied


def _over(call: Coordination, agent: Agent, turns: dict[str, Turn]) -> bool:
    """Whether the call's turn is known to have ended before the subagent appeared, or before it was opened (whole seconds)."""
    turn = turns.get(call.turn_id or "")
    if turn is None or turn.ended is None:
        return False
    if turn.completed_at is not None and agent.opened_at is not None and turn.completed_at < agent.opened_at:
        return True
    return _gone(call, agent, turns)


def _gone(call: Coordination, agent: Agent, turns: dict[str, Turn]) -> bool:
    """The same by the order of the stream alone."""
    end = turns[call.turn_id].ended if call.turn_id in turns else None
    return end is not None and end.stream and agent.origins[0].stream and order(end, agent.origins[0]) == -1


def _by_position(calls: list[Coordination], born: list[Agent], turns: dict[str, Turn]) -> list[tuple[Coordination, Agent]]:
    """Pairs that the stream itself sets side by side: create, then a subagent, before the next create."""
    marks: list[tuple[int, int, int, Coordination | Agent | str]] = []
    for turn_id in {call.turn_id for call in calls if call.turn_id in turns}:
        end = turns[turn_id or ""].ended
        if end is not None and end.stream:
            marks.append((end.index, end.seq, 2, turn_id or ""))
    for call in calls:
        marks += [(one.index, one.seq, 0, call) for one in call.origins[:1] if one.stream and call.history[0].phase != "listed"]
    for agent in born:
        marks += [(one.index, one.seq, 1, agent) for one in agent.origins[:1] if one.stream and agent.history[0].event_type]
    pairs: list[tuple[Coordination, Agent]] = []
    waiting: list[Coordination] = []
    for _, _, _, mark in sorted(marks, key=lambda mark: mark[:3]):
        if isinstance(mark, str):
            waiting = [call for call in waiting if call.turn_id != mark]
        elif isinstance(mark, Coordination):
            waiting.append(mark)
        elif len(waiting) == 1:
            pairs.append((waiting.pop(), mark))
        else:
            waiting.clear()  # several calls before one subagent: position does not tell them apart
    return pairs
