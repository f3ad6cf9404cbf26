"""What one source has taught so far, so that what repeats need not be decoded: runs of deltas, and snapshots that are sent again.

Only the fold reads this way (`Reading(skim=True)`): it needs no value of a delta, and never changes one of a snapshot.
"""

from tracelink.model.limits import Limits
from tracelink.read.again import SHORTEST, Again
from tracelink.read.runs import Runs

__all__ = ["SHORTEST", "Skim"]


class Skim:
    """One for each source."""

    __slots__ = ("again", "runs")

    def __init__(self, limits: Limits) -> None:
        self.runs = Runs(limits)
        self.again = Again(limits.depth)
