"""Verdict, stall and next actions of a run, without its findings: what `awaits` needs, at a part of the cost of a report."""

from typing import TYPE_CHECKING

from tracelink.judge import next_actions, stall, verdict
from tracelink.judge.next_action import Misfit
from tracelink.model.run import Report, Run, SessionReport
from tracelink.model.trace import CallKey, Trace
from tracelink.model.verdict import AWAITING, Verdict

if TYPE_CHECKING:
    from tracelink.rules.tl2_payloads.bounded import Schemas


def verdicts(run: Run, silence: float, schemas: bool = True) -> Report:
    """silence: seconds without a record that count as silence. schemas: open calls are held against what the session declares, for the
    sake of the next actions; without, nothing of it is loaded."""
    misfits = _Misfits()
    sessions = []
    for trace in run.traces:
        answer = verdict(trace, run.as_of)
        steps = next_actions(trace, answer, misfits(trace, answer) if schemas else None)
        sessions.append(SessionReport(trace, answer, stall(trace, answer, run.until(trace), silence), steps))
    return Report(run, tuple(sessions))


class _Misfits:
    """`misfits` for the sessions of a run: it is loaded only where a call waits that it can say something of."""

    def __init__(self) -> None:
        self._schemas: Schemas | None = None

    def __call__(self, trace: Trace, answer: Verdict) -> dict[CallKey, Misfit]:
        if answer.awaits != AWAITING:
            return {}
        from tracelink.rules.tl2_payloads.bounded import Schemas
        from tracelink.rules.tl2_payloads.misfits import misfits

        if self._schemas is None:
            self._schemas = Schemas()
        return misfits(trace, answer, self._schemas)
