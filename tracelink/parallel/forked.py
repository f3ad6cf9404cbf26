"""Work shared among processes: each piece is done in a process of its own, forked from this one, which does its share meanwhile.

Processes are forked so that nothing is imported or sent twice; each sends back its answer, as bytes, once. What one of them cannot do
(it dies, for want of memory perhaps) is no error here: whoever gave out the work then does all of it in one process.
"""

import gc
import os
import signal
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

_TICK = 0.1  # seconds between two looks


def can_fork() -> bool:
    """Whether forking is to be had."""
    from multiprocessing import get_all_start_methods

    return "fork" in get_all_start_methods()


class Forked:
    """`with Forked(pieces) as others`: they work while the body runs; when it ends, however it ends, none of them is left."""

    def __init__(self, pieces: Sequence[Callable[[], bytes]]) -> None:
        self._pieces = pieces
        self._workers: list[Any] = []
        self._ends: dict[Any, int] = {}
        self._short = False  # of processes

    def __enter__(self) -> Self:
        try:
            for number, piece in enumerate(self._pieces):
                self._start(number, piece)
        except OSError:  # no more processes may be had
            self._short = True
            self._end()
        except BaseException:
            self._end()
            raise
        return self

    def _start(self, number: int, piece: Callable[[], bytes]) -> None:
        from multiprocessing import get_context

        context = get_context("fork")
        ours, theirs = context.Pipe(duplex=False)
        worker = context.Process(target=_work, args=(piece, theirs), daemon=True)
        worker.start()
        theirs.close()
        self._workers.append(worker)
        self._ends[ours] = number

    def answers(self, look: Callable[[], None] | None = None) -> list[bytes] | None:
        """What each sent, in order, once all are done; None if one died or never began. look: called now and then until then."""
        from multiprocessing import connection

        if self._short:
            return None
        found: dict[int, bytes] = {}
        while self._ends:
            for end in connection.wait(list(self._ends), _TICK if look is not None else None):
                number = self._ends.pop(end)
                try:
                    found[number] = end.recv_bytes()  # type: ignore[union-attr]
                except (EOFError, OSError):
                    self._ends[end] = number
                    return None
                end.close()  # type: ignore[union-attr]
            if look is not None:
                look()
        return [found[number] for number in range(len(self._pieces))]

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._end()

    def _end(self) -> None:
        for worker in self._workers:
            if self._ends:
                worker.terminate()
            worker.join()
        for end in self._ends:
            end.close()
        self._workers, self._ends = [], {}


def _work(piece: Callable[[], bytes], end: Any) -> None:
    """In the new process. Ctrl-C is the first process's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    code = 1
    try:
        end.send_bytes(piece())
        code = 0
    finally:
        os._exit(code)  # nothing is left to tidy up, and freeing millions of values one by one takes its time
