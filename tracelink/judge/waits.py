"""Who waits for whom, now: the waits that have begun and not ended, followed to the agent that blocks.

A wait call that is `completed` has returned, whatever its subagents did (DESIGN 5.8); only one that is still in progress, in
a turn without an end, holds its agent. A chain is followed depth first, each agent once, so it is linear and finds a cycle.
"""

from collections import defaultdict

from tracelink.model.trace import Coordination, Trace


def active_waits(trace: Trace) -> dict[str, list[Coordination]]:
    """Agent id → its waits in progress, in order."""
    found: dict[str, list[Coordination]] = defaultdict(list)
    for item in trace.coordination.values():
        if item.kind != "wait" or item.status not in (None, "in_progress"):
            continue
        turn = trace.turns.get(item.turn_id or "")
        if turn is None or turn.outcome is None:
            sender = item.sender or (turn.agent_id if turn is not None else None)
            if sender is not None:
                found[sender].append(item)
    return dict(found)


def blocking_path(trace: Trace, start: str) -> tuple[str, ...]:
    """Agents from the one that waits to the one that blocks; a cycle ends with the agent that it began with.

    Where an agent waits for several, the first that has a turn without an end is followed. Empty if `start` waits for nobody.
    """
    waits = active_waits(trace)
    running = {turn.agent_id for turn in trace.turns.values() if turn.outcome is None}
    names = {agent.name: agent.id for agent in trace.agents.values() if agent.name}
    path = [start]
    while path[-1] in waits:
        wanted = [names.get(one, one) for item in waits[path[-1]] for one in item.recipients]
        busy = [one for one in wanted if one in running or one in waits] or wanted
        if not busy:
            break
        following = busy[0]
        if following in path:
            return (*path[path.index(following) :], following)
        path.append(following)
    return tuple(path) if len(path) > 1 else ()
