"""Outputs that name the item id of a call where its call_id belongs: which call is meant, if that can be told.

The idea: candidates are all calls that bear the id, answered or not, and nothing is decided by position. One open call and outputs that all
say the same: that call. Anything else is told and left as it is, and as long as it stands no id that it names may go.
"""

from collections.abc import Iterator
from typing import Any

from tracelink.gate.checks.context import Context, call_key
from tracelink.gate.item import Fix, Problem
from tracelink.gate.kinds import PAIRS, text, type_of


def candidates(context: Context) -> dict[int, tuple[int, ...]]:
    """Orphan output → the calls of its type that bear, as their own id, what it names as call_id."""
    wanted = {call_key(context.value(position)) for position in context.pairs.orphans}
    by_item: dict[tuple[str, str], list[int]] = {}
    for position, item in enumerate(context.history.items):
        type_, id_ = type_of(item.value), text(item.value, "id")
        if type_ in PAIRS and id_ is not None and id_ in wanted:
            by_item.setdefault((PAIRS[type_], id_), []).append(position)
    found = {}
    for position in context.pairs.orphans:
        value = context.value(position)
        if calls := by_item.get((type_of(value) or "", call_key(value) or "")):
            found[position] = tuple(calls)
    return found


def named(context: Context) -> frozenset[str]:
    """The item ids that outputs name: to drop or to rename one would take the last tie from an output."""
    return frozenset(call_key(context.value(position)) or "" for position in candidates(context))


def concerned(context: Context) -> frozenset[int]:
    """Calls that such an output may answer: nobody can say that no result of theirs was recorded."""
    answered = context.pairs.answers
    return frozenset(call for calls in candidates(context).values() for call in calls if call not in answered)


def misnamed(context: Context) -> Iterator[Problem]:
    """`item_id_as_call_id`; `duplicate_output` where one call would get two outputs that differ."""
    history, answers = context.history, context.pairs.answers
    found = candidates(context)
    rivals: dict[int, list[int]] = {}
    for position, calls in found.items():
        if len(calls) == 1:
            rivals.setdefault(calls[0], []).append(position)
    for position, calls in found.items():
        call, value = calls[0], context.value(position)
        right = text(context.value(call), "call_id") or ""
        given = text(context.value(position), "call_id")
        if any(context.value(one) != context.value(call) for one in calls):
            message = f"an output names the item id {given} of {len(calls)} calls; which of them it answers is not recorded"
            yield history.problem("item_id_as_call_id", message, position, *calls, detail="ambiguous")
        elif (
            len(calls) > 1
            or not right
            or any(one in context.pairs.twice or one in context.pairs.twice.values() for one in calls)
        ):
            message = f"an output names the item id {given} of a call that stands there more than once or has no call_id"
            yield history.problem("item_id_as_call_id", message, position, *calls, detail="ambiguous")
        elif call in answers or len(rivals[call]) > 1:
            yield from _second(context, position, call, answers.get(call, rivals[call][0]), rivals[call])
        else:
            message = f"an output names the item id of a call; its call_id is {right}"
            fix = Fix("replace", position, value | {"call_id": right})
            yield history.problem("item_id_as_call_id", message, position, call, detail=right, fixes=(fix,))


def _second(context: Context, position: int, call: int, first: int, rivals: list[int]) -> Iterator[Problem]:
    """One of several outputs of one call, of which at least one names the item id."""
    history = context.history
    outputs = [_said(context.value(one)) for one in (first, *rivals)]
    right = text(context.value(call), "call_id") or ""
    if any(one != outputs[0] for one in outputs):
        message = f"outputs that say different things answer one call ({right}); this one names its item id"
        yield history.problem("duplicate_output", message, position, call, detail="conflict")
    elif position == first:
        fixes = (Fix("replace", position, context.value(position) | {"call_id": right}),)
        message = f"an output names the item id of a call; its call_id is {right}"
        yield history.problem("item_id_as_call_id", message, position, call, detail=right, fixes=fixes)
    else:
        message = f"an output names the item id of a call that has this very output already ({right})"
        fixes = (Fix("drop", position),)
        yield history.problem("item_id_as_call_id", message, position, call, detail="identical", fixes=fixes)


def _said(value: Any) -> Any:
    return value.get("output") if isinstance(value, dict) else value
