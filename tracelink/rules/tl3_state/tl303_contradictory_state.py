"""Status, list of actions and turns that cannot all be true."""

from collections.abc import Iterable

from tracelink.judge.declared import Declarations
from tracelink.model.facts import ActionSeen, SessionBody, SnapshotSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.trace import Action, Call, Turn
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl3_state.holes import hole_between
from tracelink.rules.tl3_state.own_name import misnamed
from tracelink.rules.tl3_state.two_ends import two_ends
from tracelink.rules.tl3_state.two_ids import doubled


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    yield from _snapshots(rule, context)
    yield from _completed_over(rule, context)
    yield from _two_ids(rule, context)
    yield from _two_ends(rule, context)
    yield from _misnamed(rule, context)


def _two_ends(rule: Rule, context: Context) -> Iterable[Finding]:
    for turn, first, other in two_ends(context):
        yield rule.finding(
            f"Turn {turn.id} is recorded as {first.status} at {place(first.at)} and as {other.status} at {place(other.at)}: a turn ends once; "
            f"{first.status} was used.",
            at=(other.at, first.at),
            ids={"turn_id": turn.id},
            confidence=Confidence.MEDIUM,
            hint=_RETRIEVE,
        )


def _misnamed(rule: Rule, context: Context) -> Iterable[Finding]:
    """No source says that an event's object may be of another time than its name: a warning."""
    for said, turn_id, places in misnamed(context):
        yield rule.finding(
            f"The event at {place(places[0])} {said}{_more(len(places))}: one of the two is wrong.",
            at=places[:3],
            ids={"turn_id": turn_id},
            severity=Severity.WARNING,
            confidence=Confidence.MEDIUM,
            hint=_RETRIEVE if turn_id is not None else "Read the session again and add it to this run.",
        )


_RETRIEVE = (
    "Retrieve the turn (GET …/turns/{turn_id}), which tells its status, and look at its items before anything is repeated."
)


def _more(count: int) -> str:
    return f", and so {'do' if count > 2 else 'does'} {count - 1} more" if count > 1 else ""


def _two_ids(rule: Rule, context: Context) -> Iterable[Finding]:
    """No source says that the two may differ, and none that they may not: a warning."""
    for said, places in doubled(context, rule.code):
        yield rule.finding(
            f"The event at {place(places[0])} says {said.message}{_more(len(places))}: one of the two is wrong, and with it where this report files "
            "what the event carries.",
            at=places[:3],
            ids={"turn_id": said.turn_id},
            severity=Severity.WARNING,
            confidence=Confidence.MEDIUM,
            hint="Fetch the session's items, which say the turn of each; for an answer, copy the pair of ids from required_actions, never from this event.",
        )


def _snapshots(rule: Rule, context: Context) -> Iterable[Finding]:
    """One finding a distinct session body, whatever its tools: a stream repeats it unchanged. What a later snapshot replaced is a note."""
    trace = context.trace
    latest = {_content(one.body) for one in trace.latest}
    seen: dict[int, SessionBody] = {}
    told: set[str] = set()
    for snapshot in trace.snapshots:
        if id(snapshot.body) in seen:
            continue
        body = seen[id(snapshot.body)] = snapshot.body
        listed = _unfit(context, snapshot)
        nothing = body.status == "requires_action" and body.has_actions and not body.actions
        if not nothing and not listed:
            continue
        content = _content(body)
        if content in told:
            continue
        told.add(content)
        severity = None if content in latest else Severity.NOTE
        if nothing:
            yield rule.finding(
                f"The session says requires_action at {place(snapshot.at)} and lists no action: whom it waits for cannot be told.",
                at=(snapshot.at,),
                severity=severity,
            )
        if listed:
            first = listed[0]
            names = ", ".join(_name(one) for one in listed[:5]) + (", …" if len(listed) > 5 else "")
            waits_async = all(_is_async(context, one) for one in listed)
            yield rule.finding(
                f"The session lists {names} as required at {place(snapshot.at)}, but its status is {body.status}: one of the two is stale or wrong.",
                at=(snapshot.at,),
                ids={"call_id": first.call_id, "turn_id": first.turn_id, "request_id": first.request_id},
                severity=severity or (Severity.WARNING if waits_async else None),
                confidence=Confidence.LOW if waits_async else None,
            )


