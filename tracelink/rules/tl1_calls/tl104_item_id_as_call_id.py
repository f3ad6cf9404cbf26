"""A result that puts a call's item id where its call_id belongs."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls.resend import FETCH, LACKING, doubt, named, often, resend, times


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for result in context.trace.results:
        if result.problem != "TL104" or result.meant is None:
            continue
        call = context.trace.calls[result.meant.turn_id or "", result.meant.call_id or ""]
        severity, confidence = doubt(result)
        end = "no call goes by that call_id, so nothing was answered by it." if severity is None else LACKING
        yield rule.finding(
            f"The {'recorded ' if severity else ''}result at {place(result.first)}{often(result)} gives {named(result.call_id)} as its call_id, "
            f"which is the item id of the call "
            f"{call.call_id} ({place(call.first)}): {end}",
            at=(result.first, call.first, *result.repeated[:3]),
            times=times(result),
            ids={
                "call_id": call.call_id,
                "turn_id": call.turn_id,
                "posted_call_id": result.call_id,
                "posted_turn_id": result.turn_id,
            },
            severity=severity,
            confidence=confidence,
            hint=FETCH
            if severity is not None
            else resend(context.trace, call, f"Post it again with call_id {call.call_id} and turn_id {call.turn_id}."),
        )


RULE = Rule(
    code="TL104",
    name="item-id-as-call-id",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="A result's call_id is the item id of a call.",
    proves="The posted call_id equals the `id` of a function_call item and the call_id of no call in that turn.",
    cannot=(
        "For a recorded item (a warning of low confidence): that the server has no such call; it stores no mismatched result, so a filtered "
        "recording is likelier. Of a post nothing further: the mix-up is plain."
    ),
    quiet="Sessions in which item ids and call_ids happen to be equal.",
    example="item{id: fc_7, call_id: call_a1}, then tool_result{call_id: fc_7}.",
    remedy="Post it again with the item's call_id, not its id.",
    check=check,
)
