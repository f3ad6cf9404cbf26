"""The outcome of `check` as text: session by session, worst first, then what was looked at and whether it fails.

A CI system may read its own commands out of what a program prints (`::error …` at the start of a line, `##[…]` anywhere), and
a recording may hold such text, so both are broken up.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from tracelink.model.finding import Severity
from tracelink.policy import Counted, Outcome, fails
from tracelink.render.closing import MANY, finding_lines
from tracelink.render.commands import files
from tracelink.render.escape import escape, ident
from tracelink.render.page import Page, plural

STALE_NAMED = 5


def render(outcome: Outcome, *, width: int, color: bool, full: bool = False) -> str:
    """The outcome as text with a closing newline. width: columns. color: ANSI codes. full: fold nothing away."""
    page = Page(max(width, 40), color, full)
    lines: list[str] = []
    for title, group in _groups(outcome.new):
        lines += [*_group(title, group, page), ""]
    lines += _total(outcome, page)
    following = _next(outcome)
    if following is not None:
        lines += ["", page.paint(following, "cyan")]
    return "\n".join(map(harmless, lines)) + "\n"


def harmless(line: str) -> str:
    """A line that no CI system takes for a command of its own."""
    if line.lstrip().startswith("::"):
        line = line.replace("::", ":\\x3a", 1)
    return line.replace("##[", "#\\x23[")


def looked_at(outcome: Outcome) -> str:
    """`3 sessions, 41 calls, 812 records`: what an empty result is about."""
    report = outcome.report
    calls = sum(len(session.trace.calls) for session in report.sessions)
    records = sum(source.records for source in report.run.sources)
    return ", ".join((plural(len(report.sessions), "session"), plural(calls, "call"), plural(records, "record")))


def set_aside(outcome: Outcome) -> str:
    """`4 in the baseline, 2 ignored`: what was found and does not count; empty where there is none."""
    counts = (
        (outcome.known, "in the baseline"),
        (outcome.ignored, "not selected or ignored"),
        (outcome.unsure, f"below {outcome.policy.min_confidence.value} confidence"),
    )
    return ", ".join(f"{count:,} {what}" for count, what in counts if count)


def _groups(found: Sequence[Counted]) -> Iterator[tuple[str, list[Counted]]]:
    """Findings of the run by source, then those of each session."""
    groups: dict[tuple[bool, str], list[Counted]] = {}
    for one in found:
        finding = one.finding
        if finding.session_id is not None:
            key = (True, ident(finding.session_id))
        else:
            key = (False, escape(finding.locations[0].source) if finding.locations else "the whole run")
        groups.setdefault(key, []).append(one)
    yield from ((title, group) for (_, title), group in groups.items())


def _group(title: str, group: Sequence[Counted], page: Page) -> Iterator[str]:
    counts = Counter(one.finding.severity for one in group)
    told = ", ".join(plural(counts[severity], severity.value) for severity in Severity if counts[severity])
    yield page.heading(title) + f"  {told}"
    shown: Counter[str] = Counter()
    for one in sorted(group, key=lambda one: (one.finding.severity.rank, one.finding.confidence.rank, one.finding.code)):
        shown[one.finding.code] += 1
        if shown[one.finding.code] <= MANY or page.full:
            yield from finding_lines(one.finding, page)
    for code, count in shown.items():
        if count > MANY and not page.full:
            yield f"  … {count - MANY:,} more of {code} (--full shows them)"


def _total(outcome: Outcome, page: Page) -> Iterator[str]:
    counts = outcome.by_severity
    told = ", ".join(plural(count, severity) for severity, count in counts.items() if count)
    total = plural(len(outcome.new), "finding") + (f" ({told})" if told else "")
    yield from page.wrap(f"{total} in {looked_at(outcome)}", indent="  ", first="")
    aside = set_aside(outcome)
    if aside:
        yield from page.wrap(f"set aside: {aside}", indent="    ", first="  ")
    if outcome.stale:
        named = [
            f"{one.code} of {ident(one.session_id)}" if one.session_id else one.code for one in outcome.stale[:STALE_NAMED]
        ]
        if len(outcome.stale) > STALE_NAMED:
            named.append(f"{len(outcome.stale) - STALE_NAMED:,} more")
        entries = "1 entry" if len(outcome.stale) == 1 else f"{len(outcome.stale):,} entries"
        drops = "dropped from it" if outcome.recorded else "--write-baseline drops them"
        text = f"{entries} of the baseline found no more: {', '.join(named)}; {drops}"
        yield from page.wrap(text, indent="    ", first="  ")
    if outcome.recorded:
        count = len(outcome.counted)
        yield (
            f"to the baseline: {'the finding' if count == 1 else f'all {count:,} findings'}, so none of them fails this run"
            if count
            else ("to the baseline: nothing")
        )
    fail_on = outcome.policy.fail_on
    if outcome.failed and fail_on is not None:
        bad = sum(fails(one.finding, fail_on) for one in outcome.new)
        worse = "" if fail_on is Severity.ERROR else " or worse"
        yield page.paint(f"failed: {plural(bad, 'finding')} of severity {fail_on.value}{worse}", "bold", "red")


def _next(outcome: Outcome) -> str | None:
    """The command to run next; None where nothing could be read, and standard error says why."""
    if outcome.new:
        worst = min(outcome.new, key=lambda one: (one.finding.severity.rank, one.finding.confidence.rank, one.finding.code))
        return f"next: tracelink rule {worst.finding.code}   (what it proves, what it cannot, what to do)"
    if not outcome.report.sessions:
        return None
    return f"next: tracelink awaits {files(outcome.report)}   (whom each session awaits)"
