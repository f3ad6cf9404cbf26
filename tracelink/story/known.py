"""Ids: what an id, or the beginning of one, is the id of.

An exact id goes before a prefix. Where one text is several things, each has a longer name that is its alone: `turn/call` for a call,
`kind:id` for anything.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tracelink.model.location import Origin
from tracelink.model.trace import Trace


class Known(NamedTuple):
    """An id. kind: session, agent, subagent, turn, call, result, item, request, environment, event.

    session: position of its trace. key: where the trace keeps it: a call's pair, a result's index, the origin's event, else the id.
    """

    kind: str
    id: str
    session: int
    key: object = None

    @property
    def full(self) -> str:
        """The name that is its alone within its session, and that `find` takes."""
        if self.kind == "call" and isinstance(self.key, tuple):
            return f"{self.key[0]}/{self.key[1]}"
        return f"{self.kind}:{self.id}"


def find(traces: Sequence[Trace], text: str) -> list[Known]:
    """All that `text` may be: those it names exactly, else those that it begins. Empty if nothing does."""
    everything = list(known(traces))
    exact = [one for one in everything if text in (one.id, one.full)]
    found = exact or [one for one in everything if one.id.startswith(text) or (":" in text and one.full.startswith(text))]
    if not exact and "/" in text:
        found = [one for one in everything if one.full.startswith(text)] or found
    return _distinct(found) if text else []


def _distinct(found: Iterable[Known]) -> list[Known]:
    """Each once; an event's id that is nothing else stays, one that repeats an object's does not hide it."""
    return list(dict.fromkeys(found))


def known(traces: Sequence[Trace]) -> Iterator[Known]:
    """Every id of the traces, in order of kind and appearance."""
    for number, trace in enumerate(traces):
        yield from dict.fromkeys(_of(trace, number))


def _of(trace: Trace, number: int) -> Iterator[Known]:
    if trace.session_id is not None:
        yield Known("session", trace.session_id, number, trace.session_id)
    for agent in trace.agents.values():
        if agent.id != "(root)":
            yield Known("agent" if agent.root else "subagent", agent.id, number, agent.id)
    for turn in trace.turns.values():
        yield Known("turn", turn.id, number, turn.id)
    for call in trace.calls.values():
        yield Known("call", call.call_id, number, call.key)
        for item_id in call.item_ids:
            yield Known("item", item_id, number, call.key)
    for index, result in enumerate(trace.results):
        if result.call is None and result.call_id:
            yield Known("result", result.call_id, number, index)
        if result.item_id:
            yield Known("item", result.item_id, number, index)
    for item_id in (*trace.coordination, *trace.items):
        yield Known("item", item_id, number, item_id)
    for action in trace.actions:
        seen = action.seen
        if seen.request_id:
            yield Known("request", seen.request_id, number, seen.request_id)
        if seen.environment_id:
            yield Known("environment", seen.environment_id, number, seen.environment_id)
    for answer in trace.answers:
        if answer.request_id:
            yield Known("request", answer.request_id, number, answer.request_id)
    for item in trace.items.values():
        for one in item.history:
            if one.request_id:
                yield Known("request", one.request_id, number, one.request_id)
    for environment in trace.environments:
        if environment.environment_id:
            yield Known("environment", environment.environment_id, number, environment.environment_id)
    for snapshot in trace.snapshots:
        if snapshot.body.environment_id:
            yield Known("environment", snapshot.body.environment_id, number, snapshot.body.environment_id)
    for at in origins(trace):
        if at.event_id:
            yield Known("event", at.event_id, number, at.event_id)


def origins(trace: Trace) -> Iterator[Origin]:
    """Every place that the trace keeps. Of deltas only the first and the last of a burst are kept."""
    yield from (one.at for one in trace.snapshots)
    for turn in trace.turns.values():
        yield from (one.at for one in turn.history)
    for group in (trace.calls, trace.coordination, trace.items):
        for one in group.values():
            yield from one.origins
    for result in trace.results:
        yield from (at for at in (result.posted, result.recorded, *result.repeated) if at is not None)
    for agent in trace.agents.values():
        yield from (seen.at for seen in agent.history)
    for facts in (trace.inputs, trace.environments, trace.errors, trace.refusals, trace.webhooks, trace.strangers):
        yield from (fact.at for fact in facts)
    for burst in trace.bursts:
        yield from (burst.first, burst.last)
    for repeat in trace.repeats:
        yield repeat.again
