"""A result with the right call_id under another turn's id."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls.resend import FETCH, LACKING, doubt, named, often, resend, times, two_ids


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for result in context.trace.results:
        if result.problem != "TL103" or result.meant is None:
            continue
        call = context.trace.calls[result.meant.turn_id or "", result.meant.call_id or ""]
        severity, confidence = doubt(result)
        if severity is not None and two_ids(context, result.first):
            continue
        end = "no call has the pair that it names, so nothing was answered by it." if severity is None else LACKING
        yield rule.finding(
            f"The {'recorded ' if severity else ''}result for {named(result.call_id)} names turn {named(result.turn_id)} at {place(result.first)}{often(result)}, "
            f"but the call was made in turn "
            f"{call.turn_id} ({place(call.first)}): {end}",
            at=(result.first, call.first, *result.repeated[:3]),
            times=times(result),
            ids={"call_id": result.call_id, "turn_id": result.turn_id, "meant_turn_id": call.turn_id},
            severity=severity,
            confidence=confidence,
            hint=FETCH
            if severity is not None
            else resend(context.trace, call, f"Post it again with turn_id {call.turn_id}, without running the function again."),
        )


RULE = Rule(
    code="TL103",
    name="wrong-turn-result",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="The call that a result names exists, but in another turn.",
    proves="No call has the posted pair, and the same call_id is a call of another turn of this session.",
    cannot=(
        "Which of several turns was meant, where the call_id is used in more than one; the open one is suggested. For a recorded "
        "item (a warning of low confidence): that the server has no such call; it stores no mismatched result, so a filtered recording is likelier."
    ),
    quiet="Pairs that fit, in whatever order; the same call_id in two turns, each answered under its own (TL108); events that name two turns (TL303).",
    example="The call is (turn_2, call_b1), the post says turn_1, call_b1.",
    remedy="Post the result again with the call's own turn_id.",
    check=check,
)
