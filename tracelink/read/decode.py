"""The bytes of one JSON text → its value, and the doubts about it.

The idea: orjson first, because nearly every text is clean; only what it refuses is read again leniently, and each thing
that had to be bent is named in one sentence. A text whose meaning is not clear is refused with the reason.

Bent, with a doubt: NaN and Infinity become null; bytes that are no UTF-8 become the text ``\\xNN``; a lone surrogate becomes
the text ``\\udXXX``; a number too large for 64 bits (or for a float) is kept as the text of its digits; control characters
inside a string are kept; of a member given twice the last counts.
"""

import codecs
import json
import re
from typing import Any, NamedTuple

import orjson

loads = orjson.loads

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_HIDDEN = re.compile(rb'"(?:[ \t\r\n]{2,}|[\t\r\n]):')
_BRACKETS = re.compile(rb"[{\[]+|[}\]]+")
_TWICE_LIMIT = 64 * 1024 * 1024  # larger texts are not searched for members given twice: it would double the memory


class Decoded(NamedTuple):
    value: Any
    doubts: tuple[str, ...] = ()


class Undecodable(ValueError):
    """`reason`: a clause for a message ("unexpected character at column 17"). `deep`: it was the depth limit."""

    def __init__(self, reason: str, *, deep: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.deep = deep


def decode(raw: bytes, depth: int) -> Decoded:
    """Strictly, else leniently. Does not look for members given twice (`given_twice` does). Raises `Undecodable`."""
    if too_deep(raw, depth):
        raise Undecodable(f"nested deeper than {depth} levels", deep=True)
    try:
        return Decoded(loads(raw))
    except orjson.JSONDecodeError:
        return leniently(raw)


def too_deep(raw: bytes, depth: int) -> bool:
    """True if arrays and objects are nested deeper than `depth`. Nearly free for ordinary texts."""
    if len(raw) <= depth or raw.count(b"{") + raw.count(b"[") <= depth:
        return False
    level = 0
    for match in _BRACKETS.finditer(_STRING.sub(b"", raw)):
        run = match.group()
        if run[0] in b"{[":
            level += len(run)
            if level > depth:
                return True
        else:
            level -= len(run)
    return False


def _hides_a_colon(raw: bytes, spaced: int) -> bool:
    """Whether counting misses the colon of a member, or takes one for it that was written as an escape. spaced: colons behind a space."""
    if b"\\u0022" in raw:
        return True
    blank = raw.count(b" :") != spaced or b"\t:" in raw or b"\n:" in raw or b"\r:" in raw
    return blank and _HIDDEN.search(raw) is not None


def given_twice(raw: bytes, value: Any) -> tuple[str, ...]:
    """A doubt for the members that an object of this text has more than once.

    Cheap test first: the text has as many member colons as the value written out again, and none of its colons is hidden behind other
    blanks than one space or made of an escape. Only where it has not, the text is read again with an eye on every object.
    """
    if len(raw) > _TWICE_LIMIT:
        return ()
    try:
        spaced = raw.count(b'" :')
        if raw.count(b'":') + spaced == orjson.dumps(value).count(b'":') and not _hides_a_colon(raw, spaced):
            return ()
    except (TypeError, ValueError):
        pass  # deeper than orjson writes; the exact way decides
    names: list[str] = []

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(members)
        if len(found) != len(members):
            seen: set[str] = set()
            for name, _ in members:
                if name in seen and name not in names:
                    names.append(name)
                seen.add(name)
        return found

    try:
        json.loads(raw.decode("utf-8", "replace"), object_pairs_hook=pairs, parse_int=len, strict=False)
    except (ValueError, RecursionError):
        return ()
    return tuple(f"the member {_shown(name)} is given twice in one object; the last one counts" for name in names[:5])


def leniently(raw: bytes) -> Decoded:
    """What is nearly JSON, with a doubt for each thing that was bent. Raises `Undecodable`."""
    doubts: list[str] = []

    def doubt(sentence: str) -> None:
        if sentence not in doubts:
            doubts.append(sentence)

    def constant(name: str) -> None:
        doubt(f"{name} is no JSON value and was read as null")

    def integer(digits: str) -> Any:
        if len(digits) <= 20 and -(2**63) <= int(digits) < 2**64:
            return int(digits)
        doubt("a number is too large for 64 bits and was kept as the text of its digits")
        return digits

    def real(digits: str) -> Any:
        number = float(digits)
        if number in (float("inf"), float("-inf")):
            doubt("a number is too large for 64 bits and was kept as the text of its digits")
            return digits
        return number

    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("utf-8", "tracelink-bytes")
        doubt("bytes that are no UTF-8 were read as the text \\xNN")
    if text.startswith("\ufeff"):
        text = text[1:]
    try:
        value = json.loads(text, parse_constant=constant, parse_int=integer, parse_float=real)
    except json.JSONDecodeError as error:
        if not error.msg.startswith("Invalid control character"):
            raise Undecodable(_reason(error, text)) from None
        doubt("control characters inside a string were kept")
        try:
            value = json.loads(text, parse_constant=constant, parse_int=integer, parse_float=real, strict=False)
        except json.JSONDecodeError as again:
            raise Undecodable(_reason(again, text)) from None
        except RecursionError:
            raise Undecodable("nested too deeply", deep=True) from None
    except RecursionError:
        raise Undecodable("nested too deeply", deep=True) from None
    if _SURROGATE.search(text):
        value, found = _without_surrogates(value)
        if found:
            doubt("a lone surrogate was read as the text \\udXXX")
    return Decoded(value, tuple(doubts))


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def _without_surrogates(value: Any) -> tuple[Any, bool]:
    """The same value with every lone surrogate spelled out. Deep values are safe: the depth was checked before."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-8", "backslashreplace").decode(), True
        return value, False
    found = False
    if isinstance(value, list):
        for index, member in enumerate(value):
            value[index], bent = _without_surrogates(member)
            found |= bent
    elif isinstance(value, dict):
        changed: dict[str, Any] = {}
        for name, member in value.items():
            key, bent_key = _without_surrogates(name)
            changed[key], bent = _without_surrogates(member)
            found |= bent or bent_key
        return changed, found
    return value, found


def _reason(error: json.JSONDecodeError, text: str) -> str:
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return f"it ends in the middle of a value, at column {len(text.rstrip()) + 1}"
    message = {
        "Extra data": "something follows the value",
        "Expecting value": "a value was expected",
        "Expecting ',' delimiter": "a comma or a closing bracket was expected",
        "Expecting ':' delimiter": "a colon was expected",
        "Expecting property name enclosed in double quotes": "a member's name was expected",
        "Illegal trailing comma before end of object": "a member's name was expected",
        "Illegal trailing comma before end of array": "a value was expected",
    }.get(error.msg, "unexpected character")
    where = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno} of the document, column {error.colno}"
    return f"{message} at {where}"


def _shown(name: str) -> str:
    return json.dumps(name if len(name) <= 60 else name[:60] + "…", ensure_ascii=False)


def _spell_out(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101 - the handler is used for decoding only
    bad = error.object[error.start : error.end]
    return "".join(f"\\\\x{byte:02x}" for byte in bad), error.end


codecs.register_error("tracelink-bytes", _spell_out)
