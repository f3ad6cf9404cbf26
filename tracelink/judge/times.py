"""Times: whose clock says when a record was, and the last moment a recording knows of."""

from collections.abc import Iterable

from tracelink.model.facts import SnapshotSeen
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
    times: list[float] = []
    for trace in traces:
        if trace.last is not None and trace.last.received is not None:
            times.append(trace.last.received)
        for snapshot in trace.snapshots:
            times += [float(time) for time in (snapshot.at.received, snapshot.last_active_at) if time is not None]
        for turn in trace.turns.values():
            known = (turn.created_at, turn.started_at, turn.completed_at)
            times += [float(time) for time in known if time is not None]
            times += [at.received for at in turn.origins if at.received is not None]
        for result in trace.results:
            posted, recorded = result.posted, result.recorded
            if posted is not None and posted.received is not None:
                times.append(posted.received)
            if recorded is not None and recorded.received is not None:
                times.append(recorded.received)
        for agent in trace.agents.values():
            times += [float(time) for time in (agent.opened_at, agent.closed_at) if time is not None]
    return max(times, default=None)
