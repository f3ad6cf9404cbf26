"""What clears a required action besides a later snapshot (fact sheet D.6.2, D.1).

A function call: its recorded output, or the end of its turn. An approval: its recorded answer, or the end of its turn.
An environment: connected.
"""

from collections.abc import Iterable

from tracelink.link.latest import ActionKey
from tracelink.model.facts import EnvironmentSeen
from tracelink.model.location import Origin, order
from tracelink.model.recording import Recording
from tracelink.model.trace import Action, Result, Turn

CONNECTED = frozenset(("connected",))


def with_clearing(
    actions: dict[ActionKey, Action], recording: Recording, results: Iterable[Result], turns: dict[str, Turn]
) -> dict[ActionKey, Action]:
    """The actions, each with the first fact after its last listing that clears it, if any."""
    outputs: dict[tuple[str | None, str | None], list[Origin]] = {}
    for result in results:
        if result.recorded is not None:
            outputs.setdefault((result.turn_id, result.call_id), []).extend((result.recorded, *result.recorded_again))
    answers: dict[str | None, list[Origin]] = {}
    for seen in recording.items.values():
        if seen[0].type == "computer_use_approval_request_result":
            answers.setdefault(seen[0].request_id, []).append(seen[0].at)
    connected: dict[str | None, list[EnvironmentSeen]] = {}
    for environment in recording.environments:
        if environment.status in CONNECTED:
            connected.setdefault(environment.environment_id, []).append(environment)
    cleared: dict[ActionKey, Action] = {}
    for key, action in actions.items():
        seen_action = action.seen
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
        after = [at for at in clears if order(action.last, at) == -1]
        if action.cleared is not None:
            after.append(action.cleared)
        first = min(after, key=lambda at: (at.index != action.last.index, at.seq), default=None)
        unsure = next((at for at in clears if order(action.last, at) is None), None)
        maybe = None if first is not None else unsure
        cleared[key] = Action(action.seen, action.first, action.last, first, action.listed_latest, maybe)
    return cleared
