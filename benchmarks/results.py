"""What was measured, and what follows from it: medians, ratios, exponents of growth."""

import math
import statistics
from dataclasses import dataclass, field

from benchmarks.contenders import FULL, QUARTER, START, US
from benchmarks.make import Recording

LEAST_SECONDS = 0.1
LEAST_BYTES = 12_000_000
"""Below these, above start-up, growth cannot be told from noise."""


@dataclass(slots=True)
class Row:
    """One contender on one recording in one size: a value a run; `peak` in bytes, the largest of all runs."""

    recording: str
    part: str
    contender: str
    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak: int = 0
    problem: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


class Results:
    """All rows, by recording, size and contender; a row with a problem counts as not measured."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.recordings: dict[tuple[str, str], Recording] = {}

    def row(self, recording: str, contender: str = US, part: str = FULL) -> Row | None:
        return next(
            (
                row
                for row in self.rows
                if (row.recording, row.contender, row.part) == (recording, contender, part) and row.seconds and not row.problem
            ),
            None,
        )

    def ratio(self, recording: str, over: str, under: str, part: str = FULL) -> float | None:
        """How many times as long `over` takes as `under`, medians; None where one of them was not measured."""
        top, bottom = self.row(recording, over, part), self.row(recording, under, part)
        return top.median / bottom.median if top and bottom else None

    def growth(self, recording: str, memory: bool = False) -> float | None:
        """The exponent from the quarter to the full size, start-up (the short session) taken off: 1 is linear, 0 flat.

        None where a size was not measured, or the time is too short to tell.
        """
        small, large, floor = self.row(recording, part=QUARTER), self.row(recording), self.row(START)
        if small is None or large is None or floor is None:
            return None
        times = self.recordings[recording, FULL].events / self.recordings[recording, QUARTER].events
        if memory:
            before, after = max(small.peak - floor.peak, 1e6), float(large.peak - floor.peak)
            if after < LEAST_BYTES:
                return 0.0
        else:
            before, after = small.median - floor.median, large.median - floor.median
            if after < LEAST_SECONDS or before <= 0:
                return None
        return math.log(after / before) / math.log(times)
