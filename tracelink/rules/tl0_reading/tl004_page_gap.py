"""A list page says that there is more, and the rest is not there."""

from collections import defaultdict
from collections.abc import Iterable

from tracelink.model.facts import PageSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.trace import Trace
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for group in _groups(context.trace):
        if any(page.has_more is False for page in group):
            continue
        more = [page for page in group if page.has_more]
        if not more:
            continue
        last = more[-1]
        shown = sum(page.count for page in group)
        yield rule.finding(
            f"The list of {last.of}s at {place(last.at)} says has_more after {shown} entries, and no page with the rest is in this run: "
            "calls, results or turns may be missing, and nothing is said of what lies there.",
            at=[page.at for page in more[-3:]][::-1],
            ids={"last_id": last.last_id},
        )


def _groups(trace: Trace) -> list[list[PageSeen]]:
    """Pages of one list: the same kind of member, of the same agent."""
    owners: dict[tuple[int, int], str | None] = {}
    groups = (trace.calls.values(), trace.coordination.values(), trace.items.values())
    for history in (item.history for group in groups for item in group):
        for seen in history:
            if seen.page is not None:
                turn = trace.turns.get(seen.turn_id or "")
                owners.setdefault((seen.at.index, seen.page), turn.subagent_id if turn is not None else None)
    lists: dict[tuple[str, str | None], list[PageSeen]] = defaultdict(list)
    for page in trace.pages:
        lists[page.of, page.subagent_id or owners.get((page.at.index, page.number))].append(page)
    return list(lists.values())


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
