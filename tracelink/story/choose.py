"""Which session and which turn a story is about, where nobody named one.

Session: the first that awaits somebody; else the first whose answer is not confirmed; else the first that stands still or ended
badly; else the first of which nothing is clear; else the first.

Turn: the one that the stall names; else that of the first open action; else the last turn of the root agent without an end;
else the root agent's last turn; else the last turn of anybody.
"""

from collections.abc import Sequence

from tracelink.model.run import SessionReport
from tracelink.model.trace import Turn
from tracelink.model.verdict import ANSWERED_UNAPPLIED, AWAITING, UNKNOWN


def pick_session(sessions: Sequence[SessionReport]) -> int | None:
    """Its position; None where there is no session."""
    return min(range(len(sessions)), key=lambda at: (_rank(sessions[at]), at), default=None)


def _rank(session: SessionReport) -> int:
    awaits = session.verdict.awaits
    if awaits in (AWAITING, ANSWERED_UNAPPLIED):
        return 0 if awaits == AWAITING else 1
    if awaits == UNKNOWN:
        return 3
    return 4 if session.stall.kind == "not_stalled" else 2


def pick_turn(session: SessionReport) -> tuple[Turn | None, str]:
    """The turn, and one clause that says why it was chosen."""
    turns = session.trace.turns
    named = turns.get(session.stall.ids.get("turn_id", ""))
    if named is not None:
        return named, "the turn that the stall is about"
    for action in session.verdict.actions:
        turn = turns.get(action.action.turn_id or "")
        if turn is not None:
            return turn, "the turn of the first open action"
    roots = [turn for turn in turns.values() if turn.subagent_id is None]
    unended = [turn for turn in roots if turn.outcome is None]
    if unended:
        return unended[-1], "the last turn of the root agent that has no recorded end"
    if roots:
        return roots[-1], "the last turn of the root agent"
    if turns:
        return list(turns.values())[-1], "the last turn in the recording"
    return None, "no turn is in the recording"
