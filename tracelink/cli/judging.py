"""Verdict, stall and next actions of a run, without its findings: what `awaits` needs, at a part of the cost of a report."""

from tracelink.judge import next_actions, stall, verdict
from tracelink.judge.next_action import Misfit
from tracelink.model.run import Report, Run, SessionReport
from tracelink.model.trace import CallKey, Trace
from tracelink.model.verdict import AWAITING, Verdict


def verdicts(run: Run, silence: float, schemas: bool = True) -> Report:
    """silence: seconds without a record that count as silence. schemas: open calls are held against what the session declares, for the
    sake of the next actions; without, nothing of it is loaded."""
    sessions = []
    for trace in run.traces:
        answer = verdict(trace, run.as_of)
        steps = next_actions(trace, answer, _misfits(trace, answer) if schemas else None)
        sessions.append(SessionReport(trace, answer, stall(trace, answer, run.until(trace), silence), steps))
    return Report(run, tuple(sessions))


def _misfits(trace: Trace, answer: Verdict) -> dict[CallKey, Misfit]:
    """The schema library is loaded only where a call waits that it can say something of."""
    if answer.awaits != AWAITING:
        return {}
    from tracelink.rules.tl2_payloads.misfits import misfits

    return misfits(trace, answer)
