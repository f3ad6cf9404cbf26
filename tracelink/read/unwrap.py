"""A JSON value → the records in it.

The idea: a value is a wire shape, or a list of such, or a wrapper. A wire shape is one record and is never looked into: what it carries is
payload. A wrapper is looked into, member by member, also into strings that hold JSON or SSE text; what stands beside (a time, a direction, a
session id, a URL) is handed down, and inner values win. Every value ends in at least one record: where nothing is recognised, the
whole is one UNKNOWN.
"""

import base64
import binascii
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tracelink.model.record import Kind
from tracelink.read.context import NOTHING, Context, beside, enter
from tracelink.read.own import is_proposal
from tracelink.read.pages import in_list, page_of, page_order
from tracelink.read.places import Path
from tracelink.read.shapes import EVENTS, Shape, classify, http_error

_DEEPEST = 150
_LONGEST_STRING_LOOK = 64
_ENVELOPE = frozenset(
    [
        "object",
        "data",
        "first_id",
        "last_id",
        "has_more",
        "before",
        "after",
        "next",
        "next_page",
        "url",
        "total",
        "total_count",
        "limit",
        "order",
    ]
)

Texts = Callable[[str], Iterator[Any]]
"""Reads a text that may hold JSON or SSE: yields the values in it, each with its SSE event name: (value, event)."""


class Found(NamedTuple):
    """A record to be. path: where in the value it stands (up to a string, where it came out of one). outer: see `FieldTable`."""

    kind: Kind
    type: str | None
    value: Any
    detail: str | None
    path: Path
    context: Context
    page: int | None
    outer: Any


