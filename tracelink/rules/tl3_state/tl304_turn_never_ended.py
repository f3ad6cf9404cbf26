"""A turn without an end, although the session went on without it."""

from bisect import bisect_right
from collections.abc import Iterable

from tracelink.judge.own_name import denied
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin, order
from tracelink.model.trace import Trace, Turn
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl3_state.activity import last_of_turns, turns_in_progress
from tracelink.rules.tl3_state.holes import hole_between

_RUNNING = frozenset((None, "queued", "in_progress", "waiting"))


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    children = any(not agent.root and agent.seen for agent in trace.agents.values())
    roots = [turn for turn in trace.turns.values() if turn.subagent_id is None and (turn.owner_known or not children)]
    suspects = [turn for turn in roots if turn.outcome is None and turn.began is not None and turn.status in _RUNNING]
    if not suspects:
        return
    began = sorted((turn.began.index, turn.began.seq, turn.id) for turn in roots if turn.began is not None)
    activity = last_of_turns(trace)
    idle = _idle_at_end(trace)
    again = sorted((one.again.index, one.again.seq) for one in trace.repeats)
    for turn in suspects:
        last = activity[turn.id]
        proof, what = _proof(trace, turn, last, began, idle)
        at = proof is not None and last.get(proof.index)
        if proof is None or not at or any(order(one, proof) != -1 for one in last.values()):
            continue
        if any(denied(one.event_type, one.status) for one in turn.history):
            continue  # an event says that it ended, and the turn in it that it did not: TL303 tells
        if hole_between(context.run, at, proof) or _any_between(again, at, proof):
            continue
        yield rule.finding(
            f"Turn {turn.id} began at {place(turn.began)} and has no end in the recording, but {what} at {place(proof)}: "
            "how it ended, and what it left undone, is not recorded.",
            at=(turn.began, at, proof),
            ids={"turn_id": turn.id},
            confidence=Confidence.LOW if what == _IDLE and _unfinished(trace, turn, proof) else None,
        )


_IDLE = "the session went idle"


def _proof(
    trace: Trace, turn: Turn, last: dict[int, Origin], began: list[tuple[int, int, str]], idle: dict[int, Origin]
) -> tuple[Origin | None, str]:
    """What shows that the turn is over: the next root turn (only one is active at a time, C.2), or an idle that lasts."""
    assert turn.began is not None  # noqa: S101 - suspects have begun
    index = turn.began.index
    here = last.get(index, turn.began)
    place_ = bisect_right(began, (index, here.seq, "\uffff"))
    if place_ < len(began) and began[place_][0] == index:
        return trace.turns[began[place_][2]].began, f"turn {began[place_][2]} began"
    proof = idle.get(index)
    return (proof, _IDLE) if proof is not None and proof.seq > here.seq else (None, "")


def _idle_at_end(trace: Trace) -> dict[int, Origin]:
    """Source index → the idle event that is the source's last snapshot, with no delta after it, and says of none before that it is newer."""
    found: dict[int, Origin] = {}
    newest: dict[int, int] = {}
    for snapshot in trace.snapshots:
        index = snapshot.at.index
        active = snapshot.last_active_at if snapshot.last_active_at is not None else newest.get(index, 0)
        if active < newest.setdefault(index, active):
            found.pop(index, None)
            continue
        newest[index] = active
        if snapshot.event_type is not None and snapshot.body.status == "idle" and not denied(snapshot.event_type, "idle"):
            found[index] = snapshot.at
        else:
            found.pop(index, None)
    for burst in trace.bursts:
        if burst.last.index in found and found[burst.last.index].seq < burst.last.seq:
            del found[burst.last.index]
    return found


def _any_between(places: list[tuple[int, int]], after: Origin, before: Origin) -> bool:
    """A repeated delivery in between tells of a reconnect, and what was sent meanwhile is lost (fact sheet A.4)."""
    number = bisect_right(places, (after.index, after.seq))
    return number < len(places) and places[number] < (before.index, before.seq)


def _unfinished(trace: Trace, turn: Turn, idle: Origin) -> bool:
    """The recording ends on an idle while an item of the turn is in progress: idle inside a turn occurs (H.3)."""
    return trace.last == idle and turn.id in turns_in_progress(trace)


RULE = Rule(
    code="TL304",
    name="turn-never-ended",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="A turn has no recorded end, although a later turn began or the session went idle and stayed so.",
    proves=(
        "In one stream the turn began, and after its last record the next root turn began or the session went idle "
        "and nothing of the turn follows."
    ),
    cannot="That the server never ended it: an event missed during a disconnect leaves no trace in a stream.",
    quiet=(
        "An idle followed by more of the turn; turns open where the recording ends; turns of subagents; turns whose "
        "beginning is not recorded; other sources; places where a record was unreadable, unknown, without its payload or delivered again; "
        "turns and sessions whose event contradicts its own status (TL303); failed sessions (TL302)."
    ),
    example="turn.created turn_1 … turn.created turn_2, and no completed, failed or cancelled of turn_1.",
    remedy="Retrieve the turn (GET …/turns/{turn_id}) and add it to this run.",
    check=check,
)
