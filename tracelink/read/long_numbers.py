"""Whole numbers of more than 64 bits, which orjson reads as floats without a word: found, and their digits kept.

The idea: looking at every digit of every text costs more than it is worth. Such a number matters where what somebody called, answered or is
asked for is kept; only there is the value looked at, and only where that holds a float so large is the text read again.
"""

from typing import Any

from tracelink.read.decode import Decoded, Undecodable, leniently

_LARGE = float(2**63)


def lost(value: dict[str, Any]) -> bool:
    """Whether an item, session or input holds a float, where payload is kept, that may have been a whole number."""
    get = value.get
    kind = (member := get("arguments")).__class__
    if (kind is dict or kind is list) and large(member):
        return True
    kind = (member := get("output")).__class__
    if (kind is dict or kind is list) and large(member):
        return True
    return (member := get("required_actions")).__class__ is list and large(member)


def large(value: Any) -> bool:
    """Whether an object or a list holds such a float."""
    pending = [value]
    while pending:
        one = pending.pop()
        members = one.values() if one.__class__ is dict else one
        for member in members:
            kind = member.__class__
            if kind is dict or kind is list:
                pending.append(member)
            elif kind is float and not -_LARGE < member < _LARGE:
                return True
    return False


def exactly(raw: bytes) -> Decoded | None:
    """The value of a text that orjson reads, with the digits of such numbers kept as text, and a doubt; None if it has none."""
    try:
        found = leniently(raw)
    except Undecodable:
        return None  # deeper than the standard library reads
    return found if found.doubts else None
