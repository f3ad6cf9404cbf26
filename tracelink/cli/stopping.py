"""Ctrl-C with `--partial`: the first ends the reading, so that what was found so far is told; the second ends the program."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130


class Stopping:
    """asked: whether Ctrl-C was pressed while reading."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self) -> bool:
        return self.asked

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Takes Ctrl-C as a wish while the body runs."""

        def wish(number: int, frame: FrameType | None) -> None:
            self.asked = True
            signal.signal(signal.SIGINT, before)

        before = signal.signal(signal.SIGINT, wish)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
