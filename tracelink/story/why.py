"""Why an id is there: what it is, where it was seen, what led to it, what came of it.

What led to it and what came of it are only what the recording ties to it: by an id, by the inferred edge from a create call to its
subagent, or by the order within its turn; the words say which.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tracelink.model.run import SessionReport
from tracelink.story import why_actions, why_agents, why_calls
from tracelink.story.known import Known
from tracelink.story.moments import moments
from tracelink.story.order import arrange
from tracelink.story.values import Moment
from tracelink.story.why_values import Link, Parts, Said, Told, Why

_MAKERS: dict[str, Callable[[Told, Any], Parts]] = {
    "session": why_agents.session,
    "agent": why_agents.agent,
    "subagent": why_agents.agent,
    "turn": why_agents.turn,
    "call": why_calls.call,
    "result": why_calls.result,
    "request": why_actions.request,
    "environment": why_actions.environment,
    "event": why_actions.event,
    "item": why_agents.item,
}


def why(report: SessionReport, known: Known) -> Why:
    """What the trace of `report` has on `known`, which was found in it."""
    trace = report.trace
    told = Told(report, arrange(moments(trace), trace).moments)
    key = known.key
    kind = known.kind
    if kind == "item":  # of a call, of a result, or of neither
        kind = "call" if isinstance(key, tuple) else "result" if isinstance(key, int) else "item"
    parts = _MAKERS[kind](told, key)
    names = {known.id, *parts.names}
    return Why(
        known.kind,
        known.id,
        trace.session_id,
        parts.what,
        tuple((name, value) for name, value in parts.facts if value is not None),
        tuple(dict.fromkeys(sorted(parts.seen, key=lambda one: (one[1].index, one[1].seq)))),
        tuple(_links(parts.before)),
        tuple(_links(parts.after or ["nothing that the recording shows"])),
        tuple(one for one in report.findings if names & set(one.ids.values())),
    )


def _links(found: Sequence[Said]) -> Iterator[Link]:
    for one in found:
        if isinstance(one, Moment):
            yield Link(one.what, one.ids, one.at, one.time, one.clock, one.quoted)
        else:
            yield Link(one)
