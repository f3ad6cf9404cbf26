"""One call under several item ids."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for call in context.trace.calls.values():
        if len(call.item_ids) < 2 or call.variants or not call.call_id:
            continue
        yield rule.finding(
            f"{call.call_id} stands under {len(call.item_ids)} item ids, {' and '.join(call.item_ids[:2])}, the first at "
            f"{place(call.first)}: it is one call, which only turn_id and call_id tell.",
            at=call.origins[:4],
            ids={
                "call_id": call.call_id,
                "turn_id": call.turn_id,
                "item_id": call.item_ids[0],
                "other_item_id": call.item_ids[1],
            },
        )


RULE = Rule(
    code="TL115",
    name="item-id-changed",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="One call was recorded under several item ids.",
    proves="Items with the same turn_id, call_id, name and arguments have different ids.",
    cannot="Why: a gateway may rewrite ids, a reconnect may announce an item anew.",
    quiet="The same item again under its id; different calls under one pair (TL109).",
    example="item{id: fc_1, call_id: call_a1} and item{id: fc_2, call_id: call_a1}.",
    remedy="Key calls by turn and call, never by item id.",
    check=check,
)
