"""Which session of one run goes with which of another."""

from collections.abc import Sequence
from typing import NamedTuple

from tracelink.model.trace import Trace


class PairedUp(NamedTuple):
    """Places of traces: pairs, and what only one run has. No pair: nobody can tell which are meant."""

    pairs: list[tuple[int, int]]
    only_a: list[int]
    only_b: list[int]


def pair_up(a: Sequence[Trace], b: Sequence[Trace]) -> PairedUp:
    """Sessions of the same id go together; one session alone on each side goes with the other, whatever their ids."""
    if len(a) == len(b) == 1:
        return PairedUp([(0, 0)], [], [])
    places = {trace.session_id: at for at, trace in enumerate(b)}
    pairs = [(at, places[trace.session_id]) for at, trace in enumerate(a) if trace.session_id in places]
    if not any(a[at].session_id is not None for at, _ in pairs):
        return PairedUp([], [], [])  # at most what names no session is on both sides
    with_a, with_b = {one for one, _ in pairs}, {other for _, other in pairs}
    return PairedUp(pairs, [at for at in range(len(a)) if at not in with_a], [at for at in range(len(b)) if at not in with_b])
