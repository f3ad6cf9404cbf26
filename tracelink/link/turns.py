"""Turns: one value a turn id, from its events and objects, and from the items and actions that only name it.

A turn belongs to its `subagent_id` (null: the root agent), never to `turn.agent_id`, which names the root even for a
child's turn (DESIGN 5.3). Its outcome is the first terminal status seen; a later non-terminal one does not reopen it.
"""

from collections import defaultdict
from operator import attrgetter

from tracelink.link.shelves import Shelves
from tracelink.model.facts import PageSeen, TurnSeen
from tracelink.model.location import Origin, order
from tracelink.model.quick import quick
from tracelink.model.recording import Recording
from tracelink.model.trace import TERMINAL, PageList, Turn

REQUESTS = frozenset(
    f"{name}_call"
    for name in (
        "create_subagent",
        "send_subagent_input",
        "wait_for_subagents",
        "interrupt_subagent",
        "resume_subagent",
        "close_subagent",
    )
)
"""Items that stand in the turn of the agent that they name as sender or requester (fact sheet B.2)."""


def turns(recording: Recording, sorted_: Shelves, root_id: str, lists: list[PageList]) -> dict[str, Turn]:
    """All turns of the recording in order of creation (seconds), then of first appearance."""
    known = recording.turns
    named: dict[str, list[Origin]] = {}  # turns without a record of their own
    owners = _owners(recording, sorted_)
    for (turn_id, _), seen in recording.items.items():
        if turn_id is not None and turn_id not in known:
            named.setdefault(turn_id, []).append(seen[0].at)
    for snapshot in recording.snapshots:
        for action in snapshot.body.actions:
            if action.turn_id is not None and action.turn_id not in known and action.turn_id not in named:
                named[action.turn_id] = [snapshot.at]
    for turn_id, burst in recording.bursts:
        if turn_id is not None and turn_id not in known and turn_id not in named:
            named[turn_id] = [burst.first]
    pages = {(page.at.index, page.number) for one in lists if one.complete for page in one.pages}
    covered = _covered(recording, pages) if pages else {}
    made = [_turn(turn_id, seen, [], owners.get(turn_id), root_id, covered) for turn_id, seen in known.items()]
    made += [_turn(turn_id, [], at, owners.get(turn_id), root_id, covered) for turn_id, at in named.items()]
    return {turn.id: turn for turn in _in_order(made)}


def _owners(recording: Recording, sorted_: Shelves) -> dict[str, str]:
    """Turn id → its agent, as its items tell."""
    owners: dict[str, str] = {}
    items = [(key[0], seen) for key, seen in recording.items.items()] if sorted_.owned else []
    for turn_id, seen in items or [(turn_id, seen) for turn_id, _, seen in sorted_.coordination]:
        if turn_id is not None:
            for one in seen:
                if one.subagent_id is not None:
                    owners[turn_id] = one.subagent_id
                elif one.type in REQUESTS and one.value.get("sender") in recording.subagents:
                    owners.setdefault(turn_id, one.value["sender"])
    return owners


def _in_order(found: list[Turn]) -> list[Turn]:
    """By creation time; a turn without one stays behind the turn before it."""
    appeared = sorted(found, key=_appeared)
    keyed: list[tuple[int, int, Turn]] = []
    latest = 0
    for number, turn in enumerate(appeared):
        latest = turn.created_at if turn.created_at is not None else latest
        keyed.append((latest, number, turn))
    keyed.sort()  # no two have the same number
    return [turn for _, _, turn in keyed]


def _appeared(turn: Turn) -> tuple[int, int]:
    first = turn.origins[0]
    return first.index, first.seq


_made = quick(Turn)
_at = attrgetter("at")


def _turn(
    turn_id: str,
    seen: list[TurnSeen],
    named: list[Origin],
    owner: str | None,
    root_id: str,
    covered: dict[str, list[Origin]],
) -> Turn:
    created_at = started_at = completed_at = error_code = error_message = None
    began = ended = None
    outcome = status = None
    owner_known = owner is not None
    # fmt: off
    for at, _, _, event_type, subagent_id, known, _, said, created, began_at, completed, code, message in seen:
        # fmt: on
        owner_known = owner_known or known
        owner = subagent_id or owner
        created_at = created if created is not None else created_at
        started_at = began_at if began_at is not None else started_at
        completed_at = completed if completed is not None else completed_at
        error_code = code if code is not None else error_code
        error_message = message if message is not None else error_message
        if began is None and event_type is not None and event_type.endswith(".created"):
            began = at
        if outcome is None and said in TERMINAL:
            outcome, ended = said, at
        status = outcome or said or status
    covered_by = ""
    if began is not None and ended is not None and began.index == ended.index and ended.stream:
        covered_by = "stream"
    elif ended is not None and any(order(page, ended) != -1 for page in covered.get(turn_id, ())):
        covered_by = "pages"
    origins = tuple(map(_at, seen)) if seen else tuple(named)
    # fmt: off
    return _made(
        turn_id, owner or root_id, owner, owner_known, status, outcome, created_at, started_at, completed_at,
        error_code, error_message, began, ended, covered_by, origins, tuple(seen),
    )
    # fmt: on


def _covered(recording: Recording, complete: set[tuple[int, int]]) -> dict[str, list[Origin]]:
    """Turn id → origins of the complete item pages that list its items."""
    covered: dict[str, list[Origin]] = defaultdict(list)
    for (turn_id, _), seen in recording.items.items():
        if turn_id is None:
            continue
        for one in seen:
            if one.page is not None and (one.at.index, one.page) in complete:
                covered[turn_id].append(one.at)
                break
    return covered


def page_lists(recording: Recording) -> list[PageList]:
    """The list pages of the recording, those of one list together."""
    if not recording.pages:
        return []
    owner_of_page: dict[tuple[int, int], str | None] = {}
    subagent_of = {turn_id: seen[-1].subagent_id for turn_id, seen in recording.turns.items()}
    for (turn_id, _), seen in recording.items.items():
        for one in seen:
            if one.page is not None:
                owner = one.subagent_id or subagent_of.get(turn_id or "")
                owner_of_page.setdefault((one.at.index, one.page), owner)
    groups: dict[tuple[str, str | None], list[PageSeen]] = defaultdict(list)
    for page in recording.pages:
        groups[page.of, page.subagent_id or owner_of_page.get((page.at.index, page.number))].append(page)
    return [
        PageList(of, owner, tuple(pages), any(page.has_more is False for page in pages))
        for (of, owner), pages in groups.items()
    ]
