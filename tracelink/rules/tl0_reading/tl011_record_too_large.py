"""A record over the size or depth limit."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for trouble in context.run.troubles:
        if trouble.code == rule.code:
            stopped = STOPPED in trouble.message
            what = "Reading ended" if stopped else "A limit was passed"
            missing = "what follows" if stopped else "what lies there"
            yield rule.finding(
                f"{what} at {place(trouble.at)} ({trouble.message}): {missing} is missing from this report.",
                at=(trouble.at,),
                hint=next((hint for words, hint in HINTS if words in trouble.message), None),
            )


STOPPED = "because it was stopped"
HINTS = (
    (STOPPED, "Read it again to its end if what follows matters."),
    ("nested deeper than the limit", "Raise the limit with --limit depth=LEVELS if the record is genuine."),
    ("nested too deeply", "Write it less deeply nested: it is deeper than this program can follow, whatever the limit."),
    ("bytes and no further", "Split the source, or raise the limit with --limit total=SIZE."),
    ("times its size", "Unpack it yourself, or raise the limit with --limit ratio=TIMES, if it is genuine."),
    ("further ones were counted", "Name fewer files, or raise the limit with --limit sessions=N."),
)
"""Words of the reader's reason → which option raises that limit; `--max-record` raises that of size alone."""


RULE = Rule(
    code="TL011",
    name="record-too-large",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary="A record is over the limit of size or depth, or a source over that of decompressed data, and was skipped; or reading was stopped.",
    proves="The limit that the message names was passed.",
    cannot="What the record said.",
    quiet="Large sources of ordinary records: they are streamed.",
    example="A line of 2 GB.",
    remedy="Raise the limit of size with --max-record if the record is genuine; the others with --limit.",
    scope="run",
    check=check,
)
