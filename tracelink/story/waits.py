"""Who waited for whom: agents for their subagents, by their wait items; the session for the app or the user, by its required actions."""

from collections.abc import Collection, Iterable

from tracelink.judge.times import moment
from tracelink.model.location import Origin
from tracelink.model.trace import Coordination, Trace
from tracelink.story.items import FINAL, ended
from tracelink.story.times import when
from tracelink.story.values import Wait


def waits(trace: Trace, turns: Collection[str], agents: Iterable[str]) -> list[Wait]:
    """Those of these turns and agents, in order of appearance; and those for an environment, which is no turn's."""
    wanted, within = set(turns), set(agents)
    found = []
    for one in trace.coordination.values():
        if one.kind == "wait" and (one.turn_id in wanted or one.sender in within):
            found.append(_agent(trace, one))
    snapshots = {one.at: one for one in trace.snapshots}
    for action in trace.actions:
        seen = action.seen
        if seen.turn_id is not None and seen.turn_id not in wanted:
            continue
        began_at, clock = moment(snapshots[action.first]) if action.first in snapshots else when(action.first)
        cleared = action.cleared or action.maybe_cleared
        ended_at = _same_clock(cleared, clock) if cleared is not None else None
        whom = (action.id or "(no id)",)
        found.append(Wait(None, whom, seen.type, seen.name, action.first, began_at, clock, cleared, ended_at))
    return found


def _same_clock(at: Origin, clock: str | None) -> float | None:
    time, whose = when(at)
    return time if whose == clock else None


def _agent(trace: Trace, one: Coordination) -> Wait:
    turn = trace.turns.get(one.turn_id or "")
    end = ended(one)
    if end is None and one.status in FINAL:
        end = one.first
    if end is None and turn is not None:
        end = turn.ended
    began_at, clock = when(one.first)
    ended_at = _same_clock(end, clock) if end is not None and end != one.first else None
    waiter = one.sender or (turn.agent_id if turn is not None else None) or "(agent not recorded)"
    return Wait(waiter, one.recipients, "agent", None, one.first, began_at, clock, end, ended_at)
