"""A create call completed, and no subagent came of it."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin, order
from tracelink.model.trace import ROOT, Coordination, Trace
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl3_state.holes import hole_between
from tracelink.rules.tl4_subagents.shown import streamed, unlinked_creates, whole_lists


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    lists = [page.at for page in whole_lists(trace)]
    homeless = any(
        not agent.root and agent.history and agent.spawn is None and _may_be_any(agent.parent_id, trace)
        for agent in trace.agents.values()
    )
    for item in unlinked_creates(trace):
        if homeless:
            return  # the subagent may be there, under a parent that the recording does not name
        where = _would_show(context, item, lists)
        if where is None:
            continue
        yield rule.finding(
            f"The create_subagent_call {item.item_id} of {item.sender or 'an agent not named'} at {place(item.first)} completed, and no "
            f"subagent up to {place(where)} fits it: nobody works on that task as far as the recording shows.",
            at=(item.first, where),
            ids={"item_id": item.item_id, "turn_id": item.turn_id, "agent_id": item.sender},
        )


def _may_be_any(parent_id: str | None, trace: Trace) -> bool:
    return parent_id is None or trace.root.id == ROOT


def _would_show(context: Context, item: Coordination, lists: list[Origin]) -> Origin | None:
    """The place up to which the subagent would have been shown: the end of the turn in one stream, or a whole list."""
    turn = context.trace.turns.get(item.turn_id or "")
    if turn is None or turn.outcome is None or turn.ended is None:
        return None
    for page in lists:
        if order(item.first, page) != 1:
            return page
    at = streamed(item)
    if at is None or not turn.ended.stream or at.index != turn.ended.index or order(at, turn.ended) != -1:
        return None
    start = turn.began if turn.began is not None and turn.began.index == at.index else None
    if start is None and item.history[0].phase != "added":
        return None  # the call began before the recording, and so may the subagent
    return None if hole_between(context.run, start or at, turn.ended) else turn.ended


RULE = Rule(
    code="TL401",
    name="create-without-subagent",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="A completed create call that no subagent of the recording fits.",
    proves=(
        "The create call completed and its turn ended in one stream, or the list of subagents was read to its end, and every "
        "subagent there is tied to another call."
    ),
    cannot=(
        "Which of several create calls of one agent is the one without a subagent, where only their order tells; that none was made: "
        "an event missed during a disconnect leaves no trace."
    ),
    quiet=(
        "Failed and unfinished create calls; items pages without a list of subagents; turns without a recorded end; streams that begin "
        "after the call did; subagents whose parent is not recorded."
    ),
    example="item.done{create_subagent_call} … turn.completed, and no subagent.created.",
    remedy="List the subagents (GET …/subagents) and add the pages to this run.",
    check=check,
)
