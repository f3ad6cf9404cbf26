"""The verdict: does the session truly still await somebody? (DESIGN 6, fact sheet D.6)

The latest snapshot's `required_actions` and `status` are the base line; what came after clears or answers its actions. Where
more than one snapshot may be the latest, the verdict is given under each: if they agree it stands, else it is unknown.
"""

from tracelink.judge.adrift import surely_open
from tracelink.judge.declared import Declarations
from tracelink.judge.open_actions import NO, UNAPPLIED, View, view
from tracelink.judge.own_name import denied
from tracelink.judge.times import moment
from tracelink.model.facts import ActionSeen, InputSeen, SnapshotSeen
from tracelink.model.location import Origin, order
from tracelink.model.trace import Call, Trace, Turn
from tracelink.model.verdict import (
    ANSWERED_UNAPPLIED,
    AWAITING,
    CONTRADICTION,
    ENDED,
    NOT_AWAITING,
    UNKNOWN,
    Evidence,
    OpenAction,
    Verdict,
)

READ_AGAIN = "a session object read now: GET …/agents/sessions/{id}"


def verdict(trace: Trace, as_of: float | None = None) -> Verdict:
    """The verdict on one session. `as_of`: Unix seconds, the moment ages are computed from."""
    if not trace.latest:
        return _without_snapshot(trace)
    found = [_under(trace, snapshot, as_of) for snapshot in trace.latest]
    first = found[0]
    if all(one.awaits == first.awaits and _keys(one) == _keys(first) for one in found[1:]):
        return first
    places = " and ".join(snapshot.at.location.short for snapshot in trace.latest[:3])
    return Verdict(
        UNKNOWN,
        f"the recording does not tell which snapshot is the latest, and they disagree ({places})",
        evidence=first.evidence,
        changes_if=READ_AGAIN,
        unclear=CONTRADICTION,
    )


def _keys(one: Verdict) -> list[ActionSeen]:
    return [action.action for action in one.actions]


def _without_snapshot(trace: Trace) -> Verdict:
    reason = "no session snapshot is in the recording, and only its required_actions tell what is pending"
    hook = next((one for one in reversed(trace.webhooks) if one.type == "agent.session.action_required"), None)
    evidence = None
    if hook is not None:
        reason = f"a webhook tells that an action ({hook.action_type or 'of unknown type'}) was required, but not which, and no snapshot follows"
        evidence = Evidence("webhook agent.session.action_required", hook.at.location, None, None)
    return Verdict(UNKNOWN, reason, evidence=evidence, changes_if=READ_AGAIN, unclear=ENDED)


def _under(trace: Trace, snapshot: SnapshotSeen, as_of: float | None) -> Verdict:
    """The verdict if this snapshot is the latest."""
    body, seen = snapshot.body, view(trace, snapshot)
    time, clock = moment(snapshot)
    what = f"{snapshot.event_type} event" if snapshot.event_type else "session object"
    age = as_of - time if as_of is not None and time is not None and as_of >= time else None
    evidence = Evidence(what, snapshot.at.location, age, clock)

    def say(
        awaits: str, reason: str, changes: str, actions: tuple[OpenAction, ...] = (), unclear: str = CONTRADICTION
    ) -> Verdict:
        return Verdict(awaits, reason, actions, evidence, changes, unclear if awaits == UNKNOWN else "")

    if body.status == "failed":
        return say(NOT_AWAITING, "the session failed, which is final: it takes no more input", "nothing: create a new session")
    if not body.actions:
        if body.status == "requires_action":
            lists = "lists no action" if body.has_actions else "holds no list of actions"
            return say(UNKNOWN, f"the session says requires_action but {lists}", READ_AGAIN)
        if snapshot.event_type == "agent.session.requires_action" and denied(snapshot.event_type, body.status):
            return say(
                UNKNOWN,
                f"the latest event says requires_action, but its session is {body.status} and lists no action",
                READ_AGAIN,
            )
        return _nothing_listed(trace, snapshot, evidence)
    if seen.open:
        contradiction = _contradiction(trace, snapshot, seen)
        if contradiction:
            return say(UNKNOWN, contradiction, READ_AGAIN, seen.open)
        if all(one.answered == UNAPPLIED for one in seen.open):
            reason = f"{_named(seen.open)} answered by a post that nothing in the recording confirms or refuses"
            return say(ANSWERED_UNAPPLIED, reason, "a later snapshot, the recorded result item, or a refusal", seen.open)
        cancel = _cancelled_after(trace, snapshot)
        if cancel is not None:
            reason = (
                f"{_named(seen.open)} required by the latest snapshot, but the app posted a cancel after it ({cancel.at.location.short}), "
                "and what became of that is not recorded"
            )
            return say(UNKNOWN, reason, READ_AGAIN, seen.open, ENDED)
        waiting = tuple(one for one in seen.open if one.answered != UNAPPLIED)
        sure, why = surely_open(trace, snapshot, waiting)
        if not sure:
            return say(UNKNOWN, f"{_named(waiting)} required by the latest snapshot, {why}", READ_AGAIN, seen.open, ENDED)
        reason = f"{_named(sure)} required by the latest snapshot, and {_unanswered(sure)}"
        return say(AWAITING, reason, "a right answer, followed by a snapshot that no longer lists it", seen.open)
    if seen.stale:
        first, at = seen.stale[0]
        name = first.call_id or first.request_id or first.environment_id
        tells = order(at, snapshot.at) == -1
        reason = (
            f"the snapshot lists {name} as required, but the recording also holds what clears it ({at.location.short}), "
            + ("recorded before it: the snapshot may be stale" if tells else "and does not tell which came later")
        )
        return say(UNKNOWN, reason, READ_AGAIN)
    first, at = seen.cleared[-1]
    late = _call_after(trace, snapshot)
    if late is not None:
        return _too_soon(late, evidence)
    if trace.lost is not None:
        return _lost(trace.lost, evidence)
    reason = f"every action of the latest snapshot was cleared after it, the last at {at.location.short}"
    return say(NOT_AWAITING, reason, "a later snapshot that lists an action")


