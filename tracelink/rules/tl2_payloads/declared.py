"""The calls that are held against what the session declares."""

from collections.abc import Iterable, Iterator

from tracelink.judge.declared import Declarations, Declared
from tracelink.model.trace import ROOT, Call, Trace


def root_calls(
    trace: Trace, declarations: Declarations, *, without: frozenset[str] = frozenset(), calls: Iterable[Call] | None = None
) -> Iterator[tuple[Call, Declared]]:
    """The calls of the agent whose tools the session shows, with the list that held. A subagent's call is TL406's (H.1).

    without: names of functions whose calls are left out. calls: only these; None: all of the trace.
    """
    turns = trace.turns
    for call in trace.calls.values() if calls is None else calls:
        turn = turns.get(call.turn_id)
        if call.name is None or call.name in without or call.variants or (turn is not None and turn.subagent_id is not None):
            continue  # two calls under one key are TL109's
        declared = declarations.at(call.first)
        if declared is None:
            continue
        owner = turn.agent_id if turn is not None and turn.agent_id != ROOT else None
        if owner is None or declared.agent_id is None or owner == declared.agent_id:
            yield call, declared
