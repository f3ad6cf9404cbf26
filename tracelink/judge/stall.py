"""The stall: why does the session stand still, is that expected, and whom does it point at? (DESIGN 6)

It follows the verdict: an open action names its kind, the way it was answered refines it. A session that awaits nobody is
looked at from its root agent's open turn. Blame is what the recording shows, never a cause.
"""

from tracelink.judge.open_actions import MISADDRESSED, REFUSED
from tracelink.judge.waits import blocking_path
from tracelink.model.location import Location
from tracelink.model.trace import Trace, Turn
from tracelink.model.verdict import ANSWERED_UNAPPLIED, AWAITING, CONTRADICTION, UNKNOWN, OpenAction, Stall, Verdict

SILENCE = 300.0
"""Seconds without a record that count as silence, unless the user sets others (`--silence`)."""

_NEEDS = {
    "function_call": ("needs_tool_result", "app"),
    "mcp_approval_request": ("needs_mcp_approval", "user"),
    "computer_use_approval_request": ("needs_computer_approval", "user"),
    "environment_connection": ("needs_environment", "app"),
}


def stall(trace: Trace, verdict: Verdict, as_of: float | None = None, silence: float = SILENCE) -> Stall:
    """The stall of one session. `as_of`: Unix seconds; `silence`: seconds."""
    if verdict.awaits == AWAITING:
        return _awaiting(verdict)
    if verdict.awaits == ANSWERED_UNAPPLIED:
        action = verdict.actions[0]
        because = "a result was posted and neither a recorded item, a snapshot nor a refusal tells what became of it"
        return Stall("result_unapplied", "unclear", "unclear", because + _guess(verdict), _ids(action), (), _places(verdict))
    if verdict.awaits == UNKNOWN:
        kind = "contradictory" if verdict.unclear == CONTRADICTION else "recording_ended"
        return Stall(kind, "unclear", "recording", verdict.reason, {}, (), _places(verdict))
    return _not_awaiting(trace, as_of, silence)


def _awaiting(verdict: Verdict) -> Stall:
    actions = verdict.actions
    wrong = next((one for one in actions if one.answered == MISADDRESSED), None)
    if wrong is not None:
        because = "what was posted for the pending action does not answer it, by its ids or by its type"
        return Stall("result_misaddressed", "no", "app", because + _guess(verdict), _ids(wrong), (), _places(verdict))
    refused = next((one for one in actions if one.answered == REFUSED), None)
    if refused is not None:
        because = "the server refused the answer that was posted"
        return Stall("result_refused", "no", "app", because + _guess(verdict), _ids(refused), (), _places(verdict))
    first = next(one for one in actions if one.answered == "no")
    kind, blame = _NEEDS.get(first.action.type, ("needs_tool_result", "unclear"))
    because = "the latest snapshot requires an answer that the recording does not hold"
    return Stall(kind, "yes", blame, because + _guess(verdict), _ids(first), (), _places(verdict))


def _guess(verdict: Verdict) -> str:
    """Several open actions: which of them holds the turn up cannot be told."""
    count = len(verdict.actions)
    return f"; {count} actions are open, so which of them holds the turn up is a guess" if count > 1 else ""


def _ids(action: OpenAction) -> dict[str, str]:
    seen = action.action
    pairs = {
        "turn_id": seen.turn_id,
        "call_id": seen.call_id,
        "request_id": seen.request_id,
        "environment_id": seen.environment_id,
    }
    return {name: value for name, value in pairs.items() if value is not None}


def _places(verdict: Verdict) -> tuple[Location, ...]:
    evidence = verdict.evidence.location if verdict.evidence is not None else None
    found = [evidence, *(action.evidence for action in verdict.actions)]
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _not_awaiting(trace: Trace, as_of: float | None, silence: float) -> Stall:
    snapshot = trace.latest[0]
    place = (snapshot.at.location,)
    roots = [turn for turn in trace.turns.values() if turn.subagent_id is None]
    if snapshot.body.status == "failed":
        error = trace.errors[-1] if trace.errors else None
        said = snapshot.body.error or (error.message if error is not None else None)
        code = error.code if error is not None else None
        because = f"the session failed{f' ({code})' if code else ''}{f': {said}' if said else ''}"
        return Stall("ended_badly", "no", "server", because, {"error_code": code} if code else {}, (), place)
    last = roots[-1] if roots else None
    if last is not None and last.outcome == "failed":
        because = f"the last turn of the root agent failed{f' ({last.error_code})' if last.error_code else ''}"
        ids = {"turn_id": last.id, **({"error_code": last.error_code} if last.error_code else {})}
        return Stall("ended_badly", "no", "server", because, ids, (), _ended(last))
    if last is not None and last.outcome is None and snapshot.body.status != "idle":
        return _open_turn(trace, last, as_of, silence)
    if snapshot.body.status == "in_progress":
        because = "the last snapshot is at work on a turn, and the recording ends there"
        return Stall("recording_ended", "unclear", "recording", because, {}, (), place)
    because = "no turn is in progress and nothing is required"
    return Stall("not_stalled", "yes", "nobody", because, {}, (), place)


def _ended(turn: Turn) -> tuple[Location, ...]:
    return (turn.ended.location,) if turn.ended is not None else ()


def _open_turn(trace: Trace, turn: Turn, as_of: float | None, silence: float) -> Stall:
    ids = {"turn_id": turn.id}
    place = (trace.last.location,) if trace.last is not None else ()
    path = blocking_path(trace, turn.agent_id)
    if path and path[0] == path[-1]:
        because = f"agents wait for each other: {' → '.join(path)}"
        return Stall("waiting_on_subagent", "no", "subagent", because, {**ids, "agent_id": path[0]}, path, place)
    if path:
        because = f"the root agent's turn waits; the chain of waits ends at {path[-1]}, which has not finished"
        return Stall("waiting_on_subagent", "unclear", "subagent", because, {**ids, "agent_id": path[-1]}, path, place)
    last = trace.last.received if trace.last is not None else None
    if last is not None and as_of is not None and as_of - last > silence:
        because = f"by the recorder's clock nothing came for {as_of - last:.0f} s in a turn that awaits nobody"
        return Stall("silent_in_progress", "unclear", "server", because, ids, (), place)
    because = "the turn has no end in the recording and awaits nobody: it may be running on"
    return Stall("recording_ended", "unclear", "recording", because, ids, (), place)
