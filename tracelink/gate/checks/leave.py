"""What may be left out on request (`--drop-bound`): items that are bound to their provider, each with all that goes with it, or not at all.

The idea: items that belong together (a call and its outputs, a program and its calls, a request for approval and its answer, an extension and
the output that names it, a reasoning item and what follows it) are one group; a group goes whole, if all of it is bound, or stays.
A compaction stays, for it holds the earlier context, and so does an unanswered approval. Where something of the recording is missing, only
what is complete in itself goes.
"""

from collections.abc import Iterator
from typing import Any

from tracelink.gate.call import NAMESPACED, of_program
from tracelink.gate.checks.context import Context, call_key
from tracelink.gate.checks.gaps import ambiguous
from tracelink.gate.item import Fix
from tracelink.gate.kinds import (
    AGENTS_ONLY,
    APPROVAL_REQUEST,
    APPROVAL_RESPONSE,
    BOUND,
    CALL,
    OUTPUTS,
    PAIRS,
    REASONING,
    text,
    type_of,
)


def departures(context: Context) -> dict[int, tuple[Fix, ...]]:
    """Position of an item that may go → the change, which names all that goes with it."""
    groups = _Groups(len(context.history.items))
    _by_call(context, groups)
    _by_program(context, groups)
    _by_approval(context, groups)
    _by_extension(context, groups)
    _by_reasoning(context, groups)
    found: dict[int, tuple[Fix, ...]] = {}
    undecided = ambiguous(context.history)
    unsure = frozenset[str]().union(*undecided.values())
    for members in groups.all():
        if any(at in undecided or unsure & _ids(context.value(at)) for at in members) or not _may_go(context, members):
            continue
        found |= {at: (Fix("drop-bound", at, members),) for at in members}
    return found


def _may_go(context: Context, members: tuple[int, ...]) -> bool:
    values = [context.value(at) for at in members]
    types = {type_of(value) for value in values}
    bound = [at for at in members if _bound(context, at)]
    if not bound or not all(_bound(context, at) or _goes_along(context, at, types) for at in members):
        return False
    if context.history.gap and (len(members) > 1 or types & _halves()):
        return False
    asked = {text(value, "id") for value in values if type_of(value) == APPROVAL_REQUEST}
    given = {text(value, "approval_request_id") for value in values if type_of(value) == APPROVAL_RESPONSE}
    if asked - given or (given - asked):
        return False
    half = any(type_ in OUTPUTS for type_ in types) and not any(type_ in PAIRS for type_ in types)
    return not (context.elsewhere and half)


def _halves() -> frozenset[str]:
    return frozenset(PAIRS) | frozenset(OUTPUTS) | {APPROVAL_REQUEST, APPROVAL_RESPONSE}


def _bound(context: Context, at: int) -> bool:
    """Whether an item by itself is one that only its provider takes."""
    value = context.value(at)
    type_ = type_of(value)
    if type_ is None:
        return False
    if context.history.items[at].loss is not None and type_ != CALL:
        return True
    return type_ in BOUND or type_ in AGENTS_ONLY or type_ == REASONING or ":" in type_ or (type_ == CALL and of_program(value))


def _goes_along(context: Context, at: int, types: set[str | None]) -> bool:
    """An output of a call that a program made, or one that only an extension's item claims."""
    if type_of(context.value(at)) not in OUTPUTS:
        return False
    return CALL in types or (at in context.pairs.orphans and not context.elsewhere)


def _by_call(context: Context, groups: "_Groups") -> None:
    """All calls and outputs of one id; a call under it that is not bound keeps them all."""
    first: dict[str, int] = {}
    for at, item in enumerate(context.history.items):
        key = call_key(item.value)
        if key is not None and (type_of(item.value) in PAIRS or type_of(item.value) in OUTPUTS):
            groups.join(first.setdefault(key, at), at)


def _by_program(context: Context, groups: "_Groups") -> None:
    programs = {
        id_: at
        for at, item in enumerate(context.history.items)
        if type_of(item.value) == "program"
        for id_ in (text(item.value, "id"), call_key(item.value))
        if id_
    }
    for at, item in enumerate(context.history.items):
        if isinstance(item.value, dict) and of_program(item.value):
            program = programs.get(text(item.value["caller"], "caller_id") or "")
            if program is not None:
                groups.join(program, at)


def _by_approval(context: Context, groups: "_Groups") -> None:
    first: dict[str, int] = {}
    for at, item in enumerate(context.history.items):
        own = "id" if type_of(item.value) == APPROVAL_REQUEST else "approval_request_id"
        if type_of(item.value) in (APPROVAL_REQUEST, APPROVAL_RESPONSE, "mcp_call") and (id_ := text(item.value, own)):
            groups.join(first.setdefault(id_, at), at)


def _by_extension(context: Context, groups: "_Groups") -> None:
    """Whatever bears an id that an extension's item bears too: what that item is a half of is not known."""
    bearers = {
        id_: at
        for at, verdict in enumerate(context.verdicts)
        if verdict.verdict == NAMESPACED and type_of(context.value(at)) is not None
        for id_ in _ids(context.value(at))
    }
    for at, item in enumerate(context.history.items):
        for id_ in _ids(item.value):
            if id_ in bearers:
                groups.join(bearers[id_], at)


def _ids(value: Any) -> frozenset[str]:
    named = (text(value, name) for name in ("call_id", "id", "approval_request_id"))
    return frozenset(id_ for id_ in named if id_ is not None)


def _by_reasoning(context: Context, groups: "_Groups") -> None:
    """A bound item with the reasoning right before it (D: drop both or neither); reasoning alone is only what it is."""
    items = context.history.items
    for at in range(1, len(items)):
        type_ = type_of(items[at].value)
        ties = type_ != REASONING and type_ not in OUTPUTS and type_ != APPROVAL_RESPONSE and _bound(context, at)
        before = at - 1
        while ties and before >= 0 and type_of(items[before].value) == REASONING:
            groups.join(at, before)
            before -= 1


class _Groups:
    """Positions that go together."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def _top(self, at: int) -> int:
        while self._above[at] != at:
            self._above[at] = self._above[self._above[at]]
            at = self._above[at]
        return at

    def join(self, one: int, other: int) -> None:
        self._above[self._top(other)] = self._top(one)

    def all(self) -> Iterator[tuple[int, ...]]:
        found: dict[int, list[int]] = {}
        for at in range(len(self._above)):
            found.setdefault(self._top(at), []).append(at)
        return (tuple(members) for members in found.values())
