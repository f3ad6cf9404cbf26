"""Why a request, an environment or an event is there."""

from tracelink.model.trace import Action
from tracelink.story.known import origins
from tracelink.story.moments import action_words
from tracelink.story.why_calls import owner
from tracelink.story.why_values import Parts, Told, worded


def request(told: Told, request_id: str) -> Parts:
    trace = told.trace
    action = next((one for one in trace.actions if one.seen.request_id == request_id), None)
    items = [one for one in trace.items.values() if any(seen.request_id == request_id for seen in one.history)]
    parts = Parts(action_words(action.seen) + " required" if action is not None else "approval request that no snapshot lists")
    if action is not None:
        parts.facts = [("type", action.seen.type), ("turn_id", action.seen.turn_id), ("request", action.seen.request)]
        parts.before = owner(told, action.seen.turn_id)
        parts.before += told.asked(action.seen.turn_id)
        _required(told, parts, action)
    for item in items:
        parts.seen += [(f"{item.type} {seen.phase}", seen.at) for seen in item.history]
        if item.type.endswith("_result"):
            parts.after += told.get(f"item:{item.id}")
    for number, answer in enumerate(trace.answers):
        if answer.request_id == request_id:
            for name in (f"answer:{number}", f"answer_refused:{number}", f"answered:{number}"):
                parts.after += told.get(name)
    for number, result in enumerate(trace.results):
        if result.meant is not None and result.meant.request_id == request_id:
            parts.after += told.get(f"post:{number}")
    _closing(told, parts, request_id)
    return parts


def _required(told: Told, parts: Parts, action: Action) -> None:
    parts.seen += [("required by a snapshot", action.first), ("required by a snapshot", action.last)]
    if action.cleared is not None:
        parts.after.append(f"no longer required from {action.cleared.location.short} on")


def _closing(told: Told, parts: Parts, key: str) -> None:
    report = told.report
    for number, one in enumerate(report.verdict.actions):
        if key in (one.action.request_id, one.action.environment_id) and number < len(report.next_actions):
            parts.after.append(f"still required; {report.next_actions[number].text}")
    if not parts.after:
        parts.after.append("no answer to it is in the recording")


def environment(told: Told, environment_id: str) -> Parts:
    trace = told.trace
    states = [(number, one) for number, one in enumerate(trace.environments) if one.environment_id == environment_id]
    action = next((one for one in trace.actions if one.seen.environment_id == environment_id), None)
    snapshots = [one for one in trace.snapshots if one.body.environment_id == environment_id]
    last = states[-1][1].status if states else None
    parts = Parts(f"environment, {last or 'no state recorded'}")
    parts.facts = [("type", snapshots[-1].body.environment_type if snapshots else None)]
    parts.seen = [(one.event_type or "environment object", one.at) for _, one in states]
    parts.seen += [("environment of the session", one.at) for one in snapshots[:1]]
    parts.before = ["the session names it as its environment" if snapshots else "no snapshot names it as the session's"]
    for number, _ in states:
        parts.after += told.get(f"env:{number}")
    if action is not None:
        _required(told, parts, action)
        _closing(told, parts, environment_id)
    if not parts.after:
        parts.after.append("no event of it is in the recording")
    return parts


def event(told: Told, event_id: str) -> Parts:
    """The record of that event, and what it speaks of."""
    places = list(dict.fromkeys(at for at in origins(told.trace) if at.event_id == event_id))
    found = [(at, one) for at, one in enumerate(told.moments) if one.at.event_id == event_id]
    burst = any(event_id in (one.first.event_id, one.last.event_id) for one in told.trace.bursts)
    words = "; ".join(one.what for _, one in found[:3])
    parts = Parts(f"event: {words or ('a delta of text or output' if burst else _type(told, event_id))}")
    for _, one in found:
        parts.facts += sorted(one.ids.items())
        parts.facts.append(("recorded", one.quoted))
    parts.facts = [fact for number, fact in enumerate(parts.facts) if fact not in parts.facts[:number]]
    parts.seen = [("event" if number == 0 else "delivered again", at) for number, at in enumerate(places)]
    if found:
        at = found[0][0]
        before = next((one for one in reversed(told.moments[:at]) if one.at.event_id != event_id), None)
        after = next((one for one in told.moments[at + 1 :] if one.at.event_id != event_id), None)
        parts.before = [worded(before, "right before it")] if before is not None else []
        parts.after = [worded(after, "right after it")] if after is not None else []
    parts.before = parts.before or ["nothing before it is in the recording"] if found else ["see the ids it names"]
    parts.after = (
        parts.after or ["nothing after it is in the recording"] if found else ["it added nothing to what was known before it"]
    )
    return parts


def _type(told: Told, event_id: str) -> str:
    """What is known of an event that made no moment of its own."""
    trace = told.trace
    for turn in trace.turns.values():
        for seen in turn.history:
            if seen.at.event_id == event_id:
                return f"{seen.event_type} of turn {turn.id}"
    for call in trace.calls.values():
        if any(seen.at.event_id == event_id for seen in call.history):
            return f"function_call {call.call_id} in turn {call.turn_id}, told again or done"
    histories = {key: one.history for key, one in trace.coordination.items()} | {
        key: one.history for key, one in trace.items.items()
    }
    for item_id, history in histories.items():
        if any(seen.at.event_id == event_id for seen in history):
            return f"item {item_id}, told again or done"
    for snapshot in trace.snapshots:
        if snapshot.at.event_id == event_id:
            return f"{snapshot.event_type or 'session'}, status {snapshot.body.status}"
    for stranger in trace.strangers:
        if stranger.at.event_id == event_id:
            return f"{stranger.type or stranger.what}, which is counted and not used"
    return "told again"