def _content(body: SessionBody) -> str:
    """Equal for bodies that are equal but for their tools. They are mostly one value, but not where several processes read."""
    return repr(body._replace(tools=None))


def _unfit(context: Context, snapshot: SnapshotSeen) -> list[ActionSeen]:
    """The actions that the status forbids. An async function may be open while a turn goes on (fact sheet D.4)."""
    if snapshot.body.status == "idle":
        return list(snapshot.body.actions)
    if snapshot.body.status == "in_progress":
        return [one for one in snapshot.body.actions if not _is_async(context, one)]
    return []


def _is_async(context: Context, seen: ActionSeen) -> bool:
    """By the declaration that held when the function was called."""
    call = context.trace.calls.get((seen.turn_id or "", seen.call_id or ""))
    return call is not None and context.once(Declarations).is_async(seen.name, call.first)


def _name(seen: ActionSeen) -> str:
    return seen.call_id or seen.request_id or seen.environment_id or f"an action of type {seen.type}"


_OPEN = ("unanswered", "unknown")


def _completed_over(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    if not any(call.state in _OPEN for call in trace.calls.values()):
        return
    for action in trace.actions:
        turn = trace.turns.get(action.seen.turn_id or "")
        call = trace.calls.get((action.seen.turn_id or "", action.seen.call_id or ""))
        if (
            turn is None
            or call is None
            or turn.outcome != "completed"
            or action.cleared is None
            or action.cleared != turn.ended
        ):
            continue
        if call.state not in _OPEN or not _shown(context, call, action, turn):
            continue
        if context.once(Declarations).is_async(call.name, call.first):
            continue
        yield rule.finding(
            f"{call.call_id} ({call.name or 'no name'}) was listed as required at {place(action.last)}, and its turn {turn.id} "
            f"completed at {place(turn.ended)} with no result of it in the recording: a turn does not complete over a required call.",
            at=(turn.ended, action.last, call.first),
            ids={"call_id": call.call_id, "turn_id": turn.id},
            confidence=Confidence.MEDIUM,
            hint="Fetch the items of the turn (GET …/turns/{turn_id}/items) and add them to this run; the call is not pending any more, so do not post now.",
        )


def _shown(context: Context, call: Call, action: Action, turn: Turn) -> bool:
    """Whether the recording would hold the result: whole pages, or one stream from the listing to the turn's end."""
    if any(context.trace.results[index].refused is None for index in call.results):
        return False
    if turn.ended is None or (call.state == "unanswered" and turn.covered_by == "pages"):
        return turn.ended is not None
    in_stream = action.last.stream and turn.ended.stream and action.last.index == turn.ended.index
    return (in_stream or call.state == "unanswered") and not hole_between(context.run, action.last, turn.ended)


RULE = Rule(
    code="TL303",
    name="contradictory-state",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="The session's status, its list of actions and the end of a turn contradict each other; as a warning: an event contradicts itself.",
    proves=(
        "One snapshot says requires_action and lists nothing, or lists actions under another status; or a call stays "
        "listed until its turn completes without a result; or one turn is recorded with two different ends. As a warning: an event's own turn_id "
        "(or session_id) is not that of the item, turn or subagent that it carries, or the status of that is not the one that the event's name says."
    ),
    cannot=(
        "Which of the two is wrong; for a completed turn (medium confidence), that the result was not sent: a stream "
        "does not replay what was missed; which of two ids is right: the event's own is used, unless --field names another; which of two ends (medium confidence): the "
        "first is used; whether the name or the status: the status is used."
    ),
    quiet=(
        "budget_reached with pending actions; failed sessions (TL302); async functions while a turn goes on; approvals that a turn completed "
        "over, whose answer need not be recorded; objects without a required_actions member; unknown statuses. A contradiction that a later "
        "snapshot replaced is a note. Events whose turn_id is null while what they carry has one. The same end told again; an "
        "agent.session.created that is already at work; a turn.created or turn.in_progress with a later status."
    ),
    example='{"status": "idle", "required_actions": [{"call_id": "call_a1", …}]}.',
    remedy="Read the session again; trust the list for what is pending and the status for whether.",
    check=check,
)
