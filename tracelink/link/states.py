"""How each call stands, from its results, its turn and the actions (see `Call.state`).

A recorded item answers a call for certain. A post that the server did not refuse is confirmed by what comes after it: the
action is no longer listed, or the turn completed. The `status` of a function_call says nothing of this (DESIGN 5.2).
"""

from tracelink.link import plain as lane
from tracelink.link.calls import call
from tracelink.link.clearing import clear_call
from tracelink.link.latest import ActionKey, Life
from tracelink.link.shelves import Parts
from tracelink.model.facts import ItemSeen
from tracelink.model.location import Origin, order
from tracelink.model.trace import Action, Call, CallKey, Result, Turn


def calls(
    found: Parts,
    results: list[Result],
    turns: dict[str, Turn],
    actions: dict[ActionKey, Life],
    live: dict[int, int],
    failed: bool,
) -> dict[CallKey, Call]:
    """The calls of these parts with their state, and on the way the actions that are theirs alone.

    failed: the latest snapshot says that the session failed, which ends all that was open in it.
    live: source index → position of the first event that is no catch-up of a reconnect (fact sheet A.4): a turn's or a session's.
    """
    done: dict[CallKey, Call] = {}
    plain = lane.Between()
    turn: Turn | None = None
    for key, part in found.items():
        if turn is None or turn.id != key[0]:
            turn = turns.get(key[0])
        life, mine = part.life, part.results
        if lane.PLAIN and life is not None and len(mine) == 1:
            made = plain.call(part, life, results[mine[0]], turn)
            if made is not None:
                done[key] = made
                continue
        action = None
        if life is not None and life.alone:
            action = clear_call(life, turn, results, mine)
        if len(mine) == 1 and results[mine[0]].recorded is not None:
            state = "answered"
        else:
            if action is None:
                other = actions.get(("function_call", *key))
                action = other.action if other is not None else None
            state = _state(part.items, [results[index] for index in mine], turn, action, live, failed)
        done[key] = call(part, state)
    return done


def _state(
    items: list[list[ItemSeen]],
    results: list[Result],
    turn: Turn | None,
    action: Action | None,
    live: dict[int, int],
    failed: bool,
) -> str:
    if any(result.recorded is not None for result in results):
        return "answered"
    posts = [result for result in results if result.refused is None and result.official]
    for result in posts:
        if _confirmed(result.first, turn, action):
            return "answered"
    outcome = turn.outcome if turn is not None else None
    if outcome in ("failed", "cancelled") or (failed and outcome is None):
        return "abandoned"
    if posts and (outcome is None or action is None or action.listed_latest):
        return "unapplied"
    if action is not None and action.listed_latest and outcome is None:
        return "required"
    if action is not None and action.cleared is not None and _before_end(action.cleared, turn):
        return "cleared"
    if outcome == "completed":
        return "unanswered" if turn is not None and _in_evidence(items, turn, live) else "unknown"
    return "open" if outcome is None and turn is not None else "unknown"


def _confirmed(posted: Origin, turn: Turn | None, action: Action | None) -> bool:
    broken_off = turn is not None and turn.outcome in ("failed", "cancelled")
    if action is not None and action.cleared is not None and order(action.cleared, posted) != -1 and not action.listed_latest:
        by_the_end = broken_off and turn is not None and action.cleared == turn.ended
        return not by_the_end and order(action.last, posted) != 1
    return turn is not None and turn.outcome == "completed" and turn.ended is not None and order(posted, turn.ended) == -1


def _before_end(cleared: Origin, turn: Turn | None) -> bool:
    return turn is None or turn.ended is None or order(cleared, turn.ended) in (-1, None)


def _in_evidence(items: list[list[ItemSeen]], turn: Turn, live: dict[int, int]) -> bool:
    """Whether the results of this call would be in the recording: a stream from the call to the turn's end, or whole pages."""
    if turn.covered:
        return True
    return turn.ended is not None and any(
        seen.phase != "listed"
        and seen.at.seq > live.get(seen.at.index, seen.at.seq)
        and seen.at.index == turn.ended.index
        and turn.ended.stream
        and order(seen.at, turn.ended) == -1
        for item in items
        for seen in item
    )
