"""Moments put in order.

The records of one source are a chain, in order of arrival; the items of a turn on the pages of a list are a chain, in the order of the
list; what a retrieved turn or subagent says of its own times stands alone. Chains are
merged by time where a time is known. A moment never goes before one that it answers (`Moment.after`), whatever its file: a
post comes after its call, a listed item between its turn's beginning and end. Kahn's algorithm with a heap: n log n. Where a recording
contradicts itself, order of arrival wins.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from math import inf

from tracelink.judge.times import RECEIVER
from tracelink.model.trace import Trace
from tracelink.story.values import Moment, Ordered

LISTED = frozenset({"asked", "said", "called", "coordination", "item"})
"""Kinds that, read from a list, belong before the end of their turn."""

SLACK = 1.0
"""Seconds by which a record may be written late without a word: what came in and what went out may be written by two hands."""

_Key = tuple[float, bool, int, int, int]


def arrange(moments: Sequence[Moment], trace: Trace) -> Ordered:
    """The moments in order, and what of it cannot be told."""
    chains = _chains(moments, trace)
    return Ordered(tuple(_merged(moments, chains)), tuple(_notes(moments, trace)))


def _chains(moments: Sequence[Moment], trace: Trace) -> list[list[int]]:
    """Positions of the moments, chain by chain, each in order."""
    desc = {(page.at.index, page.number) for one in trace.lists for page in one.pages if page.order == "desc"}
    pages = _pages(trace)
    live = {one.at.index for one in moments if one.at.stream}
    chains: dict[tuple[object, ...], list[tuple[tuple[int, ...], int]]] = defaultdict(list)
    for number, one in enumerate(moments):
        at = one.at
        if at.stream or (one.kind in ("session", "required") and at.index in live):
            chains["stream", at.index].append(((at.seq, number), number))
        elif one.kind in ("session", "required"):
            chains["snapshot", at.index, at.doc].append(((at.seq, number), number))
        elif one.kind not in LISTED:
            chains["object", number].append(((at.seq, number), number))
        else:
            page = pages.get((at.index, at.seq))
            rank = 0 if page is None else -page if (at.index, page) in desc else page
            chains["list", at.index, one.turn_id].append(((rank, at.seq, number), number))
    return [[number for _, number in sorted(chain)] for chain in chains.values()]


def _pages(trace: Trace) -> dict[tuple[int, int], int]:
    """(source index, position) → the list page that an item was on."""
    found: dict[tuple[int, int], int] = {}
    for group in (trace.items, trace.coordination, trace.calls):
        for one in group.values():
            for seen in one.history:
                if seen.page is not None:
                    found[seen.at.index, seen.at.seq] = seen.page
    return found


def _merged(moments: Sequence[Moment], chains: list[list[int]]) -> list[Moment]:
    home: dict[int, int] = {}
    keys: dict[int, _Key] = {}
    following: dict[int, list[int]] = defaultdict(list)
    waits = [0] * len(moments)
    began = {one.turn_id: one.time for one in moments if one.kind == "turn_began"}
    for chain_number, chain in enumerate(chains):
        known = -1.0
        for before, number in zip([None, *chain], chain, strict=False):
            one = moments[number]
            time = one.time
            if time is None and not one.at.stream:
                time = began.get(one.turn_id)
            known = time if time is not None and before is None else max(known, time if time is not None else known)
            retrieved = not one.at.stream and one.kind in ("session", "required")  # it tells of all that was before it
            keys[number] = (known if known >= 0 or not retrieved else inf, retrieved, one.at.index, one.at.seq, number)
            home[number] = chain_number
            if before is not None:
                following[before].append(number)
                waits[number] += 1
    named = {one.name: number for number, one in enumerate(moments)}
    for number, one in enumerate(moments):
        for name in one.after:
            before = named.get(name)
            if before is not None and home[before] != home[number]:
                following[before].append(number)
                waits[number] += 1
        end = named.get(f"turn_ended:{one.turn_id}")
        if end is not None and not one.at.stream and one.kind in LISTED and home[end] != home[number]:
            following[number].append(end)
            waits[end] += 1
    return [moments[number] for number in _kahn(keys, following, waits)]


def _kahn(keys: dict[int, _Key], following: dict[int, list[int]], waits: list[int]) -> list[int]:
    ready: list[tuple[_Key, int]] = []
    for number, count in enumerate(waits):
        if count == 0:
            heappush(ready, (keys[number], number))
    rest = iter(sorted(keys, key=keys.__getitem__))
    done: dict[int, None] = {}
    while len(done) < len(keys):
        if ready:
            _, number = heappop(ready)
            if number in done:
                continue
        else:  # a contradiction: the earliest that is left goes first
            number = next(one for one in rest if one not in done)
        done[number] = None
        for one in following[number]:
            waits[one] -= 1
            if waits[one] == 0 and one not in done:
                heappush(ready, (keys[one], one))
    return list(done)


def _backward(moments: Sequence[Moment]) -> Iterator[str]:
    """Where the receive times of one source and the order of its records disagree."""
    latest: dict[int, float] = {}
    back: dict[int, list[Moment]] = defaultdict(list)
    for one in sorted((one for one in moments if one.at.stream), key=lambda one: (one.at.index, one.at.seq)):
        if one.time is None or one.clock != RECEIVER:
            continue
        if one.time < latest.get(one.at.index, one.time) - SLACK:
            back[one.at.index].append(one)
        latest[one.at.index] = max(one.time, latest.get(one.at.index, one.time))
    for found in back.values():
        often = "once" if len(found) == 1 else f"{len(found):,} times"
        yield (
            f"The receive times in {found[0].at.source} go back {often}, first at {found[0].at.location.short}: "
            "there they and the order of the records do not agree, and lengths of time may mean nothing."
        )


def _notes(moments: Sequence[Moment], trace: Trace) -> list[str]:
    notes = []
    streams: dict[int, bool] = {}
    names: dict[int, str] = {}
    for one in moments:
        if one.at.stream:
            streams[one.at.index] = streams.get(one.at.index, True) and one.time is not None
            names[one.at.index] = one.at.source
    if len(streams) > 1 and not all(streams.values()):
        listed = ", ".join(list(dict.fromkeys(names.values()))[:3])
        notes.append(
            f"The order between the sources ({listed}) is only what calls and their answers imply: no clock is common to them."
        )
    notes += _backward(moments)
    untimed = sum(1 for one in moments if not one.at.stream and one.time is None)
    if untimed:
        were = "moment comes" if untimed == 1 else "moments come"
        notes.append(
            f"{untimed:,} {were} from objects and list pages: in the order of their list, with no time of their own; "
            "how they lie between other records is only what ids and the times of turns imply."
        )
    if trace.starts_mid_turn is not None:
        notes.append("The recording begins inside a turn: what came before its first record is not in it.")
    return notes
