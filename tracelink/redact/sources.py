"""The text of a source, redacted while it is read: what the framing takes for values by what they are, all between them as damage.

The idea: the reader's own framing says where JSON values stand, and its own unwrapping where the records are in them. Whatever lies between
is copied in its outline only: field names of an SSE frame, brackets, quotation marks, line ends. So the result is framed, and fails, as
the original does. Memory is bounded by the largest record.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from tracelink.gate.containers import is_torn_event
from tracelink.model.limits import Limits, MiB
from tracelink.model.record import Kind
from tracelink.read.clock import leading
from tracelink.read.context import NOTHING
from tracelink.read.decode import Undecodable, decode
from tracelink.read.fields import FieldTable
from tracelink.read.frame import Frame
from tracelink.read.jsonl import frames
from tracelink.read.lines import lines
from tracelink.read.places import SPACE, Path, locate, scan
from tracelink.read.runs import Run
from tracelink.read.skim import Batch
from tracelink.read.unwrap import Found, Unwrapper
from tracelink.read.values import Values
from tracelink.redact.choose import Choice
from tracelink.redact.mask import mask
from tracelink.redact.members import How
from tracelink.redact.redactor import Redactor
from tracelink.redact.rewrite import Known, damaged, rewrite
from tracelink.redact.words import plain

_FIELD = re.compile(rb"(data:|event:|id:|retry:|:)( ?)")
_TIME = re.compile(rb"[\[(<\"']?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:Z|UTC|[+-]\d\d:?\d\d)?")
_NEXT = re.compile(rb"(?:\r\n|\n|\r)data: ?")
_ZONES = {Kind.UNKNOWN: How.UNKNOWN, Kind.HTTP_ERROR: How.ERROR}
_SLACK = 8 * MiB

Sink = Callable[[bytes], object]


class Rewriter:
    """redactor: decides. fields: the user's rows, whose ids are ids. choice: what the user keeps and drops."""

    def __init__(
        self, redactor: Redactor, limits: Limits, fields: FieldTable | None = None, choice: Choice | None = None
    ) -> None:
        self.redactor = redactor
        self._limits = limits
        self._extra = fields.extra if fields is not None else None
        self._choice = choice if choice else None

    def run(self, blocks: Iterable[bytes], sink: Sink, offset: int = 0, event: str | None = None) -> None:
        """Blocks of UTF-8 text, of which the first starts at `offset`, to the sink. event: the type of a value that names none."""
        text = _Text(self, sink, offset, self._limits.record_bytes)
        unwrapper = Unwrapper(self._texts)
        for item in frames(lines(text.taken(blocks), self._limits.record_bytes, offset), self._limits):
            if isinstance(item, Run | Batch) or item.byte < text.done:
                continue
            text.between(item.byte)
            if not isinstance(item, Frame):
                text.masking = item.code == "TL011"
            else:
                text.masking = False
                self._frame(item, text, unwrapper, event)
        text.between(None)

    def _texts(self, text: str) -> Iterator[tuple[Any, str | None]]:
        """What the unwrapping finds in a string, as when a recording is read."""
        for found in Values((), limits=self._limits).texts(text):
            if isinstance(found, Frame) and found.repaired is None:
                yield found.value, found.event

    def embedded(self, text: str, key: str, around: Any) -> str:
        """A string of a wrapper that holds records."""
        event = around.get("event") if isinstance(around, dict) and key == "data" else None
        data: bytes | None = None
        if isinstance(around, dict) and key == "text" and around.get("encoding") == "base64":
            try:
                data = base64.b64decode(text, validate=True)
            except (binascii.Error, ValueError):
                data = None
        out: list[bytes] = []
        plain_text = data if data is not None else text.encode("utf-8", "replace")
        self.run([plain_text], out.append, 0, event if isinstance(event, str) else None)
        done = b"".join(out)
        return base64.b64encode(done).decode("ascii") if data is not None else done.decode("utf-8", "replace")

    def _frame(self, frame: Frame, text: "_Text", unwrapper: Unwrapper, event: str | None) -> None:
        raw = frame.raw
        pieces: list[tuple[int, int]] | None = _extents(frame)
        if pieces is not None and text.source(pieces) != raw:
            pieces = text.data_lines(frame.byte, raw)
        if pieces is None:
            return  # it stands in the source in another way; what is between frames covers it
        try:
            known, how = self._known(frame, unwrapper, event)
        except (RecursionError, Undecodable):
            return
        if frame.repaired is None:
            new = rewrite(self.redactor, text.original(pieces), how, known)
        else:
            new = damaged(self.redactor, text.original(pieces), how, known, _whole(raw, known))
        parts = new.split(b"\n") if len(pieces) > 1 else [new]
        if len(parts) != len(pieces):
            return
        for (start, end), part in zip(pieces, parts, strict=True):
            text.between(start)
            text.replace(end, part)

    def _known(self, frame: Frame, unwrapper: Unwrapper, event: str | None) -> tuple[Known, How]:
        repaired = frame.repaired
        value = frame.value if frame.value is not None or frame.raw == b"null" else decode(frame.raw, self._limits.depth).value
        opened = repaired.open if repaired is not None else frozenset()
        found = unwrapper.find(value, NOTHING, frame.event or event, opened)
        offsets = _offsets(frame, found)
        records: dict[int, tuple[How, Any]] = {}
        texts = set()
        for one in found:
            at = offsets.get(one.path)
            if at is None:
                continue
            if frame.raw[at : at + 1] == b'"':
                texts.add(at)
            else:
                records.setdefault(at, (_ZONES.get(one.kind, How.WIRE), one.value))
        if id(value) in opened and isinstance(value, dict) and is_torn_event(value):  # its type may be what is torn off
            at = SPACE.match(frame.raw.decode("latin-1"), 0).end()  # type: ignore[union-attr]
            records.setdefault(at, (How.WIRE, value))
        if self._extra is not None:
            ids = [self._extra(one) for one in (value, *(one.value for one in found), *(one.outer for one in found))]
            self.redactor.own_ids = {one for row in ids for one in row if one is not None}
        chosen = self._choice.of((value, *(one.value for one in found if one.value is not value))) if self._choice else {}
        return Known(value if repaired is None else None, records, frozenset(texts), self.embedded, chosen), How.WRAPPER

    def outline(self, line: bytes, begins: bool) -> bytes:
        """A line, or a part of one, that is no value: its outline. begins: it is the start of a line."""
        redactor, head = self.redactor, b""
        if begins:
            field = _FIELD.match(line)
            if field is not None:
                name, rest = field.group(1), line[field.end() :]
                if name != b"data:":
                    return field.group() + self._field(name, rest)
                head, line = field.group(), rest
                if line.strip() == b"[DONE]":
                    return head + line
            else:
                time = _TIME.match(line)
                if time is not None and leading(line) is not None:
                    head, line = time.group(), line[time.end() :]
        return head + rewrite(redactor, line, How.TORN, torn=True)

    def _field(self, name: bytes, rest: bytes) -> bytes:
        text = rest.decode("utf-8", "replace")
        bare = text.strip()
        if not bare or (name == b"retry:" and bare.isdigit()) or (name == b":" and plain(bare)):
            return rest
        how = {b"event:": How.WORD, b"id:": How.ID}.get(name, How.TEXT)
        return self.redactor.leaf(how, "", bare).encode("utf-8", "replace")


