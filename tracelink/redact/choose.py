"""`--keep` and `--drop`: JSONPath expressions → the members of a value that they mean."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tracelink.redact.members import How

_NAME = re.compile(r"[A-Za-z_][\w\-]*")


class PathError(ValueError):
    """An expression that cannot be used; the message quotes it."""


class Choice:
    """Compiled once; asked for every value. Raises PathError."""

    def __init__(self, keep: Sequence[str] = (), drop: Sequence[str] = ()) -> None:
        self._rows = [(How.KEEP, _parsed(one)) for one in keep] + [(How.DROP, _parsed(one)) for one in drop]
        self.names = names((*keep, *drop))

    def __bool__(self) -> bool:
        return bool(self._rows)

    def of(self, values: Iterable[Any]) -> dict[tuple[int, Any], How]:
        """By id of the container and key or index in it; (0, None) is the whole of the first value. `drop` beats `keep`."""
        found: dict[tuple[int, Any], How] = {}
        for number, value in enumerate(values):
            for how, path in self._rows:
                for key in _places(path, value):
                    if key[0] or not number:
                        found[key] = how
        return found


def names(expressions: Iterable[str]) -> frozenset[str]:
    """The member names in expressions: who writes them down knows them."""
    return frozenset(name for one in expressions for name in _NAME.findall(one))


def _parsed(expression: str) -> Any:
    from jsonpath_ng.ext.parser import parse

    try:
        return parse(expression)
    except Exception as error:  # its lexer and parser raise plain exceptions of several kinds
        told = " ".join(str(error).split())[:200]
        raise PathError(f"{expression!r} is no JSONPath that jsonpath-ng understands ({told})") from None


def _places(path: Any, value: Any) -> Iterator[tuple[int, Any]]:
    try:
        matches = path.find(value)
    except Exception:  # a filter that does not fit the value
        return
    for match in matches:
        if match.context is None:
            yield 0, None
            continue
        step = match.path
        for key in getattr(step, "fields", None) or getattr(step, "indices", None) or [getattr(step, "index", None)]:
            yield id(match.context.value), key
