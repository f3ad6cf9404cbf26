"""The values that the gate works on: those of the reader, exact where the fast decoder is not, and those in texts inside of values.

The idea: what a log keeps of an HTTP body is a text, JSON or SSE; it is read by the same framings as a file, and what of it cannot be
read is told like a torn line.
"""

import base64
import binascii
from collections.abc import Iterator
from typing import Any

from tracelink.gate import exact
from tracelink.read import Value, Values
from tracelink.read.decode import given_twice
from tracelink.read.frame import Frame

_STREAM = ("data:", "event:", "id:", "retry:", ":")


class Texts:
    """Call it with a text for the (value, SSE event name) pairs in it. `torn` collects what could not be read, `bent` what had to be bent."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self.torn: list[str] = []
        self.bent: list[str] = []

    def __call__(self, text: str) -> Iterator[tuple[Any, str | None]]:
        raw = text.raw if isinstance(text, exact.Bent) else text
        for found in self._values.texts(raw):
            if not isinstance(found, Frame):
                if not found.chatter:
                    self.torn.append(found.detail)
            elif found.repaired is not None:
                self.torn.append("it ends in the middle of a value")
            elif found.raw.strip() != b"[DONE]":
                doubts = found.doubts + given_twice(found.raw, found.value)
                self.bent += _holding(doubts)
                yield _exactly(found.value, found.raw, always=bool(doubts)), found.event

    @staticmethod
    def whole(value: Value) -> tuple[Any, tuple[str, ...]]:
        """A reader's value as the gate takes it, and the doubts that still hold."""
        if value.frame is None or not value.whole or not (value.doubts or exact.doubtful(value.frame.raw)):
            return value.value, value.doubts
        found = _exactly(value.value, value.frame.raw, always=True)
        if found is value.value:
            return found, value.doubts
        return found, tuple(_holding(value.doubts))


def _holding(doubts: tuple[str, ...]) -> list[str]:
    """The doubts that hold for a value that is read exactly."""
    return [doubt for doubt in doubts if not doubt.startswith(exact.TOLD_AS_BENT)]


def _exactly(value: Any, raw: bytes, always: bool = False) -> Any:
    if not always and not exact.doubtful(raw):
        return value
    try:
        return exact.loads(raw)
    except (ValueError, RecursionError):
        return value


def holds(text: str) -> bool:
    """Whether a text begins like JSON or like a stream."""
    head = text[:64].lstrip()
    return head[:1] in ("{", "[") or head.startswith(_STREAM)


def body(text: str, encoding: Any) -> str:
    """A text, decoded where what stands beside it says that it is base64 (HAR)."""
    if encoding != "base64":
        return text
    try:
        return base64.b64decode(text, validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return text
