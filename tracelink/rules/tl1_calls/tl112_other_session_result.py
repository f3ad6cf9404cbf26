"""A result sent to a session whose call it is not."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.trace import Meant
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls.decisions import home
from tracelink.rules.tl1_calls.resend import doubt, often, resend, times


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for result in context.trace.results:
        if result.problem != "TL112" or result.meant is None:
            continue
        severity, confidence = doubt(result)
        told = (
            f"The result for {result.call_id} at {place(result.first)}{often(result)} went to session"
            if severity is None
            else f"The recorded result for {result.call_id} at {place(result.first)}{often(result)} stands under session"
        )
        yield rule.finding(
            f"{told} {context.trace.session_id or 'without a name'}, but "
            f"{result.meant.detail}: {'neither session was answered by it.' if severity is None else _DOUBTED}",
            at=(result.first, *result.repeated[:3]),
            times=times(result),
            ids={"call_id": result.call_id, "turn_id": result.turn_id, "meant_session_id": result.meant.session_id},
            severity=severity,
            confidence=confidence,
            hint=_hint(context, result.meant)
            if severity is None
            else "Fetch the items of both sessions anew and give them to this run.",
        )
    for answer in context.trace.answers:
        other = home(context.run, context.trace, answer)
        if other is None:
            continue
        yield rule.finding(
            f"The answer to {answer.request_id} at {place(answer.posted.at)} went to session {context.trace.session_id}, but the request belongs to "
            f"session {other.session_id or 'without a name'}: neither session was answered by it.",
            at=(answer.posted.at,),
            ids={"request_id": answer.request_id, "meant_session_id": other.session_id},
            hint=f"Read session {other.session_id}; if it still lists {answer.request_id}, post the answer to it.",
        )


_DOUBTED = "the server stores no result without a call of its pair, so the recording probably lacks that call or names the wrong session."


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
    summary="A result's pair of ids, or an approval's request_id, belongs to another session of this run.",
    proves="The record says which session it was sent to, that session has no such call, and another one in the same run has.",
    cannot=(
        "Anything about sessions that are not among the inputs. For a recorded item (a warning of low confidence): that the server has "
        "no such call there; it stores no mismatched result, so a record with the wrong session, or a filtered recording, is likelier."
    ),
    quiet="Posts that do not say which session they went to: they count for the session that has the call.",
    example="POST …/sessions/sess_a/events with a call of sess_b.",
    remedy="Keep the session id with the call when work is queued.",
    check=check,
)
