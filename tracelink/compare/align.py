"""Two sequences, aligned: which place of one is which of the other.

Equal ends first; between them, keys that both sides have (the n-th of a key goes with the n-th) and of these the longest run that
is in order on both sides (patience: n log n); then the same in each gap, a few rounds deep. Later stages look only into the gaps
that earlier, stricter ones left.

Aligning b with a gives the same pairs turned round: the two are put in a fixed order first.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

Pair = tuple[int, int]
ROUNDS = 8


def align(a: Sequence[bytes], b: Sequence[bytes]) -> list[Pair]:
    """Pairs of places with equal keys, rising on both sides."""
    if list(b) < list(a):
        return sorted((one, other) for other, one in _align(b, a, 0, 0, ROUNDS))
    return sorted(_align(a, b, 0, 0, ROUNDS))


def _align(a: Sequence[bytes], b: Sequence[bytes], from_a: int, from_b: int, rounds: int) -> Iterator[Pair]:
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        yield from_a + head, from_b + head
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[-1 - tail] == b[-1 - tail]:
        yield from_a + len(a) - 1 - tail, from_b + len(b) - 1 - tail
        tail += 1
    a, b = a[head : len(a) - tail], b[head : len(b) - tail]
    from_a, from_b = from_a + head, from_b + head
    anchors = rising(_numbered(a, b)) if a and b and rounds else []
    if not anchors:
        return
    last_a = last_b = 0
    for one, other in [*anchors, (len(a), len(b))]:
        yield from _align(a[last_a:one], b[last_b:other], from_a + last_a, from_b + last_b, rounds - 1)
        if one < len(a):
            yield from_a + one, from_b + other
        last_a, last_b = one + 1, other + 1


def _numbered(a: Sequence[bytes], b: Sequence[bytes]) -> list[Pair]:
    """The n-th of a key in `a` with the n-th in `b`, in the order of `a`."""
    places: dict[bytes, list[int]] = {}
    for at in range(len(b) - 1, -1, -1):
        places.setdefault(b[at], []).append(at)
    return [(at, places[key].pop()) for at, key in enumerate(a) if places.get(key)]


def rising(pairs: Sequence[Pair]) -> list[Pair]:
    """The longest part of `pairs` (in order of the first member) in which the second member rises too."""
    ends: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for number, (_, other) in enumerate(pairs):
        length = bisect_left(ends, other)
        if length == len(ends):
            ends.append(other)
            tops.append(number)
        else:
            ends[length] = other
            tops[length] = number
        before.append(tops[length - 1] if length else -1)
    found = []
    at = tops[-1] if tops else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


def uncrossed(pairs: Sequence[Pair]) -> list[Pair]:
    """Those of `pairs` (sorted, no place twice on a side) that cross no other: the same, turned round, for pairs turned round."""
    lowest = [0] * len(pairs)
    low = pairs[-1][1] + 1 if pairs else 0
    for at in range(len(pairs) - 1, -1, -1):
        lowest[at] = low = min(low, pairs[at][1])
    found, high = [], -1
    for at, (one, other) in enumerate(pairs):
        if other > high and other == lowest[at]:
            found.append((one, other))
        high = max(high, other)
    return found


def staged(
    stages: Sequence[tuple[Sequence[bytes], Sequence[bytes]]], count_a: int, count_b: int, fixed: Sequence[Pair] = (), *,
    by_place: bool = False,
) -> list[Pair]:  # fmt: skip
    """Pairs of places: those that are `fixed`, then stage by stage, then (by_place) what is left in each gap, in order.

    stages: keys of both sides, the strictest first. fixed: pairs known otherwise; those that cross others bound no gap.
    """
    pairs = sorted(fixed)
    anchors = uncrossed(pairs)
    taken_a, taken_b = {one for one, _ in pairs}, {other for _, other in pairs}
    for number in range(len(stages) + by_place):
        new: list[Pair] = []
        last_a = last_b = -1
        for one, other in [*anchors, (count_a, count_b)]:
            free_a = [at for at in range(last_a + 1, one) if at not in taken_a]
            free_b = [at for at in range(last_b + 1, other) if at not in taken_b]
            last_a, last_b = one, other
            if not free_a or not free_b:
                continue
            if number < len(stages):
                keys_a, keys_b = stages[number]
                found = align([keys_a[at] for at in free_a], [keys_b[at] for at in free_b])
                new += [(free_a[x], free_b[y]) for x, y in found]
            else:
                new += zip(free_a, free_b, strict=False)
        taken_a |= {one for one, _ in new}
        taken_b |= {other for _, other in new}
        pairs += new
        anchors = sorted(anchors + new)
    return sorted(pairs)
