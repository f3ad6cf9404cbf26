"""The parts, each read and folded in a process of its own, put together again.

Processes are forked: nothing is imported or sent twice, and each sends back its recordings once. Where forking is not to be had,
everything is read in one process.
"""

import gc
import marshal
import mmap
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import connection, get_all_start_methods, get_context
from typing import Any, NamedTuple

from tracelink.fold import fold
from tracelink.model.limits import Limits
from tracelink.model.record import SourceInfo
from tracelink.model.recording import Recordings
from tracelink.parallel.counted import Progress, counted
from tracelink.parallel.pack import Shift, pack, unpack
from tracelink.parallel.parts import Piece
from tracelink.read.alike import Alike
from tracelink.read.fields import FieldTable
from tracelink.read.records import Skimmed
from tracelink.read.span import Span, SpanSource, whole_format

NOT_READ = "{} was not read: the run was stopped before"
_TICK = 0.1  # seconds between two looks at the progress
_SLOT = 16


class _Part(NamedTuple):
    recordings: bytes
    infos: list[SourceInfo]
    spans: list[Span | None]


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
    if "fork" not in get_all_start_methods():
        return None
    table = mmap.mmap(-1, _SLOT * len(found) + 1)
    try:
        answers = _run(found, limits, fields, table, progress, stop)
    finally:
        table.close()
    return None if answers is None else _joined(found, answers)


def _run(
    found: Sequence[Sequence[Piece]],
    limits: Limits,
    fields: FieldTable,
    table: mmap.mmap,
    progress: Progress | None,
    stop: Callable[[], bool] | None,
) -> list[_Part] | None:
    context = get_context("fork")
    flag = _SLOT * len(found)
    if stop is not None and stop():
        table[flag] = 1
    workers = []
    ends: dict[Any, int] = {}
    for number, part in enumerate(found):
        ours, theirs = context.Pipe(duplex=False)
        worker = context.Process(target=_work, args=(part, limits, fields, table, number, flag, theirs), daemon=True)
        worker.start()
        theirs.close()
        workers.append(worker)
        ends[ours] = number
    answers: dict[int, _Part] = {}
    try:
        while ends:
            for end in connection.wait(list(ends), _TICK if progress or stop else None):
                number = ends.pop(end)
                try:
                    answers[number] = _received(end.recv_bytes())  # type: ignore[union-attr]
                except (EOFError, OSError, ValueError):
                    return None  # it died, for want of memory perhaps
                finally:
                    end.close()  # type: ignore[union-attr]
            if progress is not None:
                progress(*_sums(table, len(found)))
            if stop is not None and stop():
                table[flag] = 1
    finally:
        for worker in workers:
            if ends:
                worker.terminate()
            worker.join()
        for end in ends:
            end.close()
    return [answers[number] for number in range(len(found))]


def _sums(table: mmap.mmap, count: int) -> tuple[int, int]:
    rows = [int.from_bytes(table[at : at + 8], "little") for at in range(0, _SLOT * count, 8)]
    return sum(rows[::2]), sum(rows[1::2])


def _work(part: list[Piece], limits: Limits, fields: FieldTable, table: mmap.mmap, number: int, flag: int, end: Any) -> None:
    """In the new process. Ctrl-C is the first process's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    infos: list[SourceInfo] = []
    spans: list[Span | None] = []
    at = _SLOT * number

    def show(taken: int, seen: int) -> None:
        table[at : at + _SLOT] = taken.to_bytes(8, "little") + seen.to_bytes(8, "little")

    tell = counted(show)
    forms = Alike(limits, fields)

    def stop() -> bool:
        return bool(table[flag])

    def records() -> Iterator[Skimmed]:
        for piece in part:
            source = SpanSource(piece.named, piece.index, fields, limits, tell, stop, forms, piece.start, piece.end)
            yield from source.records()
            infos.append(source.info())
            spans.append(source.ending())

    data = pack(fold(records()))
    end.send_bytes(
        marshal.dumps((data, [tuple(info) for info in infos], [None if one is None else tuple(one) for one in spans]))
    )
    end.close()
    os._exit(0)  # nothing is left to tidy up, and freeing millions of values one by one takes its time


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
        total += unpack(answer.recordings, shift)
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
