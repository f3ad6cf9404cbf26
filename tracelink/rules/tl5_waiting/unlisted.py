"""Calls that stand after the last snapshot: whether the turn awaited their results nobody can tell (fact sheet D.3.1).

One walk over calls, results and snapshots in order of receive time, asked in that order, so that many gaps cost one walk.
"""

from collections.abc import Iterator

from tracelink.model.location import Origin
from tracelink.model.trace import Call, CallKey, Trace

_Mark = tuple[float, int, int]
"""(receive time, source index, place in it)."""


class Unlisted:
    """Which call of a turn is open at a moment, and no snapshot after it had a chance to list it."""

    def __init__(self, trace: Trace) -> None:
        self._steps = sorted(_steps(trace), key=lambda step: step[0])
        self._next = 0
        self._open: dict[str, dict[CallKey, Call]] = {}

    def of(self, turn_id: str, at: Origin) -> Call | None:
        """The first such call of the turn when the record `at` came in. Asked in order of receive time."""
        now = _mark(at)
        while now is not None and self._next < len(self._steps) and self._steps[self._next][0] <= now:
            _, call, made = self._steps[self._next]
            if call is None:
                self._open.clear()
            elif made:
                self._open.setdefault(call.turn_id, {})[call.key] = call
            else:
                self._open.get(call.turn_id, {}).pop(call.key, None)
            self._next += 1
        return next(iter(self._open.get(turn_id, {}).values()), None)


def _steps(trace: Trace) -> Iterator[tuple[_Mark, Call | None, bool]]:
    """(when, the call that was made or answered, which of the two); None: a snapshot."""
    for snapshot in trace.snapshots:
        if (mark := _mark(snapshot.at)) is not None:
            yield mark, None, False
    for call in trace.calls.values():
        if (mark := _mark(call.first)) is not None:
            yield mark, call, True
            for index in call.results:
                if (mark := _mark(trace.results[index].recorded)) is not None:
                    yield mark, call, False


def _mark(at: Origin | None) -> _Mark | None:
    return (at.received, at.index, at.seq) if at is not None and at.received is not None else None
