"""One note a pending action."""

from collections.abc import Iterable

from tracelink.judge.next_action import no_post
from tracelink.judge.verdict import went_astray
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    if context.verdict.awaits not in ("awaiting", "answered_unapplied"):
        return
    evidence = context.verdict.evidence
    where = next(
        (one.at for one in context.trace.latest if evidence is not None and one.at.location == evidence.location), None
    )
    for action in context.verdict.actions:
        if action.answered == "unapplied":
            continue
        seen = action.action
        named = [seen.type, seen.name, seen.call_id or seen.request_id or seen.environment_id]
        nobody = (
            "nothing shows it connected" if seen.type == "environment_connection" else "the recording holds no answer to it"
        )
        lost = f"; {went_astray(action)}" if action.astray is not None else ""
        said = {
            "no": nobody + lost,
            "misaddressed": "what was posted does not answer it",
            "refused": "the server refused the answer",
        }[action.answered]
        yield rule.finding(
            f"The session awaits {' '.join(word for word in named if word)} "
            f"({action.position} of {action.of}; {place(where)}): {said}.",
            at=(where,),
            ids={
                "call_id": seen.call_id,
                "turn_id": seen.turn_id,
                "request_id": seen.request_id,
                "environment_id": seen.environment_id,
                "tool_name": seen.name,
            },
            hint=no_post(seen),
        )


RULE = Rule(
    code="TL501",
    name="awaiting-action",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="The session waits for this action; one finding each.",
    proves="The latest snapshot lists the action and nothing later clears or answers it.",
    cannot="What happened on the server after the recording.",
    quiet=(
        "Calls in history without a result: only required_actions tells what is pending. Actions listed by a snapshot whose status "
        "says otherwise (TL303) or is not known, whose answer is recorded as well or whose turn failed or was cancelled before (TL504), or after which a cancel was "
        "posted: then whether the session waits is unknown. Actions with a posted answer that nothing confirms (TL503)."
    ),
    example='required_actions: [{"type": "function_call", …}] in the last snapshot.',
    remedy="Run tracelink awaits with --emit payload for the body to post, or tracelink build to see it.",
    check=check,
)
