"""Turns: one value a turn id, from its events and objects, and from the items and actions that only name it.

A turn belongs to its `subagent_id` (null: the root agent), never to `turn.agent_id`, which names the root even for a
child's turn (DESIGN 5.3). Its outcome is the first terminal status seen; a later non-terminal one does not reopen it.
"""

from collections import defaultdict
from dataclasses import replace

from tracelink.model.facts import PageSeen, TurnSeen
from tracelink.model.location import Origin, order
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


def turns(recording: Recording, root_id: str, lists: list[PageList]) -> dict[str, Turn]:
    """All turns of the recording in order of creation (seconds), then of first appearance."""
    named: dict[str, list[Origin]] = defaultdict(list)
    owners: dict[str, str] = {}
    for (turn_id, _), seen in recording.items.items():
        if turn_id is not None:
            named[turn_id].append(seen[0].at)
            for one in seen:
                if one.subagent_id is not None:
                    owners[turn_id] = one.subagent_id
                elif one.type in REQUESTS and one.value.get("sender") in recording.subagents:
                    owners.setdefault(turn_id, one.value["sender"])
    for snapshot in recording.snapshots:
        for action in snapshot.body.actions:
            if action.turn_id is not None and action.turn_id not in named:
                named[action.turn_id].append(snapshot.at)
    for turn_id, burst in recording.bursts:
        if turn_id is not None and turn_id not in named:
            named[turn_id].append(burst.first)
    pages = {(page.at.index, page.number) for one in lists if one.complete for page in one.pages}
    made = [
        _turn(turn_id, recording.turns.get(turn_id, []), named.get(turn_id, []), owners.get(turn_id), root_id)
        for turn_id in {**recording.turns, **named}
    ]
    covered = _covered(recording, pages)
    found = [_with_cover(turn, covered) for turn in made]
    return {turn.id: turn for turn in _in_order(found)}


def _in_order(found: list[Turn]) -> list[Turn]:
    """By creation time; a turn without one stays behind the turn before it."""
    appeared = sorted(found, key=lambda turn: (turn.origins[0].index, turn.origins[0].seq))
    keyed: list[tuple[int, int, Turn]] = []
    latest = 0
    for number, turn in enumerate(appeared):
        latest = turn.created_at if turn.created_at is not None else latest
        keyed.append((latest, number, turn))
    return [turn for _, _, turn in sorted(keyed, key=lambda entry: entry[:2])]


def _turn(turn_id: str, seen: list[TurnSeen], named: list[Origin], owner: str | None, root_id: str) -> Turn:
    last: dict[str, object] = {}
    began = ended = None
    outcome = status = None
    owner_known = owner is not None
    for one in seen:
        owner_known = owner_known or one.owner_known
        owner = one.subagent_id or owner
        for name in ("created_at", "started_at", "completed_at", "error_code", "error_message"):
            value = getattr(one, name)
            if value is not None:
                last[name] = value
        if one.event_type is not None and one.event_type.endswith(".created") and began is None:
            began = one.at
        if one.status in TERMINAL and outcome is None:
            outcome, ended = one.status, one.at
        status = outcome or one.status or status
    return Turn(
        turn_id,
        owner or root_id,
        owner,
        owner_known,
        status,
        outcome,
        began=began,
        ended=ended,
        origins=tuple([one.at for one in seen] or named),
        history=tuple(seen),
        **last,  # type: ignore[arg-type]
    )


def _with_cover(turn: Turn, covered: dict[str, list[Origin]]) -> Turn:
    by = ""
    if turn.began is not None and turn.ended is not None and turn.began.index == turn.ended.index and turn.ended.stream:
        by = "stream"
    elif (
        turn.outcome is not None
        and turn.id in covered
        and any(turn.ended is None or order(page, turn.ended) != -1 for page in covered[turn.id])
    ):
        by = "pages"
    if not by:
        return turn
    return replace(turn, covered_by=by)


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
