"""Blocks of bytes → lines, with number and byte offset, in bounded memory.

The idea: split a whole block at once and keep only the unfinished end. A line ends at LF, CRLF or CR. A line
over the limit is never put together: its head is kept, the rest is counted and dropped.
"""

import re
from collections.abc import Iterable, Iterator

from tracelink.read.skim import Known, Skim


class Overlong:
    """Stands in for a line that was too long to keep."""

    __slots__ = ("head", "size")

    def __init__(self, head: bytes, size: int) -> None:
        self.head = head
        self.size = size


Line = tuple[int, int, "bytes | Overlong | Known"]
"""Number (from 1), byte offset of its first byte, and its text without the line ending; or what `skim` knows without decoding."""

_HEAD = 4096
_LONE_CR = re.compile(rb"\r(?!\n)")


def lines(blocks: Iterable[bytes], limit: int, offset: int = 0, skim: Skim | None = None) -> Iterator[Line]:
    """Yield every line. `offset` is where the first block starts; `limit` is in bytes. `skim`: knows some without decoding."""
    number = 1
    kept: list[bytes] = []  # the unfinished line, in parts
    size = 0  # its length, kept or not
    for block in _whole_endings(blocks):
        if b"\r" in block:
            block = _normalised(block)
        at = 0
        if size:
            at = block.find(b"\n") + 1
            first = block[: at - 1] if at else block
            size += len(first)
            kept = _more(kept, first, size, limit)
            if not at:
                continue
            if skim is not None:
                skim.quiet = False
            yield number, offset, _whole(kept, size, limit)
            number += 1
            offset += size + 1
            kept, size = [], 0
        end = block.rfind(b"\n") + 1
        if skim is None or end > limit:
            for line in block[at:end].split(b"\n")[:-1]:
                length = len(line)
                if length > limit:
                    yield number, offset, Overlong(line[:_HEAD], length)
                elif line and line[-1] == 13:
                    yield number, offset, line[:-1]
                else:
                    yield number, offset, line
                number += 1
                offset += length + 1
        else:
            find = block.find
            while at < end:
                if skim.quiet:
                    known = skim.find(block, at, end, number, offset)
                    if known is not None:
                        yield number, offset, known
                        number += known.lines
                        offset += known.end - at
                        at = known.end
                        continue
                    skim.quiet = False
                stop = find(b"\n", at)
                line = block[at:stop]
                yield number, offset, line[:-1] if line[-1:] == b"\r" else line
                number += 1
                offset += stop + 1 - at
                at = stop + 1
        rest = block[end:]
        if rest:
            size = len(rest)
            kept = _more([], rest, size, limit)
    if size:
        yield number, offset, _whole(kept, size, limit)


def _more(kept: list[bytes], part: bytes, size: int, limit: int) -> list[bytes]:
    """The unfinished line with one part more; of a line over the limit only the head."""
    if size <= limit:
        kept.append(part)
        return kept
    if len(kept) == 1 and len(kept[0]) <= _HEAD:
        return kept
    return [b"".join(kept)[:_HEAD] or part[:_HEAD]]


def _whole(kept: list[bytes], size: int, limit: int) -> "bytes | Overlong":
    text = b"".join(kept)
    return _bare(text) if size <= limit else Overlong(text[:_HEAD], size)


def _bare(line: bytes) -> bytes:
    return line[:-1] if line.endswith(b"\r") else line


def _whole_endings(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes, but no CRLF is cut in two by a block's end."""
    held = b""
    for block in blocks:
        if held:
            block, held = held + block, b""
        if block.endswith(b"\r"):
            block, held = block[:-1], b"\r"
        if block:
            yield block
    if held:
        yield b"\n"


def _normalised(block: bytes) -> bytes:
    """A lone CR becomes LF (same length); CRLF stays, its CR is cut off with the line."""
    return _LONE_CR.sub(b"\n", block)
