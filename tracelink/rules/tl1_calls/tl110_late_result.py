"""A result posted after its turn was over."""

from collections.abc import Iterable

from tracelink.judge.declared import Declarations
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin, order
from tracelink.model.trace import Result
from tracelink.rules.ended import failed_at, session_failed
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls import decisions


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    failed: Origin | None = None
    for result in context.trace.results:
        if result.call is None or result.posted is None:
            continue
        turn = context.trace.turns.get(result.call[0])
        ended = turn.ended if turn is not None else None
        if ended is None:
            failed = failed or failed_at(context.trace)
            ended = failed
        if ended is None or order(ended, result.posted) != -1 or _sooner(result.posted, ended):
            continue
        if result.recorded is not None and order(result.recorded, ended) == -1:
            continue  # a resend of what was recorded in time
        call = context.trace.calls[result.call]
        outcome = turn.outcome if turn is not None else None
        if outcome == "completed" and context.once(Declarations).is_async(call.name, call.first):
            continue  # may be answered after its turn (fact sheet D.4)
        if any(context.trace.results[index].recorded is not None for index in call.results) and result.recorded is None:
            continue  # answered in time by another; TL106 or TL107 tell
        how = "its session failed" if outcome is None else f"its turn {call.turn_id} {_OUTCOMES.get(outcome, outcome)}"
        yield rule.finding(
            f"The result for {call.call_id} was posted at {place(result.posted)}, after {how} at {place(ended)}: {_since(result)}.",
            at=(result.posted, ended, call.first),
            ids={"call_id": call.call_id, "turn_id": call.turn_id},
            hint=_ELSEWHERE if session_failed(context.trace) else None,
        )
    for request_id, answers in context.once(decisions.decisions).items():
        answer = decisions.late(context.trace, answers)
        if answer is None:
            continue
        turn = context.trace.turns[context.trace.actions[answer.action or 0].seen.turn_id or ""]
        yield rule.finding(
            f"The answer to {request_id} was posted at {place(answer.posted.at)}, after its turn {turn.id} "
            f"{_OUTCOMES.get(turn.outcome or '', turn.outcome)} at {place(turn.ended)}: the request was no longer pending.",
            at=(answer.posted.at, turn.ended),
            ids={"request_id": request_id, "turn_id": turn.id},
            hint="Create a new session if it is still needed, for this one failed; answer sooner."
            if session_failed(context.trace)
            else "Ask for it in a new turn if it is still needed; answer sooner.",
        )


_OUTCOMES = {"cancelled": "was cancelled"}


def _sooner(post: Origin, ended: Origin) -> bool:
    """Whether the recorder's clock contradicts the order of the lines, as in a log that runs newest first."""
    return post.received is not None and ended.received is not None and post.received < ended.received


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
    summary="A result, or the answer to an approval, was posted after its turn had ended or its session had failed.",
    proves="The post stands after the turn's terminal event, or a snapshot of the failed session, by arrival in one source or by receive times.",
    cannot="Whether the server kept it, where neither the result nor a refusal is recorded: after a cancel it is refused.",
    quiet=(
        "Async functions, answered after their turn completed; posts in no known order with the turn's end, or whose place and receive "
        "time contradict each other; whatever is posted after another result was recorded for the call (TL106, TL107)."
    ),
    example="turn.cancelled, then tool_result for a call of that turn.",
    remedy="Start a new turn with the result in a message if the model still needs it; shorten the function or answer sooner.",
    check=check,
)
