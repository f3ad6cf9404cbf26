"""Why a call or a result is there."""

from tracelink.model.trace import CallKey, Result
from tracelink.story.results import home, said
from tracelink.story.values import Moment
from tracelink.story.why_values import Parts, Said, Told

STATES = {
    "answered": "answered",
    "unapplied": "answered by a post that nothing in the recording confirms or refuses",
    "required": "not answered: the latest snapshot requires it",
    "open": "no result in the recording, and its turn has no recorded end",
    "cleared": "no longer required; its result is not in the recording",
    "unanswered": "not answered, and its turn completed",
    "abandoned": "left open by a turn that failed or was cancelled",
    "unknown": "the recording cannot tell how it stands",
}


def owner(told: Told, turn_id: str | None) -> list[Said]:
    """The agent and turn that something stands in."""
    turn = told.trace.turns.get(turn_id or "")
    if turn_id is None:
        return ["no turn is recorded for it"]
    if turn is None:
        return [f"turn {turn_id}, of which the recording holds no turn object"]
    agent = told.trace.agents.get(turn.agent_id)
    word = "subagent" if agent is not None and not agent.root else "agent"
    name = f" ({agent.name})" if agent is not None and agent.name else ""
    return [
        f"{word} {turn.agent_id}{name} ran turn {turn.id}{'' if turn.owner_known else ' (whose turn it is, no record says)'}"
    ]


def call(told: Told, key: CallKey) -> Parts:
    trace = told.trace
    one = trace.calls[key]
    parts = Parts(f"function_call of {one.name or '(no name)'} in turn {one.turn_id}: {STATES.get(one.state, one.state)}")
    parts.facts = [("call_id", one.call_id), ("turn_id", one.turn_id), ("name", one.name), ("arguments", one.arguments)]
    parts.facts += [("state", one.state), ("item_ids", list(one.item_ids) or None)]
    if len(one.variants) > 1:
        parts.facts.append(("variants", [{"name": name, "arguments": arguments} for name, arguments in one.variants]))
    parts.names = [*one.item_ids]
    parts.seen = [(f"item {seen.phase}", seen.at) for seen in one.history]
    parts.seen += [("required by a snapshot", at) for at in one.required]
    name = f"call:{one.turn_id}/{one.call_id}"
    parts.before = [*owner(told, one.turn_id), *told.asked(one.turn_id, name), *told.previous(name)]
    required = next((action for action in trace.actions if (action.seen.turn_id, action.seen.call_id) == key), None)
    if required is not None:
        parts.after += [entry for entry in told.moments if entry.kind == "required" and entry.at == required.first]
    for index, result in enumerate(trace.results):
        if result.call == key or _meant(result) == key:
            parts.after += results(told, index)
            parts.names += [one for one in (result.item_id, result.call_id) if one and result.call is None]
    if required is not None and required.cleared is not None:
        parts.after.append(f"no longer required from {required.cleared.location.short} on")
    parts.after += _open(told, key)
    if not parts.after:
        parts.after.append("nothing: the recording holds no result and no snapshot that requires it")
    return parts


def _meant(result: Result) -> tuple[str | None, str | None] | None:
    meant = result.meant
    return (meant.turn_id, meant.call_id) if meant is not None and not meant.others and result.call is None else None


def _open(told: Told, key: CallKey) -> list[Said]:
    """What the verdict says of it, and what to do."""
    actions = told.report.verdict.actions
    for number, action in enumerate(actions):
        if (action.action.turn_id, action.action.call_id) == key:
            steps = told.report.next_actions
            return [f"still required; {steps[number].text}" if number < len(steps) else "still required"]
    return []


def results(told: Told, index: int) -> list[Moment]:
    """What became of a result, in order."""
    names = (f"post:{index}", f"post_refused:{index}", f"recorded:{index}")
    found = [one for name in names for one in told.get(name)]
    if told.trace.results[index].repeated:
        found += told.begun(f"again:{index}:")
    return sorted(found, key=lambda one: told.places[one.name])


def result(told: Told, index: int) -> Parts:
    trace = told.trace
    one = trace.results[index]
    target = trace.calls.get(one.call) if one.call is not None else None
    if target is not None:
        what = f"result of {target.name or '(no name)'}, answering call {target.call_id} in turn {target.turn_id}"
    else:
        what = f"result posted or recorded under {one.call_id or 'no call id'}, which answers no call in the recording"
    parts = Parts(what)
    parts.facts = [("turn_id", one.turn_id), ("call_id", one.call_id), ("item_id", one.item_id), ("success", one.success)]
    parts.facts += [("output", said(one)), ("problem", one.problem)]
    parts.seen = [(word, at) for word, at in (("posted", one.posted), ("recorded", one.recorded)) if at is not None]
    parts.seen += [("again", at) for at in one.repeated]
    turn_id = home(one)
    if target is not None:
        parts.before = [*owner(told, turn_id), *told.get(f"call:{target.turn_id}/{target.call_id}")]
    elif one.meant is not None:
        meant = one.meant
        who = meant.call_id or meant.request_id or "another"
        sure = "may be meant for" if not meant.others else "may be meant for any of several calls, among them"
        parts.before = [f"{sure} {who}{f' in {meant.turn_id}' if meant.turn_id else ''}: {meant.detail or meant.reason}"]
        parts.before += told.get(f"call:{meant.turn_id}/{meant.call_id}")
    else:
        parts.before = ["no call in the recording has this pair of ids, nor anything near it"]
    parts.after = [entry for entry in results(told, index) if entry.kind != "posted"]
    if not parts.after:
        parts.after = ["nothing in the recording confirms or refuses it"]
    return parts
