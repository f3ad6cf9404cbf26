"""Which snapshot is the latest, and how each required action came and went.

The latest snapshot is the last to arrive (DESIGN 5.4). Where arrival does not tell (another source, or a bundle), receive
times do, then `last_active_at`; where an earlier one claims a later `last_active_at`, or nothing tells, both may be the
latest, and whoever judges must be right under each.
"""

from collections.abc import Iterable

from tracelink.model.facts import ActionSeen, SessionBody, SnapshotSeen
from tracelink.model.location import Origin, order
from tracelink.model.trace import Action

ActionKey = tuple[str, str | None, str | None]
"""(type, turn id of a call, its call id or request id or environment id)."""


def action_key(seen: ActionSeen) -> ActionKey:
    """The key of fact sheet D.1: calls by turn and call, approvals by request, environments by their id."""
    if seen.call_id is not None:
        return (seen.type, seen.turn_id, seen.call_id)
    return (seen.type, None, seen.request_id or seen.environment_id)


def latest(snapshots: Iterable[SnapshotSeen]) -> tuple[SnapshotSeen, ...]:
    """The snapshots that may be the latest: one, unless the recording does not tell. Equal ones are given once."""
    last_of_source: dict[int, list[SnapshotSeen]] = {}
    newest: dict[int, SnapshotSeen] = {}
    times: dict[int, int] = {}
    for snapshot in snapshots:
        at = snapshot.at
        index = at.index
        group = last_of_source.get(index)
        if group is None or group[-1].at.doc != at.doc:
            last_of_source[index] = [snapshot]
        elif at.stream:
            last_of_source[index] = [one for one in group if not one.at.stream] + [snapshot]
        else:
            group.append(snapshot)
        active = snapshot.last_active_at or 0
        if active >= times.get(index, active):
            newest[index], times[index] = snapshot, active
    candidates = [one for group in last_of_source.values() for one in group]
    for index, one in newest.items():
        group = last_of_source[index]
        if all((one.last_active_at or 0) > (other.last_active_at or 0) for other in group) and group[0].last_active_at:
            candidates.append(one)
    kept = [one for one in candidates if not any(_later(other, one) for other in candidates if other is not one)]
    distinct: list[SnapshotSeen] = []
    for one in kept:
        if all(one.body != other.body for other in distinct):
            distinct.append(one)
    return tuple(distinct)


def _later(a: SnapshotSeen, b: SnapshotSeen) -> bool:
    """Whether `a` is known to be later than `b`."""
    known = order(a.at, b.at)
    times = a.last_active_at is not None and b.last_active_at is not None
    if known is not None:
        # Arrival decides, unless the server's own clock contradicts it.
        return known == 1 and not (times and (a.last_active_at or 0) < (b.last_active_at or 0))
    return times and (a.last_active_at or 0) > (b.last_active_at or 0)


def _older(a: int | None, b: int | None) -> bool:
    return a is not None and b is not None and a < b


class Life:
    """An action while the snapshots are gone through; what else clears it is not known yet (`clearing`, which makes `action`).

    call: the key of the call that it asks for. alone: it names both its ids, and nothing else, so that only its results and turn clear it.
    """

    __slots__ = ("action", "active", "alone", "call", "cleared", "first", "last", "listed_latest", "seen")

    def __init__(self, seen: ActionSeen, at: Origin, active: int | None) -> None:
        self.first = self.last = at
        self.active = active  # the last_active_at of the last snapshot that lists it
        self.cleared: Origin | None = None
        self.listed_latest = False
        self.action: Action | None = None
        self.ask(seen)

    def ask(self, seen: ActionSeen) -> None:
        self.seen = seen
        type_, turn_id, call_id, request_id, environment_id = seen[:5]
        self.call = (turn_id or "", call_id or "") if type_ == "function_call" else None
        self.alone = self.call is not None and request_id is None and environment_id is None and "" not in self.call


def lives(snapshots: Iterable[SnapshotSeen], current: tuple[SnapshotSeen, ...]) -> dict[ActionKey, Life]:
    """Every action that a snapshot lists, with the first and the last that do, and the snapshot that dropped it.

    An action is dropped by a later snapshot that lacks it: of the same source, or the one that is the latest of all. One that comes later and
    says that it is older (a log that was exported newest first) drops nothing.
    """
    found: dict[ActionKey, Life] = {}
    listed: dict[int, dict[ActionKey, Life]] = {}
    previous: dict[int, SessionBody] = {}
    for snapshot in snapshots:
        at, body, active = snapshot.at, snapshot.body, snapshot.last_active_at
        index = at.index
        before = listed.get(index)
        if previous.get(index) is body:
            for life in (before or {}).values():
                life.last, life.active = at, active
            continue
        previous[index] = body
        now: dict[ActionKey, Life] = {}
        for seen in body.actions:
            key = action_key(seen)
            known = found.get(key)
            if known is None:
                now[key] = found[key] = Life(seen, at, active)
            else:
                known.ask(seen)
                known.last, known.cleared, known.active = at, None, active
                now[key] = known
        if before:
            last, later = None, False
            for key, life in before.items():
                if key in now or life.cleared is not None:
                    continue
                if life.last is not last:  # that of most is one and the same
                    last, later = life.last, order(life.last, at) == -1
                if later and not _older(active, life.active):
                    life.cleared = at
        listed[index] = now
    live = {action_key(seen) for snapshot in current for seen in snapshot.body.actions}
    for key in live:
        found[key].listed_latest = True
    if len(current) == 1 and len(listed) > 1:
        for key, life in found.items():
            if key not in live and life.cleared is None and current[0].at.index != life.last.index:
                life.cleared = current[0].at  # the latest snapshot, of another source, lacks it
    return found
