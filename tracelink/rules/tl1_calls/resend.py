"""What to do with a result that went astray: post it again, unless the call no longer waits for it."""

from tracelink.model.trace import Call, Trace


def resend(trace: Trace, call: Call, again: str) -> str:
    """The hint: `again` while the call may be open."""
    if call.state == "answered":
        return f"Do not post it again: {call.call_id} of turn {call.turn_id} was answered."
    turn = trace.turns.get(call.turn_id)
    if call.state in ("abandoned", "unanswered") or (turn is not None and turn.outcome is not None):
        return f"Do not post it now: the turn of {call.call_id} is over; tell the model in a new turn if it still needs the result."
    return again
