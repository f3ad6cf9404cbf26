"""A turn failed."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.ended import session_failed
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for turn in context.trace.turns.values():
        if turn.outcome != "failed":
            continue
        whose = f" of subagent {turn.subagent_id}" if turn.subagent_id is not None else ""
        code = f"with {turn.error_code}" if turn.error_code else "and no error code is recorded"
        said = f" ({turn.error_message.rstrip('.')})" if turn.error_message else ""
        yield rule.finding(
            f"Turn {turn.id}{whose} failed {code}{said} at {place(turn.ended)}: whatever it had not finished stays unfinished.",
            at=(turn.ended,),
            ids={"turn_id": turn.id, "subagent_id": turn.subagent_id, "error_code": turn.error_code},
            hint=_NO_MORE if session_failed(context.trace) else None,
        )


_NO_MORE = "Look the error code up; the session failed too, so the work can only be asked for again in a new one."


RULE = Rule(
    code="TL301",
    name="turn-failed",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary="A turn failed; its error code is named.",
    proves="A turn event or a retrieved turn says failed.",
    cannot=(
        "What caused it, beyond the code and message that the server gave; that the session failed too (a failed "
        "turn need not fail it)."
    ),
    quiet="Cancelled turns; stream errors by themselves, which do not settle a turn's status.",
    example='turn.failed with error {"code": "connection_failed", …}.',
    remedy=(
        "Look the error code up, and send the message again if the cause has passed; calls that were open in this "
        "turn are abandoned."
    ),
    check=check,
)
