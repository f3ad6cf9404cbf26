"""What the user names → binary sources, each with its name: files, directories, standard input, open streams, bytes.

The idea: everything that cannot be read becomes a source with a `problem`, one clear sentence, so that no caller has
to catch anything. The same file is given out once, however often and by whatever path it is named.
"""

import io
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple

from tracelink.model.limits import Limits

_HIDDEN = frozenset({"CVS", "_darcs", "__pycache__"})  # .git, .hg and .svn are hidden by their dot


class Named(NamedTuple):
    """A source to read. Exactly one of `path`, `stream` and `problem` is set. `size` in bytes, None where unknown.

    listed: nobody named it, it lay in a folder.
    """

    name: str
    path: str | None = None
    stream: BinaryIO | None = None
    size: int | None = None
    problem: str | None = None
    listed: bool = False

    def open(self) -> BinaryIO:
        """May raise OSError."""
        if self.stream is not None:
            return self.stream
        assert self.path is not None  # noqa: S101
        return open(self.path, "rb", buffering=0)


def expand(given: Sequence["str | os.PathLike[str] | BinaryIO | bytes"], limits: Limits) -> Iterator[Named]:
    seen: set[str] = set()
    for one in given:
        if isinstance(one, (bytes, bytearray, memoryview)):
            data = bytes(one)
            yield Named("<bytes>", stream=io.BytesIO(data), size=len(data))
        elif isinstance(one, (str, os.PathLike)):
            name = os.fspath(one)
            if name == "-":
                if "-" not in seen:
                    seen.add("-")
                    yield _standard_input()
            else:
                yield from _path(name, seen, limits)
        else:
            label = getattr(one, "name", None)
            yield Named(label if isinstance(label, str) else "<stream>", stream=one)


def _standard_input() -> Named:
    stream: Any = getattr(sys.stdin, "buffer", sys.stdin)
    if stream is None or getattr(stream, "closed", False):
        return Named("-", problem="standard input is closed; name a file instead")
    return Named("-", stream=stream)


def _path(name: str, seen: set[str], limits: Limits) -> Iterator[Named]:
    try:
        status = os.stat(name)
        real = os.path.realpath(name)
    except (OSError, ValueError) as error:
        yield Named(name, problem=_sentence(name, error))
        return
    if real in seen:
        return
    seen.add(real)
    mode = status.st_mode
    if stat.S_ISDIR(mode):
        yield from _directory(name, seen, limits)
    elif stat.S_ISREG(mode):
        yield Named(name, path=name, size=status.st_size)
    elif stat.S_ISFIFO(mode):
        yield Named(name, path=name)
    elif stat.S_ISSOCK(mode):
        yield Named(name, problem=f"{name} is a socket, not a file; record it to a file first")
    else:
        yield Named(name, problem=f"{name} is a device, not a file; name a file or pipe it in with -")


def _directory(name: str, seen: set[str], limits: Limits) -> Iterator[Named]:
    count = 0
    for found in _walk(name):
        if isinstance(found, Named):
            yield found
            continue
        try:
            status = os.stat(found)
            real = os.path.realpath(found)
        except (OSError, ValueError):
            continue  # a link to nowhere
        if not stat.S_ISREG(status.st_mode):
            continue
        count += 1
        if count > limits.files:
            yield Named(
                name,
                problem=f"{name} holds more than {limits.files} files; the rest was not read: name a smaller directory or raise the limit",
            )
            return
        if real not in seen:
            seen.add(real)
            yield Named(found, path=found, size=status.st_size, listed=True)
    if not count:
        yield Named(name, problem=f"{name} is a directory without a file in it; name the files or another directory")


def _walk(top: str) -> Iterator["str | Named"]:
    """Paths of the files below, sorted, hidden ones and visited directories left out."""
    visited = {os.path.realpath(top)}
    pending = [top]
    while pending:
        here = pending.pop()
        try:
            with os.scandir(here) as entries:
                members = sorted(entries, key=lambda entry: entry.name, reverse=True)
        except OSError as error:
            yield Named(here, problem=_sentence(here, error))
            continue
        files: list[str] = []
        for member in members:
            if member.name.startswith(".") or member.name in _HIDDEN:
                continue
            try:
                if member.is_dir():
                    real = os.path.realpath(member.path)
                    if real not in visited:
                        visited.add(real)
                        pending.append(member.path)
                else:
                    files.append(member.path)
            except OSError:
                continue
        yield from reversed(files)


def _sentence(name: str, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{name} does not exist; check the path"
    if isinstance(error, PermissionError):
        return f"{name} may not be read by this user; change its permissions or copy it"
    if isinstance(error, OSError) and error.strerror:
        return f"{name} cannot be read ({error.strerror}); check the path"
    return f"{name!r} is no usable path ({error}); check it"


def cannot_open(name: str, error: Exception) -> str:
    """The sentence for a source that failed when it was opened."""
    return _sentence(name, error)
