"""Blocks of bytes → lines, with number and byte offset, in bounded memory.

The idea: split a whole block at once and keep only the unfinished end. A line ends at LF, CRLF or CR. A line
over the limit is never put together: its head is kept, the rest is counted and dropped.
"""

import re
from collections.abc import Iterable, Iterator


class Overlong:
    """Stands in for a line that was too long to keep."""

    __slots__ = ("head", "size")

    def __init__(self, head: bytes, size: int) -> None:
        self.head = head
        self.size = size


Line = tuple[int, int, "bytes | Overlong"]
"""Number (from 1), byte offset of its first byte, and its text without the line ending."""

_HEAD = 4096
_LONE_CR = re.compile(rb"\r(?!\n)")


def lines(blocks: Iterable[bytes], limit: int, offset: int = 0) -> Iterator[Line]:
    """Yield every line. `offset` is where the first block starts; `limit` is in bytes."""
    number = 1
    kept: list[bytes] = []  # the unfinished line, in parts
    size = 0  # its length, kept or not
    for block in _whole_endings(blocks):
        if b"\r" in block:
            block = _normalised(block)
        parts = block.split(b"\n")
        if len(parts) > 1:
            first = parts[0]
            if size:
                size += len(first)
                whole: bytes | Overlong
                if size > limit:
                    whole = Overlong(b"".join(kept)[:_HEAD] or first[:_HEAD], size)
                else:
                    kept.append(first)
                    whole = b"".join(kept)
                kept, length, size = [], size, 0
            else:
                length = len(first)
                whole = first if length <= limit else Overlong(first[:_HEAD], length)
            yield number, offset, _bare(whole)
            number += 1
            offset += length + 1
            for part in parts[1:-1]:
                if len(part) > limit:
                    yield number, offset, Overlong(part[:_HEAD], len(part))
                elif part and part[-1] == 13:
                    yield number, offset, part[:-1]
                else:
                    yield number, offset, part
                number += 1
                offset += len(part) + 1
        rest = parts[-1]
        if rest:
            size += len(rest)
            if size <= limit:
                kept.append(rest)
            elif len(kept) != 1 or len(kept[0]) > _HEAD:
                kept = [b"".join(kept)[:_HEAD] or rest[:_HEAD]]
    if size:
        yield number, offset, _bare(b"".join(kept)) if size <= limit else Overlong(b"".join(kept)[:_HEAD], size)


def _bare(line: "bytes | Overlong") -> "bytes | Overlong":
    return line[:-1] if isinstance(line, bytes) and line.endswith(b"\r") else line


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
