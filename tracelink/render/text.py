"""The report as text: what a person on call reads in ten seconds, at 80 columns.

Per session the verdict comes first, then what is open and what to do, then the chain, then what does not fit. Ids are
never cut, for every one is an argument of some command; recorded texts are.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from tracelink.model.finding import Severity
from tracelink.model.run import Report, SessionReport
from tracelink.render import closing, node, tree, verdict
from tracelink.render.commands import next_command
from tracelink.render.escape import escape, ident
from tracelink.render.json import status_of
from tracelink.render.page import Page, moment, plural

SESSIONS_IN_FULL = 3
"""Of more sessions than these, the calm ones get one line."""
CALM_LISTED = 20
AWAITING_NAMED = 8
"""So many sessions are named above all others, where there are several."""


def render(report: Report, *, width: int, color: bool, full: bool = False, cut: bool = True, agent: str | None = None) -> str:
    """The report as text with a closing newline.

    width: columns. color: ANSI codes. full: fold and cut nothing. cut: cut recorded texts at the width; False for a pipe.
    agent: show of the chain only what hangs below this agent.
    """
    page = Page(max(width, 40), color, full, cut)
    lines: list[str] = []
    folded = False
    if len(report.sessions) > 1:
        lines += [*_overview(report, page), ""]
    calm = _calm_ones(report, page)
    for number, session in enumerate(report.sessions):
        if number in calm:
            continue
        if lines and lines[-1] != "":
            lines += ["", page.paint("─" * page.width, "dim"), ""]
        lines += _header(session, page, several=len(report.run.sources) > 1)
        lines += verdict.render(session, page, report.run.as_of, number)
        chain, session_folded = _chain(session, page, agent)
        lines += chain
        folded |= session_folded
        lines += closing.findings(session.findings, page)
        lines += closing.unlinkable(session.not_checked, page)
        lines += closing.counts(session.trace, page)
    if calm:
        lines += ["", *_calm_lines([report.sessions[number] for number in sorted(calm)], page)]
        folded = True
    if not report.sessions:
        lines.append(_nothing(report))
    if report.findings:
        lines += closing.findings(report.findings, page, "findings of the run")
    lines += ["", *closing.sources(report, page)]
    following = next_command(report, folded)
    if following:
        lines += ["", page.paint(following, "cyan")]
    return "\n".join(lines) + "\n"


def _overview(report: Report, page: Page) -> Iterator[str]:
    kinds = Counter(session.verdict.awaits for session in report.sessions)
    told = [f"{kinds[kind]:,} {label.lower()}" for kind, (label, _) in verdict.LABELS.items() if kinds[kind]]
    yield page.heading(plural(len(report.sessions), "session")) + ": " + "; ".join(told)
    open_ones = [ident(one.trace.session_id) for one in report.sessions if one.verdict.awaits == "awaiting"]
    if open_ones:
        more = len(open_ones) - AWAITING_NAMED
        open_ones[AWAITING_NAMED:] = [f"{more:,} more"] if more > 0 else []
        yield from page.wrap("awaiting: " + ", ".join(open_ones), indent="    ", first="  ")


def _calm_ones(report: Report, page: Page) -> set[int]:
    """Positions of the sessions that get one line only: of many, those that await nobody and in which all fits."""
    if page.full or len(report.sessions) <= SESSIONS_IN_FULL:
        return set()
    return {
        number
        for number, session in enumerate(report.sessions)
        if session.verdict.awaits == "not_awaiting"
        and session.stall.kind == "not_stalled"
        and all(finding.severity is Severity.NOTE for finding in session.findings)
    }


def _calm_lines(sessions: Sequence[SessionReport], page: Page) -> Iterator[str]:
    yield page.heading(f"{plural(len(sessions), 'session')} in which nothing is open or broken")
    for session in sessions[:CALM_LISTED]:
        trace = session.trace
        counted = f"{plural(len(trace.turns), 'turn')}, {plural(len(trace.calls), 'call')}"
        yield f"  {ident(trace.session_id)}  {escape(status_of(trace) or 'no snapshot')}  " + page.paint(counted, "dim")
    if len(sessions) > CALM_LISTED:
        yield f"  … {len(sessions) - CALM_LISTED:,} more"


def _header(session: SessionReport, page: Page, several: bool) -> Iterator[str]:
    trace = session.trace
    name = ident(trace.session_id) if trace.session_id is not None else "session not named in the recording"
    status = status_of(trace) or ("status unclear" if trace.latest else "no snapshot recorded")
    yield page.heading(name) + f"  {escape(status)}"
    snapshot = trace.latest[-1] if trace.latest else None
    if snapshot is not None:
        body = snapshot.body
        facts = [escape(fact) for fact in (body.agent_name, body.agent_id, body.model) if fact]
        if facts:
            yield page.paint("  agent " + ", ".join(facts), "dim")
        times = [
            f"{word} {moment(time)}"
            for word, time in (("created", snapshot.created_at), ("last active", snapshot.last_active_at))
            if time is not None
        ]
        if times:
            yield page.paint("  " + ", ".join(times), "dim")
    if several and trace.sources:
        yield from (
            page.paint(line, "dim") for line in page.wrap("from " + ", ".join(trace.sources), indent="    ", first="  ")
        )
    yield ""


def _chain(session: SessionReport, page: Page, agent: str | None) -> tuple[list[str], bool]:
    keys = (one.action.call_id or one.action.request_id or one.action.environment_id for one in session.verdict.actions)
    roots = tree.build(session.trace, session.findings, frozenset(key for key in keys if key), agent)
    folded = False if page.full else node.fold(roots)
    return ["", page.heading("chain"), *node.draw(roots, page)], folded


def _nothing(report: Report) -> str:
    run = report.run
    records = sum(source.records for source in run.sources)
    return f"No session in {plural(len(run.sources), 'source')}, {plural(records, 'record')}."
