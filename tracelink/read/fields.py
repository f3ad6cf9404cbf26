"""The table of ids: a row a record kind, a cell an id, in it JSONPath expressions; the first non-empty one wins.

The idea: nearly every expression is a plain child path (`$.item.call_id`), and a row of those becomes one small function of
direct look-ups. Anything else is left to jsonpath-ng, imported only then. A test proves both ways equal.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tracelink.model.record import Ids, Kind

Extract = Callable[[Any], Ids]
Row = Mapping[str, tuple[str, ...]]

NAMES = Ids._fields

_EVENT: Row = {"event_id": ("$.event_id",), "session_id": ("$.session_id",), "turn_id": ("$.turn_id",)}

TABLE: Mapping[Kind, Row] = {
    Kind.SESSION_EVENT: {
        "event_id": ("$.event_id",),
        "session_id": ("$.session.id", "$.session_id"),
        "environment_id": ("$.session.environment.id",),
    },
    Kind.TURN_EVENT: {
        "event_id": ("$.event_id",),
        "session_id": ("$.session_id", "$.turn.session_id"),
        "turn_id": ("$.turn_id", "$.turn.id"),
        "subagent_id": ("$.turn.subagent_id",),
    },
    Kind.ITEM_EVENT: {
        **_EVENT,
        "turn_id": ("$.turn_id", "$.item.turn_id"),
        "item_id": ("$.item.id",),
        "call_id": ("$.item.call_id",),
        "request_id": ("$.item.request_id",),
        "subagent_id": ("$.item.subagent_id",),
    },
    Kind.DELTA: {**_EVENT, "item_id": ("$.item_id",)},
    Kind.ENVIRONMENT_EVENT: {**_EVENT, "environment_id": ("$.environment.id", "$.environment_id")},
    Kind.SUBAGENT_EVENT: {
        "event_id": ("$.event_id",),
        "session_id": ("$.subagent.session_id", "$.session_id"),
        "subagent_id": ("$.subagent.id", "$.subagent_id"),
    },
    Kind.ERROR_EVENT: _EVENT,
    Kind.INPUT: {**_EVENT, "call_id": ("$.call_id",), "request_id": ("$.request_id",)},
    Kind.SESSION: {"session_id": ("$.id", "$.session_id"), "environment_id": ("$.environment.id",)},
    Kind.TURN: {"session_id": ("$.session_id",), "turn_id": ("$.id",), "subagent_id": ("$.subagent_id",)},
    Kind.SUBAGENT: {"session_id": ("$.session_id",), "subagent_id": ("$.id", "$.subagent_id")},
    Kind.ITEM: {
        "session_id": ("$.session_id",),
        "turn_id": ("$.turn_id",),
        "item_id": ("$.id",),
        "call_id": ("$.call_id",),
        "request_id": ("$.request_id",),
        "subagent_id": ("$.subagent_id",),
    },
    Kind.ENVIRONMENT: {"environment_id": ("$.id",)},
    Kind.PAGE: {"session_id": ("$.session_id",), "subagent_id": ("$.subagent_id",)},
    # A webhook's own `id` identifies the delivery; its data is the session, or for agent.environment.* the environment.
    Kind.WEBHOOK: {"event_id": ("$.id",), "session_id": ("$.data.id",), "environment_id": ("$.data.environment_id",)},
    Kind.HTTP_ERROR: {"session_id": ("$.session_id",)},
    Kind.OBJECT: {"session_id": ("$.session_id",), "turn_id": ("$.turn_id",), "environment_id": ("$.environment_id",)},
    Kind.FOREIGN: {
        **_EVENT,
        "session_id": ("$.session_id", "$.session.id"),
        "turn_id": ("$.turn_id", "$.item.turn_id"),
        "item_id": ("$.item_id", "$.item.id"),
        "call_id": ("$.call_id", "$.item.call_id"),
    },
    Kind.UNKNOWN: {
        **_EVENT,
        "session_id": ("$.session_id", "$.session.id"),
        "turn_id": ("$.turn_id", "$.turn.id", "$.item.turn_id"),
        "item_id": ("$.item_id", "$.item.id"),
        "call_id": ("$.call_id", "$.item.call_id"),
        "request_id": ("$.request_id",),
        "subagent_id": ("$.subagent_id", "$.subagent.id"),
        "environment_id": ("$.environment_id", "$.environment.id"),
    },
    Kind.UNREADABLE: {},
}

ENVIRONMENT_WEBHOOK: Row = {"event_id": ("$.id",), "environment_id": ("$.data.id",)}
"""Webhooks `agent.environment.*`: their data is the environment (fact sheet F)."""

_PLAIN = re.compile(r"\$((?:\.[A-Za-z_][A-Za-z0-9_]*)+)")


class FieldError(ValueError):
    """A row of the user's that cannot be used. The message quotes it and says what is wrong."""


