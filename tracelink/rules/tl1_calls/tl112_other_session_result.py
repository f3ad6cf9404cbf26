"""A result sent to a session whose call it is not."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.trace import Meant
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls.resend import often, resend, times


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for result in context.trace.results:
        if result.problem != "TL112" or result.meant is None:
            continue
        yield rule.finding(
            f"The result for {result.call_id} at {place(result.first)}{often(result)} went to session {context.trace.session_id or 'without a name'}, but "
            f"{result.meant.detail}: neither session was answered by it.",
            at=(result.first, *result.repeated[:3]),
            times=times(result),
            ids={"call_id": result.call_id, "turn_id": result.turn_id, "meant_session_id": result.meant.session_id},
            hint=_hint(context, result.meant),
        )


def _hint(context: Context, meant: Meant) -> str:
    """To post it there, unless the call is known to be answered or over in its own session."""
    again = f"Post it to session {meant.session_id}."
    home = next((trace for trace in context.run.traces if trace.session_id == meant.session_id), None)
    call = home.calls.get((meant.turn_id or "", meant.call_id or "")) if home is not None else None
    if home is None or call is None:
        return again
    return resend(home, call, again)


RULE = Rule(
    code="TL112",
    name="other-session-result",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="A result's pair of ids belongs to another session of this run.",
    proves="The record says which session it was sent to, that session has no such call, and another one in the same run has.",
    cannot="Anything about sessions that are not among the inputs.",
    quiet="Posts that do not say which session they went to: they count for the session that has the call.",
    example="POST …/sessions/sess_a/events with a call of sess_b.",
    remedy="Keep the session id with the call when work is queued.",
    check=check,
)
