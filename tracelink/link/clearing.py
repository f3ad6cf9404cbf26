"""What clears a required action besides a later snapshot (fact sheet D.6.2, D.1).

A function call: its recorded output, or the end of its turn. An approval: its recorded answer, or the end of its turn.
An environment: connected.
"""

from collections.abc import Iterable, Sequence

from tracelink.link.latest import Life
from tracelink.link.shelves import Named, Pair
from tracelink.model.facts import EnvironmentSeen
from tracelink.model.location import Origin, order
from tracelink.model.quick import quick
from tracelink.model.trace import Action, Result, Turn

CONNECTED = frozenset(("connected",))


_action = quick(Action)


def clear_call(life: Life, turn: Turn | None, results: Sequence[Result], mine: Iterable[int]) -> Action:
    """The action of a call alone, with the first fact after its last listing that clears it, if any. mine: the indices of its results."""
    clears: list[Origin] = [turn.ended] if turn is not None and turn.ended is not None else []
    for index in mine:
        result = results[index]
        if result.recorded is not None:
            clears.append(result.recorded)
            clears += result.recorded_again
    return _made(life, clears)


def clear_others(
    actions: Iterable[Life],
    others: Iterable[Named],
    environments: Iterable[EnvironmentSeen],
    results: Iterable[Result],
    turns: dict[str, Turn],
) -> None:
    """Makes the actions that are no call's alone. others: the items beside calls, results and coordination."""
    actions = [life for life in actions if not life.alone]
    if not actions:
        return
    outputs = _outputs(results)
    answers: dict[str | None, list[Origin]] = {}
    for _, _, seen in others:
        if seen[0].type == "computer_use_approval_request_result":
            answers.setdefault(seen[0].request_id, []).append(seen[0].at)
    connected: dict[str | None, list[Origin]] = {}
    for environment in environments:
        if environment.status in CONNECTED:
            connected.setdefault(environment.environment_id, []).append(environment.at)
    for life in actions:
        asked = life.seen
        turn = turns.get(asked.turn_id or "")
        clears: list[Origin] = [turn.ended] if turn is not None and turn.ended is not None else []
        if asked.call_id is not None:
            clears += outputs.get((asked.turn_id, asked.call_id), ())
        if asked.request_id is not None:
            clears += answers.get(asked.request_id, ())
        if asked.environment_id is not None:
            clears += connected.get(asked.environment_id, ())
        _made(life, clears)


def _outputs(results: Iterable[Result]) -> dict[Pair, list[Origin]]:
    """Where results of a pair are recorded, be the pair a call's or not."""
    found: dict[Pair, list[Origin]] = {}
    for result in results:
        if result.recorded is not None:
            found.setdefault((result.turn_id, result.call_id), []).extend((result.recorded, *result.recorded_again))
    return found


def _made(life: Life, clears: list[Origin]) -> Action:
    first, maybe = _first(life, clears)
    made = life.action = _action(life.seen, life.first, life.last, first, life.listed_latest, maybe)
    return made


def _first(life: Life, clears: list[Origin]) -> tuple[Origin | None, Origin | None]:
    """What clears an action first; where nothing is sure to, what may have cleared it."""
    last, dropped = life.last, life.cleared
    here = last.index
    before = dropped.seq if dropped is not None and dropped.index == here else None
    first: Origin | None = None
    maybe: Origin | None = None
    for at in clears:
        if before is not None and at.seq >= before and at.index == here:
            continue  # what comes after it in the same source is not the first to clear the action
        known = order(last, at)
        if known == -1:
            if first is None or (at.index != here, at.seq) < (first.index != here, first.seq):
                first = at
        elif known is None and maybe is None:
            maybe = at
    if first is None:
        return (dropped, None) if dropped is not None else (None, maybe)
    if dropped is not None and (dropped.index != here or first.index != here):  # else it was looked at above
        first = min(first, dropped, key=lambda at: (at.index != here, at.seq))
    return first, None
