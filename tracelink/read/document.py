"""What is left of a damaged JSON text.

The idea: every member outside the containers that are open at the damage is complete, so it is kept; after damage inside a
list, reading goes on with the next sound element. Text is looked at as Latin-1: a position in it is a byte offset.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from tracelink.read.decode import Undecodable, decode, loads
from tracelink.read.nesting import CUT, DONE, MARKS, NEXT, OPEN, VALUE, Nesting
from tracelink.read.places import SPACE, Path, member_name, scan, string

_ELEMENT = re.compile(rb'[,\[]\s*(\{\s*")')


class Damage(NamedTuple):
    """A place where a text is broken. `byte`: start of the element that is lost; `at`: the culprit. `torn`: the text ends there."""

    byte: int
    at: int
    torn: bool


class Repaired(NamedTuple):
    """value: all complete members of a damaged text. open: ids of the containers in it that are not whole.
    starts: offset of every member of such a container, by path."""

    value: Any
    open: frozenset[int]
    starts: dict[Path, int]
    damages: tuple[Damage, ...]
    doubts: tuple[str, ...]
    lost: int = 0  # bytes after the last damage that were given up


_MOST_DAMAGES = 100
_MOST_TRIES = 50
_WINDOW = 1024 * 1024  # bytes after a damage in which the next sound element is looked for


def repair(raw: bytes, depth: int) -> Repaired:
    """What is complete in a damaged text that begins with a bracket. Linear: no byte is scanned more than a few times, except
    in looking for the next sound element, which gives up after a bounded number of tries."""
    keep: dict[Path, int] = {}
    whole: set[int] = set()
    doubts: list[str] = []
    damages: list[Damage] = []
    nesting = Nesting()
    state, culprit = nesting.feed(raw)
    lost = 0
    root: Any = [] if raw[:1] == b"[" else {}
    # the open containers from the outermost: (container, path, offset of the next member)
    stack: list[tuple[Any, Path]] = [(root, ())]
    whole.add(id(root))
    text = raw.decode("latin-1")
    at = 1
    while True:
        at = _take(raw, text, at, culprit, nesting.starts, stack, keep, whole, depth, doubts)
        if state in (OPEN, CUT, DONE):
            if state != DONE:
                damages.append(Damage(_element(nesting, len(raw)), min(culprit, len(raw)), True))
            break
        damages.append(Damage(_element(nesting, culprit), culprit, False))
        lost = len(raw) - culprit
        if len(damages) >= _MOST_DAMAGES:
            break
        found = _resume(raw, culprit, nesting, _siblings(stack))
        if found is None:
            break
        lost = 0
        level, at = found
        del nesting.starts[level:], nesting.kinds[level:], stack[level:]
        nesting.expect = NEXT if raw[at : at + 64].lstrip()[:1] in (b",", b"]", b"") else VALUE
        state, culprit = nesting.feed(raw, 0, at)
    return Repaired(root, frozenset(whole), keep, tuple(damages), tuple(dict.fromkeys(doubts)), lost)


def _siblings(stack: Sequence[tuple[Any, Path]]) -> list[dict[str, Any]]:
    """The whole objects in the outermost open list of objects."""
    for container, _ in stack:
        if isinstance(container, list) and container and isinstance(container[0], dict):
            return [member for member in container[:-1] if isinstance(member, dict)]
    return []


def _element(nesting: Nesting, otherwise: int) -> int:
    """Start of the element that is lost: the outermost open container that is an array's element, else the document."""
    for index in range(1, len(nesting.starts)):
        if nesting.kinds[index - 1] == 91:
            return nesting.starts[index]
    return otherwise if nesting.kinds[:1] == b"[" else (nesting.starts[0] if nesting.starts else 0)


