"""Lines → JSON values with their places, whatever mixture of framings the source is.

The idea: one small machine with three states. At rest, a line that is JSON is a value, a field line begins an SSE frame, and a line
that is the sound beginning of a longer text begins a document; in a frame or a document, lines are added until it ends. The first line that
cannot belong to an open document, but stands as JSON on its own, ends it: so a torn line costs only itself.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from tracelink.model.limits import Limits
from tracelink.read.clock import leading
from tracelink.read.decode import Undecodable, decode, loads
from tracelink.read.document import repair, undecodable
from tracelink.read.frame import (
    DOCUMENT,
    EXCERPT,
    JSONL,
    SEQUENCE,
    SSE,
    Bad,
    Frame,
    chatter,
    excerpt,
    place,
    too_deep_trouble,
    too_large,
)
from tracelink.read.lines import Overlong
from tracelink.read.nesting import CUT, DONE, OPEN, Nesting, settle
from tracelink.read.sse import Frames, Payload, Piece, is_field

_BRACKET = re.compile(rb'\{\s*"|\[\s*[{"]')
_SCALAR = re.compile(rb'(?:"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\s*,?')


class _Document:
    """A text that spans lines, while it is collected. mode: open, torn (its only line ends inside a token), damaged, skipped."""

    __slots__ = ("byte", "end", "line", "mode", "nesting", "parts", "size", "stack")

    def __init__(self, line: int, byte: int, text: bytes, nesting: Nesting, mode: str) -> None:
        self.line, self.byte, self.nesting, self.mode = line, byte, nesting, mode
        self.parts = [text]
        self.size = len(text)
        self.end = byte + len(text)
        self.stack = bytearray()  # its open brackets, once it is damaged

    def add(self, offset: int, text: bytes, limit: int) -> None:
        gap = offset - self.end
        self.size += gap + len(text)
        self.end = offset + len(text)
        if self.size > limit:
            if self.mode == OPEN:
                self.stack = bytearray(self.nesting.kinds)
            self.parts, self.mode = [b"".join(self.parts)[:EXCERPT]], "skipped"
        if self.mode != "skipped":
            self.parts.append((b"\r\n" if gap == 2 else b"\n" * gap) + text)


class Machine:
    """`line` for each line in order, then `end`. busy: a document or a frame is open."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sse = Frames(limits.record_bytes)
        self._document: _Document | None = None
        self._abandoned = False  # the last document was left open: its closing brackets may still come
        self.busy = False

    @property
    def calm(self) -> bool:
        """Whether this machine would go on as a new one would."""
        return not self.busy and not self._abandoned and not self._sse.knows_ids

    def line(self, number: int, offset: int, line: "bytes | Overlong") -> Iterator[Frame | Bad]:
        if isinstance(line, Overlong):
            yield from self.end()
            yield too_large(line.size, self._limits.record_bytes, line.head, number, offset, "line")
        elif self._document is not None:
            yield from self._continue(self._document, number, offset, line)
        else:
            yield from self._start(number, offset, line)
        self.busy = self._document is not None or self._sse.busy

    def end(self) -> Iterator[Frame | Bad]:
        yield from self._flush(last=True)
        document, self._document = self._document, None
        if document is not None:
            yield from self._broken(document, last=True)
        self.busy = False

    def _start(self, number: int, offset: int, line: bytes) -> Iterator[Frame | Bad]:
        if is_field(line):
            if self._sse.begins_anew(line):
                yield from self._flush()
            self._sse.field(number, offset, line)
            return
        yield from self._flush()
        text = line.strip(b" \t\f\x1e\0\xef\xbb\xbf") if line else line
        if not text:
            return
        offset += line.index(text)
        if text[0] in b"{[":
            try:
                found = decode(text, self._limits.depth)
            except Undecodable as error:
                if error.deep:
                    yield too_deep_trouble(self._limits.depth, text, number, offset)
                    return
                yield from self._unclean(number, offset, text)
            else:
                self._abandoned = False
                yield Frame(found.value, number, offset, text, JSONL, found.doubts)
        elif _SCALAR.fullmatch(text):
            raw = text.rstrip(b", \t")
            try:
                found = decode(raw, self._limits.depth)
            except Undecodable:
                yield chatter(text, number, offset)
            else:
                yield Frame(found.value, number, offset, raw, JSONL, found.doubts)
        elif not (self._abandoned and not text.strip(b"]}, \t")):
            yield self._log_line(number, offset, text) or chatter(text, number, offset)

    def _log_line(self, number: int, offset: int, text: bytes) -> Frame | None:
        """A line of a log that ends in JSON: the JSON, with the time that the line begins with."""
        for count, match in enumerate(_BRACKET.finditer(text, 1)):
            if count == 3:
                break
            raw = text[match.start() :]
            try:
                found = decode(raw, self._limits.depth)
            except Undecodable:
                continue
            return Frame(found.value, number, offset + match.start(), raw, JSONL, found.doubts, received=leading(text))
        return None

    def _unclean(self, number: int, offset: int, text: bytes) -> Iterator[Frame | Bad]:
        """A line that begins like JSON and is not one value: several values, the first line of a document, or broken."""
        at = 0
        while at < len(text):
            nesting = Nesting()
            state, end = nesting.feed(text, -at, at)
            if state == DONE:
                yield from self._value(text[at:end], number, offset + at, SEQUENCE)
                at = end
                while at < len(text) and text[at] in b" \t,;\x1e":
                    at += 1
                continue
            rest = text[at:]
            if state in (OPEN, CUT) and rest[:1] in (b"{", b"["):
                self._document = _Document(number, offset + at, rest, nesting, OPEN if state == OPEN else "torn")
            elif rest[:1] not in (b"{", b"["):
                if not (self._abandoned and not rest.strip(b"]}, \t")):
                    yield chatter(rest, number, offset + at)
            else:
                logged = self._log_line(number, offset + at, rest) if rest[:1] == b"[" and rest[1:2] not in b'{["' else None
                if logged is not None:
                    yield logged
                else:
                    yield from self._broken(_Document(number, offset + at, rest, nesting, "damaged"))
            return

    def _continue(self, document: _Document, number: int, offset: int, line: bytes) -> Iterator[Frame | Bad]:
        limit = self._limits.record_bytes
        text = line.strip()
        if not text:
            document.add(offset, line, limit)
            return
        if document.mode == OPEN:
            state, end = document.nesting.feed(line, offset - document.byte)
            if state == OPEN:
                document.add(offset, line, limit)
                return
            if state == DONE:
                document.add(offset, line[:end], limit)
                self._document = None
                yield from self._close(document)
                rest = line[end:]
                if rest.strip(b" \t,;"):
                    yield from self._start(number, offset + end, rest)
                return
        if document.mode == "torn" or self._stands_alone(text):
            self._document = None
            self._abandoned = True
            yield from self._broken(document)
            yield from self._start(number, offset, line)
            return
        if document.mode == OPEN:
            document.mode = "damaged"
            settle(document.stack, b"".join(document.parts))
        document.add(offset, line, limit)
        settle(document.stack, line)
        if not document.stack or line.rstrip() in (b"]", b"}"):
            self._document = None
            self._abandoned = True
            yield from self._broken(document)

    def _stands_alone(self, text: bytes) -> bool:
        if is_field(text):
            return text[:1] != b":"
        if text[:1] not in (b"{", b"["):
            return False
        try:
            return bool(loads(text))
        except ValueError:
            return False

    def _close(self, document: _Document) -> Iterator[Frame | Bad]:
        """A document that is complete."""
        self._abandoned = False
        if document.mode == "skipped":
            yield too_large(
                document.size, self._limits.record_bytes, document.parts[0], document.line, document.byte, "document"
            )
        else:
            yield from self._value(b"".join(document.parts), document.line, document.byte, DOCUMENT)

    def _value(self, raw: bytes, line: int, byte: int, form: str) -> Iterator[Frame | Bad]:
        try:
            found = decode(raw, self._limits.depth)
        except Undecodable as error:
            if error.deep:
                yield too_deep_trouble(self._limits.depth, raw, line, byte)
            else:
                yield Bad("TL001", f"not JSON: {error.reason}", excerpt(raw), line, byte)
        else:
            yield Frame(found.value, line, byte, raw, form, found.doubts)

    def _broken(self, document: _Document, last: bool = False) -> Iterator[Frame | Bad]:
        """A text that is not whole: give out what is."""
        if document.mode == "skipped":
            yield from self._close(document)
            return
        raw = b"".join(document.parts)
        rows = raw.split(b"\n")
        if len(rows) > 1 and any(
            row[:1] == b"{" and before.rstrip()[-1:] not in (b",", b"[") and self._stands_alone(row.strip())
            for before, row in pairwise(rows)
        ):
            yield from self._row_by_row(rows, document.line, document.byte)
            return
        yield from self._salvage(raw, document.line, document.byte, last, ())

    def _row_by_row(self, rows: list[bytes], line: int, byte: int) -> Iterator[Frame | Bad]:
        """Lines that stand alone are values; what is between them is salvaged in one piece."""
        run: list[bytes] = []
        first = line, byte
        for row in [*rows, None]:
            text = row.strip() if row is not None else b""
            if row is None or (text[:1] == b"{" and self._stands_alone(text)):
                if any(map(bytes.strip, run)):
                    yield from self._salvage(b"\n".join(run), *first, False, ())
                run = []
                if row is None:
                    return
                yield from self._value(text, line, byte + row.index(text), JSONL)
                first = line + 1, byte + len(row) + 1
            else:
                run.append(row)
            line += 1
            byte += len(row) + 1

    def _salvage(self, raw: bytes, line: int, byte: int, last: bool, pieces: tuple[Piece, ...]) -> Iterator[Frame | Bad]:
        error = undecodable(raw, self._limits.depth)
        if error is not None and error.deep:
            yield too_deep_trouble(self._limits.depth, raw, line, byte)
            return
        found = repair(raw, self._limits.depth) if raw[:1] in (b"{", b"[") else None
        if found is not None and found.value:
            form = DOCUMENT if b"\n" in raw else JSONL
            yield Frame(found.value, line, byte, raw, form, found.doubts, pieces=pieces, repaired=found)
        reason = error.reason if error is not None else "unexpected character"
        damages = found.damages if found is not None else ()
        for number, damage in enumerate(damages, 1):
            where, at = place(raw, damage.byte, line, byte, pieces)
            torn = damage.torn and last
            detail = "cut off: the text ends in the middle of a value" if torn else f"not JSON: {reason}"
            if found is not None and found.lost and number == len(damages):
                detail += f"; the {found.lost} bytes after it could not be read either"
            yield Bad("TL002" if torn else "TL001", detail, excerpt(raw[damage.byte : damage.byte + 4 * EXCERPT]), where, at)
        if found is None or not found.damages:
            yield Bad("TL001", f"not JSON: {reason}", excerpt(raw), line, byte)

    def _flush(self, last: bool = False) -> Iterator[Frame | Bad]:
        if not self._sse.busy:
            return
        payload = self._sse.take()
        if payload is None or not payload.data.strip() or payload.data.strip() == b"[DONE]":
            return
        _, byte, line = payload.pieces[0]
        if payload.size > self._limits.record_bytes:
            yield too_large(payload.size, self._limits.record_bytes, payload.data, line, byte, "frame")
            return
        pieces = payload.pieces if len(payload.pieces) > 1 else ()
        try:
            found = decode(payload.data, self._limits.depth)
        except Undecodable as error:
            if error.deep:
                yield too_deep_trouble(self._limits.depth, payload.data, line, byte)
            else:
                yield from self._several(payload, last)
        else:
            yield Frame(found.value, line, byte, payload.data, SSE, found.doubts, payload.event, payload.event_id, None, pieces)

    def _several(self, payload: Payload, last: bool) -> Iterator[Frame | Bad]:
        """A frame's data that is not one value: several (frames without blank lines between), or broken."""
        data, at = payload.data, 0
        while at < len(data):
            if data[at] in b" \t\n":
                at += 1
                continue
            if data.startswith(b"[DONE]", at):
                at += 6
                continue
            state, end = Nesting().feed(data, 0, at)
            where, byte = place(data, at, payload.pieces[0][2], payload.pieces[0][1], payload.pieces)
            if state != DONE:
                # The next data line may be sound again.
                after = bisect_right(payload.pieces, at, key=lambda piece: piece[0])
                follow = next((start for start, _, _ in payload.pieces[after:] if data[start : start + 1] == b"{"), None)
                if data[at] in b"{[":
                    yield from self._salvage(data[at:follow], where, byte, last and follow is None, ())
                else:
                    yield chatter(data[at:follow], where, byte)
                if follow is None:
                    return
                at = follow
                continue
            for found in self._value(data[at:end], where, byte, SSE):
                yield found._replace(event=payload.event) if isinstance(found, Frame) else found
            at = end
