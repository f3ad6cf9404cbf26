"""A send, wait or interrupt to a subagent that was closed by then."""

from bisect import bisect_left
from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin
from tracelink.model.trace import Coordination, Trace
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl4_subagents.shown import ids_by_name, streamed


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    names = ids_by_name(trace)
    states = _states(trace, names)
    if not states:
        return
    for item in trace.coordination.values():
        at = streamed(item) if item.kind in ("send", "wait", "interrupt") else None
        if at is None:
            continue
        wanted = [one if one in trace.agents and trace.agents[one].seen else names.get(one, one) for one in item.recipients]
        closed = [(one, since) for one in wanted if (since := _closed_before(states, one, at)) is not None]
        for agent_id, since in closed:
            yield rule.finding(
                f"The {item.kind} item {item.item_id} at {place(at)} is addressed to {agent_id}, which was closed at {place(since)} and not "
                "resumed: a closed subagent takes no more work.",
                at=(at, since),
                ids={"subagent_id": agent_id, "item_id": item.item_id, "turn_id": item.turn_id},
                severity=Severity.NOTE if len(closed) < len(wanted) else None,
                confidence=_confidence(item),
            )


def _confidence(item: Coordination) -> Confidence | None:
    """Without its item.added the call may have begun before the close; a wait may last long."""
    if any(seen.phase == "added" for seen in item.history):
        return None
    return Confidence.LOW if item.kind == "wait" else Confidence.MEDIUM


_States = dict[tuple[str, int], list[tuple[int, bool, Origin]]]
"""(subagent id, source index) → (place in the source, closed or open, record), in order."""


def _states(trace: Trace, names: dict[str, str]) -> _States:
    found: _States = {}
    for agent in trace.agents.values():
        for seen in agent.history:
            if seen.event_type is not None and seen.at.stream:
                closed = seen.event_type.endswith(".closed") or seen.status == "closed"
                found.setdefault((agent.id, seen.at.index), []).append((seen.at.seq, closed, seen.at))
    if not any(closed for states in found.values() for _, closed, _ in states):
        return {}
    for item in trace.coordination.values():
        if item.kind == "resume" and item.status != "failed":
            # The call may come before the event that tells of it (fact sheet A.3).
            for name in item.recipients:
                for one in item.history:
                    if one.at.stream:
                        found.setdefault((names.get(name, name), one.at.index), []).append((one.at.seq, False, one.at))
    for states in found.values():
        states.sort(key=lambda state: state[0])
    return found


def _closed_before(states: _States, agent_id: str, at: Origin) -> Origin | None:
    """The record that closed the subagent, if that is the last word on it before this place of the same source."""
    mine = states.get((agent_id, at.index), [])
    number = bisect_left(mine, at.seq, key=lambda state: state[0]) - 1
    if number < 0 or not mine[number][1]:
        return None
    return mine[number][2]


RULE = Rule(
    code="TL403",
    name="closed-agent",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary="A send, wait or interrupt is addressed to a subagent that was closed before.",
    proves=(
        "In one stream the subagent's close stands before the item, and neither a resume call nor an active event "
        "stands between them."
    ),
    cannot=(
        "What the server did with it; that the call came after the close, where only its item.done is recorded "
        "(lower confidence)."
    ),
    quiet=(
        "Subagents that were resumed; closes that come later or from another source; retrieved subagents, whose close has no place "
        "among the items. A wait that also names open subagents is a note."
    ),
    example="subagent.closed{sub_1}, then item.added{send_subagent_input_call to sub_1}.",
    remedy="Resume the subagent before sending to it, or create a new one.",
    check=check,
)