def _take(
    raw: bytes,
    text: str,
    at: int,
    end: int,
    opened: Sequence[int],
    stack: list[tuple[Any, Path]],
    keep: dict[Path, int],
    whole: set[int],
    depth: int,
    doubts: list[str],
) -> int:
    """Add the complete members between `at` and `end`; containers of `opened` are entered, all others are whole."""
    inside = set(opened)
    while stack:
        container, path = stack[-1]
        at = SPACE.match(text, at).end()  # type: ignore[union-attr]
        if at >= end:
            return at
        char = text[at]
        if char == ",":
            at += 1
            continue
        if char in "]}":
            stack.pop()
            at += 1
            continue
        key: str | int
        if isinstance(container, dict):
            try:
                name, at = string(text, at + 1, False)
            except ValueError:
                return end
            key = member_name(name)
            at = SPACE.match(text, at).end()  # type: ignore[union-attr]
            at = SPACE.match(text, at + 1).end()  # type: ignore[union-attr]
            if at >= end:
                return end
        else:
            key = len(container)
        start = at
        value: Any
        if at in inside:
            value = [] if text[at] == "[" else {}
            whole.add(id(value))
            at += 1
        else:
            try:
                _, at = scan(text, at)
                value, found = decode(raw[start:at], depth)
            except (ValueError, RecursionError):
                return end
            doubts.extend(found)
            if at >= end and text[start] not in '{["':
                return end  # a number at the cut may have had more digits
        here = (*path, key)
        keep[here] = start
        if isinstance(container, dict):
            container[key] = value
        else:
            container.append(value)
        if start in inside:
            stack.append((value, here))
    return at


def _resume(raw: bytes, culprit: int, nesting: Nesting, siblings: Sequence[Any]) -> tuple[int, int] | None:
    """(number of containers still open, offset just after the lost element), or None.

    First by brackets: the lost element ends where those opened in it are closed. A lost quotation mark turns strings inside out, so
    this is tried from both sides of the next quotation mark, and the nearer sound end counts. Where that leads nowhere, by search: the
    next object that looks like its siblings.
    """
    kinds = nesting.kinds
    arrays = [index for index, kind in enumerate(kinds) if kind == 91]
    if not arrays:
        return None
    if kinds[-1] == 91 and nesting.expect == NEXT and raw[culprit : culprit + 1] in (b"{", b"["):
        return len(kinds), culprit  # only the comma is missing
    level = next((index + 1 for index in arrays if index + 1 == len(kinds) or kinds[index + 1] == 123), arrays[0] + 1)
    quote = raw.find(b'"', culprit) + 1
    inside, object_ = bytes(kinds[level:]), level < len(kinds)
    found = _end_of_lost(raw, culprit, culprit + _WINDOW, inside, object_)
    if quote:
        nearer = _end_of_lost(raw, quote, found or culprit + _WINDOW, inside, object_)
        found = nearer if nearer is not None else found
    if found is not None:
        return level, found
    common = set(siblings[0]) if siblings else {"type"}
    for sibling in siblings[1:20]:
        common &= set(sibling)
    for tries, match in enumerate(_ELEMENT.finditer(raw, culprit, culprit + _WINDOW)):
        if tries == _MOST_TRIES:
            break
        start = match.start(1)
        state, end = Nesting().feed(raw, 0, start)
        if state == DONE and raw[end : end + 64].lstrip()[:1] in (b",", b"]"):
            try:
                candidate = loads(raw[start:end])
            except ValueError:
                continue
            if common <= candidate.keys():
                return level, _comma(raw, start)
    return None


def _end_of_lost(raw: bytes, start: int, limit: int, opened: bytes, object_: bool) -> int | None:
    """Where the element that began with the brackets `opened` ends, if what follows is sound: the list's end or another element."""
    stack = bytearray(opened)
    for match in MARKS.finditer(raw, start, limit):
        mark = raw[match.start()]
        if mark == 34:
            continue
        if mark in b"{[":
            stack.append(mark)
            continue
        if mark == 93 and not stack:
            return match.start()
        wanted = 123 if mark == 125 else 91
        if wanted in stack and (stack[-1] == wanted or mark == 125):
            del stack[stack.rfind(bytes((wanted,))) :]
        if not stack:
            rest = raw[match.end() : match.end() + 64].lstrip()
            if rest[:1] == b"]":
                return match.end()
            if rest[:1] == b",":
                following = rest[1:].lstrip()[:1]
                if not following or not object_ or following == b"{":
                    return match.end()
    return None


def _comma(raw: bytes, before: int) -> int:
    """Offset of the comma in front of `before`, so that reading goes on as after an element."""
    found = raw.rfind(b",", 0, before)
    return found if found >= 0 and not raw[found + 1 : before].strip() else before


def undecodable(raw: bytes, depth: int) -> Undecodable | None:
    """Why `raw` cannot be decoded, or None if it can."""
    try:
        decode(raw, depth)
    except Undecodable as error:
        return error
    return None
