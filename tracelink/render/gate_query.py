"""Hits of a JSONPath and the ids of records, a line each, while they are read."""

from collections.abc import Iterable, Iterator
from typing import Any

from tracelink.model.record import Ids, Kind, Record
from tracelink.render.escape import escape, ident, json_text
from tracelink.render.json import line
from tracelink.render.page import where

Hit = tuple[Record, str, Any]
_COLUMNS = ("session_id", "subagent_id", "turn_id", "item_id", "call_id", "request_id", "environment_id", "event_id")


def hits(found: Iterable[Hit], form: str) -> Iterator[str]:
    """text: `source:line<TAB>value`; values: the value alone, as JSON; jsonl: value, source, line, byte and path."""
    for record, path, value in found:
        place = record.origin.location
        if form == "values":
            yield json_text(value, whole=True) + "\n"
        elif form == "jsonl":
            yield line({"value": value, "source": place.source, "line": place.line, "byte": place.byte, "path": path}).decode()
        else:
            yield f"{where(place)}\t{json_text(value, whole=True)}\n"


def ids(records: Iterable[Record], form: str) -> Iterator[str]:
    """The standard extraction, a record a line: text is a table by tabs, `-` where there is no id; values leaves the place out."""
    if form == "text":
        yield "\t".join(("place", "kind", "type", *_COLUMNS)) + "\n"
    elif form == "values":
        yield "\t".join(_COLUMNS) + "\n"
    for record in records:
        if record.kind is Kind.UNREADABLE:
            continue
        cells = [_cell(record.ids, name) for name in _COLUMNS]
        place = record.origin.location
        if form == "jsonl":
            found = {name: getattr(record.ids, name) for name in _COLUMNS}
            row = {
                "source": place.source,
                "line": place.line,
                "byte": place.byte,
                "kind": record.kind.value,
                "type": record.type,
            }
            yield line(row | found).decode()
        elif form == "values":
            yield "\t".join(cells) + "\n"
        else:
            yield "\t".join((where(place), record.kind.value, escape(record.type or "-"), *cells)) + "\n"


def _cell(found: Ids, name: str) -> str:
    value = getattr(found, name)
    return "-" if value is None else ident(value)
