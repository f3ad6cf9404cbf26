"""Markdown whose recorded parts cannot act: no HTML, no link, no image, no mention, no way out of a code span or fence.

Two rules carry it. Recorded text stands only in code, and a backtick never does: in text it is shown as `\\x60`, in JSON it is the
escape `\\u0060`, which is the same value. Our own sentences, which have recorded words in them, are set word by word: a word of plain
letters stays, every other becomes code. So nothing depends on how a reader of Markdown counts backticks.
"""

import re
from typing import Any

from tracelink.render.escape import escape, json_text, short

_PLAIN = re.compile(r"""([("“]*)((?:[^\W\d_]+(?:['’/-][^\W\d_]+)*|\d{1,3}(?:[,.]\d{1,3})?|→|…|–)?)([.,;:?!)"”…]*)\Z""")
_HEX = re.compile(r"[a-fA-F]{7,}\Z")
_EDGES = re.compile(r"""([("“]*)(.*?)([.,;:?!)"”]*)\Z""", re.DOTALL)


def code(text: str | None, width: int | None = None) -> str:
    """Recorded text as a code span on one line; `(empty)` where it is empty. width: columns it is cut to."""
    if text is None:
        return "(none)"
    shown = (escape(text) if width is None else short(text, width)).replace("`", "\\x60").strip()
    return f"`{shown}`" if shown else "(empty)"


def code_json(value: Any, width: int | None = None) -> str:
    """A recorded value as JSON in a code span; cut, it is no longer JSON, and ends with `…`."""
    text = json_text(value).replace("`", "\\u0060")
    return f"`{text if width is None else short(text, width)}`"


def prose(text: str) -> str:
    """A sentence of ours that may hold recorded words. Neighbouring words that need it become one code span."""
    shown: list[str] = []
    run: list[str] = []
    for word in escape(text).split(" "):
        if _is_plain(word):
            shown += [*_coded(run), word]
            run = []
        elif word:
            run.append(word)
    return " ".join([*shown, *_coded(run)])


def _is_plain(word: str) -> bool:
    match = _PLAIN.match(word)
    return match is not None and not _HEX.match(match[2])


def _coded(words: list[str]) -> list[str]:
    found = []
    for word in words:
        match = _EDGES.match(word)
        before, inner, after = match.groups() if match else ("", word, "")
        found.append(f"{before}{code(inner)}{after}" if inner else f"{before}{after}")
    return found


def fence(value: Any) -> list[str]:
    """A value as a fenced block of JSON: the same value, ready to be copied."""
    return ["```json", *json_text(value, indent=2).replace("`", "\\u0060").split("\n"), "```"]
