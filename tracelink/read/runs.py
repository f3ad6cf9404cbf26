"""Runs of deltas, counted without being decoded: most of a long stream is text that arrives piece by piece, and of a delta
only its session, its turn and its event id are ever used (proof of life).

The idea: the first delta of a kind is decoded as any line is, and its layout (which members, in which order, with which spaces) becomes
one regular expression that accepts exactly the well-formed lines of that layout. The lines that follow in the same turn are then matched
in one go. The expression is strict JSON: what it does not accept (an escape of a surrogate, a fraction, one member more) is decoded
the plain way, so that nothing is taken for sound that is not. `tests/read/test_skimming.py` holds both ways to the same report.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from tracelink.model.limits import Limits
from tracelink.read.frame import JSONL, SSE, Frame

_LAYOUTS = 16  # layouts of deltas that one source may teach
_TRIES = 4096  # deltas of one source that are looked at for a layout
_BARREN = 16  # those of one type that may teach nothing, one after the other, before the type is given up
_EXPRESSION = 8000  # bytes; a longer one takes longer to make than its lines do to read
_MEMBER = re.compile(rb'([{,][ \t]*"([A-Za-z_]+)"[ \t]*:[ \t]*)("(?:[^"\\\x00-\x1f]|\\.)*"|-?[0-9]+|true|false|null)')
_END = re.compile(rb"[ \t]*\}[ \t]*")

# One JSON string without its quotes, of ASCII, escapes and well-formed UTF-8 (the table of RFC 3629, section 4). Escapes of surrogates
# only in pairs: a lone one is no text.
_ESCAPE = rb'\\(?:["\\/bfnrt]|u(?:[0-9a-ce-fA-CE-F][0-9a-fA-F]{3}|[dD](?:[0-7][0-9a-fA-F]{2}|[89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})))'
_WIDE = (
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
_PLAIN = rb"[\x20\x21\x23-\x5b\x5d-\x7f]"
_TEXT = _PLAIN + rb"*+(?:(?:" + _ESCAPE + rb"|" + _WIDE + rb")" + _PLAIN + rb"*+)*+"
_ID = _PLAIN + rb"++"
_INTEGER = rb"(?:0|[1-9][0-9]{0,15})"
_LINE_END = rb"\r?\n"


class Run(NamedTuple):
    """`count` deltas of one turn, one after the other. Places as in `Frame`, of the first and of the last."""

    count: int  # type: ignore[assignment]
    form: str
    session_id: str | None
    turn_id: str | None
    line: int
    byte: int
    event_id: str
    last_line: int
    last_byte: int
    last_event_id: str
    end: int
    lines: int


class _Layout(NamedTuple):
    pattern: "re.Pattern[bytes]"
    lead: bytes  # what each of its lines begins with
    form: str
    height: int  # lines of the source that one delta takes
    start: int  # which of them holds the JSON text, from 0


class Runs:
    """Learns layouts (`learn`) and finds runs (`find`). leads: what their lines begin with."""

    def __init__(self, limits: Limits) -> None:
        self._limit = limits.record_bytes if limits.depth > 1 else 0
        self._layouts: list[_Layout] = []
        self.leads: tuple[bytes, ...] = ()
        self._known: set[bytes] = set()
        self._tries = 0
        self._barren: dict[str, int] = {}  # type of event → lessons in a row that taught nothing

    def find(self, block: bytes, at: int, end: int, line: int, offset: int) -> Run | None:
        """The run that begins at `at`, the start of a line, and ends at or before `end`; `line` and `offset` say where `at` is in
        the source."""
        if len(block) > self._limit:
            return None
        match = None
        for layout in self._layouts:
            match = layout.pattern.match(block, at, end)
            if match is not None:
                break
        if match is None:
            return None
        if layout is not self._layouts[0]:
            self._layouts.remove(layout)
            self._layouts.insert(0, layout)
        stop = match.end()
        session_id, turn_id, first, last = match.group("session", "turn", "first", "last")
        height = layout.height
        lines = block.count(b"\n", at, stop)
        byte = offset + block.find(b"{", at, stop) - at
        last_byte = byte
        if last is not None:
            last_byte = offset + block.find(b"{", block.rfind(b"\n", at, match.start("last")), stop) - at
        event_id = first.decode()
        return Run(
            lines // height,
            layout.form,
            session_id.decode() if session_id is not None else None,
            turn_id.decode() if turn_id is not None else None,
            line + layout.start,
            byte,
            event_id,
            line + lines - height + layout.start,
            last_byte,
            event_id if last is None else last.decode(),
            stop,
            lines,
        )

    def learn(self, frame: Frame) -> None:
        """Takes the layout of a delta that was decoded, if it has one that can be matched safely."""
        raw, value = frame.raw, frame.value
        barren = self._barren.get(value["type"], 0)
        if len(self._known) >= _LAYOUTS or barren >= _BARREN or self._tries >= _TRIES or frame.form not in (JSONL, SSE):
            return
        self._tries += 1
        name = value["type"].encode()
        mold = _mold(raw, value)
        if mold is None:
            self._barren[value["type"]] = barren + 1
            return
        self._barren[value["type"]] = 0
        lead, height, start, end = b"", 1, 0, _LINE_END
        if frame.form != JSONL:
            end = _LINE_END + _LINE_END
            lead, height = b"data: ", 2
            if frame.event is not None:
                if frame.event.encode() != name:
                    return
                lead, height, start = rb"event: ?" + re.escape(name) + _LINE_END + b"data: ", 3, 1
        first, more, head = mold
        pattern = lead + first + end + b"(?:" + lead + more + end + b")*+"
        if pattern in self._known:
            return
        self._known.add(pattern)
        starts = head if frame.form == JSONL else b"data: " + head if start == 0 else b"event:"
        self._layouts.insert(0, _Layout(re.compile(pattern), starts, frame.form, height, start))
        self.leads = tuple({layout.lead for layout in self._layouts})


def _mold(raw: bytes, value: Mapping[str, Any]) -> tuple[bytes, bytes, bytes] | None:
    """(expression for the first delta of a run, for each that follows, literal beginning), or None where a member is no plain one.

    What is the same in all lines of a run is a group of the first and a reference to it in the others: a reference is compared
    three times as fast as a literal.
    """
    first, more, same = [b""], [b""], b""
    head = b""
    open_head = True
    at, names = 0, []

    def close(until: bytes) -> None:
        nonlocal same
        group = b"l%d" % len(first)
        first.append(b"(?P<" + group + b">" + same + until + b")")
        more.append(b"(?P=" + group + b")")
        same = b""

    while (match := _MEMBER.match(raw, at)) is not None:
        key, name, token = match.group(1), match.group(2).decode(), match.group(3)
        names.append(name)
        at = match.end()
        same += re.escape(key)
        constant = token in (b"true", b"false", b"null")
        if name == "type" or constant:
            same += re.escape(token)
            head += key + token if open_head else b""
            continue
        head += key if open_head else b""
        open_head = False
        if name in ("session_id", "turn_id"):
            if token[:1] != b'"' or not value[name]:
                return None
            same += b'"(?P<' + name.removesuffix("_id").encode() + b">" + _ID + b')"'
        elif name == "event_id":
            if token[:1] != b'"' or not value[name]:
                return None
            close(b'"')
            first.append(b"(?P<first>" + _ID + b")")
            more.append(b"(?P<last>" + _ID + b")")
            same = b'"'
        elif token[:1] == b'"':
            close(b'"')
            first.append(_TEXT)
            more.append(_TEXT)
            same = b'"'
        else:
            close(b"")
            first.append(_INTEGER)
            more.append(_INTEGER)
    end = _END.fullmatch(raw, at)
    if end is None or sorted(names) != sorted(value) or "event_id" not in value or raw[:1] != b"{":
        return None
    close(re.escape(raw[at:]))
    if sum(map(len, first)) > _EXPRESSION:
        return None
    for group in ("session", "turn"):
        if f"{group}_id" not in value or value[f"{group}_id"] is None:
            first.insert(0, b"(?P<" + group.encode() + b">(?!))?+")  # a group that never takes part
    return b"".join(first), b"".join(more), head
