"""Times: whose clock says when a record was, and the last moment a recording knows of."""

from collections.abc import Iterable, Iterator

from tracelink.model.facts import SnapshotSeen
from tracelink.model.location import Origin
from tracelink.model.trace import Trace

RECEIVER, SERVER = "receiver", "server"


def moment(snapshot: SnapshotSeen) -> tuple[float | None, str | None]:
    """When a snapshot was true, Unix seconds, and whose clock: its receive time, else the session's `last_active_at`."""
    if snapshot.at.received is not None:
        return snapshot.at.received, RECEIVER
    if snapshot.last_active_at is not None:
        return float(snapshot.last_active_at), SERVER
    return None, None


def last_moment(traces: Iterable[Trace]) -> float | None:
    """The latest time that any record carries, by either clock, Unix seconds; None if none does.

    Ages are computed from it unless somebody names another moment, so the same recording gives the same report.
    """
    times: list[float | None] = []
    for trace in traces:
        times += [one.last_active_at for one in trace.snapshots]
        for turn in trace.turns.values():
            times += (turn.created_at, turn.started_at, turn.completed_at)
        for agent in trace.agents.values():
            times += (agent.opened_at, agent.closed_at)
        times += [hook.created_at for hook in trace.webhooks]
        if trace.clocked:
            times += [one.at.received for one in trace.snapshots]
            times += [at.received for at in _places(trace)]
    last = max((time for time in times if time is not None), default=None)
    return float(last) if last is not None else None


def _places(trace: Trace) -> Iterator[Origin]:
    """Where the records of a session stand, snapshots aside: the last one may have no time, so that all are looked at."""
    if trace.last is not None:
        yield trace.last  # which may be an output told again: of these the first place alone is kept
    for kind in (trace.turns, trace.agents, trace.calls, trace.coordination, trace.items):
        for one in kind.values():
            yield from one.origins
    for result in trace.results:
        yield from (at for at in (result.recorded, *result.recorded_again) if at is not None)
    for facts in (trace.inputs, trace.environments, trace.errors, trace.refusals, trace.webhooks, trace.strangers):
        yield from (fact.at for fact in facts)
    yield from (page.at for one in trace.lists for page in one.pages)
    yield from (burst.last for burst in trace.bursts)
    yield from (repeat.again for repeat in trace.repeats)
