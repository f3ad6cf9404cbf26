"""How far the reading is, on a terminal that looks on, from half a second after it began: bytes, records a second, time left.

Drawn by Rich, which is imported only then; a pipe sees nothing of it.
"""

import os
import sys
import time
from collections.abc import Sequence
from typing import Any

PATIENCE = 0.5
"""Seconds before anything is shown."""

_EVERY = 0.1


class Progress:
    """Call it with (bytes taken, records seen); `end` takes the line away."""

    def __init__(self, files: Sequence[str]) -> None:
        self._total = _size(files)
        self._begun = time.monotonic()
        self._next = self._begun + PATIENCE
        self._bar: Any = None
        self._task: Any = None

    def __call__(self, taken: int, seen: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _EVERY
        if self._bar is None:
            self._start()
        rate = f"{seen / (now - self._begun):,.0f} records/s"
        self._bar.update(self._task, completed=taken, rate=rate, refresh=True)

    def end(self) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("reading"),
            BarColumn(None),
            DownloadColumn(binary_units=True),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
        )
        # No thread draws it: one process more may be forked later.
        self._bar = Progress(*columns, console=Console(file=sys.stderr), transient=True, auto_refresh=False, expand=True)
        self._bar.start()
        self._task = self._bar.add_task("", total=self._total, rate="")


def wanted() -> bool:
    """Whether a terminal looks on that can redraw a line."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _size(files: Sequence[str]) -> int | None:
    """Bytes of all files as they lie on the disk; None where that is not known (a folder, a pipe)."""
    total = 0
    for name in files:
        if name == "-" or not os.path.isfile(name):
            return None
        total += os.path.getsize(name)
    return total
