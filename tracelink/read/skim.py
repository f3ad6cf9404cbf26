"""What one source has taught so far, so that what repeats need not be decoded: runs of deltas, snapshots that are sent again, and events of
turns and calls that are built alike.

Only the fold reads this way (`Reading(skim=True)`): it needs no value of a delta, and never changes one of the others.
"""

from typing import NamedTuple

from tracelink.model.limits import Limits
from tracelink.read.again import SHORTEST, Again
from tracelink.read.alike import Alike, Rows
from tracelink.read.fields import FieldTable
from tracelink.read.runs import Run, Runs

__all__ = ["SHORTEST", "Batch", "Known", "Skim"]


class Batch(NamedTuple):
    """Lines that are each like an example. line: the number of the first; end: where the next line begins, in the block."""

    rows: Rows
    line: int
    end: int

    @property
    def lines(self) -> int:
        """How many they are."""
        return len(self.rows.bytes)

    @property
    def last_line(self) -> int:
        """The number of the last."""
        return self.line + self.lines - 1


Known = Run | Batch


class Skim:
    """One for each source. forms: those that earlier sources taught; what they taught besides is their own.

    quiet: the last line that was given out ended a value; only then may anything be known of the next. Whoever reads the lines sets it.
    """

    __slots__ = ("again", "alike", "quiet", "runs")

    def __init__(self, limits: Limits, fields: FieldTable, forms: Alike) -> None:
        self.quiet = False
        self.runs = Runs(limits)
        self.again = Again(limits.depth, fields)
        self.alike = forms

    def find(self, block: bytes, at: int, end: int, line: int, offset: int) -> Known | None:
        """What the lines of `block` from `at` on are, as far as that is known; `line` and `offset` say where `at` is in the source."""
        starts = block.startswith
        if starts(self.runs.leads, at):
            run = self.runs.find(block, at, end, line, offset)
            if run is not None:
                return run
        if not starts(self.alike.leads, at) and not starts(self.again.starts, at):
            return None
        rows = Rows([], [], [])
        leads, snapshots = self.alike.leads, self.again.starts
        offset -= at
        first = at
        while at < end:
            if starts(leads, at):
                stop = self.alike.find(block, at, end, offset, rows)
                if stop == at or starts(leads, stop):
                    at = stop  # the next has no known form, though it begins like one
                    break
                at = stop
            elif starts(snapshots, at):
                found = self.again.find(block, at)
                if found is None:
                    break
                rows.examples.append(found[0])
                rows.values.append(found[1])
                rows.bytes.append(offset + at)
                at = found[2]
            else:
                break
        return Batch(rows, line, at) if at > first else None
