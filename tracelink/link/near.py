"""Near misses: which open call a drifted call_id was meant for. Suggested with the reason, never applied.

Ways in which an id drifts, closest first: only spaces, only case, only its prefix (`call_`), cut off (or something
appended), one edit, two edits (insert, delete, replace, swap neighbours). The closest wins; of equals, the one in the
same turn; of equals again, all are named.

Cost: a third of an id survives two edits, so ids are filed by their thirds and only those that share one are compared.
Where more than CROWD ids share a third, only the CROWD nearest in alphabetical order (forwards and backwards) are: in such
a crowd a closest one would mean little anyway. So the whole is linear in calls and results.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from tracelink.model.trace import CallKey

CROWD = 64
LONGEST = 512
"""Characters of an id that are compared; ids seen in the wild reach 430."""

WORDS = {
    "space": "differs only by spaces or quotes",
    "case": "differs only by case",
    "prefix": "differs only by its prefix",
    "truncated": "is the same but for a piece cut off or added at the end",
    "edits-1": "differs by one character",
    "edits-2": "differs by two characters",
}
"""Reason → what it means, after the id."""

RANKS = tuple(WORDS)


class Near(NamedTuple):
    key: CallKey
    reason: str


class NearIndex:
    """Files the ids of the calls of one session, once, for any number of look-ups."""

    def __init__(self, keys: Iterable[CallKey]) -> None:
        self._keys: dict[str, list[CallKey]] = defaultdict(list)
        self._forms: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._thirds: dict[tuple[int, int, str], list[str]] = defaultdict(list)
        self._backward: dict[tuple[int, int, str], list[str]] = {}
        for key in keys:
            self._keys[key[1]].append(key)
        self._sorted = sorted(self._keys)
        for call_id in self._sorted:
            for form in (*_forms(call_id), *(("tail", tail) for tail in _tails(call_id))):
                self._forms[form].append(call_id)
            for third in _thirds(call_id):
                self._thirds[third].append(call_id)

    def nearest(self, call_id: str, turn_id: str | None, allowed: Callable[[CallKey], bool]) -> list[Near]:
        """The closest calls for which `allowed` holds, equally good ones together; empty if none is near.

        A call with exactly this id is not near, it is that call.
        """
        found: dict[str, str] = {}
        for other, reason in self._by_form(call_id):
            if other != call_id and (other not in found or RANKS.index(reason) < RANKS.index(found[other])):
                found[other] = reason
        best = self._pick(found, turn_id, allowed)
        if best:
            return best
        return self._pick(self._by_edits(call_id), turn_id, allowed)

    def _pick(self, found: dict[str, str], turn_id: str | None, allowed: Callable[[CallKey], bool]) -> list[Near]:
        ranked = [
            (RANKS.index(reason), key[0] != turn_id, key, reason)
            for other, reason in found.items()
            for key in self._keys[other]
            if allowed(key)
        ]
        if not ranked:
            return []
        best = min(ranked)[:2]
        return [Near(key, reason) for rank, away, key, reason in sorted(ranked) if (rank, away) == best]

    def _by_form(self, call_id: str) -> Iterable[tuple[str, str]]:
        for reason, form in _forms(call_id):
            for other in self._forms.get((reason, form), ()):
                yield other, reason
        folded = _folded(call_id)
        for other in self._forms.get(("tail", folded), ()):
            yield other, "prefix"  # the call's id has a prefix more
        for tail in _tails(call_id):
            for other in self._forms.get(("case", tail), ()):
                yield other, "prefix"  # the posted id has a prefix more
        if len(call_id) >= 6:
            start = bisect_left(self._sorted, call_id)
            for other in self._sorted[start : start + CROWD]:
                if not other.startswith(call_id):
                    break
                if 2 * len(call_id) >= len(other):
                    yield other, "truncated"
        for end in range(max(6, len(call_id) // 2), min(len(call_id), LONGEST)):
            if call_id[:end] in self._keys:
                yield call_id[:end], "truncated"

    def _by_edits(self, call_id: str) -> dict[str, str]:
        most = _edits_allowed(call_id)
        if not most:
            return {}
        from rapidfuzz.distance import OSA

        found = {}
        for other in self._alike(call_id[:LONGEST]):
            limit = min(most, _edits_allowed(other))
            distance = OSA.distance(call_id[:LONGEST], other[:LONGEST], score_cutoff=limit)
            if 0 < distance <= limit:
                found[other] = f"edits-{distance}"
        return found

    def _alike(self, call_id: str) -> set[str]:
        alike: set[str] = set()
        for length in range(max(1, len(call_id) - 2), len(call_id) + 3):
            for number, (start, end) in enumerate(_cuts(length)):
                for shift in (0, -1, 1, -2, 2):
                    if start + shift < 0:
                        continue
                    bucket = (length, number, call_id[start + shift : end + shift])
                    group = self._thirds.get(bucket)
                    if group is None:
                        continue
                    if len(group) <= CROWD:
                        alike.update(group)
                        continue
                    alike.update(_around(group, call_id))
                    backward = self._backward.get(bucket)
                    if backward is None:
                        backward = self._backward[bucket] = sorted(one[::-1] for one in group)
                    alike.update(one[::-1] for one in _around(backward, call_id[::-1]))
        return alike


def _around(ordered: list[str], value: str) -> list[str]:
    middle = bisect_left(ordered, value)
    return ordered[max(0, middle - CROWD // 2) : middle + CROWD // 2]


def _edits_allowed(call_id: str) -> int:
    """Short ids are within two edits of everything, so they are held closer."""
    return 2 if len(call_id) >= 8 else 1 if len(call_id) >= 4 else 0


def _bare(call_id: str) -> str:
    return "".join(call_id.split()).strip("\"'")


def _folded(call_id: str) -> str:
    return _bare(call_id).casefold()


def _tails(call_id: str) -> list[str]:
    """What is left of an id without its first prefix, and without its first two: `call_x1`, `x1` of `fc_call_x1`."""
    tails = []
    rest = _folded(call_id)
    for _ in range(2):
        head, mark, rest = rest.partition("_")
        if not (mark and head.isalpha() and len(rest) >= 4):
            break
        tails.append(rest)
    return tails


def _forms(call_id: str) -> list[tuple[str, str]]:
    bare = _bare(call_id)
    folded = _folded(call_id)
    forms = [("space", bare), ("case", folded)]
    head, mark, rest = folded.partition("_")
    forms.append(("prefix", rest if mark and head.isalpha() and len(rest) >= 4 else folded))
    return forms


def _cuts(length: int) -> tuple[tuple[int, int], ...]:
    one, two = length // 3, 2 * length // 3
    return ((0, one), (one, two), (two, length))


def _thirds(call_id: str) -> list[tuple[int, int, str]]:
    text = call_id[:LONGEST]
    return [(len(text), number, text[start:end]) for number, (start, end) in enumerate(_cuts(len(text)))]