class _Text:
    """The source's bytes from `done` on, as far as they were read, and the way out for what replaces them."""

    def __init__(self, owner: Rewriter, sink: Sink, offset: int, limit: int) -> None:
        self._owner, self._sink, self._limit = owner, sink, limit
        self._held = bytearray()
        self.done = offset
        self.masking = False
        self._begins = True  # what comes next starts a line

    def taken(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        for block in blocks:
            self._held += block
            if len(self._held) > self._limit + _SLACK:  # longer than any record may be
                self.masking = True
                self._out(len(self._held) - MiB)
            yield block

    def between(self, until: int | None) -> None:
        """Writes the outline of what stands before `until` (None: of all the rest)."""
        self._out(len(self._held) if until is None else until - self.done)

    def _out(self, count: int) -> None:
        if count <= 0:
            return
        data = bytes(self._held[:count])
        if self.masking:
            self._owner.redactor.counts["dropped", "records over a limit"] += 1
            self.replace(self.done + count, mask(data))
            self._begins = data[-1:] in (b"\n", b"\r")
            return
        out = []
        for line in data.splitlines(keepends=True):
            body = line.rstrip(b"\r\n")
            out.append(self._owner.outline(body, self._begins) + line[len(body) :] if body else line)
            self._begins = len(body) != len(line)
        self.replace(self.done + count, b"".join(out), self._begins)

    def replace(self, end: int, new: bytes, begins: bool = False) -> None:
        """Writes `new` for what stands up to `end`."""
        self._sink(new)
        del self._held[: end - self.done]
        self.done = end
        self._begins = begins

    def original(self, pieces: list[tuple[int, int]]) -> bytes:
        return b"\n".join(bytes(self._held[start - self.done : end - self.done]) for start, end in pieces)

    def data_lines(self, start: int, raw: bytes) -> list[tuple[int, int]] | None:
        """Where text that begins at `start` stands, if it goes on in further `data:` lines; None if it does not."""
        found = []
        held, at = self._held, start - self.done
        for number, line in enumerate(raw.split(b"\n")):
            if number:
                prefix = _NEXT.match(held, at)
                if prefix is None:
                    return None
                at = prefix.end()
            if held[at : at + len(line)] != line:
                return None
            found.append((at + self.done, at + self.done + len(line)))
            at += len(line)
        return found

    def source(self, pieces: list[tuple[int, int]]) -> bytes:
        """The same, with a lone CR as the framing sees it."""
        data = self.original(pieces)
        return re.sub(rb"\r(?!\n)", b"\n", data) if b"\r" in data else data


def _extents(frame: Frame) -> list[tuple[int, int]]:
    """(start, end) in the source of each stretch of a frame's text."""
    if not frame.pieces:
        return [(frame.byte, frame.byte + len(frame.raw))]
    starts = [position for position, _, _ in frame.pieces] + [len(frame.raw) + 1]
    return [(byte, byte + starts[number + 1] - 1 - position) for number, (position, byte, _) in enumerate(frame.pieces)]


def _whole(raw: bytes, known: Known) -> Iterator[tuple[int, int]]:
    """(start, end) of each record in a damaged text, as far as it is an object that ends."""
    text = raw.decode("latin-1")
    for start, (_, value) in known.records.items():
        with suppress(ValueError, RecursionError):
            if text[start] == "{" and "of" not in value:  # a page's envelope holds records of its own
                yield start, scan(text, start)[1]


def _offsets(frame: Frame, found: list[Found]) -> dict[Path, int]:
    """Where in the frame's text each record begins. Linear: a damaged text is decoded once, and no value in it is walked twice."""
    if all(not one.path for one in found):
        return {(): 0}
    wanted = {one.path for one in found}
    if frame.repaired is None:
        return locate(frame.raw, wanted)
    groups: dict[Path, list[Path]] = {}
    for path in wanted:
        base = path
        while base and base not in frame.repaired.starts:
            base = base[:-1]
        groups.setdefault(base, []).append(path)
    at: dict[Path, int] = {}
    text = frame.raw.decode("latin-1")
    for base, paths in groups.items():
        start = frame.repaired.starts.get(base, 0)
        below = [path for path in paths if path != base]
        if len(below) < len(paths):  # it begins here, wherever it ends
            at[base] = SPACE.match(text, start).end()  # type: ignore[union-attr]
        if below:
            at |= locate(text, below, base, start)
    return at
