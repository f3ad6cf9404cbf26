"""Two different calls under one key."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for call in context.trace.calls.values():
        if not call.variants or not call.call_id or not call.turn_id:
            continue
        names = sorted({name for name, _ in call.variants if name is not None})
        differ = (
            f"as {' and '.join(names[:3])}"
            if len(names) > 1
            else f"as {names[0] if names else 'a function'} with different arguments"
        )
        yield rule.finding(
            f"{call.call_id} of turn {call.turn_id} is recorded {differ} ({place(call.first)}): a result under this pair cannot be told "
            "to answer one or the other.",
            at=(*call.origins, *call.required)[:6],
            ids={"call_id": call.call_id, "turn_id": call.turn_id},
        )


RULE = Rule(
    code="TL109",
    name="ambiguous-call",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="Two different calls share one turn_id and call_id.",
    proves="Final items, or an item and the required action, under one key differ in function name or arguments.",
    cannot="Which of them the server holds.",
    quiet=(
        "Arguments as object here and as JSON text there; an item that was announced without its arguments; one "
        "call under several item ids (TL115); calls that name no turn, for they may be of several turns."
    ),
    example="(turn_1, call_a1) is get_stock in one item and send_mail in another.",
    remedy="Check whether the recording mixes two sessions or was edited; report it with both places if it comes from the API.",
    check=check,
)
