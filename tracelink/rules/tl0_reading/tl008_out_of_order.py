"""Records that contradict the order of their objects."""

from collections.abc import Iterable
from itertools import chain

from tracelink.model.facts import ItemSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin, order
from tracelink.model.trace import TERMINAL, Call, Coordination, Item, Trace
from tracelink.rules.plain import odd_calls
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    found = list(_contradictions(context.trace, context.once(odd_calls)))
    if not found:
        return
    what, first, second, ids = found[0]
    more = f" ({len(found)} such places in all)" if len(found) > 1 else ""
    yield rule.finding(
        f"{what} at {place(second)} stands after {place(first)}, which contradicts their order in time{more}: the final state was used.",
        at=[at for _, earlier, later, _ in found[:3] for at in (later, earlier)],
        ids=ids,
    )


def _contradictions(trace: Trace, calls: Iterable[Call]) -> Iterable[tuple[str, Origin, Origin, dict[str, str | None]]]:
    """(what, the record before, the record that should have come earlier, ids) in order. calls: those that are not plain."""
    for turn in trace.turns.values():
        ended: Origin | None = None
        for state in turn.history:
            if state.event_type is None:
                continue
            if ended is not None and state.status not in TERMINAL and order(ended, state.at) == -1:
                yield f"{state.event_type} of {turn.id}", ended, state.at, {"turn_id": turn.id}
            if state.status in TERMINAL and ended is None:
                ended = state.at
    newest = None
    for snapshot in trace.snapshots:
        time = snapshot.last_active_at
        if snapshot.event_type is None or time is None:
            continue
        if newest is not None and newest.last_active_at is not None and time < newest.last_active_at:
            if order(newest.at, snapshot.at) == -1:
                yield f"{snapshot.event_type}", newest.at, snapshot.at, {"event_id": snapshot.at.event_id}
        else:
            newest = snapshot
    ends: dict[str | None, Origin] = {
        turn.id: turn.ended for turn in trace.turns.values() if turn.ended is not None and turn.ended.stream
    }
    finished: list[tuple[ItemSeen, tuple[ItemSeen, ...]]] = []  # more than an announcement and its end
    for item in chain[Call | Coordination | Item](calls, trace.coordination.values(), trace.items.values()):
        history = item.history
        done = None
        for seen in history:
            if seen.phase == "done":
                done = seen
                break
        if done is None:
            continue
        if done is not history[-1]:
            finished.append((done, history))
        end = ends.get(item.turn_id)
        if end is None or (end.index == done.at.index and end.seq > done.at.seq):
            continue  # before the end, as nearly all are
        if order(end, done.at) == -1:
            yield f"item.done of {done.item_id}", end, done.at, {"item_id": done.item_id}
    for done, history in finished:
        for seen in history:
            if seen.phase == "added" and seen.item_id == done.item_id and order(done.at, seen.at) == -1:
                yield f"item.added of {seen.item_id}", done.at, seen.at, {"item_id": seen.item_id}
                break


RULE = Rule(
    code="TL008",
    name="out-of-order",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="Records stand in an order that their own objects contradict.",
    proves=(
        "A turn's event that ends nothing follows its terminal event, an item is announced after it was done, or the last_active_at "
        "of a stream's session events goes back."
    ),
    cannot="Which order was the real one: events have no sequence number.",
    quiet=(
        "Duplicates of earlier events (TL005); list pages and retrieved objects; sources that are in no order with each other; two different "
        "ends of a turn (TL303)."
    ),
    example="turn.completed, then turn.in_progress of the same turn.",
    remedy="Turn a log round that was exported newest first; else sort by the recorder's own clock if it has one, or record again.",
    check=check,
)
