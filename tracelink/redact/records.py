"""Reports with `--redact`: each record is redacted as it is read, before anything is made of it, so that no format can show more.

Ids stay as they are, but for those that look like anything else than an id: these change in the record and in its ids alike.
"""

import re
from collections.abc import Iterator
from typing import Any

from tracelink.model.record import Ids, Kind, Record
from tracelink.read import Reading
from tracelink.redact.members import How
from tracelink.redact.redactor import Redactor
from tracelink.redact.rewrite import rewrite
from tracelink.redact.tokens import Tokens

_ZONES = {Kind.UNKNOWN: How.UNKNOWN, Kind.HTTP_ERROR: How.ERROR}
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|the member .* is given twice')


class Redacted(Reading):
    """A reading whose records hold tokens; see `Reading` for how it is made.

    tokens: the key; readings that are to be compared share one, so that the same text is the same token in both.
    """

    def __init__(self, *sources: Any, tokens: Tokens | None = None, **options: Any) -> None:
        super().__init__(*sources, **options)
        self._tokens = tokens

    def skimmed(self) -> Iterator[Record]:
        redactor = Redactor(self._tokens)
        for record in super().skimmed():
            assert isinstance(record, Record)  # noqa: S101 - nothing is skimmed unless asked for
            yield redacted(redactor, record)


def redacted(redactor: Redactor, record: Record) -> Record:
    """The record with every text replaced that is no id, name, type or time."""
    ids = Ids(*(redactor.id(one) if one is not None else None for one in record.ids))
    type_ = redactor.leaf(How.WORD, "type", record.type) if record.type else record.type
    doubts = tuple(doubt(redactor, one) for one in record.doubts)
    origin = record.origin._replace(event_id=ids.event_id) if record.origin.event_id is not None else record.origin
    return record._replace(type=type_, value=_value(redactor, record), ids=ids, origin=origin, doubts=doubts)


def doubt(redactor: Redactor, told: str) -> str:
    """What the reader says of a text, without what it quotes."""
    return _QUOTED.sub(lambda found: _quoted(redactor, found.group()), told)


def _quoted(redactor: Redactor, quoted: str) -> str:
    name = quoted.removeprefix('the member "').removesuffix('" is given twice')
    if name == quoted:
        return f'"{redactor.member(How.PAYLOAD, quoted[1:-1])}"'
    return f'the member "{redactor.member(How.PAYLOAD, name)}" is given twice'


def _value(redactor: Redactor, record: Record) -> Any:
    value = record.value
    if record.kind is Kind.UNREADABLE:
        text = value if isinstance(value, str) else ""
        return rewrite(redactor, text.encode("utf-8", "replace"), How.TORN, torn=True).decode("utf-8", "replace")
    try:
        return redactor.value(_ZONES.get(record.kind, How.WIRE), value)
    except RecursionError:
        return {}
