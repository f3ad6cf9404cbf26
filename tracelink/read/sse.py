"""Server-sent events: field lines → one payload a frame (fact sheet A.4).

The idea: collect `data:` lines with the place of each in the file until the frame ends; the JSON in them is decoded by whoever
asked. Comments and `retry:` are read over. A frame also ends where a new one plainly begins without a blank line.
"""

from typing import NamedTuple

from tracelink.read.decode import loads

_FIELDS = (b"data:", b"event:", b"id:", b"retry:")

Piece = tuple[int, int, int]
"""Where a data line starts: position in the payload, byte in the source, line in the source."""


class Payload(NamedTuple):
    """data: the data lines joined by LF. `size` is larger than `data` where the limit cut it."""

    data: bytes
    pieces: tuple[Piece, ...]
    event: str | None
    event_id: str | None
    size: int


def is_field(line: bytes) -> bool:
    return line.startswith(_FIELDS) or line[:1] == b":"


class Frames:
    """`field` takes a line, `take` gives out the collected frame (None if there is nothing in it)."""

    __slots__ = ("_data", "_event", "_id", "_last_id", "_limit", "_pieces", "_size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._last_id: str | None = None
        self._clear()

    def _clear(self) -> None:
        self._data: list[bytes] = []
        self._pieces: list[Piece] = []
        self._size = 0
        self._event: str | None = None
        self._id: str | None = None

    @property
    def busy(self) -> bool:
        return bool(self._data) or self._event is not None or self._id is not None

    @property
    def knows_ids(self) -> bool:
        return self._last_id is not None

    def begins_anew(self, line: bytes) -> bool:
        """True if this line starts another frame although no blank line ended the last."""
        if not self._data:
            return False
        if line.startswith(b"event:"):
            return self._event is not None or self._complete()
        return len(self._data) == 1 and line.startswith((b"data: {", b"data:{")) and self._complete()

    def _complete(self) -> bool:
        try:
            loads(b"\n".join(self._data))
        except ValueError:
            return False
        return True

    def field(self, number: int, offset: int, line: bytes) -> None:
        if line.startswith(b"data:"):
            at = 6 if line[5:6] == b" " else 5
            if self._size + len(line) - at <= self._limit:
                self._pieces.append((self._size, offset + at, number))
                self._data.append(line[at:])
            elif not self._pieces:
                self._pieces.append((0, offset + at, number))
                self._data.append(line[at : at + 200])
            self._size += len(line) - at + 1
        elif line.startswith(b"event:"):
            self._event = line[6:].strip().decode("utf-8", "replace") or None
        elif line.startswith(b"id:"):
            self._id = line[3:].strip().decode("utf-8", "replace") or None

    def take(self) -> Payload | None:
        if not self._data:
            self._clear()
            return None
        # An id that the frame itself gives, and gives anew, is the event's; a repeated one is a position in a stream.
        own = self._id if self._id is not None and self._id != self._last_id else None
        self._last_id = self._id or self._last_id
        payload = Payload(b"\n".join(self._data), tuple(self._pieces), self._event, own, max(0, self._size - 1))
        self._clear()
        return payload
