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
    turn_id: str | None = None
    owner: str | None = None
    of_subagent = False
    for call in trace.calls.values() if calls is None else calls:
        if call.name is None or call.name in without or call.variants:
            continue  # two calls under one key are TL109's
        if call.turn_id != turn_id:  # the calls of one turn mostly stand together
            turn_id = call.turn_id
            turn = turns.get(turn_id)
            of_subagent = turn is not None and turn.subagent_id is not None
            owner = turn.agent_id if turn is not None and turn.agent_id != ROOT else None
        if of_subagent:
            continue
        first = call.origins[0] if call.origins else call.first
        declared = declarations.at(first)
        if declared is not None and (owner is None or declared.agent_id is None or owner == declared.agent_id):
            yield call, declared
