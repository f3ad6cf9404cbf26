"""A completed turn left a call without a result, and the recording would show one."""

from collections.abc import Iterable

from tracelink.judge.declared import Declarations
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    unanswered = [call for call in context.trace.calls.values() if call.state == "unanswered"]
    if not unanswered:
        return
    required = {(one.seen.turn_id, one.seen.call_id): one for one in context.trace.actions}
    pending = {(one.action.turn_id, one.action.call_id) for one in context.verdict.actions}
    for call in unanswered:
        if call.key in pending:
            continue
        action = required.get(call.key)
        turn = context.trace.turns[call.turn_id]
        if turn.subagent_id is not None:
            continue  # a subagent's call is told as such (TL406)
        if action is not None and action.listed_latest and action.maybe_cleared is not None:
            continue  # listed still, in no known order with the turn's end: TL504 tells
        if action is not None and action.cleared is not None and action.cleared == turn.ended:
            continue  # completed over a required call: TL303 tells
        if context.once(Declarations).is_async(call.name, call.first):
            continue
        seen = "its items pages" if turn.covered_by == "pages" else "the stream"
        yield rule.finding(
            f"{call.call_id} ({call.name or 'no name'}) has no result in {seen}, and its turn {call.turn_id} "
            f"completed at {place(turn.ended)}: as recorded, the turn ended without it.",
            at=(call.first, turn.ended),
            ids={"call_id": call.call_id, "turn_id": call.turn_id},
        )


RULE = Rule(
    code="TL101",
    name="unanswered-call",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="A call has no result, its turn is over, and the results of that turn are in evidence.",
    proves=(
        "The turn completed, the recording covers it (a stream from the call to the turn's end, or items pages read"
        " to their end), and no result for the call is among what it covers."
    ),
    cannot="That the result was never sent: a stream does not replay what was missed while it was disconnected.",
    quiet=(
        "Turns without a recorded end; turns that failed or were cancelled (TL114); calls that were required and "
        "then cleared (TL113) or completed over (TL303), or are still (TL501, TL504); calls of subagents (TL406); async functions; turns that "
        "no stream or whole page covers."
    ),
    example="item.done{function_call call_a1} … turn.completed, and no function_call_output for call_a1.",
    remedy="Look in the app's log for the post of this result; it is not pending any more, so do not post it now.",
    check=check,
)
