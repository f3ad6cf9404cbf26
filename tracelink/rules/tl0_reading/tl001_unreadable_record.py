"""A line, frame or document that is not JSON, or was read with a doubt."""

from collections.abc import Iterable

from tracelink.model.facts import TroubleSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import file_name
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    text: dict[int, list[TroubleSeen]] = {}
    for trouble in context.run.troubles:
        if trouble.code != rule.code:
            continue
        if TEXT in trouble.message and "no JSON found" not in trouble.message:
            text.setdefault(trouble.at.index, []).append(trouble)
        elif trouble.doubt:
            yield rule.finding(
                f"The record at {place(trouble.at)} is not plain JSON ({trouble.message}): it was used as far as it could be read.",
                at=(trouble.at,),
                severity=Severity.WARNING,
                hint="Check what wrote this recording; the value that was used is the one named here.",
            )
        else:
            yield rule.finding(
                f"The record at {place(trouble.at)} could not be read ({trouble.message}): what it said is missing from this report.",
                at=(trouble.at,),
            )
    for lines in text.values():
        count = len(lines)
        yield rule.finding(
            f"{file_name(lines[0].at.source)} holds {count} line{'s' if count > 1 else ''} of text that {'are' if count > 1 else 'is'} no JSON, first at "
            f"{place(lines[0].at)}: skipped, no record was in {'them' if count > 1 else 'it'}.",
            at=[one.at for one in lines[:3]],
            severity=Severity.NOTE,
            hint="Nothing, if they are a logger's own lines or HTTP headers.",
        )


TEXT = "a line of text"
"""What the reader says of a line that never claimed to be JSON."""


RULE = Rule(
    code="TL001",
    name="unreadable-record",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="A line, frame or document is not JSON; as a warning: it is not plain JSON, and was used all the same.",
    proves="The bytes at this place do not parse as JSON, or only leniently (NaN, invalid UTF-8, a member given twice).",
    cannot="What the record said.",
    quiet=(
        "A torn last line (TL002), what is too large or too deep (TL011), comments, keepalives and [DONE] of an event stream."
    ),
    example='{"type": "agent.session.idle", "session":',
    remedy="Look at the place; where a writer broke the line, fetch the session and its items and add them to this run.",
    scope="run",
    check=check,
)
