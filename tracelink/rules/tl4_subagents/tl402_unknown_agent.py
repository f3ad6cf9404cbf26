"""A coordination item names an agent that the recording never shows, though it would."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin, order
from tracelink.model.trace import Coordination
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl3_state.holes import hole_between
from tracelink.rules.tl4_subagents.shown import from_the_beginning, streamed, unlinked_creates, whole_lists


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    strange = {agent.id for agent in trace.agents.values() if not agent.seen}
    if not strange or next(unlinked_creates(trace), None) is not None:
        return  # the child of a create call without a subagent may be the one that is named (TL401)
    lists = [page.at for page in whole_lists(trace)]
    start = from_the_beginning(trace)
    nameless = any(agent.seen and agent.name is None for agent in trace.agents.values())
    told: set[str] = set()
    for item in trace.coordination.values():
        if item.kind == "create" or (item.kind == "message" and nameless):
            continue  # a message may name an agent by a name that is not recorded
        for name in (item.sender, *item.recipients):
            if name is None or name not in strange or name in told or not _would_show(context, item, start, lists):
                continue
            told.add(name)
            failed = item.status == "failed"
            yield rule.finding(
                f"The {item.kind} item {item.item_id} at {place(item.first)} names {name}, and no agent of this session has that id or "
                f"name{', and the call failed' if failed else ''}: whether it reached anybody is not recorded.",
                at=(item.first,),
                ids={"agent_id": name, "item_id": item.item_id, "turn_id": item.turn_id},
                severity=Severity.NOTE if failed or item.kind == "message" else None,
                confidence=Confidence.LOW if item.kind == "message" else None,
            )


def _would_show(context: Context, item: Coordination, start: Origin | None, lists: list[Origin]) -> bool:
    if any(order(item.first, page) != 1 for page in lists):
        return True
    at = streamed(item)
    return start is not None and at is not None and order(start, at) == -1 and not hole_between(context.run, start, at)


RULE = Rule(
    code="TL402",
    name="unknown-agent",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="A send, wait, interrupt, resume or close names an agent that was never seen.",
    proves=(
        "The recording streams the session from its creation, or lists its subagents to the end, and none has that id or name."
    ),
    cannot="That the agent does not exist: an event missed during a disconnect leaves no trace.",
    quiet=(
        "Recordings that begin later in the session, items pages without a list of subagents; messages, where any agent's name is not "
        "recorded (they may name agents by name); sessions with a create call whose subagent is missing (TL401). "
        "A call that failed by itself is a note."
    ),
    example="wait_for_subagents_call with recipient sub_9, and no subagent sub_9 in the stream.",
    remedy="Compare with the list of subagents (GET …/subagents), which has closed and nested ones too.",
    check=check,
)
