"""From sources to recordings, and from a run to its report (`judging`), in one process or in several.

In several, the sources are cut into parts, each part is folded by itself, and the recordings are added. What comes out does not depend on
how many there are: where a cut turns out not to fall between two values, everything is read in one piece.
"""

import os
from collections.abc import Callable, Sequence
from typing import BinaryIO

from tracelink.fold import fold
from tracelink.model.limits import Limits
from tracelink.model.record import SourceInfo
from tracelink.model.recording import Recordings
from tracelink.parallel.counted import Progress, counted
from tracelink.parallel.parts import cut
from tracelink.read import FieldTable, Reading
from tracelink.read.source import expand

__all__ = ["Progress", "read_and_fold"]


def read_and_fold(
    sources: "Sequence[str | os.PathLike[str] | BinaryIO | bytes]",
    fields: FieldTable | None,
    limits: Limits,
    jobs: int,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> tuple[list[SourceInfo], Recordings]:
    """What was read of each source, and the facts. `jobs`, `progress`, `stop`: see `tracelink.trace`."""
    if jobs > 1:
        parts = cut(list(expand(sources, limits)), jobs, limits)
        if parts is not None:
            from tracelink.parallel.together import read_together

            found = read_together(parts, limits, fields or FieldTable(), progress=progress, stop=stop)
            if found is not None:
                return found
    tell = counted(progress) if progress is not None else None
    reading = Reading(sources, fields=fields, limits=limits, progress=tell, skim=True, stop=stop)
    recordings = fold(reading.skimmed())
    return reading.sources, recordings
