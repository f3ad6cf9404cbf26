"""JSON text → values and back without a digit lost, for what must go on as it was written.

The idea: decoding keeps what a Python value can hold exactly; a number or a text that it cannot hold comes as a subclass that
remembers how it was written, and `dumps` writes that. Everybody else sees an ordinary float or str.
"""

import json
import re
from decimal import Decimal, InvalidOperation
from typing import Any

_DOUBTFUL = re.compile(rb"[\d.]{16}|[eE][-+]?\d{3}|-0(?![.\d])|\\u[dD][89a-fA-F]|NaN|Infinity")
_LONE = re.compile("[\ud800-\udfff]")
_CONSTANTS = frozenset(("NaN", "Infinity", "-Infinity"))
TOLD_AS_BENT = ("a number is too large for 64 bits", "a lone surrogate was read")
"""Beginnings of the reader's doubts that do not hold for a value read here: nothing was bent."""


class Exact(float):
    """A number that no float or int holds as it was written (`1e400`, `-0`, twenty digits after the point), or NaN."""

    def __new__(cls, text: str) -> "Exact":
        made = super().__new__(cls, float(text))
        made.text = text
        return made

    text: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exact) and self.text == other.text

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.text)

    def __deepcopy__(self, memo: Any) -> "Exact":
        return self


class Bent(str):
    """A text with a lone surrogate. It reads as the escape that was written, which can be shown; `raw` is the text itself."""

    __slots__ = ("raw",)

    def __new__(cls, raw: str) -> "Bent":
        made = super().__new__(cls, raw.encode("utf-8", "backslashreplace").decode())
        made.raw = raw
        return made

    raw: str

    def __deepcopy__(self, memo: Any) -> "Bent":
        return self


class Twice(dict[str, Any]):
    """An object that gives a member twice. It reads as the last one says; `pairs` are all."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs

    def __deepcopy__(self, memo: Any) -> "Twice":
        return self


def doubtful(raw: bytes) -> bool:
    """Whether the text may hold something that the fast decoder does not keep. Cheap; says yes too often."""
    return _DOUBTFUL.search(raw) is not None


def holds(value: Any) -> bool:
    """Whether a value holds, at any depth, a number, text or object that only `dumps` writes as it was."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Exact | Bent | Twice):
            return True
        waiting += one.values() if isinstance(one, dict) else one if isinstance(one, list | tuple) else ()
    return False


def loads(raw: bytes) -> Any:
    """The value of a text that the reader took, every number and text kept as it was written.

    Raises:
        ValueError, RecursionError: it is no JSON after all.
    """
    text = raw.decode("utf-8", "tracelink-bytes").removeprefix("\ufeff")
    value = json.loads(
        text, parse_float=_real, parse_int=_integer, parse_constant=Exact, strict=False, object_pairs_hook=_object
    )
    return _bent(value) if b"\\u" in raw else value


def _real(text: str) -> float:
    value = float(text)
    try:
        kept = Decimal(text) == Decimal(repr(value))
    except InvalidOperation:
        kept = False
    return value if kept else Exact(text)


def _integer(text: str) -> Any:
    return int(text) if text != "-0" and len(text) < 4000 else Exact(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    return made if len(made) == len(pairs) else Twice(pairs)


def _bent(value: Any) -> Any:
    if isinstance(value, str):
        return Bent(value) if _LONE.search(value) else value
    if isinstance(value, list):
        return [_bent(member) for member in value]
    if isinstance(value, dict):
        return _object([(_bent(name), _bent(member)) for name, member in _pairs(value)])
    return value


def _pairs(value: Any) -> Any:
    return value.pairs if isinstance(value, Twice) else value.items()


def dumps(value: Any, indent: int | None = None, *, constants: bool = False) -> str:
    """JSON text; without spaces where no indent is given, members in their order, only lone surrogates escaped.

    constants: write NaN and Infinity as they were written, which is no JSON; else they are null, as they are read.
    """
    return "".join(_pieces(value, indent, 0, constants))


def _pieces(value: Any, indent: int | None, level: int, constants: bool) -> Any:
    if isinstance(value, str):
        yield _text(value)
    elif isinstance(value, Exact):
        yield value.text if constants or value.text not in _CONSTANTS else "null"
    elif isinstance(value, dict | list | tuple) and value:
        named = isinstance(value, dict)
        yield "{" if named else "["
        for number, member in enumerate(_pairs(value) if named else value):
            yield "," if number else ""
            yield "" if indent is None else "\n" + " " * (indent * (level + 1))
            if named:
                name, member = member
                yield _text(name if isinstance(name, str) else str(name)) + (":" if indent is None else ": ")
            yield from _pieces(member, indent, level + 1, constants)
        yield "" if indent is None else "\n" + " " * (indent * level)
        yield "}" if named else "]"
    elif value is None or isinstance(value, dict | list | tuple | bool | int | float):
        yield json.dumps(value)
    else:
        yield _text(str(value))


def _text(value: str) -> str:
    if isinstance(value, Bent):
        return json.dumps(value.raw)
    return json.dumps(value, ensure_ascii=_LONE.search(value) is not None)
