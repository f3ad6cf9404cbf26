"""Stand-ins at the very length of what they replace, for text that is damaged.

What the reader makes of a damaged text depends on where things stand in it: how much of it is quoted, how far it looks for the next sound
piece. So there, and only there, lengths are not rounded.
"""

import re

_FILL = b"~"
_PARTIAL = re.compile(rb"-?[0-9.eE+\-]*|t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|Na?N?")
"""What may be the beginning of a number or of a literal."""


def string(token: str, raw: bytes, cut: bool) -> bytes:
    """A string literal like `raw`, quotation marks included. Brackets, line ends and control characters in it stay where they
    are: where a quotation mark is lost, what looks like a string is what lies between two."""
    inner = raw[1:] if cut else raw[1:-1]
    found = bytearray((token.encode("ascii", "replace") + _FILL * len(inner))[: len(inner)])
    for place, byte in enumerate(inner):
        if byte < 32 or byte in b"{}[]":
            found[place] = byte
    if inner and not inner.isascii():
        try:
            inner.decode()
        except UnicodeDecodeError:
            found[-1] = 0xFF
    return b'"' + bytes(found) + (b"" if cut else b'"')


def number(digits: str, raw: bytes) -> bytes:
    """A number with as many digits; its first is no 0 where it was none."""
    at = iter((digits.strip("-").replace(".", "") or "7") * (len(raw) // 5 + 1))
    return bytes(
        byte if not 48 <= byte <= 57 or (byte == 48 and len(raw) == 1) else ord(next(at).replace("0", "7")) for byte in raw
    )


def word(token: str, raw: bytes) -> bytes:
    """For what is no token of JSON: spaces stay, and so does what may be the beginning of a literal."""
    if _PARTIAL.fullmatch(raw):
        return re.sub(rb"[0-9]", b"7", raw)
    fill = iter(token.encode("ascii", "replace") + _FILL * len(raw))
    return bytes(byte if byte in b" \t" else next(fill) for byte in raw)
