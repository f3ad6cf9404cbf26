"""Some bytes of a source, read by themselves, and whether they may be put behind those before them.

The idea: what is read depends on what came before only through a few things: an open document or frame, the last id of an event stream,
the number of list pages, and whether any JSON was seen. Where all of these are as at the start of a source, both ways are the same.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, NamedTuple

from tracelink.model.limits import Limits
from tracelink.read.alike import Alike
from tracelink.read.compression import Blocks
from tracelink.read.fields import FieldTable
from tracelink.read.frame import JSONL, SSE
from tracelink.read.jsonl import frames
from tracelink.read.lines import lines
from tracelink.read.one_source import OneSource, Progress
from tracelink.read.records import Skimmed
from tracelink.read.source import Named

_LONE_CR = re.compile(rb"\r(?!\n)")


class Span(NamedTuple):
    """What the bytes up to here leave to those behind them. calm: nothing but the counts. stopped: somebody asked to stop."""

    calm: bool
    stopped: bool
    lines: int
    records: int
    docs: int
    forms: dict[str, int]

    def goes_on(self, behind: "Span") -> bool:
        """Whether `behind` was read as it would have been in one go."""
        return self.calm and behind.calm and bool(self.forms)

    def after(self, before: "Span") -> "Span":
        """Both together."""
        forms = {name: before.forms.get(name, 0) + self.forms.get(name, 0) for name in [*before.forms, *self.forms]}
        return Span(
            self.calm and before.calm,
            self.stopped,
            before.lines + self.lines,
            before.records + self.records,
            before.docs + self.docs,
            forms,
        )


def whole_format(forms: dict[str, int]) -> str:
    """`SourceInfo.format` of a source that was read in spans: it holds many values, in lines or frames."""
    return "sse" if set(forms) == {SSE} else "jsonl" if set(forms) == {JSONL} else "mixed"


class _Range:
    """A binary stream of the bytes up to `end` of an open file."""

    def __init__(self, file: BinaryIO, start: int, end: int) -> None:
        file.seek(start)
        self._file, self._left = file, end - start

    def read(self, size: int) -> bytes:
        data = self._file.read(min(size, self._left))
        self._left -= len(data)
        return data

    def close(self) -> None:
        self._file.close()


class SpanSource(OneSource):
    """A source, or the bytes from `start` to `end` of it (None: all of it)."""

    def __init__(
        self,
        named: Named,
        index: int,
        fields: FieldTable,
        limits: Limits,
        progress: Progress | None,
        stop: Callable[[], bool] | None,
        forms: Alike,
        start: int = 0,
        end: int | None = None,
    ) -> None:
        super().__init__(named, index, fields, limits, progress, forms, stop)
        self._start, self._end = start, end
        self._odd = False  # something here reads differently in two parts

    def ending(self) -> Span | None:
        """None for a whole source."""
        if self._end is None:
            return None
        forms = {name: count for name, count in self.forms.items() if count}
        blocks = self.blocks
        stopped = blocks is not None and blocks.stopped
        calm = (
            not self._odd
            and set(forms) <= {JSONL, SSE}
            and self.problem is None
            and self.ending_state.calm
            and not self.unwrapper.pages
            and blocks is not None
            and (blocks.trouble is None or stopped)
        )
        return Span(calm, stopped, self.ending_state.lines, self.seq, self.doc, forms)

    def _open(self) -> BinaryIO:
        stream = super()._open()
        if self._end is None:
            return stream
        return _Range(stream, self._start, self._end)  # type: ignore[return-value]

    def _watched(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        if self._end is None:
            yield from blocks
            return
        for block in blocks:
            self._odd = self._odd or (b"\r" in block and _LONE_CR.search(block) is not None)
            yield block

    def _read(self, stream: BinaryIO) -> Iterator[Skimmed]:
        if not self._start:
            yield from super()._read(stream)
            return
        limits, skim = self.limits, self.skim
        self.blocks = blocks = Blocks(stream, self.named.name, limits, self._tell(), self.stop)
        source = lines(self._watched(blocks), limits.record_bytes, self._start, skim)
        yield from self.made(frames(source, limits, skim, self.ending_state))
        yield from self._after(blocks)
