"""What results that went astray have in common: how often they were posted, and whether to post them again."""

from tracelink.model.trace import Call, Result, Trace


def times(result: Result) -> int:
    """How often this very result was posted or recorded."""
    return 1 + len(result.repeated)


def often(result: Result) -> str:
    """` (3 times)` after the place of one that was posted again and again."""
    count = times(result)
    return f" ({count} times)" if count > 1 else ""


def resend(trace: Trace, call: Call, again: str) -> str:
    """The hint: `again` while the call may be open."""
    if call.state == "answered":
        return f"Do not post it again: {call.call_id} of turn {call.turn_id} was answered."
    turn = trace.turns.get(call.turn_id)
    if call.state in ("abandoned", "unanswered") or (turn is not None and turn.outcome is not None):
        return f"Do not post it now: the turn of {call.call_id} is over; tell the model in a new turn if it still needs the result."
    return again
