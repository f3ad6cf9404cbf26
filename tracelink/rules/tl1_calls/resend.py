"""What results that went astray have in common: how they are named, how often they were posted, and whether to post them again."""

from tracelink.model.finding import Confidence, Severity
from tracelink.model.location import Origin
from tracelink.model.trace import Call, Result, Trace
from tracelink.rules.ended import session_failed
from tracelink.rules.rule import Context

FETCH = "Fetch the items of the session anew and give them to this run."
LACKING = "the server stores no result without a call of its pair, so the recording probably lacks that call."
"""Of a result that the server recorded: the hint, and what is likeliest."""


def doubt(result: Result) -> tuple[Severity | None, Confidence | None]:
    """Severity and confidence that a recorded result takes instead of the rule's own."""
    return (Severity.WARNING, Confidence.LOW) if result.recorded is not None else (None, None)


def two_ids(context: Context, at: Origin) -> bool:
    """Whether the event there names one id for itself and another in what it carries: TL303 tells of it."""
    return any(one.code == "TL303" and (one.at.index, one.at.seq) == (at.index, at.seq) for one in context.run.troubles)


def named(id_: str | None) -> str:
    """An id for use in a sentence: in quotes, and with escapes, where it holds spaces or characters that cannot be seen."""
    text = str(id_)
    return text if text.isprintable() and " " not in text and text else repr(text)


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
    if session_failed(trace):
        return f"Do not post it: the session of {call.call_id} failed and takes no more input; give the result to a new one if it is still needed."
    turn = trace.turns.get(call.turn_id)
    if call.state in ("abandoned", "unanswered") or (turn is not None and turn.outcome is not None):
        return f"Do not post it now: the turn of {call.call_id} is over; tell the model in a new turn if it still needs the result."
    return again
