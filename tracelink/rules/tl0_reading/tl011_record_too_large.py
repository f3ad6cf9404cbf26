"""A record over the size or depth limit."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for trouble in context.run.troubles:
        if trouble.code == rule.code:
            yield rule.finding(
                f"A limit was passed at {place(trouble.at)} ({trouble.message}): what lies there is missing from this report.",
                at=(trouble.at,),
                hint=DEEP if "nested" in trouble.message else None,
            )


DEEP = "Write it less deeply nested: the limit of depth is fixed, since what is deeper cannot be shown."
"""`--max-record` raises the limit of size alone."""


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
    remedy="Raise the limit of size with --max-record if the record is genuine; the limit of depth is fixed.",
    scope="run",
    check=check,
)
