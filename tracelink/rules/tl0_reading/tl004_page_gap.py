"""A list page says that there is more, and the rest is not there."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for one in context.trace.lists:
        more = [page for page in one.pages if page.has_more]
        if one.complete or not more:
            continue
        last = more[-1]
        shown = sum(page.count for page in one.pages)
        yield rule.finding(
            f"The list of {last.of}s at {place(last.at)} says has_more after {shown} entries, and no page with the rest is in this run: "
            "calls, results or turns may be missing, and nothing is said of what lies there.",
            at=[page.at for page in more[-3:]][::-1],
            ids={"last_id": last.last_id},
        )


RULE = Rule(
    code="TL004",
    name="page-gap",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary="A list page says has_more, and the rest of the list is not among the inputs.",
    proves="No page of that list in this run is its last one.",
    cannot="A page missing between two others: pages do not say what they follow.",
    quiet="Pages of one list in any order and overlapping, as long as the last one is there.",
    example='{"object": "list", "data": […], "has_more": true} alone.',
    remedy="Fetch the next pages with after=<last id> and give them all to one run.",
    check=check,
)
