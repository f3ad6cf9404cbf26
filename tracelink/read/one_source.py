"""One source while it is read: opened, decompressed, framed. Whatever cannot be read becomes a record or the source's `problem`."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import BinaryIO

from tracelink.model.limits import Limits
from tracelink.model.record import Record, SourceInfo
from tracelink.read.alike import Alike
from tracelink.read.compression import Blocks
from tracelink.read.fields import FieldTable
from tracelink.read.frame import JSONL, SSE, Bad, Frame
from tracelink.read.jsonl import Ending, frames
from tracelink.read.lines import lines
from tracelink.read.own import is_report
from tracelink.read.records import Records, Skimmed
from tracelink.read.skim import Known
from tracelink.read.sniff import decoded, is_binary
from tracelink.read.source import Named, cannot_open

_HELD = 1000  # lines of text kept until the source shows any JSON

Progress = Callable[[int, int, int], None]
"""(index of the source, bytes of it taken so far, records of it seen so far)"""


class OneSource(Records):
    """Iterate `records` once; `info` then says what was read. The arguments are those of `Reading`."""

    def __init__(
        self,
        named: Named,
        index: int,
        fields: FieldTable,
        limits: Limits,
        progress: Progress | None,
        forms: Alike | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        super().__init__(named.name, index, fields, limits, forms)
        self.named, self.limits, self.progress, self.stop = named, limits, progress, stop
        self.ending_state = Ending()
        self.format = "unreadable"
        self.problem = named.problem
        self.blocks: Blocks | None = None
        self._torn = ""  # what is left of the last record, where the source broke off

    def info(self) -> SourceInfo:
        blocks = self.blocks
        return SourceInfo(
            self.named.name,
            self.format,
            blocks.total if blocks else 0,
            self.seq,
            blocks.compression if blocks else None,
            self.problem,
        )

    def records(self) -> Iterator[Skimmed]:
        if self.problem is not None:
            return
        try:
            stream = self._open()
        except OSError as error:
            self.problem = cannot_open(self.named.name, error)
            return
        try:
            yield from self._read(stream)
        finally:
            if self.named.path is not None:
                stream.close()

    def _open(self) -> BinaryIO:
        return self.named.open()

    def _watched(self, blocks: Iterable[bytes]) -> Iterable[bytes]:
        return blocks

    def _tell(self) -> Callable[[int], None] | None:
        if self.progress is None:
            return None
        progress, index = self.progress, self.index
        return lambda taken: progress(index, taken, self.seq)

    def _read(self, stream: BinaryIO) -> Iterator[Skimmed]:
        name, limits = self.named.name, self.limits
        self.blocks = blocks = Blocks(stream, name, limits, self._tell(), self.stop)
        whole = iter(self._watched(blocks))
        head = next(whole, b"")
        while 0 < len(head) < 64 and (more := next(whole, b"")):
            head += more
        if not head:
            if blocks.problem is not None:
                self.format, self.problem = "binary", blocks.problem
            elif blocks.trouble is None:
                self.format, self.problem = "empty", f"{name} is empty; was the recording written to another file?"
        elif is_binary(head):
            self.format = "binary"
            self.problem = f"{name} is a binary file, not a recording; JSON, JSONL or SSE text is expected"
            return
        else:
            offset, text = decoded(head, whole)
            skim = self.skim
            source = lines(text, limits.record_bytes, offset, skim)
            yield from self.made(self._held(frames(source, limits, skim, self.ending_state)))
        yield from self._after(blocks)
        if head and self.format == "unreadable":
            self.format = self._format()
            if not self.forms and self.problem is None and self.first_bad is not None:
                self.problem = (
                    f"nothing in {name} could be read as JSON; at line {self.first_bad.line}: {self.first_bad.detail}"
                )

    def _after(self, blocks: Blocks) -> Iterator[Record]:
        if blocks.trouble is not None:
            code, message = blocks.trouble
            if not self.seq:
                self.problem = message
            yield self.trouble(Bad(code, message, self._torn, self.ending_state.line, blocks.total))

    def told(self, bad: Bad) -> bool:
        """A last record that is cut off because its source is: the source tells it, once (`_after`)."""
        trouble = self.blocks.trouble if self.blocks is not None else None
        told = bad.code == "TL002" and trouble is not None and trouble.code == "TL002"
        if told:
            self._torn = bad.text
        return told

    def _held(self, items: Iterator["Frame | Bad | Known"]) -> Iterable["Frame | Bad | Known"]:
        """Hold back lines of text until there is any JSON: a file without any is one problem and not a thousand."""
        held: list[Frame | Bad | Known] = []
        more = 0
        last: Bad | None = None
        for item in items:
            if not isinstance(item, Bad) or not item.chatter:
                if held and is_report(one.text for one in held if isinstance(one, Bad)):
                    return self._report(items)
                if more and last is not None:
                    held.append(last._replace(detail=f"not JSON: a line of text, the last of {more} more"))
                return chain(held, (item,), items)
            if len(held) < _HELD:
                held.append(item)
            else:
                more, last = more + 1, item
        name, count = self.named.name, len(held) + more
        if not held:
            self.format = "empty"
            self.problem = f"{name} holds no JSON value, only blank lines or comments; was it cut off?"
            return ()
        self.format = "text"
        self.problem = (
            f"no JSON found in {name} ({count} line{'s' if count > 1 else ''} of text); JSON, JSONL or SSE text is expected"
        )
        if self.named.listed:
            return ()  # a folder may hold a README: that is no fault of a recording
        first = held[0]
        assert isinstance(first, Bad)  # noqa: S101 - only lines of text are held here
        return (first._replace(detail=f"no JSON found in {count} line{'s' if count > 1 else ''} of text"),)

    def _report(self, items: Iterator["Frame | Bad | Known"]) -> Iterable["Frame | Bad | Known"]:
        """Nothing of what we wrote ourselves is a record."""
        for _ in items:
            pass
        self.format = "text"
        self.problem = (
            f"{self.named.name} is a report that tracelink wrote, not a recording; name the recording that it was made of"
        )
        return ()

    def _format(self) -> str:
        """By what was found: see `SourceInfo.format`."""
        forms, total = self.forms, sum(self.forms.values())
        if not total:
            return "text"
        if SSE in forms:
            return "sse" if len(forms) == 1 else "mixed"
        if JSONL in forms:
            if len(forms) > 1:
                return "mixed"
            value = self.last_value
            event = isinstance(value, dict) and isinstance(value.get("type"), str)
            return "jsonl" if total > 1 or event else "json"
        return "json" if total == 1 else "json-sequence"
