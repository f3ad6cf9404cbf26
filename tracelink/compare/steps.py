"""The order of differences, and where two sides part for the first time.

Each side's moments are in order (`story.order`). What both sides have pins the two orders to each other; a difference that only one
side shows stands, on the other, right behind the last thing that both have before it. So every difference has a place on both sides,
and the sum of the two puts them in one order, the same whichever side is called A.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import inf
from typing import NamedTuple

from tracelink.compare.align import align, uncrossed
from tracelink.compare.values import ENDS, Difference, Parting, Step
from tracelink.model.location import Location, Origin
from tracelink.model.trace import Trace
from tracelink.story.moments import moments
from tracelink.story.order import arrange
from tracelink.story.values import Moment

ITEMS = frozenset({"asked", "said", "item", "coordination"})
"""Kinds of moments that an item's id names."""
SNAPSHOTS = frozenset({"session", "required"})


class Placed(NamedTuple):
    """A difference, and where it stands on each side; None: not in time (settings, the verdict)."""

    difference: Difference
    at_a: Origin | None
    at_b: Origin | None


class Spot(NamedTuple):
    """Places of a difference among the moments of both sides. shown_a / shown_b: the side itself shows it there; else it is the place
    of the last thing before it that both have."""

    a: int
    b: int
    shown_a: bool
    shown_b: bool

    @property
    def sum(self) -> int:
        return self.a + self.b


class Side:
    """The moments of one trace, in order, and the place of each record among them."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        # Deltas are nobody's difference, so a place among them says nothing of where two sides part.
        self.moments = tuple(one for one in arrange(moments(trace), trace).moments if one.kind != "life")
        self.names = frozenset(one.name for one in self.moments)
        self.places: dict[tuple[int, int], int] = {}
        for place, one in enumerate(self.moments):
            self.places.setdefault((one.at.index, one.at.seq), place)

    def place(self, at: Origin | None) -> int | None:
        return self.places.get((at.index, at.seq)) if at is not None else None

    def own(self, place: int, other: "Side") -> int:
        """The first place from `place` on whose thing the other side does not have too, by its ids."""
        while place < len(self.moments) and self.moments[place].kind in ITEMS and self.moments[place].name in other.names:
            place += 1
        return place

    def step(self, place: int, at: Location | None = None) -> Step:
        """What happens at a place (at: where exactly), or that the recording ends."""
        if place < len(self.moments):
            one = self.moments[place]
            return Step(one.what, at or one.at.location)
        last = self.trace.last
        return Step(ENDS, last.location if last is not None else None)


class Pins:
    """What both sides have: places of one side and of the other, for the way there and back."""

    def __init__(self, pairs: Iterable[tuple[int, int]]) -> None:
        both = sorted(set(pairs))
        self._a = _tops(both)
        self._b = _tops(sorted((other, one) for one, other in both))
        self.sums = [(one + other, one, other) for one, other in _in_step(both)]

    def on_b(self, place: int) -> int:
        """The place in B of the last thing that both have at or before `place` of A; -1 if there is none."""
        return _last(self._a, place)

    def on_a(self, place: int) -> int:
        return _last(self._b, place)


def _in_step(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of `pairs` (sorted) that cross no other, so that their order is the same on both sides."""
    groups = [(one, [other for _, other in group]) for one, group in groupby(pairs, key=lambda pair: pair[0])]
    lowest, low = [0.0] * len(groups), inf  # in B, of all that comes later in A
    for at in range(len(groups) - 1, -1, -1):
        lowest[at] = low
        low = min(low, *groups[at][1])
    found, high = [], -1
    for (one, others), low in zip(groups, lowest, strict=True):
        found += [(one, other) for other in others if high <= other <= low]
        high = max(high, *others)
    return found


