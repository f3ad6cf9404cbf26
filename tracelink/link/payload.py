"""When are two payloads the same? Arguments and outputs travel as objects or as JSON text (fact sheet B.3)."""

import json
from typing import Any

import orjson


def plain(value: Any) -> Any:
    """JSON text becomes the object or array that it holds; everything else stays."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return orjson.loads(value)
        except ValueError:
            return value
    return value


def same(a: Any, b: Any) -> bool:
    """Whether two JSON values say the same, whichever of them is JSON text. `1` and `true` differ."""
    if a is b:
        return True
    if a.__class__ is dict and b.__class__ is dict and (text := written(a)) is not None and text == written(b):
        return True
    if type(a) is type(b) and a == b:
        return not isinstance(a, dict | list) or written(a) == written(b) or digest(a) == digest(b)
    if isinstance(a, dict | list | str) and isinstance(b, dict | list | str):
        return digest(plain(a)) == digest(plain(b))
    return False


def written(value: Any) -> bytes | None:
    """The value as text with its members as they stand; None where the library refuses it."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return None


def digest(value: Any) -> bytes:
    """A canonical text of a JSON value: members sorted, no spaces. Numbers and booleans stay apart."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return json.dumps(value, sort_keys=True, default=str, separators=(",", ":")).encode("utf-8", "backslashreplace")


def same_result(a: tuple[Any, Any], b: tuple[Any, Any]) -> bool:
    """Whether two (output, error) pairs are one result. A missing or null half says nothing (fact sheet B.5)."""
    return all(x is None or y is None or same(x, y) for x, y in zip(a, b, strict=True))
