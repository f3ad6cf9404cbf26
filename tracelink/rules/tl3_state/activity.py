"""The last record of each turn, by source, and the turns with an item in progress. One pass each."""

from collections.abc import Iterable

from tracelink.model.location import Origin
from tracelink.model.trace import Trace


def last_of_turns(trace: Trace) -> dict[str, dict[int, Origin]]:
    """Turn id → source index → the last record that the server made of the turn. Posts of the app are none."""
    found: dict[str, dict[int, Origin]] = {turn_id: {} for turn_id in trace.turns}
    for turn_id, at in _records(trace):
        mine = found.get(turn_id or "")
        if mine is not None and (at.index not in mine or mine[at.index].seq < at.seq):
            mine[at.index] = at
    return found


def _records(trace: Trace) -> Iterable[tuple[str | None, Origin]]:
    for turn in trace.turns.values():
        yield from ((turn.id, at) for at in turn.origins)
    for kind in (trace.calls.values(), trace.coordination.values(), trace.items.values()):
        for item in kind:
            yield from ((seen.turn_id, seen.at) for seen in item.history)
    for result in trace.results:
        if result.recorded is not None:
            yield result.turn_id, result.recorded
    for action in trace.actions:
        yield action.seen.turn_id, action.last


def turns_in_progress(trace: Trace) -> set[str]:
    """Turns with an item that was announced as in progress and is not done."""
    found: set[str] = set()
    for kind in (trace.calls.values(), trace.coordination.values(), trace.items.values()):
        for item in kind:
            begun = item.turn_id is not None and all(seen.phase == "added" for seen in item.history)
            is_call = bool(item.history) and item.history[0].type == "function_call"
            if item.turn_id is not None and begun and (item.status == "in_progress" or is_call):
                found.add(item.turn_id)
    return found
