"""What clears a required action besides a later snapshot (fact sheet D.6.2, D.1).

A function call: its recorded output, or the end of its turn. An approval: its recorded answer, or the end of its turn.
An environment: connected.
"""

from collections.abc import Iterable

from tracelink.link.latest import ActionKey, Life
from tracelink.link.shelves import Named, Pair
from tracelink.model.facts import EnvironmentSeen
from tracelink.model.location import Origin, order
from tracelink.model.quick import quick
from tracelink.model.trace import Action, Result, Turn

CONNECTED = frozenset(("connected",))


_action = quick(Action)


def cleared(
    actions: dict[ActionKey, Life],
    others: Iterable[Named],
    environments: Iterable[EnvironmentSeen],
    results: Iterable[Result],
    turns: dict[str, Turn],
) -> dict[ActionKey, Action]:
    """The actions, each with the first fact after its last listing that clears it, if any. others: the items beside calls."""
    if not actions:
        return {}
    outputs: dict[Pair, list[Origin]] = {}
    for result in results:
        if result.recorded is not None:
            pair = (result.turn_id, result.call_id)
            if pair in outputs:
                outputs[pair] += (result.recorded, *result.recorded_again)
            else:
                outputs[pair] = [result.recorded, *result.recorded_again]
    answers: dict[str | None, list[Origin]] = {}
    for _, _, seen in others:
        if seen[0].type == "computer_use_approval_request_result":
            answers.setdefault(seen[0].request_id, []).append(seen[0].at)
    connected: dict[str | None, list[EnvironmentSeen]] = {}
    for environment in environments:
        if environment.status in CONNECTED:
            connected.setdefault(environment.environment_id, []).append(environment)
    found: dict[ActionKey, Action] = {}
    for key, life in actions.items():
        seen_action, last = life.seen, life.last
        clears: list[Origin] = []
        turn = turns.get(seen_action.turn_id or "")
        if turn is not None and turn.ended is not None:
            clears.append(turn.ended)
        if seen_action.call_id is not None:
            clears += outputs.get((seen_action.turn_id, seen_action.call_id), [])
        if seen_action.request_id is not None:
            clears += answers.get(seen_action.request_id, [])
        if seen_action.environment_id is not None:
            clears += [one.at for one in connected.get(seen_action.environment_id, [])]
        first: Origin | None = None
        maybe: Origin | None = None
        dropped = life.cleared
        if dropped is not None and dropped.index == last.index:
            # What comes after it in the same source is not the first to clear the action.
            clears = [at for at in clears if at.seq < dropped.seq or at.index != last.index]
        for at in clears:
            known = order(last, at)
            if known == -1:
                if first is None or (at.index != last.index, at.seq) < (first.index != last.index, first.seq):
                    first = at
            elif known is None and maybe is None:
                maybe = at
        if dropped is not None and (
            first is None or (dropped.index != last.index, dropped.seq) < (first.index != last.index, first.seq)
        ):
            first = dropped
        found[key] = _action(seen_action, life.first, last, first, life.listed_latest, maybe if first is None else None)
    return found
