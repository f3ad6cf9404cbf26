"""A call or result that lacks turn_id or call_id."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place

FETCH = (
    "Fetch the session's items and add them to this run, to see whether the server or the recorder left the id out; if a wrapper of your "
    "own holds it elsewhere, name the place with --field."
)

TAKEN = (
    "Do not post it again: the call that it fits has a recorded result. If the app did post both ids, the recorder left one out; say "
    "with --field where it stands."
)


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    simplified = any(one.what == "calls and results without a turn_id" for one in trace.unlinkable)
    for result in trace.results:
        if result.problem != "TL111" or (simplified and result.posted is None and result.call_id):
            continue
        lacks = " and ".join(name for name, value in (("turn_id", result.turn_id), ("call_id", result.call_id)) if not value)
        meant = f"; {result.meant.detail}" if result.meant is not None else ""
        end = "it answers nothing as recorded" if result.posted else "nothing ties it to a call"
        call = trace.calls.get((result.meant.turn_id or "", result.meant.call_id or "")) if result.meant is not None else None
        taken = call is not None and any(trace.results[at].recorded is not None for at in call.results)
        yield rule.finding(
            f"A {'posted' if result.posted else 'recorded'} result at {place(result.first)} has no {lacks}, so {end}{meant}.",
            at=(result.first,),
            ids={
                "call_id": result.call_id or (result.meant.call_id if result.meant else None),
                "turn_id": result.turn_id or (result.meant.turn_id if result.meant else None),
            },
            hint=FETCH if not result.posted else TAKEN if taken else None,
        )
    for call in trace.calls.values():
        if call.call_id and (call.turn_id or simplified):
            continue
        lacks = " and ".join(name for name, value in (("turn_id", call.turn_id), ("call_id", call.call_id)) if not value)
        yield rule.finding(
            f"A call of {call.name or 'a function'} at {place(call.first)} has no {lacks}, so no result can be tied to it.",
            at=(call.first,),
            ids={"call_id": call.call_id or None, "turn_id": call.turn_id or None, "item_id": next(iter(call.item_ids), None)},
            hint=FETCH,
        )


RULE = Rule(
    code="TL111",
    name="missing-id",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="A call or a result lacks its turn_id or its call_id.",
    proves="The record as read has no such member, or it is null or empty.",
    cannot="Whether the server sent it so or the recorder dropped it.",
    quiet=(
        "Event envelopes whose turn_id is null while the item has one; list items of the simplified shape, which "
        "never have a turn (they are tied by call_id, and that is said)."
    ),
    example='{"type": "agent.session.input.tool_result", "call_id": "call_a1", "success": true}',
    remedy=(
        "Post both ids, copied from required_actions; if a wrapper of your own holds them elsewhere, name the place"
        " with --field."
    ),
    check=check,
)
