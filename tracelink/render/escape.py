"""Text from recordings, made safe to show on a terminal.

The idea: whatever could move the cursor, turn the reading direction round or hide is replaced by visible
text (`\\x1b`, `\\u{202E}`), and a key of OpenAI's by `[a credential]`, be it an id; everything else stays as it is.
Bodies that are to be posted and values that were asked for as data pass through `json_text` whole. Widths are columns, not characters.
"""

import json
import re
import unicodedata
from typing import Any

# C0 and C1 controls, surrogates, every format character (Cf: bidi, zero width, tags) and what is drawn as nothing
# though it is a letter or a mark, line separators, and spaces that pass for another space.
_FORMAT = (
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u2800\u3164\ufe00-\ufe0f\uffa0"
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f"
_UNSAFE = re.compile(f"[\x00-\x1f\x7f-\x9f\ud800-\udfff{_FORMAT}{_INVISIBLE}{_SPACES}]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_PLAIN_ID = re.compile(r"[\w.:/@+=#()-]+\Z")
MARKS_IN_A_ROW = 4
"""More combining marks than this on one letter are shown as escapes: they climb over the lines above."""
_PILE = re.compile(r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{5,}")


def _visible(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    return _SHORT.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:04X}}}")


def _flatten(match: re.Match[str]) -> str:
    pile = match[0]
    return pile[:MARKS_IN_A_ROW] + "".join(f"\\u{{{ord(mark):04X}}}" for mark in pile[MARKS_IN_A_ROW:])


def masked(text: str) -> str:
    """`text` with OpenAI's keys masked as in findings (TL701); what has none costs one look."""
    if "sk-" not in text:
        return text
    from tracelink.rules.tl7_secrets.scanner import shown

    return shown(text)


def _masked(value: Any) -> Any:
    """The same in every text of a JSON value, member names too."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, dict):
        return {masked(name): _masked(one) for name, one in value.items()}
    return [_masked(one) for one in value] if isinstance(value, list) else value


def escape(text: str) -> str:
    """`text` on one line, with nothing in it that a terminal obeys or an eye overlooks, and no key of OpenAI's."""
    text = masked(text)
    text = text.replace("##[", "#\\x23[")  # some CI systems take it for a command of their own, anywhere in a line
    if text.isascii() and text.isprintable():
        return text
    return _PILE.sub(_flatten, _UNSAFE.sub(_visible, text))


def ident(text: str | None) -> str:
    """An id, in full; in quotes where a space or the like in it would be overlooked. None is `(no id)`."""
    if text is None:
        return "(no id)"
    shown = escape(text)
    return shown if shown == text and _PLAIN_ID.match(text) else f"'{shown}'"


def json_text(value: Any, indent: int | None = None, *, whole: bool = False) -> str:
    """`value` as JSON that is still JSON and safe to show: what `escape` would show, as a JSON escape.

    whole, or with an indent: it is to be copied, so a key in it stays.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
        if "sk-" in text and not whole and indent is None:
            text = json.dumps(_masked(value), ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # a number of thousands of digits, or nested too deeply
        return '"(cannot be shown)"'
    text = text.replace("##[", "#\\u0023[")
    text = _UNSAFE.sub(lambda match: match[0] if indent and match[0] == "\n" else _json_escape(match[0]), text)
    return _PILE.sub(lambda match: match[0][:MARKS_IN_A_ROW] + _json_escape(match[0][MARKS_IN_A_ROW:]), text)


def _json_escape(text: str) -> str:
    units = text.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def shielded(data: bytes) -> bytes:
    """JSON, encoded, with whatever `escape` would make visible written as a JSON escape: the same value, safe to show."""
    data = data.replace(b"##[", b"#\\u0023[")
    if data.isascii() and b"\x7f" not in data:  # controls below the space are escapes in any JSON
        return data
    return b"\n".join(map(_shielded, data.split(b"\n")))  # of a long report, few lines hold anything but ASCII


def _shielded(line: bytes) -> bytes:
    if line.isascii() and b"\x7f" not in line:
        return line
    text = _UNSAFE.sub(lambda match: _json_escape(match[0]), line.decode("utf-8", "surrogatepass"))
    return _PILE.sub(lambda match: match[0][:MARKS_IN_A_ROW] + _json_escape(match[0][MARKS_IN_A_ROW:]), text).encode()


def columns(char: str) -> int:
    """How many columns one character takes: 0, 1 or 2."""
    if char.isascii():
        return 1
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def width_of(text: str) -> int:
    """Columns that `text` takes on a terminal."""
    return len(text) if text.isascii() else sum(map(columns, text))


def short(text: str, width: int) -> str:
    """`text`, escaped, cut to at most `width` columns; `…` stands for what is missing."""
    if len(text) > width * 8 + 64:  # no need to escape a megabyte to show a line of it
        text = text[: width * 8 + 64] + "…"
    shown = escape(text)
    if width_of(shown) <= width:
        return shown
    room, kept = width - 1, []
    for char in shown:
        room -= columns(char)
        if room < 0:
            break
        kept.append(char)
    return "".join(kept) + "…" if width > 0 else ""
