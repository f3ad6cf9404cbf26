"""What a gap in the recording does to the other findings: it may hold the other half of any pair, so no half pair is proven.

The idea: one place for all of them. Such a problem is told as not provable, and nothing is done about it.
"""

from dataclasses import replace

from tracelink.gate.item import NOT_PROVABLE, Problem

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


def unproven(problem: Problem) -> Problem:
    """The problem as it is told where something of the recording is missing. A page that runs newest first is seen from what is there."""
    if problem.reason not in TOUCHED or problem.detail == "reversed_page":
        return problem
    message = f"{problem.message}; what could not be read may explain it, so this is not proven"
    return replace(problem, message=message, detail=NOT_PROVABLE, row=problem.cell, fixes=())
