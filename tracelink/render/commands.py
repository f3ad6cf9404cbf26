"""The commands that exist, and which of them helps after a report: the last line of the text names one.

A test holds COMMANDS against the command line. A new command is added here, with its line in `next_command` if it has one.
"""

import shlex

from tracelink.model.run import Report, Run, SessionReport
from tracelink.render.escape import escape

COMMANDS = (
    "build",
    "check",
    "awaits",
    "gate",
    "diff-items",
    "diff",
    "query",
    "postmortem",
    "timeline",
    "why",
    "redact",
    "rule",
    "config",
)
QUIET = frozenset({"not_stalled", "recording_ended"})
"""Stalls that are none, or of which nobody can tell."""


def next_command(report: Report, folded: bool) -> str | None:
    """One line to copy, and what it is good for; None where nothing more is to be learned."""
    names = files(report)
    open_actions = any(session.verdict.actions for session in report.sessions)
    several = len(report.sessions) > 1
    troubled = min(report.sessions, key=_calm, default=None)
    name = troubled.trace.session_id if troubled is not None else None
    session = f" --session {shlex.quote(name)}" if several and name and escape(name) == name else ""
    stuck = troubled is not None and troubled.stall.kind not in QUIET and troubled.stall.expected != "yes"
    choices = (
        ("postmortem", stuck, f"postmortem {names}{session}", "the story of the stall; -o story.html for a browser"),
        ("awaits", open_actions, f"awaits {names}{session} --emit payload", "the answer to post"),
        ("check", any(report.all_findings()), f"check {names}", "the findings alone, for a script"),
        ("build", bool(session), f"build {names}{session}", "this session alone"),
        ("build", folded, f"build {names} --full", "the whole chain, nothing folded or cut"),
        ("build", bool(report.sessions), f"build {names} -o chain.json", "the chain as a graph"),
    )
    for command, useful, line, purpose in choices:
        if useful and command in COMMANDS:
            unfold = "; --full here unfolds the chain" if folded and "--full" not in line else ""
            return f"next: tracelink {line}   ({purpose}{unfold})"
    return None


def _calm(session: SessionReport) -> int:
    """0 for a session that awaits somebody, then by its worst finding: the lowest is looked at first."""
    if session.verdict.actions:
        return 0
    return min((1 + finding.severity.rank for finding in session.findings), default=9)


def files(report: Report) -> str:
    """The sources as arguments of a command, quoted for a shell; `FILE…` where they are many or cannot be shown as they are."""
    return names_of(report.run)


def names_of(run: Run) -> str:
    """The same of a run."""
    names = list(dict.fromkeys(source.name for source in run.sources))
    if not names or len(names) > 3 or any(escape(name) != name for name in names):
        return "FILE…"
    return " ".join(shlex.quote(name) for name in names)
