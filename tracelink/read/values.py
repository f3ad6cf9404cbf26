"""Sources → whole JSON values, below the level of records: for what reads another API's recordings (`gate`) or any member (`query`).

The same framings, limits and places as `Reading`; only the last step, the search for Agents API records, is left to the caller.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple

from tracelink.model.limits import Limits
from tracelink.model.location import Location, Origin
from tracelink.model.record import Ids, Kind, Record, SourceInfo
from tracelink.read.context import NOTHING
from tracelink.read.decode import given_twice
from tracelink.read.fields import FieldTable
from tracelink.read.frame import Bad, Frame
from tracelink.read.jsonl import frames
from tracelink.read.lines import lines
from tracelink.read.one_source import OneSource
from tracelink.read.places import Path
from tracelink.read.skim import Known
from tracelink.read.source import expand
from tracelink.read.unwrap import Found, Unwrapper

_NO_IDS = Ids()


class Value(NamedTuple):
    """One JSON value of a source.

    whole: False where the text is damaged and `value` holds what is complete in it; `open` has the ids of its containers that are not.
    event: type that only the SSE frame gives. doubts: what had to be bent to read it. fault: set where nothing could be read.
    """

    value: Any
    location: Location
    event: str | None = None
    whole: bool = True
    open: frozenset[int] = frozenset()
    doubts: tuple[str, ...] = ()
    fault: str | None = None
    frame: Frame | None = None
    owner: Any = None

    def at(self, paths: Iterable[Path]) -> dict[Path, Location]:
        """Where the members at these paths begin; a path that is not found has the place of the whole."""
        wanted = list(paths)
        places: dict[Path, tuple[int, int]] = {}
        if self.frame is not None:
            found = [Found(Kind.UNKNOWN, None, None, None, path, NOTHING, None, None) for path in wanted]
            places = self.owner.places(self.frame, found)
        source = self.location.source
        return {path: Location(source, *places[path]) if path in places else self.location for path in wanted}

    def records(self, unwrapper: Unwrapper) -> list[Found]:
        """The Agents API records in it, as `Reading` would find them."""
        try:
            return unwrapper.find(self.value, NOTHING, self.event, self.open)
        except RecursionError:
            return []


class Values:
    """Iterate once for the values of all sources, each with its place. `sources` is complete afterwards."""

    def __init__(self, sources: Sequence["str | os.PathLike[str] | BinaryIO | bytes"], *, limits: Limits | None = None) -> None:
        self.sources: list[SourceInfo] = []
        self._given = sources
        self._limits = limits if limits is not None else Limits()

    def texts(self, text: str) -> Iterator["Frame | Bad"]:
        """The values in a text that stands in a value, JSON or SSE, and what of it cannot be read."""
        read = frames(lines((text.encode("utf-8", "replace"),), self._limits.record_bytes), self._limits)
        return (one for one in read if not isinstance(one, Known))

    def __iter__(self) -> Iterator[Value]:
        for named in expand(self._given, self._limits):
            one = _Values(named, len(self.sources), FieldTable(), self._limits, None)
            try:
                for record in one.records():
                    if isinstance(record, Record):
                        yield _value(record, one)
            finally:
                self.sources.append(one.info())


def _value(record: Record, owner: "_Values") -> Value:
    frame = record.value
    if not isinstance(frame, Frame):
        return Value(None, record.origin.location, fault=record.detail or "it cannot be read")
    opened = frame.repaired.open if frame.repaired is not None else frozenset()
    return Value(
        frame.value, record.origin.location, frame.event, frame.repaired is None, opened, record.doubts, None, frame, owner
    )


class _Values(OneSource):
    """A source whose records are its frames."""

    def made(self, items: Iterable["Frame | Bad | Known"]) -> Iterator[Record]:
        for item in items:
            if not isinstance(item, Frame):
                if isinstance(item, Bad):
                    yield self.trouble(item)
                continue
            self.forms[item.form] = self.forms.get(item.form, 0) + 1
            self.last_value = item.value
            doubts = item.doubts if item.repaired else item.doubts + given_twice(item.raw, item.value)
            origin = Origin(self.named.name, item.line, item.byte, None, self.index, self.seq, self.doc)
            self.seq += 1
            self.doc += 1
            yield Record(Kind.UNKNOWN, None, item, _NO_IDS, origin, None, None, None, None, doubts)
