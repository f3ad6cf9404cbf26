"""The parts, the first read and folded by this process, each other by one of its own, put together again.

Where forking is not to be had, or one of the processes dies, everything is read in one process.
"""

import marshal
import mmap
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from tracelink.fold import fold
from tracelink.model.limits import Limits
from tracelink.model.record import SourceInfo
from tracelink.model.recording import Recordings
from tracelink.parallel.counted import Progress, counted
from tracelink.parallel.forked import Forked, can_fork
from tracelink.parallel.pack import Shift, pack, unpack
from tracelink.parallel.parts import Piece
from tracelink.read.alike import Alike
from tracelink.read.fields import FieldTable
from tracelink.read.records import Skimmed
from tracelink.read.span import Span, SpanSource, whole_format

NOT_READ = "{} was not read: the run was stopped before"
_SLOT = 16


class _Part(NamedTuple):
    """recordings: as bytes where another process read them."""

    recordings: Recordings | bytes
    infos: list[SourceInfo]
    spans: list[Span | None]


class _Board:
    """What the processes see of each other: how far each is, and whether somebody asked to stop."""

    def __init__(self, count: int) -> None:
        self._table = mmap.mmap(-1, _SLOT * count + 1)
        self._count = count

    def show(self, number: int, taken: int, seen: int) -> None:
        at = _SLOT * number
        self._table[at : at + _SLOT] = taken.to_bytes(8, "little") + seen.to_bytes(8, "little")

    def sums(self) -> tuple[int, int]:
        rows = [int.from_bytes(self._table[at : at + 8], "little") for at in range(0, _SLOT * self._count, 8)]
        return sum(rows[::2]), sum(rows[1::2])

    def stop(self) -> None:
        self._table[_SLOT * self._count] = 1

    def stopped(self) -> bool:
        return bool(self._table[_SLOT * self._count])


def read_together(
    found: Sequence[Sequence[Piece]],
    limits: Limits,
    fields: FieldTable,
    *,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> tuple[list[SourceInfo], Recordings] | None:
    """What was read of each source, and the recordings, as one process would have found them; None where one process must read.

    found: the parts, a process each. stop: asked between two blocks; once it is true, nothing more is read.
    """
    if not can_fork():
        return None
    board = _Board(len(found))

    def look() -> None:
        if progress is not None:
            progress(*board.sums())
        if stop is not None and stop():
            board.stop()

    def show(taken: int, seen: int) -> None:
        board.show(0, taken, seen)
        look()

    def stopped() -> bool:
        if stop is not None and stop():
            board.stop()
        return board.stopped()

    stopped()
    others = [partial(_sent, found[number], limits, fields, board, number) for number in range(1, len(found))]
    with Forked(others) as forked:
        first = _read(found[0], limits, fields, show, stopped, fold)
        answers = forked.answers(look if progress or stop else None)
    return None if answers is None else _joined(found, [first, *map(_received, answers)])


def _read(
    part: Sequence[Piece],
    limits: Limits,
    fields: FieldTable,
    show: Progress,
    stop: Callable[[], bool],
    made: Callable[[Iterable[Skimmed]], Recordings | bytes],
) -> _Part:
    infos: list[SourceInfo] = []
    spans: list[Span | None] = []
    tell = counted(show)
    forms = Alike(limits, fields)

    def records() -> Iterator[Skimmed]:
        for piece in part:
            source = SpanSource(piece.named, piece.index, fields, limits, tell, stop, forms, piece.start, piece.end)
            yield from source.records()
            infos.append(source.info())
            spans.append(source.ending())

    return _Part(made(records()), infos, spans)


def _sent(part: Sequence[Piece], limits: Limits, fields: FieldTable, board: _Board, number: int) -> bytes:
    """In another process: what it read."""
    facts, infos, spans = _read(part, limits, fields, partial(board.show, number), board.stopped, pack)
    assert isinstance(facts, bytes)  # noqa: S101 - for the type checker
    return marshal.dumps((facts, [tuple(info) for info in infos], [None if one is None else tuple(one) for one in spans]))


def _received(data: bytes) -> _Part:
    recordings, infos, spans = marshal.loads(data)  # noqa: S302 - our own bytes, from a process that we started
    return _Part(recordings, [SourceInfo(*info) for info in infos], [None if one is None else Span(*one) for one in spans])


def _joined(found: Sequence[Sequence[Piece]], answers: list[_Part]) -> tuple[list[SourceInfo], Recordings] | None:
    total = Recordings()
    infos: dict[int, SourceInfo] = {}
    open_: Span | None = None  # of the source that the last part ended in
    for part, answer in zip(found, answers, strict=True):
        shift = Shift()
        first = part[0]
        span = answer.spans[0]
        if first.start:
            if open_ is None or span is None:
                return None
            if open_.stopped:
                break  # what lies between is not known, so neither is where this stands
            if not open_.goes_on(span):
                return None
            shift = Shift(first.index, open_.lines, open_.records, open_.docs)
        facts = answer.recordings
        total += facts if isinstance(facts, Recordings) else unpack(facts, shift)
        for piece, info, one in zip(part, answer.infos, answer.spans, strict=True):
            if one is None:
                infos[piece.index] = info
            elif piece.start:
                assert open_ is not None  # noqa: S101 - looked at above
                one = one.after(open_)
                before = infos[piece.index]
                infos[piece.index] = info._replace(
                    format=whole_format(one.forms), bytes=before.bytes + info.bytes, records=before.records + info.records
                )
            else:
                infos[piece.index] = info
            open_ = one
    for piece in (piece for part in found for piece in part):
        infos.setdefault(piece.index, SourceInfo(piece.named.name, "unreadable", 0, 0, None, NOT_READ.format(piece.named.name)))
    return [infos[index] for index in sorted(infos)], total
