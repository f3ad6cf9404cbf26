"""`gate` and `diff-items` with `--redact`: each value is redacted as it is read, before anything is made of it, so that no format can show more.

The idea: a value's own text goes through the rewriter and is read anew. What stands in it keeps its place in the recording: members are as many
and in the same order, so a path in the new value leads to one in the old.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from tracelink.model.limits import Limits
from tracelink.read import Value, Values
from tracelink.read.places import Path
from tracelink.read.unwrap import Found
from tracelink.redact.members import How
from tracelink.redact.records import doubt
from tracelink.redact.redactor import Redactor
from tracelink.redact.sources import Rewriter

_NOT_SHOWN = "it cannot be read without its texts"


class RedactedValues(Values):
    """redactor: one for all that is shown together, so that the same text has the same token. Else as `Values`."""

    def __init__(self, sources: Sequence[Any], redactor: Redactor, *, limits: Limits | None = None) -> None:
        super().__init__(sources, limits=limits)
        self._redactor = redactor

    def __iter__(self) -> Iterator[Value]:
        for value in super().__iter__():
            yield from self._shown(value)

    def _shown(self, value: Value) -> Iterator[Value]:
        redactor = self._redactor
        if value.frame is None:
            yield value._replace(fault=doubt(redactor, value.fault or ""))
            return
        out: list[bytes] = []
        Rewriter(redactor, self._limits).run([value.frame.raw], out.append, event=value.event)
        event = redactor.leaf(How.WORD, "event", value.event) if value.event else value.event
        shown = False
        for one in Values([b"".join(out)], limits=self._limits):
            if one.frame is not None:
                shown = True
                yield one._replace(location=value.location, event=event, owner=_Places(one.value, value))
        if not shown:
            yield Value(None, value.location, fault=_NOT_SHOWN)


class _Places:
    """Says where in the recording stands what a path in the new value leads to."""

    def __init__(self, new: Any, value: Value) -> None:
        self._new, self._value = new, value

    def places(self, _: Any, found: list[Found]) -> dict[Path, tuple[int, int]]:
        old = {one.path: path for one in found if (path := _same(self._new, self._value.value, one.path)) is not None}
        places = self._value.at(old.values())
        return {path: (places[there].line, places[there].byte) for path, there in old.items()}


def _same(new: Any, old: Any, path: Path) -> Path | None:
    """The path in `old` that leads where `path` leads in `new`; None where they are not alike."""
    found: list[Any] = []
    for step in path:
        if isinstance(new, dict) and isinstance(old, dict) and step in new and len(new) == len(old):
            name = list(old)[list(new).index(step)]
        elif isinstance(new, list) and isinstance(old, list) and isinstance(step, int) and step < min(len(new), len(old)):
            name = step
        else:
            return None
        found.append(name)
        new, old = new[step], old[name]
    return tuple(found)


def schemas(redactor: Redactor, tools: dict[str, Any]) -> dict[str, Any]:
    """Functions and their schemas as a redacted request has them."""
    return {redactor.leaf(How.NAME, "name", name): redactor.value(How.SCHEMA, schema) for name, schema in tools.items()}