def _unanswered(waiting: tuple[OpenAction, ...]) -> str:
    """What the recording shows of answers to the actions that the session waits for."""
    them = "it" if len(waiting) == 1 else "them"
    if any(one.answered != NO for one in waiting):
        return f"no post has rightly answered {them}"
    if all(one.action.type == "environment_connection" for one in waiting):
        return f"nothing shows {them} connected"
    lost = next((one for one in waiting if one.astray is not None), None)
    return f"the recording holds no answer to {them}" + (f"; {went_astray(lost)}" if lost is not None else "")


def went_astray(one: OpenAction) -> str:
    """That a post was made which answers nothing known, for an action of which that is all there is."""
    if one.astray is None:
        return ""
    what = "what was posted" if one.action.type == "function_call" else "the answer posted"
    told = f" ({one.astray.code})" if one.astray.code is not None else ""
    return f"{what} at {one.astray.at.short} fits nothing that is known{told}"


def _cancelled_after(trace: Trace, snapshot: SnapshotSeen) -> InputSeen | None:
    """A cancel of the active turn that was posted after the snapshot (fact sheet D.3.10). Its own refusal cannot be matched."""
    for post in reversed(trace.inputs):
        if post.type == "agent.session.input.cancel" and order(snapshot.at, post.at) == -1:
            refused = any(order(post.at, one.at) == -1 for one in trace.refusals)
            return None if refused else post
    return None


def _nothing_listed(trace: Trace, snapshot: SnapshotSeen, evidence: Evidence) -> Verdict:
    status = snapshot.body.status
    late = _call_after(trace, snapshot)
    if late is not None:
        return _too_soon(late, evidence)
    if trace.lost is not None:
        return _lost(trace.lost, evidence)
    words = {
        "idle": "the session is idle and requires nothing; idle says nothing of success",
        "in_progress": "the session is working on a turn and requires nothing of the app",
        "budget_reached": "the session reached its budget and lists no required action",
    }
    begun = _begun_after(trace, snapshot) if status == "idle" else None
    if begun is not None:
        reason = f"nothing was required at the last snapshot, and turn {begun.id} has begun since ({begun.origins[0].location.short})"
        return Verdict(NOT_AWAITING, reason, (), evidence, "a later snapshot that lists an action")
    reason = words.get(status or "", f"the latest snapshot (status {status or 'not recorded'}) lists no required action")
    return Verdict(NOT_AWAITING, reason, (), evidence, "a later snapshot that lists an action")


def _begun_after(trace: Trace, snapshot: SnapshotSeen) -> Turn | None:
    """The root's turn that began after the snapshot and has no end."""
    for turn in reversed(trace.turns.values()):
        if (
            turn.subagent_id is None
            and turn.outcome is None
            and turn.began is not None
            and order(snapshot.at, turn.began) == -1
        ):
            return turn
    return None


def _lost(at: Origin, evidence: Evidence) -> Verdict:
    reason = f"nothing was required at the last snapshot, but a record after it could not be read ({at.location.short})"
    return Verdict(UNKNOWN, reason, (), evidence, READ_AGAIN, ENDED)


def _too_soon(call: Call, evidence: Evidence) -> Verdict:
    at = call.first
    place = f" ({at.location.short})" if at is not None else ""
    reason = f"the recording ends after {call.call_id} was called{place} and before a snapshot tells whether it is required"
    return Verdict(UNKNOWN, reason, (), evidence, READ_AGAIN, ENDED)


def _call_after(trace: Trace, snapshot: SnapshotSeen) -> Call | None:
    """A call that was made after the snapshot, in a turn still open, without a result: too soon to tell."""
    for call in reversed(trace.calls.values()):
        if call.state not in ("open", "unapplied") or not call.origins or not call.origins[0].stream:
            continue
        if order(snapshot.at, call.origins[0]) == -1:
            return call
    return None


def _contradiction(trace: Trace, snapshot: SnapshotSeen, seen: View) -> str | None:
    """Why list and status contradict each other (fact sheet D.6.5); async functions may be open while a turn goes on (D.4)."""
    status = snapshot.body.status
    if status in (None, "requires_action", "budget_reached"):
        return None
    if status == "in_progress":
        declared = Declarations(trace)
        calls = [trace.calls.get((one.action.turn_id or "", one.action.call_id or "")) for one in seen.open]
        if all(call is not None and declared.is_async(call.name, call.first) for call in calls):
            return None
    return f"the session lists {_some(len(seen.open), 'required action')} but its status is {status}"


def _named(actions: tuple[OpenAction, ...]) -> str:
    """The actions as the subject of a sentence, with its verb."""
    words = []
    for one in actions[:3]:
        seen = one.action
        kind = seen.name or _KINDS.get(seen.type, seen.type)
        words.append(f"{kind} ({seen.call_id or seen.request_id or seen.environment_id or 'no id'})")
    more = f" and {_some(len(actions) - 3, 'more action')}" if len(actions) > 3 else ""
    return f"{', '.join(words)}{more} {'is' if len(actions) == 1 else 'are'}"


_KINDS = {
    "function_call": "a function call",
    "mcp_approval_request": "an MCP approval",
    "computer_use_approval_request": "a computer-use approval",
    "environment_connection": "the connection of an environment",
}


def _some(count: int, noun: str) -> str:
    return f"one {noun}" if count == 1 else f"{count} {noun}s"
