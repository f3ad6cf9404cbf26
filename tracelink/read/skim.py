"""What one source has taught so far, so that what repeats need not be decoded: runs of deltas, and snapshots that are sent again.

Only the fold reads this way (`Reading(skim=True)`): it needs no value of a delta, and never changes one of a snapshot.
"""

from tracelink.model.limits import Limits
from tracelink.read.again import SHORTEST, Again, Repeat
from tracelink.read.runs import Run, Runs

__all__ = ["SHORTEST", "Known", "Skim"]

Known = Run | Repeat


class Skim:
    """One for each source.

    quiet: the last line that was given out ended a value; only then may anything be known of the next. Whoever reads the lines sets it.
    """

    __slots__ = ("again", "quiet", "runs")

    def __init__(self, limits: Limits) -> None:
        self.quiet = False
        self.runs = Runs(limits)
        self.again = Again(limits.depth)

    def find(self, block: bytes, at: int, end: int, line: int, offset: int) -> Known | None:
        """What the lines of `block` from `at` on are, as far as that is known; `line` and `offset` say where `at` is in the source."""
        if block.startswith(self.runs.leads, at):
            return self.runs.find(block, at, end, line, offset)
        if block.startswith(self.again.starts, at):
            return self.again.find(block, at, line, offset)
        return None
