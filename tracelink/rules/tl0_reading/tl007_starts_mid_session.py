"""The recording begins inside a turn."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    at = context.trace.starts_mid_turn
    if at is not None:
        yield rule.finding(
            f"The recording of this session begins at {place(at)} inside a turn whose start it does not hold: what came before is not judged.",
            at=(at,),
        )


RULE = Rule(
    code="TL007",
    name="starts-mid-session",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="The recording begins inside a turn.",
    proves="The first events belong to a turn that no turn.created event opens.",
    cannot="How much is missing.",
    quiet="Recordings that begin between turns; session objects and pages alone.",
    example="The first line is agent.session.requires_action.",
    remedy="Add the session's items (GET …/items) to this run if earlier calls matter.",
    check=check,
)
