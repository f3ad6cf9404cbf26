"""Turns that are recorded with two different ends: a part of TL303. A terminal outcome stays as it is (fact sheet D.3.10)."""

from collections.abc import Iterator

from tracelink.model.facts import TurnSeen
from tracelink.model.trace import TERMINAL, Turn
from tracelink.rules.rule import Context


def two_ends(context: Context) -> Iterator[tuple[Turn, TurnSeen, TurnSeen]]:
    """The turn, the end that was used, and the first one that differs from it."""
    for turn in context.trace.turns.values():
        if turn.outcome is None:
            continue
        for other in turn.history:
            if other.status != turn.outcome and other.status in TERMINAL:
                yield turn, next(one for one in turn.history if one.status == turn.outcome), other
                break
