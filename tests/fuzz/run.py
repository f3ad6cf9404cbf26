"""The command line in this process: arguments and standard input in; exit code, output, errors and time out."""

import io
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from typing_extensions import Buffer

from tracelink.cli import main

HANG = 20.0
"""Seconds after which a command is ended and told. The promise is 10 s a MB; machines that run tests may be busy."""


class Hang(BaseException):
    """Not an Exception: `main` must not catch it."""


def emptied(folder: Path) -> None:
    """Takes away what the last command left there, folders too."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


@dataclass(frozen=True)
class Done:
    arguments: tuple[str, ...]
    code: int
    out: bytes
    err: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.arguments} → {self.code} in {self.seconds:.2f} s\n{self.out[:1500]!r}\n{self.err[-3000:]}"


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang(f"more than {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Straight(io.BytesIO):
    """Writes to a descriptor and keeps nothing back, so that an error comes once and at once."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self.descriptor = descriptor

    def write(self, data: Buffer) -> int:
        return os.write(self.descriptor, data)


def run(*arguments: str, stdin: bytes = b"", stdout_to: int | None = None) -> Done:
    """Calls `main` as the script would. An exit 70 has its traceback in `err`.

    stdout_to: a file descriptor to write to instead of keeping the output; it is closed.
    """
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr
    first = os.dup(1)  # `main` points descriptor 1 at nothing where the pipe is closed
    out, err = io.BytesIO(), io.BytesIO()
    sys.argv = ["tracelink", *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    under = out if stdout_to is None else _Straight(stdout_to)
    sys.stdout = stdout = io.TextIOWrapper(under, encoding="utf-8", write_through=True)
    sys.stderr = stderr = io.TextIOWrapper(err, encoding="utf-8", errors="backslashreplace", write_through=True)
    os.environ["TRACELINK_DEBUG"] = "1"
    started = time.perf_counter()
    try:
        with limited(HANG):
            code = main()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except Hang as error:
        code = -1
        stderr.write(f"hang: {error}")
    finally:
        seconds = time.perf_counter() - started
        sys.argv, sys.stdin, sys.stdout, sys.stderr = kept
        del os.environ["TRACELINK_DEBUG"]
        os.dup2(first, 1)
        os.close(first)
    done = Done(arguments, code, out.getvalue(), err.getvalue().decode(), seconds)
    stdout.detach()
    stderr.detach()
    if stdout_to is not None:
        os.close(stdout_to)
    return done
