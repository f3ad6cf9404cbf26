"""A record over the size or depth limit."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for trouble in context.run.troubles:
        if trouble.code == rule.code:
            yield rule.finding(f"A limit was passed at {place(trouble.at)}: {trouble.message}.", at=(trouble.at,))


RULE = Rule(
    code="TL011",
    name="record-too-large",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary="A record is over the limit of size or depth, or a source over that of decompressed data, and was skipped.",
    proves="The limit that the message names was passed.",
    cannot="What the record said.",
    quiet="Large sources of ordinary records: they are streamed.",
    example="A line of 2 GB.",
    remedy="Raise the limit with --max-record if the record is genuine.",
    scope="run",
    check=check,
)
