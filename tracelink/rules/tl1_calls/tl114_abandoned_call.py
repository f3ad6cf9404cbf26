"""A call left open by a turn that failed or was cancelled."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin, order
from tracelink.model.trace import Call, Trace
from tracelink.rules.ended import session_failed
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for call in context.trace.calls.values():
        if call.state != "abandoned":
            continue
        turn = context.trace.turns.get(call.turn_id)
        if turn is None or turn.ended is None:
            at = context.trace.latest[0].at if context.trace.latest else None
            how = f"its session failed at {place(at)}"
        else:
            at = turn.ended
            code = f" ({turn.error_code})" if turn.error_code else ""
            how = f"its turn {turn.id} {_how(turn.outcome)}{code} at {place(at)}"
        post = _posted(context.trace, call, at)
        if post is not None:
            yield rule.finding(
                f"{call.call_id} ({call.name or 'no name'}) was open when {how}: a result was posted at {place(post)}, but nothing confirms it, so "
                "whether the model saw it is not recorded.",
                at=(call.first, at, post),
                ids={"call_id": call.call_id, "turn_id": call.turn_id or None},
                hint=f"Do not post it again, for the call is no longer pending: tell the model in a new {_where(context.trace)} if it still needs the result.",
            )
            continue
        vain = _in_vain(context.trace, call)
        yield rule.finding(
            f"{call.call_id} ({call.name or 'no name'}) had no result when {how}: it is no longer pending, and "
            f"{vain[1] if vain is not None else 'whether the function ran is not recorded'}.",
            at=(call.first, at, vain[0] if vain is not None else None),
            ids={"call_id": call.call_id, "turn_id": call.turn_id or None},
        )


def _posted(trace: Trace, call: Call, end: Origin | None) -> Origin | None:
    """The last post of a result under the call's pair that was not refused, nor posted after the end (TL110)."""
    for index in reversed(call.results):
        result = trace.results[index]
        if result.posted is not None and result.official and result.refused is None:
            for at in (*reversed(result.repeated), result.posted):
                if end is None or order(end, at) != -1:
                    return at
    return None


def _in_vain(trace: Trace, call: Call) -> tuple[Origin, str] | None:
    """The last post of a result that was refused or came too late, with what to say of it: the app says by it that the function ran."""
    for index in reversed(call.results):
        result = trace.results[index]
        if result.posted is not None and result.official:
            said = "was refused (TL307)" if result.refused is not None else "came too late (TL110)"
            return result.posted, f"the result that the app posted at {place(result.posted)} {said}"
    return None


def _where(trace: Trace) -> str:
    return "session" if session_failed(trace) else "turn"


def _how(outcome: str | None) -> str:
    return "was cancelled" if outcome == "cancelled" else "failed"


RULE = Rule(
    code="TL114",
    name="abandoned-call",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary="A call was left open by a cancelled or failed turn, or by a failed session.",
    proves="The turn ended as failed or cancelled and no result of the call is recorded; a post of one that nothing confirms is named.",
    cannot="Whether the function ran: it may have had effects.",
    quiet="Calls that were answered before; turns without a recorded end.",
    example="requires_action[call_a1], then turn.failed.",
    remedy="Look whether the function ran and had effects before it is asked for again.",
    check=check,
)
