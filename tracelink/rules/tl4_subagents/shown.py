"""What the recording would show of subagents: the root's stream tells of every one that is created after it begins (H.9),
a list of subagents read to its end names them all, closed and nested ones too (B.4).
"""

from collections.abc import Iterator

from tracelink.model.facts import PageSeen
from tracelink.model.location import Origin
from tracelink.model.trace import Coordination, Trace

FIRST_TURN = 2
"""Seconds between the session's creation and that of its first turn, at most (both in whole seconds)."""


def whole_lists(trace: Trace) -> list[PageSeen]:
    """Pages of the list of subagents, if it was read to its end."""
    return [page for one in trace.lists if one.of == "subagent" and one.complete for page in one.pages]


def from_the_beginning(trace: Trace) -> Origin | None:
    """The first record of a stream that holds the session from its creation, else None.

    It begins with `agent.session.created`, or with the creation of a turn that is as old as the session.
    """
    born = next((one.created_at for one in trace.snapshots if one.created_at is not None), None)
    for snapshot in trace.snapshots:
        if snapshot.event_type == "agent.session.created":
            return snapshot.at
    for turn in trace.turns.values():
        if turn.began is not None and turn.subagent_id is None:
            young = born is not None and turn.created_at is not None and turn.created_at - born <= FIRST_TURN
            return turn.began if young else None
    return None


def unlinked_creates(trace: Trace) -> Iterator[Coordination]:
    """Create calls that no subagent is tied to; a failed or unfinished one has none (B.4)."""
    tied = {agent.spawn.item_id for agent in trace.agents.values() if agent.spawn is not None}
    for item in trace.coordination.values():
        if item.kind == "create" and item.item_id not in tied and item.status in (None, "completed"):
            yield item


def ids_by_name(trace: Trace) -> dict[str, str]:
    """Name → agent id: `agent_message` may name an agent by either (B.4)."""
    return {agent.name: agent.id for agent in trace.agents.values() if agent.name}


def streamed(item: Coordination) -> Origin | None:
    """Where an event first showed the item."""
    return next((seen.at for seen in item.history if seen.at.stream), None)