def text(value: Any) -> str | None:
    """The id in `value`: a non-empty string, or an integer as decimal text."""
    if isinstance(value, str):
        return value or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return None


def keys_of(expression: str) -> tuple[str, ...] | None:
    """The keys of a plain child path, or None if it is anything more."""
    match = _PLAIN.fullmatch(expression)
    return tuple(match.group(1)[1:].split(".")) if match else None


def compile_row(row: Row) -> Extract:
    """One function for a row. Its source is written out, as the standard library does for named tuples: a row of the table is
    run for every record, and a loop over cells costs three times as much."""
    body = ["def extract(v):"]
    scope: dict[str, Any] = {"text": text, "Ids": Ids, "new": tuple.__new__}
    results: list[str] = []
    for number, name in enumerate(NAMES):
        expressions = row.get(name, ())
        if not expressions:
            results.append("None")
            continue
        target = f"r{number}"
        results.append(target)
        for position, expression in enumerate(expressions):
            keys = keys_of(expression)
            pad = " "
            if position:
                body.append(f" if {target} is None:")
                pad = "  "
            if keys is None:
                scope[f"find{number}_{position}"] = _jsonpath(expression)
                body.append(f"{pad}{target} = find{number}_{position}(v)")
                continue
            source = "v"
            for key in keys[:-1]:
                body.append(f"{pad}o = {source}.get({key!r}) if {source}.__class__ is dict else None")
                source = "o"
            body.append(f"{pad}{target} = {source}.get({keys[-1]!r}) if {source}.__class__ is dict else None")
            body.append(
                f"{pad}if {target} is not None and ({target}.__class__ is not str or not {target}): {target} = text({target})"
            )
    body.append(f" return new(Ids, ({', '.join(results)}))")
    exec("\n".join(body), scope)  # noqa: S102 - made of the table above and of identifiers checked by _PLAIN
    extract: Extract = scope["extract"]
    return extract


def _jsonpath(expression: str) -> Callable[[Any], str | None]:
    """The first id that jsonpath-ng finds."""
    from jsonpath_ng.exceptions import JSONPathError
    from jsonpath_ng.ext.parser import parse

    try:
        parsed = parse(expression)
    except (JSONPathError, Exception) as error:  # its lexer and parser raise plain exceptions too
        reason = (str(error).splitlines() or ["it does not parse"])[0]
        raise FieldError(
            f"the expression {expression!r} is no JSONPath that jsonpath-ng understands ({reason}); write it like $.payload.callId"
        ) from None

    def find(value: Any) -> str | None:
        try:
            matches = parsed.find(value)
        except Exception:  # a filter that does not fit the value
            return None
        for match in matches:
            found = text(match.value)
            if found is not None:
                return found
        return None

    return find


class FieldTable:
    """The table, compiled. `extra`: the user's expressions by id name; they are tried first, on the outermost value of
    the line, frame or element, then on the record. Raises `FieldError`."""

    def __init__(self, extra: Mapping[str, Sequence[str]] | None = None) -> None:
        rows: dict[str, tuple[str, ...]] = {}
        for name, expressions in (extra or {}).items():
            if name not in NAMES:
                raise FieldError(f"there is no field named {name!r}; the fields are {', '.join(NAMES)}")
            if isinstance(expressions, str):
                expressions = (expressions,)
            for expression in expressions:
                if not isinstance(expression, str) or not expression.strip():
                    raise FieldError(f"the expression {expression!r} for {name} is empty; write it like $.payload.callId")
            rows[name] = tuple(expression.strip() for expression in expressions)
        self.extra: Extract | None = compile_row(rows) if rows else None
        self._rows: dict[Kind, Extract] = {kind: compile_row(row) for kind, row in TABLE.items()}
        self._environment_webhook = compile_row(ENVIRONMENT_WEBHOOK)

    def row(self, kind: Kind) -> Extract:
        return self._rows[kind]

    def ids(self, kind: Kind, type_: str | None, value: Any, outer: Any = None) -> Ids:
        """The ids of a record of this kind; `outer` is the outermost value that it came out of."""
        if kind is Kind.WEBHOOK and type_ is not None and type_.startswith("agent.environment."):
            ids = self._environment_webhook(value)
        else:
            ids = self._rows[kind](value)
        mine = self.extra
        if mine is not None:
            for source in (value,) if outer is value else (value, outer):
                ids = Ids(*(new if new is not None else old for new, old in zip(mine(source), ids, strict=True)))
        return ids
