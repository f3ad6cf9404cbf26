"""The last line or frame is cut off."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for trouble in context.run.troubles:
        if trouble.code != rule.code:
            continue
        if trouble.message.startswith("cut off"):
            said = f"The last record of the recording at {place(trouble.at)} is not whole ({trouble.message}): what it said, and what followed, is not known."
        else:  # the source failed, and no record did
            said = f"The recording ends early, at byte {trouble.at.byte:,} ({place(trouble.at)}): {trouble.message}; what followed is not known."
        yield rule.finding(said, at=(trouble.at,))


RULE = Rule(
    code="TL002",
    name="torn-tail",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary="The last line or frame of a source is cut off.",
    proves="The source ends inside a JSON value, a compressed source ends inside its data, or reading it failed.",
    cannot="Whether the server or the recorder stopped.",
    quiet="A last line without a line break, a last frame without its blank line.",
    example='{"type": "agent.session.turn.item.ad',
    remedy="Record the session anew from GET …/sessions/{id} and …/items, and add it to this run.",
    scope="run",
    check=check,
)
