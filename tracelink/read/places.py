"""Where the parts of a JSON text stand.

The idea: look at the text as Latin-1, so that a position in it is a byte offset; walk only along the paths that are asked for, and
let the C scanner of the standard library skip everything else.
"""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

Path = tuple["str | int", ...]

SPACE = re.compile(r"[ \t\r\n\f]*")
scan = json.JSONDecoder(strict=False).raw_decode
string = json.decoder.scanstring  # type: ignore[attr-defined]


def locate(raw: bytes | str, paths: Iterable[Path], base: Path = (), start: int = 0) -> dict[Path, int]:
    """Byte offset of the value at each path (below `base`, which stands at `start`). Paths that are not found are left out.

    raw: the bytes, or these as Latin-1 already, where more than one part of them is looked through.
    """
    text = raw.decode("latin-1") if isinstance(raw, bytes) else raw
    trie: dict[Any, Any] = {}
    for path in paths:
        node = trie
        for key in path[len(base) :]:
            node = node.setdefault(key, {})
        node[None] = path
    found: dict[Path, int] = {}
    with suppress(ValueError, IndexError, RecursionError):
        _walk(text, SPACE.match(text, start).end(), trie, found)  # type: ignore[union-attr]
    return found


def _walk(text: str, at: int, trie: dict[Any, Any], found: dict[Path, int]) -> int:
    """Go through the value at `at`; enter only what the trie names. Returns the offset after it."""
    if None in trie:
        found[trie[None]] = at
        if len(trie) == 1:
            return int(scan(text, at)[1])
    space = SPACE.match
    char = text[at]
    if char not in "{[":
        return int(scan(text, at)[1])
    close = "}" if char == "{" else "]"
    index = 0
    at = space(text, at + 1).end()  # type: ignore[union-attr]
    while text[at] != close:
        key: str | int = index
        if char == "{":
            name, at = string(text, at + 1, False)
            key = member_name(name)
            at = space(text, at).end()  # type: ignore[union-attr]
            at = space(text, at + 1).end()  # type: ignore[union-attr]
        below = trie.get(key)
        if below is None:
            at = int(scan(text, at)[1])
        else:
            at = _walk(text, at, below, found)
        at = space(text, at).end()  # type: ignore[union-attr]
        if text[at] == ",":
            at = space(text, at + 1).end()  # type: ignore[union-attr]
        index += 1
    return at + 1


def member_name(latin: str) -> str:
    try:
        return latin.encode("latin-1").decode("utf-8", "tracelink-bytes")
    except UnicodeEncodeError:  # it had \u escapes
        return latin
