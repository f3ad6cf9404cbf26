"""A subagent that no create call fits, though its parent's items are recorded."""

from bisect import bisect_right
from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin
from tracelink.model.trace import Agent, Trace, Turn
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl3_state.holes import hole_between
from tracelink.rules.tl4_subagents.shown import unlinked_creates


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    orphans = [agent for agent in trace.agents.values() if not agent.root and agent.history and agent.spawn is None]
    if not orphans or next(unlinked_creates(trace), None) is not None:
        return  # a create call is left over, and may be its own under another sender
    turns = _covered(trace)
    for agent in orphans:
        turn = _born_in(context, agent, turns)
        if turn is None:
            continue
        yield rule.finding(
            f"Subagent {agent.id} of {agent.parent_id} appears at {place(agent.origins[0])}, and turn {turn.id}, in which it was opened, holds "
            "no create_subagent_call for it: which task it got is not recorded.",
            at=(agent.origins[0], turn.began),
            ids={"subagent_id": agent.id, "parent_agent_id": agent.parent_id, "turn_id": turn.id},
        )


_Turns = dict[tuple[str, int | None], list[Turn]]
"""(agent id, source index of the stream or None for pages) → its covered turns in order."""


def _covered(trace: Trace) -> _Turns:
    """Only turns that hold items: a recording of turn events alone shows no create calls."""
    filled = {item.turn_id for kind in (trace.coordination, trace.items) for item in kind.values()}
    filled |= {call.turn_id for call in trace.calls.values()}
    found: _Turns = {}
    for turn in trace.turns.values():
        if turn.covered and turn.id in filled:
            index = turn.began.index if turn.began is not None and turn.covered_by == "stream" else None
            found.setdefault((turn.agent_id, index), []).append(turn)
    for (_, index), turns in found.items():
        turns.sort(key=_created if index is None else _began)
    return found


def _began(turn: Turn) -> int:
    return turn.began.seq if turn.began is not None else 0


def _created(turn: Turn) -> int:
    return turn.created_at or 0


def _born_in(context: Context, agent: Agent, turns: _Turns) -> Turn | None:
    """The covered turn of the parent in which the subagent was opened: by its place in the stream, else by the seconds.

    Turns of one agent do not overlap, so only the last that began before can hold it.
    """
    first, parent = agent.history[0], agent.parent_id or ""
    if first.event_type is not None and first.event_type.endswith(".created"):
        mine = turns.get((parent, first.at.index), [])
        number = bisect_right(mine, first.at.seq, key=_began) - 1
        turn = mine[number] if number >= 0 else None
        if turn is None or turn.began is None or turn.ended is None or not _within(turn, first.at):
            return None
        return None if hole_between(context.run, turn.began, turn.ended) else turn
    listed = turns.get((parent, None), [])
    opened = first.opened_at
    number = bisect_right(listed, opened, key=_created) - 1 if opened is not None else -1
    if number < 0 or opened is None:
        return None
    last = listed[number]
    known = last.created_at is not None and last.completed_at is not None and opened < last.completed_at
    return last if known else None


def _within(turn: Turn, at: Origin) -> bool:
    began, ended = turn.began, turn.ended
    return began is not None and ended is not None and began.index == at.index and began.seq < at.seq < ended.seq


RULE = Rule(
    code="TL407",
    name="orphan-subagent",
    severity=Severity.NOTE,
    confidence=Confidence.MEDIUM,
    summary="A subagent that no create call fits, where its parent's items are recorded.",
    proves=(
        "It was opened during a turn of its parent that the recording covers, with items, and none of them is a "
        "create call for it."
    ),
    cannot="How it came to be; a create call carries no subagent's id, so every tie is inferred.",
    quiet=(
        "Subagents opened before the recording or in a turn that it does not cover; children of subagents whose items a root stream lacks; "
        "subagents without a recorded parent; recordings with a create call left over (TL401)."
    ),
    example="subagent.created{sub_1} inside a covered turn without a create_subagent_call.",
    remedy="List the items of that turn (GET …/turns/{turn_id}/items) and add them to this run.",
    check=check,
)
