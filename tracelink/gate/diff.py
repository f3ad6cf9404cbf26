"""Two histories side by side: what became of each item at another provider.

The idea: calls and outputs are matched by call_id; what stands between two matches is matched in order, first within a type, then by place alone.
"""

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, NamedTuple

from tracelink.gate.checks.context import call_key
from tracelink.gate.exact import dumps, loads
from tracelink.gate.item import History, Item
from tracelink.gate.kinds import CALL, OUTPUTS, PAIRS, text, type_of


class Difference(NamedTuple):
    """what: type_namespaced, type_changed, id_drifted, arguments_changed, status_changed, value_changed, moved, only_in_a, only_in_b.

    moved: field is `position`, a and b are the positions.
    """

    what: str
    field: str
    a: Any
    b: Any


@dataclass(frozen=True, slots=True)
class Matched:
    """An item of each side (None where there is none), by position, and how they differ. by: call_id or position; None for an item of one side alone."""

    a: int | None
    b: int | None
    by: str | None
    differences: tuple[Difference, ...]


def diff_items(a: History, b: History) -> tuple[Matched, ...]:
    """Every item of both, in the order of `a`; what only `b` has stands where it would be."""
    anchors = _by_id(a, b)
    anchors += _runs(a, b, sorted(anchors))
    pairs = dict(anchors)
    taken = set(pairs.values())
    kept = _in_order(sorted(pairs.items()))
    by_id = {one for one, _ in _by_id(a, b)}
    result: list[Matched] = []
    only_b = [at for at in range(len(b.items)) if at not in taken]
    for at, item in enumerate(a.items):
        other = pairs.get(at)
        if other is None:
            result.append(Matched(at, None, None, (Difference("only_in_a", "item", type_of(item.value), None),)))
            continue
        while only_b and only_b[0] < other:
            result.append(_alone(b, only_b.pop(0)))
        found = _compared(item.value, b.items[other].value)
        if at not in kept:
            found.append(Difference("moved", "position", at, other))
        result.append(Matched(at, other, "call_id" if at in by_id else "position", tuple(found)))
    return (*result, *(_alone(b, at) for at in only_b))


def _in_order(pairs: list[tuple[int, int]]) -> frozenset[int]:
    """The items of `a` that keep their order in `b`: as many as can be (a longest increasing run). The others moved."""
    ends: list[int] = []  # the last place in `b` of the best run of each length
    at_end: list[int] = []  # which pair that is
    before: list[int] = []
    for number, (_, there) in enumerate(pairs):
        length = bisect_left(ends, there)
        before.append(at_end[length - 1] if length else -1)
        ends[length : length + 1], at_end[length : length + 1] = [there], [number]
    kept, number = set(), at_end[-1] if at_end else -1
    while number >= 0:
        kept.add(pairs[number][0])
        number = before[number]
    return frozenset(kept)


def _alone(b: History, at: int) -> Matched:
    return Matched(None, at, None, (Difference("only_in_b", "item", None, type_of(b.items[at].value)),))


def _by_id(a: History, b: History) -> list[tuple[int, int]]:
    """The n-th call (or output) with an id goes with the n-th of the other side."""
    found: dict[tuple[bool, str], list[int]] = {}
    for at, item in enumerate(b.items):
        if (key := _key(item)) is not None:
            found.setdefault(key, []).append(at)
    for listed in found.values():
        listed.reverse()
    return [(at, found[key].pop()) for at, item in enumerate(a.items) if (key := _key(item)) is not None and found.get(key)]


def _key(item: Item) -> tuple[bool, str] | None:
    type_, id_ = type_of(item.value), call_key(item.value)
    if id_ is None:
        return None
    output = type_ in OUTPUTS or (type_ not in PAIRS and "output" in item.value)
    return (output, id_)


def _runs(a: History, b: History, anchors: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Match what stands between the anchors that are in order on both sides."""
    found: list[tuple[int, int]] = []
    taken_b = {at for _, at in anchors}
    taken_a = {at for at, _ in anchors}
    last_a = last_b = -1
    for here, there in [*anchors, (len(a.items), len(b.items))]:
        if there < last_b:
            continue
        free_a = [at for at in range(last_a + 1, here) if at not in taken_a]
        free_b = [at for at in range(last_b + 1, there) if at not in taken_b]
        found += _one_run(a, b, free_a, free_b)
        last_a, last_b = here, there
    return found


def _one_run(a: History, b: History, free_a: list[int], free_b: list[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    by_kind: dict[Any, list[int]] = {}
    for at in reversed(free_b):
        by_kind.setdefault(_kind(b.items[at].value), []).append(at)
    rest: list[int] = []
    for at in free_a:
        listed = by_kind.get(_kind(a.items[at].value))
        if listed:
            found.append((at, listed.pop()))
        else:
            rest.append(at)
    left = sorted(at for listed in by_kind.values() for at in listed)
    return found + list(zip(rest, left, strict=False))


def _kind(value: Any) -> tuple[str | None, str | None]:
    return type_of(value) or ("message" if text(value, "role") else None), text(value, "role")


def _compared(a: Any, b: Any) -> list[Difference]:
    if not isinstance(a, dict) or not isinstance(b, dict):
        return [] if a == b else [Difference("value_changed", "item", a, b)]
    found: list[Difference] = []
    if (one := a.get("type")) != (other := b.get("type")):
        namespaced = isinstance(other, str) and ":" in other
        found.append(Difference("type_namespaced" if namespaced else "type_changed", "type", one, other))
    for name in dict.fromkeys((*a, *b)):
        one, other = a.get(name), b.get(name)
        if name == "type" or one == other or (name == "arguments" and type_of(a) == CALL and _same_json(one, other)):
            continue
        what = {"id": "id_drifted", "call_id": "id_drifted", "approval_request_id": "id_drifted"}.get(name, "value_changed")
        what = {"arguments": "arguments_changed", "status": "status_changed"}.get(name, what)
        found.append(Difference(what, name, one, other))
    return found


def _same_json(a: Any, b: Any) -> bool:
    """Whether two arguments are one JSON value; an object counts as its text."""
    try:
        return dumps(_ordered(_arguments(a)), constants=True) == dumps(_ordered(_arguments(b)), constants=True)
    except (ValueError, RecursionError):
        return False


def _arguments(value: Any) -> Any:
    return loads(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else value


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _ordered(value[name]) for name in sorted(value)}
    return [_ordered(member) for member in value] if isinstance(value, list) else value
