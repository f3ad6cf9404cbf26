"""Verdict, stall and next actions of a run, without its findings: what `awaits` needs, at a part of the cost of a report."""

from tracelink.judge import next_actions, stall, verdict
from tracelink.model.run import Report, Run, SessionReport


def verdicts(run: Run, silence: float) -> Report:
    """silence: seconds without a record that count as silence."""
    sessions = []
    for trace in run.traces:
        answer = verdict(trace, run.as_of)
        sessions.append(SessionReport(trace, answer, stall(trace, answer, run.as_of, silence), next_actions(trace, answer)))
    return Report(run, tuple(sessions))
