"""What a gap in the recording does to the other findings: it may hold the other half of any pair, so no half pair is proven.

The idea: one place for all of them. Such a problem is told as not provable, and nothing is done about it. An item that gives an id twice is a
gap of its own: what hangs on either value is not proven, and all else is.
"""

from dataclasses import replace

from tracelink.gate.exact import Twice
from tracelink.gate.item import GIVEN_TWICE, NOT_PROVABLE, History, Problem

TOUCHED = frozenset(
    (
        "missing_output",
        "orphan_output",
        "item_id_as_call_id",
        "output_type_mismatch",
        "duplicate_call_id",
        "call_id_reused",
        "duplicate_output",
        "order",
        "approval_unanswered",
        "approval_orphan",
        "reasoning_unpaired",
    )
)
"""Reasons that rest on what is not there, or on what stands between two items."""
_TIES = ("type", "call_id", "id", "approval_request_id")
_FILL = "Get what is missing of the recording and judge the whole; until then --repair leaves this as it is."
_ONCE = "Find out which of the two values holds, and write the member once; until then --repair leaves this as it is."


def unproven(problem: Problem) -> Problem:
    """The problem as it is told where something of the recording is missing. A page that runs newest first is seen from what is there."""
    if problem.reason not in TOUCHED or problem.detail == "reversed_page":
        return problem
    message = f"{problem.message}; what could not be read may explain it, so this is not proven"
    return replace(problem, message=message, detail=NOT_PROVABLE, row=problem.cell, fixes=(), remedy=_FILL)


def ambiguous(history: History) -> dict[int, frozenset[str]]:
    """Items that give their type or an id twice, with different values → every id that they give: which one holds is not recorded."""
    found = {}
    for position, item in enumerate(history.items):
        if isinstance(item.value, Twice):
            given = {name: [value for of, value in item.value.pairs if of == name] for name in _TIES}
            if any(value != values[0] for values in given.values() for value in values):
                ids = (value for name in _TIES[1:] for value in given[name])
                found[position] = frozenset(value for value in ids if isinstance(value, str) and value)
    return found


def undecided(problem: Problem, items: dict[int, frozenset[str]]) -> Problem:
    """The problem as it is told beside `ambiguous` items: what touches one, or an id that one gives, is not provable, and left alone."""
    ids = frozenset().union(*items.values())
    own = any(at in items for at in problem.items)
    if not own and ids.isdisjoint(problem.ids.values()):
        return problem
    if problem.reason not in TOUCHED and not own and all(fix.what != "rename" for fix in problem.fixes):
        return problem  # what is wrong inside another item is seen there
    if problem.reason not in TOUCHED:
        return replace(problem, fixes=(), remedy=_ONCE if problem.fixes else problem.remedy)
    message = f"{problem.message}; an item gives an id twice, and which one holds is not recorded, so this is not proven"
    return replace(problem, message=message, detail=GIVEN_TWICE, row=problem.cell, fixes=(), remedy=_ONCE)
