"""A JSON text, sound or not, with its strings, numbers and names replaced where they stand.

The idea: look at tokens only. Brackets, commas, colons and white space are copied, so that lines stay lines, a torn text stays torn at the
same place, and a member given twice is given twice; each other token goes through the redactor with the treatment that its place asks for.
What is known of the text (its decoded value, where records begin in it) is handed in by whoever decoded it; without that, the names alone
decide, and what no name explains is replaced.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import orjson

from tracelink.read.decode import Undecodable, decode
from tracelink.redact import fit
from tracelink.redact.members import How, inside, member
from tracelink.redact.redactor import Redactor

_TOKEN = re.compile(
    rb'([ \t\r\n\f\x1e\0]+)|("[^"\\]*(?:\\.[^"\\]*)*")|([{}\[\],:])|(true|false|null|-?NaN|-?Infinity)(?![^\s{}\[\],:"])'
    rb'|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![^\s{}\[\],:"])|("(?:[^"\\]|\\.)*\\?\Z)|([^\s{}\[\],:"]+(?:[ \t]+[^\s{}\[\],:"]+)*|")',
    re.DOTALL,
)
_SPACE, _STRING, _MARK, _LITERAL, _NUMBER, _CUT, _WORD = range(1, 8)
_OPENING, _CLOSING = (b"{", b"["), (b"}", b"]")
_DEPTH = 10_000
_NAMES = re.compile(rb"[ \t]*:")
_ESCAPED = re.compile(r'["\\]')
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


def rewrite(redactor: Redactor, raw: bytes, how: How, known: Known = _NOTHING, torn: bool = False) -> bytes:
    """how: the treatment of the outermost value. torn: what is replaced keeps its length (`fit`). Line ends are as many as in `raw`."""
    return _Writer(redactor, how, known, torn).feed(raw)


def damaged(redactor: Redactor, raw: bytes, how: How, known: Known, whole: Iterable[tuple[int, int]]) -> bytes:
    """A damaged text. whole: (start, end) of the records in it that are sound; they are taken out first, so that a quotation mark which is
    missing before them does not turn them inside out."""
    writer = _Writer(redactor, how, known, True)
    out: list[bytes] = []
    at = 0
    for start, end in sorted(whole):
        if start < at:
            continue
        out.append(writer.feed(raw[at:start], at))
        treatment, value = known.records[start]
        inner = Known(value, {0: (treatment, value)}, frozenset(), known.embedded, known.chosen)
        out.append(_Writer(redactor, treatment, inner, False).feed(raw[start:end]))
        at = end
    out.append(writer.feed(raw[at:], at))
    return b"".join(out)


class _Writer:
    def __init__(self, redactor: Redactor, how: How, known: Known, torn: bool) -> None:
        self._redactor, self._how, self._known, self._torn = redactor, how, known, torn
        self._stack: list[_Open] = []
        self._loose = _Open(True, how, "", None)  # of a piece that begins inside an object
        self._skipped = 0  # brackets open inside something dropped

    def feed(self, raw: bytes, base: int = 0) -> bytes:
        """A stretch of the text, that starts at `base` in it."""
        out: list[bytes] = []
        stack = self._stack
        for match in _TOKEN.finditer(raw):
            kind, text = match.lastindex, match.group()
            if self._skipped:
                self._skipped += (text in _OPENING) - (text in _CLOSING)
                out.append(b"\n" * text.count(b"\n"))
            elif kind == _SPACE:
                out.append(text)
            elif kind == _MARK:
                out.append(self._mark(text, match.start() + base))
            elif stack and stack[-1].naming and kind in (_STRING, _CUT):
                out.append(self._name(stack[-1], text, kind == _CUT))
            elif self._torn and kind == _STRING and _NAMES.match(raw, match.end()):
                out.append(self._name(stack[-1] if stack else self._loose, text, False))
            else:
                out.append(self._leaf(kind or _WORD, text, match.start() + base))
        return b"".join(out)

    def _mark(self, text: bytes, at: int) -> bytes:
        stack, known = self._stack, self._known
        top = stack[-1] if stack else None
        if text in _OPENING:
            how, key, value, listed = _here(top, self._how, known.value, known.chosen)
            if how is How.DROP:
                self._redactor.counts["dropped", "members"] += 1
                self._skipped = 1
                return b"null"
            record = known.records.get(at)
            if record is not None and how is not How.KEEP:
                (how, value), key, listed = record, "", True
            if text == b"{":
                stack.append(_Open(True, inside(how, key, value, listed), key, value if isinstance(value, dict) else None))
            else:
                stack.append(_Open(False, how, key, value if isinstance(value, list) else None))
            if len(stack) > _DEPTH:
                del stack[1:-1]
        elif text in _CLOSING:
            if stack:
                stack.pop()
        elif top is not None:
            if text == b",":
                top.index += 1
            top.naming = top.is_object and text == b","
        return text

    def _name(self, top: _Open, text: bytes, cut: bool) -> bytes:
        name = None if cut else _decoded(text)
        top.key = name if name is not None else text.decode("latin-1")
        new = self._redactor.member(top.how, top.key)
        if new == name:
            return text
        return fit.string(new, text, cut) if self._torn and cut else _literal(new, text, cut)

    def _leaf(self, kind: int, text: bytes, at: int) -> bytes:
        redactor, known = self._redactor, self._known
        top = self._stack[-1] if self._stack else self._loose if self._torn and self._loose.key else None
        how, key, _, _ = _here(top, self._how, known.value, known.chosen)
        if how is How.DROP:
            redactor.counts["dropped", "members"] += 1
            return b"null" + b"\n" * text.count(b"\n")
        if kind == _LITERAL:
            return text
        if kind == _NUMBER:
            found = redactor.number(how, key, text.decode("ascii"))
            same = found.encode("ascii")
            return fit.number(found, text) if self._torn and same != text else same
        if kind == _STRING:
            decoded = _decoded(text)
            if decoded is None:
                new = redactor.token(text.decode("latin-1"))
            elif at in known.texts and known.embedded is not None and how is not How.KEEP:
                new = known.embedded(decoded, key, top.value if top is not None else None)
            else:
                new = redactor.leaf(how, key, decoded)
                if self._torn and new != decoded and not _ESCAPED.search(new):  # JSON in a string stays JSON, however long
                    return fit.string(new, text, False)
            return text if new == decoded else _literal(new, text, False)
        if kind == _WORD and not any(char.isalnum() for char in text.decode("latin-1")):
            return text
        token = redactor.token(text.decode("latin-1"))
        if kind == _CUT:
            return fit.string(token, text, True) if self._torn else _literal(token, text, True)
        token = "w" + token[1:].partition("~")[0]
        return fit.word(token, text) if self._torn else token.encode("ascii")


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
