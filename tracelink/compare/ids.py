"""Two ids, character by character: which of them differ, and where.

The alignment is the cheapest of inserting, deleting and replacing (rapidfuzz); equal ends are taken off first, and of ids that are
longer than any seen in the wild the rest is told as one piece.
"""

from dataclasses import dataclass
from typing import NamedTuple

LONGEST = 4096
"""Characters that are aligned."""


class Edit(NamedTuple):
    """kind: replace, insert (only in the right id), delete (only in the left). Positions are characters, from 0, the end excluded."""

    kind: str
    left_start: int
    left_end: int
    right_start: int
    right_end: int


SAME, DIFFERS, NOT_LEFT, NOT_RIGHT = "same", "differs", "only_right", "only_left"


@dataclass(frozen=True, slots=True)
class IdPair:
    """One id on both sides. state: same, differs, only_left, only_right; edits: where they differ.

    needed: the right side has to carry it, so its absence is a fault; else absence says nothing.
    """

    name: str
    left: str | None
    right: str | None
    needed: bool = True
    edits: tuple[Edit, ...] = ()

    @property
    def state(self) -> str:
        if self.left is None or self.right is None:
            return NOT_RIGHT if self.right is None else NOT_LEFT
        return SAME if self.left == self.right else DIFFERS

    @property
    def fits(self) -> bool:
        return self.state == SAME or (self.state != DIFFERS and not self.needed)


def held(name: str, left: str | None, right: str | None, *, needed: bool = True) -> IdPair:
    """The two ids, with their edits where they differ."""
    edits = edits_of(left, right) if left is not None and right is not None else ()
    return IdPair(name, left, right, needed, edits)


def edits_of(left: str, right: str) -> tuple[Edit, ...]:
    """What turns `left` into `right`; nothing where they are the same."""
    if left == right:
        return ()
    shorter = min(len(left), len(right))
    head = next((at for at in range(shorter) if left[at] != right[at]), shorter)
    tail = 0
    while tail < shorter - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    a, b = left[head : len(left) - tail], right[head : len(right) - tail]
    if not a or not b or max(len(a), len(b)) > LONGEST:
        kind = "insert" if not a else "delete" if not b else "replace"
        return (Edit(kind, head, head + len(a), head, head + len(b)),)
    from rapidfuzz.distance import Levenshtein

    found = [one for one in Levenshtein.opcodes(a, b) if one.tag != "equal"]
    return tuple(
        Edit(one.tag, head + one.src_start, head + one.src_end, head + one.dest_start, head + one.dest_end) for one in found
    )
