"""One note a pending action."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    if context.verdict.awaits not in ("awaiting", "answered_unapplied"):
        return
    listed = {id(one.seen): one.last for one in context.trace.actions}  # the verdict speaks of these very values
    for action in context.verdict.actions:
        if action.answered == "unapplied":
            continue
        seen = action.action
        named = [seen.type, seen.name, seen.call_id or seen.request_id or seen.environment_id]
        nobody = "its executor has not connected" if seen.type == "environment_connection" else "nobody has answered it"
        said = {
            "no": nobody,
            "misaddressed": "what was posted does not answer it",
            "refused": "the server refused the answer",
        }[action.answered]
        yield rule.finding(
            f"The session awaits {' '.join(word for word in named if word)} "
            f"({action.position} of {action.of}; {_where(context)}): {said}.",
            at=(listed.get(id(seen)),),
            ids={
                "call_id": seen.call_id,
                "turn_id": seen.turn_id,
                "request_id": seen.request_id,
                "environment_id": seen.environment_id,
                "tool_name": seen.name,
            },
        )


def _where(context: Context) -> str:
    evidence = context.verdict.evidence
    if evidence is None or evidence.location is None:
        return "no place"
    return evidence.location.short


RULE = Rule(
    code="TL501",
    name="awaiting-action",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="The session waits for this action; one finding each.",
    proves="The latest snapshot lists the action and nothing later clears or answers it.",
    cannot="What happened on the server after the recording.",
    quiet="Calls in history without a result: only required_actions tells what is pending.",
    example='required_actions: [{"type": "function_call", …}] in the last snapshot.',
    remedy="Run tracelink awaits with --emit payload for the body to post, or tracelink build to see it.",
    check=check,
)
