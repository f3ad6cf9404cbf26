"""What the framings yield: a value with its place, or a place where there is none."""

from bisect import bisect_right
from typing import Any, NamedTuple

from tracelink.read.document import Repaired
from tracelink.read.sse import Piece

EXCERPT = 200
JSONL, SSE, DOCUMENT, SEQUENCE = "jsonl", "sse", "document", "sequence"


class Frame(NamedTuple):
    """A JSON value that the framing yields.

    line, byte: of its first character. raw: its text. form: jsonl, sse, document or sequence (several on one line).
    event, event_id: of the SSE frame. received: a log line's time. pieces: see `Payload`. repaired: set where the text is damaged
    and `value` holds what is complete in it. sure: known to have no member twice.
    """

    value: Any
    line: int
    byte: int
    raw: bytes
    form: str
    doubts: tuple[str, ...] = ()
    event: str | None = None
    event_id: str | None = None
    received: float | None = None
    pieces: tuple[Piece, ...] = ()
    repaired: Repaired | None = None
    sure: bool = False


class Bad(NamedTuple):
    """Something that is no JSON. `chatter`: a line of text that never claimed to be any."""

    code: str
    detail: str
    text: str
    line: int
    byte: int
    chatter: bool = False


def place(raw: bytes, at: int, line: int, byte: int, pieces: tuple[Piece, ...]) -> tuple[int, int]:
    """(line, byte) in the source of position `at` in `raw`, which starts at (line, byte)."""
    if pieces:
        start, there, number = pieces[bisect_right(pieces, at, key=lambda piece: piece[0]) - 1]
        return number, there + at - start
    return line + raw.count(b"\n", 0, at), byte + at


def excerpt(raw: bytes) -> str:
    return raw[: 4 * EXCERPT].decode("utf-8", "backslashreplace")[:EXCERPT]


def chatter(text: bytes, line: int, byte: int) -> Bad:
    return Bad("TL001", "not JSON: a line of text", excerpt(text), line, byte, True)


def too_large(size: int, limit: int, head: bytes, line: int, byte: int, what: str) -> Bad:
    return Bad(
        "TL011",
        f"the {what} is {size} bytes long, more than the limit of {limit}, and was skipped; raise the limit to read it",
        excerpt(head),
        line,
        byte,
    )


def too_deep_trouble(limit: int, raw: bytes, line: int, byte: int) -> Bad:
    return Bad(
        "TL011",
        f"the value is nested deeper than the limit of {limit} levels and was skipped ({len(raw)} bytes); raise the limit to read it",
        excerpt(raw),
        line,
        byte,
    )
