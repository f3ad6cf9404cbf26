"""The redacted files: where each goes, and how it gets there whole or not at all.

Nothing is written but below the named folder; no link in it is followed; no input is ever a target. Each file is written beside its place
under a name of its own and then put there, so that a file which exists is never half of one, and is replaced only with `force`.
"""

import codecs
import importlib
import os
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Any, BinaryIO, NamedTuple

from tracelink.model.limits import Limits
from tracelink.read.source import Named, expand


class TargetError(Exception):
    """A file that may not or cannot be written; the message is one sentence."""


class Job(NamedTuple):
    """A source, and the name of its redacted file below the folder, with `/` between folders."""

    source: Named
    target: str


def plan(given: Iterable[str], folder: str, limits: Limits, rename: Any) -> list[Job]:
    """All sources with their targets: a file under its own name, what lies in a named folder at the same place below that folder's name;
    `(2)` and so on where two have one name. What lies in `folder` itself is left out. rename: a path's part → what it is called."""
    inside = os.path.realpath(folder) + os.sep
    taken: set[str] = set()
    jobs = []
    names = [os.fspath(one) for one in given]
    tops = sorted((name for name in names if name != "-" and os.path.isdir(name)), key=len, reverse=True)
    for source in expand(names, limits):
        if source.listed and source.path is not None and os.path.realpath(source.path).startswith(inside):
            continue
        parts = [rename(part) for part in _parts(source, tops)]
        jobs.append(Job(source, _free("/".join(parts), taken)))
    return jobs


def _parts(source: Named, tops: list[str]) -> list[str]:
    if source.name == "-" or source.path is None:
        return ["stdin" if source.name == "-" else PurePath(source.name).name or "source"]
    if source.listed:
        top = next((one for one in tops if _below(source.path, one)), None)
        if top is not None:
            return [part for part in PurePath(os.path.relpath(source.path, top)).parts if part not in ("..", "/", ".")]
    return [PurePath(source.path).name]


def _below(path: str, top: str) -> bool:
    return os.path.normpath(path).startswith(os.path.normpath(top).rstrip(os.sep) + os.sep) or os.path.normpath(top) == "."


def _free(name: str, taken: set[str]) -> str:
    stem, dot, ending = name.rpartition("/")[2].partition(".")
    folder = name[: len(name) - len(stem) - len(dot) - len(ending)]
    found, number = name, 1
    while found.casefold() in taken:
        number += 1
        found = f"{folder}{stem}({number}){dot}{ending}"
    taken.add(found.casefold())
    return found


def check(jobs: list[Job], folder: str, force: bool) -> None:
    """Raises TargetError if any target may not be written. Nothing is written before all were looked at."""
    top = os.path.realpath(folder)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise TargetError(f"{folder} is no folder; name another one with -o")
    inputs = [os.path.realpath(job.source.path) for job in jobs if job.source.path is not None]
    for job in jobs:
        target = os.path.join(top, *job.target.split("/"))
        _no_links(top, job.target)
        if os.path.lexists(target):
            if any(os.path.realpath(target) == one for one in inputs) or (
                job.source.name == "-" and _is_standard_input(target)
            ):
                raise TargetError(f"{target} is also an input; inputs are never overwritten: name another folder with -o")
            if not force:
                raise TargetError(f"{target} exists; remove it, name another folder with -o, or overwrite it with --force")
            if os.path.isdir(target) and not os.path.islink(target):
                raise TargetError(f"{target} is a folder; name another one with -o")


def _is_standard_input(target: str) -> bool:
    try:
        return os.path.samestat(os.fstat(0), os.stat(target))
    except (OSError, ValueError):
        return False


def _no_links(top: str, target: str) -> None:
    here = top
    for part in target.split("/")[:-1]:
        here = os.path.join(here, part)
        try:
            mode = os.lstat(here).st_mode
        except FileNotFoundError:
            return
        if not stat.S_ISDIR(mode):
            what = "a link" if stat.S_ISLNK(mode) else "no folder"
            raise TargetError(f"{here} is {what}, and nothing is written through it; name another folder with -o")


@contextmanager
def writing(folder: str, target: str, force: bool) -> Iterator[BinaryIO]:
    """A file that appears as `target` below `folder` when the block ends well. Raises TargetError."""
    top = os.path.realpath(folder)
    place = Path(top, *target.split("/"))
    name = None
    try:
        os.makedirs(place.parent, exist_ok=True)
        _no_links(top, target)
        handle, name = tempfile.mkstemp(prefix=".redact-", dir=place.parent)
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(name, 0o666 & ~_umask())
        if force:
            os.replace(name, place)  # a link there is replaced, not what it points at
            name = None
        else:
            os.link(name, place)  # fails where anything has that name by now
    except FileExistsError:
        raise TargetError(f"{place} exists by now; it was not overwritten") from None
    except OSError as error:
        raise TargetError(f"{place} cannot be written: {error.strerror or error}") from error
    finally:
        if name is not None:
            os.unlink(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


class Packed:
    """Bytes on their way into a file, packed as the source was. ending: TL001 or TL002 where the source's own end was damaged or cut."""

    def __init__(self, file: BinaryIO, compression: str | None, encoding: str | None) -> None:
        self._file, self._kind = file, compression
        self._decode = codecs.getincrementaldecoder("utf-8")("replace") if encoding else None
        self._encoding = encoding
        self._inner: Any = None
        if compression == "gzip":
            self._inner = zlib.compressobj(6, zlib.DEFLATED, 31)
        elif compression == "zstd":
            self._inner = _zstd()

    def write(self, data: bytes) -> None:
        if self._decode is not None and self._encoding is not None:
            data = self._decode.decode(data).encode(self._encoding)
        self._raw(data)

    def mark(self, data: bytes) -> None:
        """A byte-order mark, as it is."""
        self._raw(data)

    def _raw(self, data: bytes) -> None:
        self._file.write(self._inner.compress(data) if self._inner is not None else data)

    def end(self, ending: str | None) -> None:
        if self._inner is None:
            return
        rest = self._inner.flush()
        if ending == "TL002" and self._kind == "gzip":
            rest = rest[:-8]  # without its check sum a member counts as cut off, and nothing of it is lost
        elif ending == "TL002":
            rest = rest[:-1]
        self._file.write(rest)
        if ending == "TL001":
            self._file.write(b"\x1f\x8b\xff" * 8 if self._kind == "gzip" else b"\0" * 16)


def _zstd() -> Any:
    if sys.version_info >= (3, 14):
        return importlib.import_module("compression.zstd").ZstdCompressor()
    return importlib.import_module("zstandard").ZstdCompressor().compressobj()
