"""A result whose call_id is nearly that of an open call."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import order
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls.resend import FETCH, LACKING, doubt, named, often, resend, times


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for result in context.trace.results:
        meant = result.meant
        if result.problem != "TL105" or meant is None:
            continue
        call = context.trace.calls[meant.turn_id or "", meant.call_id or ""]
        count = len(meant.others)
        others = f" ({count} more open call{'s fit' if count > 1 else ' fits'} as well)" if count else ""
        severity, confidence = doubt(result)
        end = "if that one was meant, it was not answered by this." if severity is None else LACKING
        turn = context.trace.turns.get(call.turn_id)
        over = turn is not None and turn.ended is not None and order(turn.ended, result.first) == -1
        yield rule.finding(
            f"The {'recorded ' if severity else ''}result at {place(result.first)}{often(result)} names {named(result.call_id)}, which no call has; "
            f"the {'unanswered' if over else 'open'} call {meant.detail}{others}: "
            f"{end}",
            at=(result.first, call.first, *result.repeated[:3]),
            times=times(result),
            ids={
                "call_id": call.call_id,
                "turn_id": call.turn_id,
                "posted_call_id": result.call_id,
                "posted_turn_id": result.turn_id,
            },
            severity=severity,
            confidence=confidence or _confidence(result.call_id or "", call.call_id, meant.reason, bool(meant.others)),
            hint=FETCH
            if severity is not None
            else resend(
                context.trace,
                call,
                f"If {call.call_id} was meant, post the same result again under turn_id {call.turn_id} and call_id {call.call_id}.",
            ),
        )


_NO_DIGITS = {ord(digit): None for digit in "0123456789"}


def _confidence(posted: str, wanted: str, reason: str, several: bool) -> Confidence:
    """Ids that only count differently (call_1, call_7) are neighbours by nature, not by drift."""
    edits = reason.startswith("edits")
    if several or (edits and posted.translate(_NO_DIGITS) == wanted.translate(_NO_DIGITS)):
        return Confidence.LOW
    return Confidence.MEDIUM if edits else Confidence.HIGH


RULE = Rule(
    code="TL105",
    name="near-miss-call-id",
    severity=Severity.ERROR,
    confidence=Confidence.MEDIUM,
    summary="A result's call_id differs from one open call's by case, spaces, prefix, a piece cut off, or at most two edits.",
    proves="No call has the posted pair, and a call that is open, or was left open by its turn, has a call_id that near.",
    cannot=(
        "That this call was meant; nothing is relinked. Case, spaces, a prefix or a piece cut off get high confidence, ids that differ only in "
        "digits, or that are near to several calls, low. For a recorded item (a warning of low "
        "confidence): that the server has no such call; it stores no mismatched result, so a filtered recording is likelier."
    ),
    quiet=(
        "Calls that were already answered when the result came; ids of fewer than four characters; more than two "
        "edits (one for ids shorter than eight)."
    ),
    example="The call is call_9fK2a, the post says call_9fk2a.",
    remedy="Copy call_id unchanged from required_actions.",
    check=check,
)
