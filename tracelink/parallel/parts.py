"""Sources → parts of about equal size, in order; large files are cut between two lines."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tracelink.model.limits import Limits, MiB
from tracelink.read.compression import is_compressed
from tracelink.read.source import Named

WORTH = 4 * MiB  # less is read faster in one process than in two
_ONE_FILE = 8 * MiB  # smaller files are not cut
_FILE_COST = 16 * 1024  # opening one more file costs as much as reading so many bytes
_WINDOW = 4 * MiB

_SSE = re.compile(rb"(?:\n\n|\r\n\r\n)(?=event:|data:)")
_LINE = re.compile(rb"\n(?=\{)")
_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")


class Piece(NamedTuple):
    """A source, or the bytes from `start` up to `end` of one (None: all of it)."""

    index: int  # type: ignore[assignment]  # not tuple.index, which nobody needs here
    named: Named
    start: int = 0
    end: int | None = None


def cut(sources: Sequence[Named], jobs: int, limits: Limits) -> list[list[Piece]] | None:
    """At most `jobs` lists of pieces, one after the other all sources; None where it is not worth it, or a source can be read once only."""
    sizes = [(named.size or 0) + _FILE_COST for named in sources]
    total = sum(sizes)
    if jobs < 2 or total < WORTH or any(named.stream is not None or (named.path and named.size is None) for named in sources):
        return None
    goals = [total * number // jobs for number in range(1, jobs)]
    found: list[list[Piece]] = [[]]
    before = 0
    for index, (named, size) in enumerate(zip(sources, sizes, strict=True)):
        cuts = _cuts(named, [goal - before for goal in goals if before < goal < before + size], limits)
        start = 0
        for cut in cuts:
            found[-1].append(Piece(index, named, start, cut))
            found.append([])
            start = cut
        found[-1].append(Piece(index, named, start, named.size) if start else Piece(index, named))
        before += size
        while goals and goals[0] <= before:
            if not cuts and found[-1]:
                found.append([])
            goals.pop(0)
    whole = [part for part in found if part]
    return whole if len(whole) > 1 else None


def _cuts(named: Named, wanted: list[int], limits: Limits) -> list[int]:
    size = named.size or 0
    if not wanted or named.path is None or size < _ONE_FILE or size > limits.total_bytes:
        return []
    return list(_places(named.path, size, wanted))


def _places(path: str, size: int, wanted: list[int]) -> Iterator[int]:
    """Where a value begins at or after each wanted byte, as far as can be seen from there."""
    try:
        with open(path, "rb") as file:
            head = file.read(4096)
            if is_compressed(head) or head.startswith(_MARKS):
                return
            between = _SSE if head.lstrip(b"\xef\xbb\xbf \r\n").startswith((b"data:", b"event:", b"id:", b":")) else _LINE
            last = 0
            for byte in wanted:
                file.seek(byte)
                match = between.search(file.read(_WINDOW))
                if match is not None and last < byte + match.end() < size:
                    last = byte + match.end()
                    yield last
    except OSError:
        return
