"""A result posted after its turn was over."""

from collections.abc import Iterable

from tracelink.judge.declared import Declarations
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import order
from tracelink.model.trace import Result
from tracelink.rules.ended import session_failed
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for result in context.trace.results:
        if result.call is None or result.posted is None:
            continue
        turn = context.trace.turns.get(result.call[0])
        if turn is None or turn.ended is None or order(turn.ended, result.posted) != -1:
            continue
        if result.recorded is not None and order(result.recorded, turn.ended) == -1:
            continue  # a resend of what was recorded in time
        call = context.trace.calls[result.call]
        if turn.outcome == "completed" and context.once(Declarations).is_async(call.name, call.first):
            continue  # may be answered after its turn (fact sheet D.4)
        if any(context.trace.results[index].recorded is not None for index in call.results) and result.recorded is None:
            continue  # answered in time by another; TL106 or TL107 tell
        yield rule.finding(
            f"The result for {call.call_id} was posted at {place(result.posted)}, after its turn {turn.id} "
            f"{'was cancelled' if turn.outcome == 'cancelled' else turn.outcome} at {place(turn.ended)}: {_since(result)}.",
            at=(result.posted, turn.ended, call.first),
            ids={"call_id": call.call_id, "turn_id": turn.id},
            hint=_ELSEWHERE if session_failed(context.trace) else None,
        )


_ELSEWHERE = (
    "Give the result to a new session if it is still needed, for this one failed; shorten the function or answer sooner."
)


def _since(result: Result) -> str:
    if result.recorded is not None:
        return f"it is recorded at {place(result.recorded)}, too late for that turn"
    return "the call was no longer pending"


RULE = Rule(
    code="TL110",
    name="late-result",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary="A result was posted after its turn had ended.",
    proves="The post stands after the turn's terminal event, by arrival in one source or by receive times.",
    cannot="Whether the server kept it, where neither the result nor a refusal is recorded: after a cancel it is refused.",
    quiet="Async functions, answered after their turn completed; posts in no known order with the turn's end; a resend of a result recorded in time.",
    example="turn.cancelled, then tool_result for a call of that turn.",
    remedy="Start a new turn with the result in a message if the model still needs it; shorten the function or answer sooner.",
    check=check,
)
