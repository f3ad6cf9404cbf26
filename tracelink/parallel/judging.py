"""From a run to its report: each session judged by itself, in one process or in several.

Sessions are judged one by one, and nothing that is found in one depends on another: the rules look at the run, which is complete by then.
So the sessions may be cut into slices, in order, the first judged by this process and each other by one that is forked from it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import Any

from tracelink.judge import next_actions, stall, verdict
from tracelink.model.finding import Finding
from tracelink.model.location import Location
from tracelink.model.quick import quick
from tracelink.model.run import Report, Run, SessionReport
from tracelink.model.trace import Trace
from tracelink.parallel.forked import Forked, can_fork
from tracelink.rules import Checking
from tracelink.rules.tl2_payloads.bounded import Schemas
from tracelink.rules.tl2_payloads.misfits import misfits
from tracelink.rules.tl7_secrets.scanner import loaded

WORTH = 5_000  # a slice of less is not worth a process
_SESSION = 15  # a session costs as much as so many calls and items

_Found = tuple[Any, ...]
"""What `SessionReport` holds beside the trace."""


def report(run: Run, silence: float, jobs: int = 1) -> Report:
    """The report of a run. jobs: so many processes at most, where there is enough to judge; what they find does not depend on it.

    silence: seconds without a record that count as silence.
    """
    checking = Checking(run, as_of=run.as_of, silence=silence)

    def found(trace: Trace) -> _Found:
        answer = verdict(trace, run.as_of)
        stalled = stall(trace, answer, run.until(trace), silence)
        steps = next_actions(trace, answer, misfits(trace, answer, checking.lasting.get(Schemas)))
        return answer, stalled, steps, *checking.session(trace, answer)

    rows = (_together(found, slices(run.traces, jobs)) if jobs > 1 else None) or list(map(found, run.traces))
    sessions = tuple(SessionReport(trace, *row) for trace, row in zip(run.traces, rows, strict=True))
    return Report(run, sessions, checking.run())


def slices(traces: Sequence[Trace], jobs: int) -> list[Sequence[Trace]]:
    """At most `jobs` slices of about equal work, one after the other all traces; one where it is not worth more."""
    costs = [_SESSION + trace.counts.get("calls", 0) + trace.counts.get("items", 0) for trace in traces]
    total = sum(costs)
    jobs = min(jobs, total // WORTH)
    if jobs < 2:
        return [traces]
    cuts: list[list[Trace]] = [[] for _ in range(jobs)]
    for trace, cost, before in zip(traces, costs, accumulate(costs, initial=0), strict=False):
        cuts[(2 * before + cost) * jobs // (2 * total)].append(trace)  # where its middle falls
    return [one for one in cuts if one]


def _together(found: Callable[[Trace], _Found], parts: Sequence[Sequence[Trace]]) -> list[_Found] | None:
    """What is found of all traces, in order; None where one process must do it."""
    # Had the library that looks for credentials threads of its own, a forked process would lack them.
    if len(parts) < 2 or not can_fork() or loaded():
        return None
    with Forked([partial(_sent, found, part) for part in parts[1:]]) as forked:
        rows = list(map(found, parts[0]))
        answers = forked.answers()
    if answers is None:
        return None
    import pickle

    for answer in answers:
        for *rest, findings, unchecked in pickle.loads(answer):  # noqa: S301 - our own bytes, from a process that we started
            rows.append((*rest, tuple(map(_whole, findings)), unchecked))
    return rows


def _sent(found: Callable[[Trace], _Found], part: Sequence[Trace]) -> bytes:
    """In another process. Pickled, for bodies to post hold texts of a class of their own (`Placeholder`)."""
    import pickle

    rows = [(*rest, list(map(_plain, findings)), unchecked) for *rest, findings, unchecked in map(found, part)]
    return pickle.dumps(rows, pickle.HIGHEST_PROTOCOL)


def _plain(one: Finding) -> tuple[Any, ...]:
    """A finding as plain tuples, which go several times faster than itself: where every record is at fault, there are many."""
    at = [tuple(place) for place in one.locations]
    return one.code, one.name, one.severity, one.confidence, one.message, one.ids, at, one.hint, one.session_id, one.times


_finding = quick(Finding)


def _whole(plain: tuple[Any, ...]) -> Finding:
    code, name, severity, confidence, message, ids, at, hint, session_id, times = plain
    places = tuple([Location(*place) for place in at])
    return _finding(code, name, severity, confidence, message, ids, places, hint, session_id, times)
