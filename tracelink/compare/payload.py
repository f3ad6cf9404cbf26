"""Two JSON values, compared by structure: which members differ, each with its JSONPath.

JSON text counts as the value it holds. Members are compared by name; the elements of lists are aligned, so one that was put in
front does not make all others differ. What is added or taken away is told once, whole. No recursion: payloads may be nested deeply.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tracelink.compare.align import staged
from tracelink.compare.values import CHANGED, ONLY_IN_A, ONLY_IN_B
from tracelink.link.payload import digest, plain, same

ROOT = "$"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class Change(NamedTuple):
    """what: changed, only_in_a, only_in_b. The path of the side that has nothing is None."""

    what: str
    path_a: str | None
    path_b: str | None
    a: Any
    b: Any


def changes(a: Any, b: Any) -> list[Change]:
    """How two values differ, in the order of `a`; empty where they say the same."""
    if same(a, b):
        return []
    found: list[Change] = []
    left: list[tuple[str, str, Any, Any]] = [(ROOT, ROOT, plain(a), plain(b))]
    while left:
        path_a, path_b, one, other = left.pop()
        if digest(one) == digest(other) and type(one) is type(other):
            continue
        if isinstance(one, dict) and isinstance(other, dict):
            left += reversed(list(_members(path_a, path_b, one, other, found)))
        elif isinstance(one, list) and isinstance(other, list):
            left += reversed(list(_elements(path_a, path_b, one, other, found)))
        else:
            found.append(Change(CHANGED, path_a, path_b, one, other))
    return found


Inner = Iterator[tuple[str, str, Any, Any]]


def _members(path_a: str, path_b: str, a: dict[str, Any], b: dict[str, Any], found: list[Change]) -> Inner:
    for name in dict.fromkeys((*a, *b)):
        step = member(name)
        if name not in b:
            found.append(Change(ONLY_IN_A, path_a + step, None, a[name], None))
        elif name not in a:
            found.append(Change(ONLY_IN_B, None, path_b + step, None, b[name]))
        else:
            yield path_a + step, path_b + step, a[name], b[name]


def _elements(path_a: str, path_b: str, a: list[Any], b: list[Any], found: list[Change]) -> Inner:
    pairs = staged([([digest(one) for one in a], [digest(one) for one in b])], len(a), len(b), by_place=True)
    with_a, with_b = {one for one, _ in pairs}, {other for _, other in pairs}
    found += [Change(ONLY_IN_A, f"{path_a}[{at}]", None, one, None) for at, one in enumerate(a) if at not in with_a]
    found += [Change(ONLY_IN_B, None, f"{path_b}[{at}]", None, one) for at, one in enumerate(b) if at not in with_b]
    for one, other in pairs:
        yield f"{path_a}[{one}]", f"{path_b}[{other}]", a[one], b[other]


def member(name: str) -> str:
    """The step of a JSONPath to a member: `.units`, or `['odd name']` (RFC 9535) where the name is no plain word."""
    if _NAME.match(name):
        return f".{name}"
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{quoted}']"
