"""`-o FILE`: a file is written whole or not at all, and never over something that was read.

It is written beside its place under another name and then moved there, so that nobody ever sees half of it.
"""

import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tracelink.cli.out import OutputError, write

STDOUT = "-"


def guard(target: str, sources: Iterable[str]) -> None:
    """Raises OutputError if `target` is one of the files that are read, by whatever name or link."""
    for source in sources:
        if target == STDOUT:
            continue
        if source == STDOUT and _is_standard_input(target):
            raise OutputError(f"{target} is also the input (standard input comes from it); inputs are never overwritten.")
        if source != STDOUT and _same(target, source):
            raise OutputError(f"{target} is also an input ({source}); inputs are never overwritten.")


def _is_standard_input(target: str) -> bool:
    """Whether standard input was redirected from the file `target`; a pipe or a terminal is no file."""
    try:
        given, named = os.fstat(0), os.stat(target)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(given.st_mode) and os.path.samestat(given, named)


def _same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):  # one of them does not exist (yet)
        return os.path.realpath(one) == os.path.realpath(other)


def save(target: str, data: bytes | Iterable[bytes]) -> None:
    """Writes `data` to the file `target`, or to standard output for `-`. Raises OutputError; then no file was changed."""
    pieces = (data,) if isinstance(data, bytes) else data
    if target == STDOUT:
        for piece in pieces:
            write(piece)
        return
    path = Path(os.path.realpath(target))  # a link stays a link: what it points at is written
    try:
        mode = path.stat().st_mode if path.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            with path.open("wb") as device:  # a device or a named pipe is nothing to be replaced
                device.writelines(pieces)
        else:
            _replace(path, pieces, stat.S_IMODE(mode) if mode is not None else 0o666 & ~_umask())
    except OSError as error:
        raise OutputError(f"{target} cannot be written: {error.strerror or error}.") from error


def _replace(path: Path, pieces: Iterable[bytes], mode: int) -> None:
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(13, "it is write-protected")
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
