"""The room's front door: sources → records, streamed, each counted. Nothing is raised for what cannot be read."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import BinaryIO, cast

from tracelink.model.limits import Limits
from tracelink.model.record import Record, SourceInfo
from tracelink.read.alike import Alike
from tracelink.read.fields import FieldTable
from tracelink.read.one_source import OneSource, Progress
from tracelink.read.records import Skimmed
from tracelink.read.source import expand


class Reading:
    """Iterate once for the records of all sources. `sources` grows as each source ends and is complete afterwards.

    progress: see `Progress`.
    skim: give out `DeltaRun`s where deltas follow each other, and decode of a repeated snapshot only what is new; for the fold.
    stop: asked between two blocks; once it is true nothing more is read, and that is said.
    """

    def __init__(
        self,
        sources: Sequence["str | os.PathLike[str] | BinaryIO | bytes"],
        *,
        fields: FieldTable | None = None,
        limits: Limits | None = None,
        progress: Progress | None = None,
        skim: bool = False,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.sources: list[SourceInfo] = []
        self._given = sources
        self._stop = stop
        self._fields = fields if fields is not None else _default_fields()
        self._limits = limits if limits is not None else Limits()
        self._progress = progress
        self._forms = Alike(self._limits, self._fields) if skim else None  # what one source teaches serves the next

    def __iter__(self) -> Iterator[Record]:
        assert self._forms is None, "use skimmed()"  # noqa: S101
        return cast(Iterator[Record], self.skimmed())

    def skimmed(self) -> Iterator[Skimmed]:
        """The records, with runs of deltas among them if so asked for."""
        for named in expand(self._given, self._limits):
            one = OneSource(named, len(self.sources), self._fields, self._limits, self._progress, self._forms, self._stop)
            try:
                yield from one.records()
            finally:
                self.sources.append(one.info())


@cache
def _default_fields() -> FieldTable:
    return FieldTable()
