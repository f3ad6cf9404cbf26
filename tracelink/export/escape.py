r"""Text of a recording, made fit to be looked at.

Recordings are hostile: an id may hold a terminal escape, a bidi override, a NUL, a lone surrogate. Whatever is not
visible by itself is written out: `\x1b` below 256, `\u{202e}` above. What remains is valid in XML, and means nothing
to a terminal. Each format quotes its own syntax on top of this.
"""

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def visible(text: str, limit: int | None = None) -> str:
    """The text with every invisible character written out; cut in the middle where longer than `limit` characters."""
    if not text.isprintable():
        text = "".join(_shown(char) if hidden(char) else char for char in text)
    if limit is not None and len(text) > limit:
        head = (limit - 1) // 2 + 1
        text = f"{text[:head]}…{text[len(text) - (limit - 1 - head) :]}"
    return text


def hidden(char: str) -> bool:
    """Control, format (bidi, zero width, tags), surrogate, line separator, or no character at all."""
    code = ord(char)
    return unicodedata.category(char) in _HIDDEN or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def _shown(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"