class Unwrapper:
    """One a source: it numbers the source's pages."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.pages = 0
        self._found: list[Found] = []
        self._open: frozenset[int] = frozenset()
        self._outer: Any = None

    def find(self, value: Any, context: Context, event: str | None = None, opened: frozenset[int] = frozenset()) -> list[Found]:
        """All records in a framing-level value. `event`: the SSE frame's own type. `opened`: ids of containers that are not whole
        (`document.repair`): they are no records themselves, and where nothing is found in them nothing is claimed."""
        self._found, self._open, self._outer = [], opened, value
        if isinstance(value, list):
            if value:
                self._array(value, context, (), True)
            elif not opened:
                self._add(Shape(Kind.UNKNOWN, None), value, (), context)
        elif isinstance(value, dict):
            if context is NOTHING and not opened and is_proposal(value):
                self._add(Shape(Kind.OBJECT, "proposal"), value, (), context)
                return self._found
            if (
                event
                and event != "message"
                and not isinstance(value.get("type"), str)
                and not isinstance(value.get("object"), str)
            ):
                value = {"type": event, **{key: member for key, member in value.items() if key != "type"}}
                self._outer = value
            if not self._look(value, context, (), 0) and not opened:
                self._add(Shape(Kind.UNKNOWN, _label(value)), value, (), context)
        else:
            if isinstance(value, str):  # a log line that was encoded twice
                self._string(value, context, (), 0, event)
            if not self._found:
                self._add(Shape(Kind.UNKNOWN, None), value, (), context)
        return self._found

    def _add(self, shape: Shape, value: Any, path: Path, context: Context, page: int | None = None) -> None:
        self._found.append(Found(shape.kind, shape.type, value, shape.detail, path, context, page, self._outer))

    def _look(self, value: dict[str, Any], context: Context, path: Path, level: int) -> bool:
        """Add what is in an object; False if nothing is."""
        whole = id(value) not in self._open
        shape = classify(value)
        digest = shape is not None and shape.detail == "digest"
        if digest and whole and self._inside(value, beside(value, context), path, level):
            return True
        if shape is not None:
            if whole:
                self._add(shape, value, path, beside(value, context, merged=True))
            return whole
        if isinstance(value.get("data"), list) and self._page(value, context, path):
            return True
        context = beside(value, context)
        if whole:
            error = value.get("error")
            if isinstance(error, dict) and http_error(error, True):
                self._add(Shape(Kind.HTTP_ERROR, _label(error)), error, (*path, "error"), context)
                self._inside({key: member for key, member in value.items() if key != "error"}, context, path, level)
                return True
            if http_error(value, False):
                self._add(Shape(Kind.HTTP_ERROR, _label(value)), value, path, context)
                return True
        return self._inside(value, context, path, level)

    def _inside(self, value: dict[str, Any], context: Context, path: Path, level: int) -> bool:
        """Look for records in the members of a wrapper."""
        if level >= _DEEPEST:
            return False
        before = len(self._found)
        named = value.get("event")
        for key, member in value.items():
            kind = member.__class__
            if kind is dict:
                if key == "data" and isinstance(named, str) and (named in EVENTS or named == "error") and "type" not in member:
                    member = {"type": named, **member}
                self._look(member, enter(key, context), (*path, key), level + 1)
            elif kind is list:
                if member:
                    self._array(member, enter(key, context), (*path, key), False, level + 1)
            elif kind is str and len(member) > 1:
                if key == "text" and value.get("encoding") == "base64":
                    member = _unbase64(member)
                self._string(member, enter(key, context), (*path, key), level + 1, named if key == "data" else None)
        return len(self._found) > before

    def _array(self, values: list[Any], context: Context, path: Path, top: bool, level: int = 0) -> None:
        """The members of a list, in order of time. `top`: each counts for itself."""
        if level >= _DEEPEST:
            return
        shapes = in_list([self._shape(value) for value in values], values)
        direct = any(shape is not None for shape in shapes)
        order = list(range(len(values)))
        of = page_of(shapes)
        if of in ("item", "turn", "subagent") and page_order(of, values) == "desc":
            order.reverse()
        for index in order:
            value, shape = values[index], shapes[index]
            here = (*path, index)
            if top:
                self._outer = value
            before = len(self._found)
            kind = value.__class__
            if shape is not None and shape.detail != "digest":
                self._add(shape, value, here, beside(value, context, merged=True))
            elif kind is dict:
                self._look(value, context, here, level + 1)
            elif kind is list and value:
                self._array(value, context, here, top, level + 1)
            elif kind is str:
                self._string(value, context, here, level + 1, None)
            if (top or (direct and kind is dict)) and len(self._found) == before and id(value) not in self._open:
                self._add(Shape(Kind.UNKNOWN, _label(value)), value, here, context)

    def _shape(self, value: Any) -> Shape | None:
        return classify(value) if value.__class__ is dict and id(value) not in self._open else None

    def _page(self, value: dict[str, Any], context: Context, path: Path) -> bool:
        """A list page: the envelope, then its members in order of time (newest first unless shown otherwise, fact sheet E)."""
        members: list[Any] = value["data"]
        listed = value.get("object") == "list"
        shapes = in_list([self._shape(member) for member in members], members)
        if not listed and any(key not in _ENVELOPE for key in value):
            return False  # a wrapper whose `data` happens to be a list
        kinds = {shape.kind for shape in shapes if shape is not None}
        ours = kinds - {Kind.FOREIGN, Kind.UNKNOWN}
        if not ours:
            if Kind.FOREIGN in kinds:
                if id(value) not in self._open:
                    first = next(shape for shape in shapes if shape is not None and shape.kind is Kind.FOREIGN)
                    self._add(Shape(Kind.FOREIGN, "list", first.detail), value, path, context)
                return id(value) not in self._open
            if not listed:
                return False
        of = page_of(shapes)
        if not members and of == "other" and context.lists is not None:
            of = context.lists
        order = page_order(of, members)
        number, self.pages = self.pages, self.pages + 1
        envelope = {key: member for key, member in value.items() if key != "data"}
        envelope |= {"of": of, "count": len(members), "order": order}
        context = beside(value, context)
        self._add(Shape(Kind.PAGE, "list"), envelope, path, context, number)
        forward = order == "asc" or of in ("event", "other")
        indices = range(len(members)) if forward else range(len(members) - 1, -1, -1)
        for index in indices:
            member, shape = members[index], shapes[index]
            if id(member) in self._open:
                continue
            here = (*path, "data", index)
            if shape is None:
                shape = Shape(Kind.UNKNOWN, _label(member))
            self._add(shape, member, here, context, number)
        return True

    def _string(self, text: str, context: Context, path: Path, level: int, event: str | None) -> None:
        """A string in a wrapper: if it holds JSON or SSE text, the records in that."""
        head = text[:_LONGEST_STRING_LOOK].lstrip()
        if head[:1] not in ("{", "[") and "data:" not in text and '{"' not in text:
            return
        outer = self._outer
        for value, name in self._texts(text):
            name = name or event
            if isinstance(value, dict):
                if name and name != "message" and "type" not in value and "object" not in value:
                    value = {"type": name, **value}
                self._look(value, context, path, level + 1)
            elif isinstance(value, list) and value:
                before = len(self._found)
                self._array(value, context, path, False, level + 1)
                self._found[before:] = [found._replace(path=path) for found in self._found[before:]]
        self._outer = outer


def _label(value: Any) -> str | None:
    """The `type` or `object` of something unknown."""
    if not isinstance(value, dict):
        return None
    for key in ("type", "object"):
        found = value.get(key)
        if isinstance(found, str) and found:
            return found
    return None


def _unbase64(text: str) -> str:
    try:
        return base64.b64decode(text, validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return text
