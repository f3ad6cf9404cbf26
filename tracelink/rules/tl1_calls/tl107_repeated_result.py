"""The identical result again."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls.namesake import post_to_namesake


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for result in context.trace.results:
        if not result.repeated or result.call is None or context.trace.calls[result.call].several:
            continue
        count = len(result.repeated)
        # A post and its item are one result; what is said again is the one or the other.
        items = result.posted is None or result.repeated == result.recorded_again
        first, verb = (result.recorded, "recorded") if items else (result.posted, "posted")
        again = "again, unchanged," if count == 1 else f"unchanged {count} more times, the first time"
        hint = None if items else post_to_namesake(context, result.call_id, result.turn_id, result.repeated[-1])
        resend = "a harmless resend" if hint is None else "a resend"
        yield rule.finding(
            f"The result for {result.call_id} was first {verb} at {place(first)}, and {again} at {place(result.repeated[0])}: {resend}, "
            f"{'of which the server records each.' if items else 'the server takes it and records it once more.'}",
            at=(*result.repeated[:3], first),
            times=count,
            ids={"call_id": result.call_id, "turn_id": result.turn_id},
            hint=hint,
        )


RULE = Rule(
    code="TL107",
    name="repeated-result",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="The identical result was delivered again.",
    proves="Two posts, or two items, under one pair say the same.",
    cannot=(
        "Whether the function ran twice or its stored result was sent twice; where a call of another turn is open under the same call_id, "
        "which of the two was meant."
    ),
    quiet=(
        "The same event delivered again (TL005); a resend after the server refused the first; the item that confirms a post; the same "
        "answer to an approval."
    ),
    example="The same tool_result line twice.",
    remedy="Nothing, if the stored result was resent; if the function ran again, key its results by session, turn and call.",
    check=check,
)
