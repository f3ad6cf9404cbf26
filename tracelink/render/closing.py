"""The lower part of the text: findings with their places, what could not be checked, and what was read."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tracelink.model.finding import Finding, Severity
from tracelink.model.run import Report
from tracelink.model.trace import Trace, Unlinkable
from tracelink.render.escape import escape, ident, width_of
from tracelink.render.json import DISPOSITIONS, counts_of
from tracelink.render.page import Page, moment, plural, size, where

COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
MANY = 10
"""Findings of one code shown in full; the rest is one line, unless `--full`."""
PLACES = 3
ALWAYS = ("records", "turns", "calls", "results")
"""Counts shown even where they are 0: they say what was looked at."""
TOLD_ABOVE = {"TL501": "awaiting-action  told above, under open actions"}


def findings(found: Sequence[Finding], page: Page, title: str = "findings") -> Iterator[str]:
    """The findings, worst first, each with its place and its hint."""
    yield ""
    counts = Counter(finding.severity for finding in found)
    told = ", ".join(plural(counts[severity], severity.value) for severity in Severity if counts[severity])
    yield page.heading(title) + f"  {told or 'none'}"
    shown: Counter[str] = Counter()
    for finding in sorted(found, key=lambda one: (one.severity.rank, one.confidence.rank, one.code)):
        shown[finding.code] += 1
        if (shown[finding.code] <= MANY or page.full) and finding.code not in TOLD_ABOVE:
            yield from finding_lines(finding, page)
    for code, count in shown.items():
        if code in TOLD_ABOVE:
            yield f"  {page.paint(f'note {code}', 'bold', 'cyan')} {TOLD_ABOVE[code]}"
        elif count > MANY and not page.full:
            yield f"  … {count - MANY:,} more of {code}"


def finding_lines(finding: Finding, page: Page) -> Iterator[str]:
    """One finding: code and place, the sentence, further places, the hint."""
    places = [where(location) for location in finding.locations]
    more = len(places) - PLACES
    if more > 0 and not page.full:
        places[PLACES:] = [f"and {more:,} more"]
    label = f"{finding.severity.value} {finding.code}"
    doubt = "" if finding.confidence.value == "high" else f" ({finding.confidence.value} confidence)"
    at = "  " + places[0] if places else ""
    fits = width_of(f"  {label} {finding.name}{doubt}{at}") <= page.width
    head = f"  {page.paint(label, 'bold', COLORS[finding.severity])} {finding.name}{doubt}"
    yield head + page.paint(at, "dim") if fits else head
    if not fits:
        yield page.paint(f"    at{at[1:]}", "dim")
    yield from page.wrap(finding.message, indent="    ", first="    ")
    if places[1:]:
        also = page.wrap("see also " + ", ".join(places[1:]), indent="      ", first="    ")
        yield from (page.paint(line, "dim") for line in also)
    if finding.hint:
        yield from page.wrap(f"→ {finding.hint}", indent="      ", first="    ")


def unlinkable(unchecked: Sequence[Unlinkable], page: Page) -> Iterator[str]:
    """What could not be checked, and why; equal reasons are told once."""
    if not unchecked:
        return
    yield ""
    yield page.heading("could not be checked")
    reasons: dict[tuple[str, str], list[Unlinkable]] = {}
    for one in unchecked:
        reasons.setdefault((one.what, one.why), []).append(one)
    for (what, why), ones in reasons.items():
        text = f"{what}: {why}"
        named = [ident(value) for one in ones for value in one.ids.values() if value not in text]
        named = list(dict.fromkeys(named))
        if len(named) > PLACES and not page.full:
            named[PLACES:] = [f"{len(named) - PLACES:,} more"]
        if named:
            text += f" ({', '.join(named)})"
        if ones[0].at is not None:
            text += f" [{where(ones[0].at.location)}]"
        yield from page.wrap(text, indent="    ", first="  ")


def counts(trace: Trace, page: Page) -> Iterator[str]:
    counted = counts_of(trace)
    named = [
        plural(count, name.removesuffix("s").replace("_", " ")) for name, count in counted.items() if count or name in ALWAYS
    ]
    yield ""
    lines = page.wrap(", ".join(named), indent="        ", first="counts  ")
    yield page.heading("counts") + lines[0][len("counts") :]
    yield from lines[1:]


def sources(report: Report, page: Page) -> Iterator[str]:
    """What was read, source by source, and how each record was taken."""
    run = report.run
    yield page.heading("read")
    for index, source in enumerate(run.sources):
        form = source.format + (f", {source.compression}" if source.compression else "")
        yield f"  {escape(source.name)}  {form}, {size(source.bytes)}, {plural(source.records, 'record')}"
        counted = run.counts[index] if index < len(run.counts) else {}
        told = [name for name in DISPOSITIONS if counted.get(name)]
        if told not in ([], ["used"]):
            line = "    " + ", ".join(f"{counted[name]:,} {name}" for name in told)
            yield page.paint(line, "yellow") if counted.get("unreadable") else line
        if source.problem:
            yield from (page.paint(line, "red") for line in page.wrap(source.problem, indent="    ", first="    "))
    if not run.sources:
        yield "  nothing"
    if run.as_of is not None:
        yield page.paint(f"  ages are counted to {moment(run.as_of)}", "dim")
