"""A binary stream → blocks of decompressed bytes, gzip and zstd by their magic bytes.

The idea: one generator-like reader that bounds what comes out of each step, so that a compression bomb is seen
before it is in memory. What goes wrong at the end (cut off, damaged, too much) is kept as `trouble`; all good
bytes before it are given out first.
"""

import importlib
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple, Protocol

from tracelink.model.limits import Limits, MiB

BLOCK = MiB
_FREE = 64 * MiB  # below this much output the ratio is not looked at (`Limits.ratio`)
_OTHERS = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "zip",
    b"7z\xbc\xaf": "7-Zip",
    b"\x04\x22\x4d\x18": "lz4",
}


class Trouble(NamedTuple):
    """code: TL002 (cut off), TL001 (damaged) or TL011 (a limit). message: one sentence."""

    code: str
    message: str


class _Step(Protocol):
    """One member or frame being decompressed."""

    def feed(self, data: bytes) -> Iterator[bytes]: ...

    eof: bool
    rest: bytes


class _Gzip:
    def __init__(self) -> None:
        self._inner = zlib.decompressobj(31)
        self.eof = False
        self.rest = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        while True:
            out = self._inner.decompress(data, BLOCK)
            if out:
                yield out
            data = self._inner.unconsumed_tail
            if self._inner.eof or (not data and len(out) < BLOCK):
                break
        self.eof = self._inner.eof
        self.rest = self._inner.unused_data


class _Zstd:
    """Both libraries: `compression.zstd` of Python 3.14 and the `zstandard` package. Fed in slices so small that one step's
    output is bounded (a zstd block of a few bytes can stand for 128 KiB)."""

    _SLICE = 1024

    def __init__(self, make: Callable[[], Any]) -> None:
        self._inner = make()
        self.eof = False
        self.rest = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        for at in range(0, len(data), self._SLICE):
            out = self._inner.decompress(data[at : at + self._SLICE])
            if out:
                yield out
            if self._inner.eof:
                self.eof = True
                self.rest = self._inner.unused_data + data[at + self._SLICE :]
                return


def _zstd() -> Callable[[], Any] | None:
    if sys.version_info >= (3, 14):
        found: Callable[[], Any] = importlib.import_module("compression.zstd").ZstdDecompressor
        return found
    try:
        module = importlib.import_module("zstandard")
    except ImportError:
        return None
    return lambda: module.ZstdDecompressor(max_window_size=1 << 31).decompressobj()


def is_compressed(head: bytes) -> bool:
    """Whether a source that begins so is compressed, in a way that is read here or in another."""
    return head.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd", *_OTHERS)) or _skippable(head)


def _skippable(head: bytes) -> bool:
    """A skippable frame of zstd."""
    return head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F


class Blocks:
    """Iterate for the decompressed bytes. Single pass; after it `total`, `compression`, `trouble` and `problem` are final.

    stop: asked before each block; once it is true, the line that was begun is finished and `stopped` set.
    problem: the source cannot be used at all (another compression, zstd without a library), one sentence.
    """

    def __init__(
        self,
        stream: BinaryIO,
        name: str,
        limits: Limits,
        progress: Callable[[int], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self._stop = stop
        self.stopped = False
        self._stream = stream
        self._name = name
        self._limits = limits
        self._progress = progress
        self.compression: str | None = None
        self.total = 0
        self.taken = 0
        self.trouble: Trouble | None = None
        self.problem: str | None = None

    def __iter__(self) -> Iterator[bytes]:
        limits = self._limits
        for block in self._unpacked():
            room = limits.total_bytes - self.total
            if len(block) > room:
                self.total += room
                if room:
                    yield block[:room]
                self.trouble = Trouble(
                    "TL011",
                    f"{self._name} was read up to the limit of {limits.total_bytes} bytes and no further; split it or raise the limit",
                )
                return
            if self._stop is not None and self._stop():
                yield from self._stopped(block)
                return
            self.total += len(block)
            if self.compression and self.total > _FREE and self.total > limits.ratio * self.taken:
                self.trouble = Trouble(
                    "TL011",
                    f"{self._name} unpacks to more than {limits.ratio} times its size, as a compression bomb does, and was read"
                    f" up to byte {self.total}; unpack it yourself if it is genuine",
                )
                return
            yield block

    def _stopped(self, block: bytes) -> Iterator[bytes]:
        """The end of the line that was begun, so that none is torn by stopping."""
        end = block.find(b"\n") + 1 if self.total else 0
        self.total += end
        if end:
            yield block[:end]
        self.stopped = True
        self.trouble = Trouble("TL011", f"{self._name} was read up to byte {self.total} and no further, because it was stopped")

    def _raw(self) -> Iterator[bytes]:
        read = getattr(self._stream, "read1", None) or self._stream.read
        while True:
            try:
                block = read(BLOCK)
            except (OSError, ValueError) as error:
                self.trouble = Trouble("TL002", f"{self._name} could not be read to its end ({error}); what was read is used")
                return
            if not block:
                return
            self.taken += len(block)
            if self._progress is not None:
                self._progress(self.taken)
            yield bytes(block)

    def _unpacked(self) -> Iterator[bytes]:
        raw = self._raw()
        head = b""
        for block in raw:
            head += block
            if len(head) >= 8:
                break
        make: Callable[[], _Step]
        if head.startswith(b"\x1f\x8b"):
            self.compression, make = "gzip", _Gzip
        elif head.startswith(b"\x28\xb5\x2f\xfd") or _skippable(head):
            self.compression = "zstd"
            library = _zstd()
            if library is None:
                self.problem = f"{self._name} is compressed with zstd, which needs a library: install tracelink[zstd]"
                return
            make = lambda: _Zstd(library)  # noqa: E731
        else:
            for magic, what in _OTHERS.items():
                if head.startswith(magic):
                    self.problem = f"{self._name} is a {what} file, which is not read here; unpack it first"
                    return
            if head:
                yield head
            yield from raw
            return
        yield from self._members(head, raw, make)

    def _members(self, data: bytes, raw: Iterator[bytes], make: Callable[[], _Step]) -> Iterator[bytes]:
        step = make()
        started = True
        while True:
            if data:
                if not started:
                    if self.compression == "gzip" and not data.strip(b"\0"):
                        data = next(raw, b"")
                        if not data:
                            return
                        continue
                    step, started = make(), True
                try:
                    yield from step.feed(data)
                except Exception as error:  # each library has its own error classes
                    self.trouble = Trouble(
                        "TL001",
                        f"the {self.compression} data of {self._name} is damaged ({error}); what came before the damage is used",
                    )
                    return
                if step.eof:
                    data, started = step.rest, False
                    if data:
                        continue
            data = next(raw, b"")
            if not data:
                break
        if started and self.trouble is None:
            self.trouble = Trouble(
                "TL002", f"the {self.compression} data of {self._name} is cut off; what came before the cut is used"
            )
