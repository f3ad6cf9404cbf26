"""A JSON text, sound or not, with its strings, numbers and names replaced where they stand.

The idea: look at tokens only. Brackets, commas, colons and white space are copied, so that lines stay lines, a torn text stays torn at the
same place, and a member given twice is given twice; each other token goes through the redactor with the treatment that its place asks for.
What is known of the text (its decoded value, where records begin in it) is handed in by whoever decoded it; without that, the names alone
decide, and what no name explains is replaced.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import orjson

from tracelink.read.decode import Undecodable, decode
from tracelink.redact.members import How, inside, member
from tracelink.redact.redactor import Redactor

_TOKEN = re.compile(
    rb'([ \t\r\n\f\x1e\0]+)|("[^"\\]*(?:\\.[^"\\]*)*")|([{}\[\],:])|(true|false|null|-?NaN|-?Infinity)(?![^\s{}\[\],:"])'
    rb'|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![^\s{}\[\],:"])|("(?:[^"\\]|\\.)*\\?\Z)|([^\s{}\[\],:"]+(?:[ \t]+[^\s{}\[\],:"]+)*|")',
    re.DOTALL,
)
_SPACE, _STRING, _MARK, _LITERAL, _NUMBER, _CUT, _WORD = range(1, 8)
_DEPTH = 10_000
_CONTROL = re.compile(rb"[\x00-\x09\x0b-\x1f]")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Known(NamedTuple):
    """What a caller knows of a text.

    value: decoded, None if it is damaged. records: offset of a record's bracket → its zone and value. texts: offsets of strings that hold
    records. embedded: rewrites such a string, given its name and the object around it. chosen: treatment that the user asked for, by id
    of the container and key in it.
    """

    value: Any = None
    records: Mapping[int, tuple[How, Any]] = {}
    texts: frozenset[int] = frozenset()
    embedded: Callable[[str, str, Any], str] | None = None
    chosen: Mapping[tuple[int, Any], How] = {}


_NOTHING = Known()


class _Open:
    """An open bracket: of an object its zone, of a list the treatment that its members get."""

    __slots__ = ("how", "index", "is_object", "key", "naming", "value")

    def __init__(self, is_object: bool, how: How, key: str, value: Any) -> None:
        self.is_object, self.how, self.key, self.value = is_object, how, key, value
        self.naming = is_object
        self.index = 0


def rewrite(redactor: Redactor, raw: bytes, how: How, known: Known = _NOTHING) -> bytes:
    """how: the treatment of the outermost value. Newlines in the result are as many as in `raw`."""
    out: list[bytes] = []
    stack: list[_Open] = []
    skipped = 0  # brackets open inside something dropped
    chosen = known.chosen
    for match in _TOKEN.finditer(raw):
        kind, text = match.lastindex, match.group()
        if skipped:
            if kind == _MARK and text in b"{[":
                skipped += 1
            elif kind == _MARK and text in b"}]":
                skipped -= 1
            out.append(b"\n" * text.count(b"\n"))
            continue
        if kind == _SPACE:
            out.append(text)
            continue
        top = stack[-1] if stack else None
        if kind == _MARK:
            if text in b"{[":
                treatment, key, value, listed = _here(top, how, known.value, chosen)
                if treatment is How.DROP:
                    redactor.counts["dropped", "members"] += 1
                    out.append(b"null")
                    skipped = 1
                    continue
                record = known.records.get(match.start())
                if record is not None and treatment is not How.KEEP:
                    treatment, value = record
                    listed = True
                    key = ""
                if text == b"{":
                    zone = inside(treatment, key, value, listed)
                    stack.append(_Open(True, zone, key, value if isinstance(value, dict) else None))
                else:
                    stack.append(_Open(False, treatment, key, value if isinstance(value, list) else None))
                if len(stack) > _DEPTH:
                    del stack[1:-1]
            elif text in b"}]":
                if stack:
                    stack.pop()
            elif top is not None:
                if text == b",":
                    top.index += 1
                    top.naming = top.is_object
                else:
                    top.naming = False
            out.append(text)
            continue
        if top is not None and top.naming and kind in (_STRING, _CUT):
            name = _decoded(text)
            top.key = name if name is not None else text.decode("latin-1")
            new = redactor.member(top.how, top.key)
            out.append(text if new == name else _literal(new, text, kind == _CUT))
            continue
        treatment, key, value, _ = _here(top, how, known.value, chosen)
        if treatment is How.DROP:
            redactor.counts["dropped", "members"] += 1
            out.append(b"null" + b"\n" * text.count(b"\n"))
        elif kind == _STRING:
            out.append(_string(redactor, treatment, key, text, match.start(), top, known))
        elif kind == _NUMBER:
            out.append(redactor.number(treatment, key, text.decode("ascii")).encode("ascii"))
        elif kind == _LITERAL:
            out.append(text)
        elif kind == _CUT:
            out.append(_literal(redactor.token(text.decode("latin-1")), text, True))
        else:
            out.append(_word(redactor, text))
    return b"".join(out)


def _here(top: "_Open | None", how: How, root: Any, chosen: Mapping[tuple[int, Any], How]) -> tuple[How, str, Any, bool]:
    """(treatment, name, decoded value where known, whether in a list) of the value that comes next."""
    if top is None:
        return chosen.get((0, None), how) if chosen else how, "", root, True
    if not top.is_object:
        treatment = top.how
        value = top.value[top.index] if top.value is not None and top.index < len(top.value) else None
        if chosen and top.value is not None:
            treatment = chosen.get((id(top.value), top.index), treatment)
        return treatment, top.key, value, True
    treatment = member(top.how, top.key, top.value)
    value = top.value.get(top.key) if top.value is not None else None
    if chosen and top.value is not None:
        treatment = chosen.get((id(top.value), top.key), treatment)
    return treatment, top.key, value, False


def _string(redactor: Redactor, how: How, key: str, raw: bytes, at: int, top: "_Open | None", known: Known) -> bytes:
    text = _decoded(raw)
    if text is None:
        return _literal(redactor.token(raw.decode("latin-1")), raw, False)
    if at in known.texts and known.embedded is not None and how is not How.KEEP:
        new = known.embedded(text, key, top.value if top is not None else None)
    else:
        new = redactor.leaf(how, key, text)
    return raw if new == text else _literal(new, raw, False)


def _decoded(raw: bytes) -> str | None:
    try:
        value = orjson.loads(raw)
    except ValueError:
        try:
            value = decode(raw, 1).value
        except Undecodable:
            return None
    return value if isinstance(value, str) else None


def _literal(text: str, raw: bytes, cut: bool) -> bytes:
    """The text as a JSON string, with what was wrong with the string that it replaces: newlines in it, bytes that are no UTF-8, half a
    surrogate pair, control characters; a string that was cut off stays so."""
    found = json.dumps(text).encode("ascii")[:-1] + b"\n" * raw.count(b"\n")
    if not raw.isascii() and _no_utf8(raw):
        found += b"\xff"
    if _CONTROL.search(raw):
        found += b"\x01"
    if _SURROGATE.search(raw) and _lone(raw):
        found += b"\\ud800"
    return found if cut else found + b'"'


def _no_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return True
    return False


def _lone(raw: bytes) -> bool:
    try:
        orjson.loads(raw)
    except ValueError:
        return True
    return False


def _word(redactor: Redactor, raw: bytes) -> bytes:
    """What is no token of JSON at all."""
    if raw == b'"' or not any(char.isalnum() for char in raw.decode("latin-1")):
        return raw
    redactor.counts["replaced", "texts"] += 1
    return ("w" + redactor.tokens.text(raw.decode("latin-1"))[1:].partition("~")[0]).encode("ascii")