def _tops(pairs: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    tops, top = [], -1
    for _, other in pairs:
        top = max(top, other)
        tops.append(top)
    return [one for one, _ in pairs], tops


def _last(known: tuple[list[int], list[int]], place: int) -> int:
    at = bisect_right(known[0], place) - 1
    return known[1][at] if at >= 0 else -1


def _snapshots(known: Iterable[tuple[int, int]], side_a: Side, side_b: Side) -> Iterator[tuple[int, int]]:
    """Snapshots that say the same, between what is pinned already."""
    last_a = last_b = 0
    for one, other in [*uncrossed(_single(known)), (len(side_a.moments), len(side_b.moments))]:
        gap_a = [at for at in range(last_a, one) if side_a.moments[at].kind in SNAPSHOTS]
        gap_b = [at for at in range(last_b, other) if side_b.moments[at].kind in SNAPSHOTS]
        last_a, last_b = one + 1, other + 1
        pairs = align([_says(side_a.moments[at]) for at in gap_a], [_says(side_b.moments[at]) for at in gap_b])
        yield from ((gap_a[x], gap_b[y]) for x, y in pairs)


def _single(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs whose places are in no other pair: several things may stand in one record."""
    distinct = set(pairs)
    with_a, with_b = Counter(one for one, _ in distinct), Counter(other for _, other in distinct)
    return sorted((one, other) for one, other in distinct if with_a[one] == with_b[other] == 1)


def _says(moment: Moment) -> bytes:
    """A snapshot that lists actions has their ids in its words."""
    return (moment.what if moment.kind == "session" else moment.kind).encode("utf-8", "backslashreplace")


def in_order(
    placed: Sequence[Placed], side_a: Side, side_b: Side, pinned: Iterable[tuple[Origin | None, Origin | None]]
) -> tuple[list[Difference], dict[int, Spot], Pins]:
    """Differences in order (those that are not in time first or last, as they stand), their places by position, and the pins."""
    both = ((side_a.place(one), side_b.place(other)) for one, other in pinned)
    known = [(one, other) for one, other in both if one is not None and other is not None]
    pins = Pins([*known, *_snapshots(known, side_a, side_b)])
    timed: list[tuple[int, int, Spot, Placed]] = []
    rest: list[Placed] = []
    for number, one in enumerate(placed):
        at_a, at_b = side_a.place(one.at_a), side_b.place(one.at_b)
        if at_a is None and at_b is None:
            rest.append(one)
            continue
        spot = _spot(at_a, at_b, pins)
        timed.append((spot.sum, number, spot, one))
    timed.sort(key=lambda one: one[:2])
    places = {at: one[2] for at, one in enumerate(timed)}
    return [one[3].difference for one in timed] + [one.difference for one in rest], places, pins


def _spot(at_a: int | None, at_b: int | None, pins: Pins) -> Spot:
    """Where a difference stands on both sides. Where the sides' orders cross, it stands where the first of them has it."""
    if at_a is not None and at_b is not None:
        early_b, early_a = pins.on_b(at_a - 1) > at_b, pins.on_a(at_b - 1) > at_a
        if early_b and not early_a:
            at_a = None
        elif early_a and not early_b:
            at_b = None
    return Spot(
        at_a if at_a is not None else pins.on_a((at_b or 0) - (at_b is not None)),
        at_b if at_b is not None else pins.on_b((at_a or 0) - (at_a is not None)),
        at_a is not None,
        at_b is not None,
    )


def parting(
    differences: Sequence[Difference], places: dict[int, Spot], side_a: Side, side_b: Side, pins: Pins
) -> Parting | None:
    """Where the first of the differences that happen in time stands on both sides; None where none does."""
    first = next((at for at in range(len(differences)) if at in places), None)
    if first is None:
        return None
    lowest = places[first].sum
    tied = [at for at in range(first, len(differences)) if at in places and places[at].sum == lowest]
    both = next((at for at in tied if places[at].shown_a and places[at].shown_b), None)
    in_a = next((at for at in tied if places[at].shown_a), None) if both is None else both
    in_b = next((at for at in tied if places[at].shown_b), None) if both is None else both
    chosen = [at for at in dict.fromkeys((in_a, in_b)) if at is not None]
    spot_a, spot_b = places[chosen[0]], places[chosen[-1]]
    shown_a, shown_b = spot_a.shown_a, spot_b.shown_b
    step_a = side_a.step(
        spot_a.a if shown_a else side_a.own(spot_a.a + 1, side_b), differences[chosen[0]].at_a if shown_a else None
    )
    step_b = side_b.step(
        spot_b.b if shown_b else side_b.own(spot_b.b + 1, side_a), differences[chosen[-1]].at_b if shown_b else None
    )
    end_a, end_b = spot_a.a + (not spot_a.shown_a), spot_b.b + (not spot_b.shown_b)
    after = None
    for _, place_a, place_b in reversed(pins.sums[: bisect_right(pins.sums, (lowest + 1, -1, -1))]):
        if place_a < end_a and place_b < end_b:
            after = (side_a.step(place_a), side_b.step(place_b))
            break
    return Parting(tuple(differences[at] for at in chosen), step_a, step_b, after)
