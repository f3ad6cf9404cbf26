"""Why a session, an agent, a turn or an item that is no call is there."""

from collections import Counter

from tracelink.story.why_calls import owner
from tracelink.story.why_values import Parts, Told

RULES = {
    "unique": "the only create call of its parent that has no other subagent",
    "instructions": "its instructions are the create call's text",
    "position": "it appeared between the create call's events",
    "order": "the order of create calls and subagents",
}


def session(told: Told, _: object) -> Parts:
    trace, verdict, stall = told.trace, told.report.verdict, told.report.stall
    body = trace.latest[-1].body if trace.latest else None
    parts = Parts(f"session, {body.status or 'status not recorded'}" if body is not None else "session, no snapshot recorded")
    parts.facts = [("agent", trace.root.id if trace.agents else None), ("verdict", verdict.awaits), ("stall", stall.kind)]
    parts.facts += [
        ("turns", len(trace.turns)),
        ("calls", len(trace.calls)),
        ("subagents", sum(not a.root for a in trace.agents.values())),
    ]
    parts.seen = [(one.event_type or "session object", one.at) for one in trace.snapshots]
    parts.before += [one for one in told.moments if one.kind == "asked"][:1]
    parts.after += [one for one in told.moments if one.kind in ("turn_began", "turn_ended", "error")]
    parts.after.append(f"{verdict.awaits}: {verdict.reason}")
    if stall.kind != "not_stalled":
        parts.after.append(f"{stall.kind}: {stall.because}")
    return parts


def agent(told: Told, agent_id: str) -> Parts:
    trace = told.trace
    one = trace.agents[agent_id]
    kind = "root agent" if one.root else "subagent"
    parts = Parts(f"{kind}{f' {one.name}' if one.name else ''}, {one.status or 'status not recorded'}")
    parts.facts = [("name", one.name), ("model", one.model), ("parent_id", one.parent_id), ("instructions", one.instructions)]
    parts.seen = [(seen.event_type or "subagent object", seen.at) for seen in one.history] or [
        ("named", at) for at in one.origins
    ]
    named = {agent_id, one.name} - {None}
    if one.spawn is not None:
        rule = RULES.get(one.spawn.rule, one.spawn.rule)
        parts.before.append(f"created by {one.spawn.item_id}: inferred, {one.spawn.confidence} confidence, because {rule}")
        parts.before += told.get(f"item:{one.spawn.item_id}")
    elif not one.root:
        parts.before.append(
            "no create call in the recording fits it" if one.seen else "only named by other agents; no object of it is recorded"
        )
    wanted = {f"item:{item.item_id}" for item in trace.coordination.values() if named & set(item.recipients)}
    kinds = ("turn_began", "turn_ended", "closed")
    parts.after = [
        entry for entry in told.moments if entry.name in wanted or (entry.agent_id == agent_id and entry.kind in kinds)
    ]
    told_of = {entry.turn_id for entry in parts.after if not isinstance(entry, str)}
    for ran in trace.turns_of(agent_id):
        if ran.id not in told_of:
            parts.after.append(f"ran turn {ran.id}, of which neither beginning nor end is recorded")
    if not trace.turns_of(agent_id):
        parts.after.append("no turn of it is in the recording")
    return parts


def turn(told: Told, turn_id: str) -> Parts:
    trace = told.trace
    one = trace.turns[turn_id]
    parts = Parts(
        f"turn of {one.agent_id}: {one.outcome or one.status or 'no state recorded'}{'' if one.outcome else ', no end recorded'}"
    )
    parts.facts = [
        ("agent_id", one.agent_id),
        ("status", one.status),
        ("created_at", one.created_at),
        ("started_at", one.started_at),
    ]
    parts.facts += [("completed_at", one.completed_at), ("error_code", one.error_code), ("error_message", one.error_message)]
    parts.seen = [(seen.event_type or "turn object", seen.at) for seen in one.history]
    parts.before = owner(told, turn_id)[:1]
    agent_of = trace.agents.get(one.agent_id)
    if agent_of is not None and agent_of.spawn is not None:
        parts.before += told.get(f"item:{agent_of.spawn.item_id}")
    start = told.places.get(f"turn_began:{turn_id}")
    if start is not None:
        near = [entry for entry in told.moments[:start] if entry.kind in ("asked", "turn_began", "turn_ended")]
        parts.before += [entry for entry in near[-1:] if entry.kind == "asked" and entry.turn_id is None]
    parts.before += [entry for entry in told.moments if entry.kind == "asked" and entry.turn_id == turn_id][:1]
    calls = [call for call in trace.calls.values() if call.turn_id == turn_id]
    states = Counter(call.state for call in calls)
    if calls:
        parts.after.append(
            f"{len(calls):,} calls: " + ", ".join(f"{count:,} {state}" for state, count in sorted(states.items()))
        )
    kinds = ("called", "coordination", "required", "refused", "turn_ended")
    parts.after += [
        entry
        for entry in told.moments
        if entry.turn_id == turn_id and entry.kind in kinds and (entry.loud or entry.kind != "required")
    ]
    for number, action in enumerate(told.report.verdict.actions):
        if action.action.turn_id == turn_id and number < len(told.report.next_actions):
            parts.after.append(f"still required; {told.report.next_actions[number].text}")
    if one.outcome is None:
        parts.after.append("no end of it is in the recording")
    return parts


def item(told: Told, item_id: str) -> Parts:
    trace = told.trace
    name = f"item:{item_id}"
    made = trace.coordination.get(item_id)
    if made is not None:
        parts = Parts(f"{made.kind} of a subagent" if made.kind != "message" else "agent_message")
        parts.facts = [
            ("sender", made.sender),
            ("recipients", list(made.recipients)),
            ("status", made.status),
            ("text", made.text),
        ]
        parts.seen = [(f"item {seen.phase}", seen.at) for seen in made.history]
        parts.before = [*owner(told, made.turn_id), *told.asked(made.turn_id, name), *told.previous(name)]
        for child in trace.agents.values():
            if child.spawn is not None and child.spawn.item_id == item_id:
                rule = RULES.get(child.spawn.rule, child.spawn.rule)
                parts.after.append(f"subagent {child.id}: inferred, {child.spawn.confidence} confidence, because {rule}")
                parts.after += [
                    one
                    for one in told.moments
                    if one.agent_id == child.id and one.kind in ("turn_began", "turn_ended", "closed")
                ]
        parts.after += told.get(f"returned:{item_id}")
        if made.kind == "create" and not parts.after:
            parts.after.append("no subagent in the recording fits it")
    else:
        one = trace.items[item_id]
        parts = Parts(one.type + (f", {one.status}" if one.status else ""))
        parts.facts = [("turn_id", one.turn_id), *sorted(one.value.items())]
        parts.seen = [(f"item {seen.phase}", seen.at) for seen in one.history]
        parts.before = [*owner(told, one.turn_id), *told.asked(one.turn_id, name), *told.previous(name)]
        parts.after = [*told.get(f"done:{item_id}")]
    return parts if parts.after else _next(told, parts, name)


def _next(told: Told, parts: Parts, name: str) -> Parts:
    """Where nothing is tied to it by an id: what comes next in its turn, said as just that."""
    at = told.places.get(name)
    if at is not None:
        turn_id = told.moments[at].turn_id
        following = next((one for one in told.moments[at + 1 :] if one.turn_id == turn_id), None)
        parts.after = ["nothing is tied to it by an id; next in its turn:", following] if following is not None else []
    parts.after = parts.after or ["nothing after it is in the recording"]
    return parts
