"""Every reason that the gate may give, by name. Codes are public and never renumbered: TL601 to TL606 are the verdicts on one item."""

from tracelink.gate.reasons import bound, calls, content, ids, notes, pairs
from tracelink.gate.reasons.declaration import Declaration

REASONS: dict[str, Declaration] = {
    one.name: one
    for one in sorted(
        (*calls.DECLARED, *ids.DECLARED, *pairs.DECLARED, *bound.DECLARED, *content.DECLARED, *notes.DECLARED),
        key=lambda one: one.code,
    )
}

__all__ = ["REASONS", "Declaration"]
