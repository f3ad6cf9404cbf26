"""No record for long, by receive times, in an open turn that awaits nobody."""

from bisect import bisect_right
from collections.abc import Iterable
from math import inf

from tracelink.model.facts import ActionSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin
from tracelink.model.trace import TERMINAL, Trace
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl5_waiting.unlisted import Unlisted


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    posts: set[Origin] | None = None
    unlisted: Unlisted | None = None
    for trace_turn, before, after in _gaps(context):
        end = f"{place(after)}" if after is not None else "the end of the recording"
        until = after.received if after is not None else context.run.until(context.trace)
        if before.received is None or until is None:
            continue
        if posts is None or unlisted is None:
            posts, unlisted = {one.at for one in context.trace.inputs}, Unlisted(context.trace)
        open_ = unlisted.of(trace_turn, before)
        waits = (
            f"; whether it awaited the result of {open_.call_id}, called at {place(open_.first)}, no snapshot after the call tells"
            if open_ is not None
            else " and awaited nobody"
        )
        post = before in posts
        sent = f"; what was posted at {place(before)} got no reply in that time" if post else ""
        told = ", by the records before," if post else ""
        yield rule.finding(
            f"By the recorder's clock nothing was received for {until - before.received:.0f} s between {place(before)} and {end} while{told} turn "
            f"{trace_turn} was open{waits}{sent}: the server may have been silent, or the recorder away.",
            at=(before, after),
            ids={"turn_id": trace_turn},
            hint=_OVER if _ends(context.trace, trace_turn, after) else _READ if post or open_ is not None else None,
        )


_OVER = "The turn is over by the next record: see by its completed_at whether it ran that long or its end came late."


def _ends(trace: Trace, turn_id: str, after: Origin | None) -> bool:
    """Whether the record after the silence is the end of the turn."""
    turn = trace.turns.get(turn_id)
    return after is not None and turn is not None and turn.ended == after


_READ = "Read the session: only its list of actions and its status tell whether the turn waits, still runs or is over."


def _gaps(context: Context) -> Iterable[tuple[str, Origin, Origin | None]]:
    """(turn, the record before the silence, the one after it or None) for each gap over the limit."""
    if not context.trace.clocked:
        return
    received = sorted([at.received for at in _timed(context.trace) if at.received is not None])
    end = context.run.until(context.trace)
    ends = [*received[1:], end if end is not None else received[-1]] if received else []
    if not any(after - before > context.silence for before, after in zip(received, ends, strict=True)):
        return
    times = sorted(_timed(context.trace), key=lambda at: (at.received or 0.0, at.index, at.seq))
    events = _state(context.trace)
    for number, before in enumerate(times):
        after = times[number + 1] if number + 1 < len(times) else None
        until = after.received if after is not None else context.run.until(context.trace)
        if until is None or before.received is None or until - before.received <= context.silence:
            continue
        turn = _open_turn(events, before)
        if turn is not None:
            yield turn, before, after


def _timed(trace: Trace) -> Iterable[Origin]:
    for snapshot in trace.snapshots:
        yield from _with_time(snapshot.at)
    for turn in trace.turns.values():
        yield from (at for one in turn.history for at in _with_time(one.at))
    for kind in (trace.calls.values(), trace.coordination.values(), trace.items.values()):
        for item in kind:
            for at in item.origins:
                if at.received is not None:
                    yield at
    for result in trace.results:
        for one in (result.posted, result.recorded, *result.repeated):
            if one is not None and one.received is not None:
                yield one
    for post in trace.inputs:
        yield from _with_time(post.at)
    for environment in trace.environments:
        yield from _with_time(environment.at)
    for burst in trace.bursts:
        yield from _with_time(burst.first)
        yield from _with_time(burst.last)
    for agent in trace.agents.values():
        yield from (at for one in agent.history for at in _with_time(one.at))


def _with_time(at: Origin) -> Iterable[Origin]:
    if at.received is not None:
        yield at


def _state(trace: Trace) -> list[tuple[float, str, bool]]:
    """(receive time, turn or "" for the session, open or awaiting) in order of time: what opens, ends and waits."""
    marks: list[tuple[float, str, bool]] = []
    for turn in trace.turns.values():
        if turn.subagent_id is None:
            for one in turn.history:
                if one.at.received is not None and one.status is not None:
                    marks.append((one.at.received, turn.id, one.status not in TERMINAL))
    for snapshot in trace.snapshots:
        if snapshot.at.received is not None:
            marks.append((snapshot.at.received, "", bool(snapshot.body.actions)))
    marks += _answered(trace)
    return sorted(marks)


def _answered(trace: Trace) -> Iterable[tuple[float, str, bool]]:
    """When the last action of a snapshot was cleared by something else than the next snapshot: from then on it awaits nobody."""
    cleared = {_key(action.seen): action.cleared for action in trace.actions}
    told = sorted((one.at.received, number) for number, one in enumerate(trace.snapshots) if one.at.received is not None)
    ends = [*[received for received, _ in told], inf][1:]
    for (_, number), end in zip(told, ends, strict=True):
        actions = trace.snapshots[number].body.actions
        times = [
            at.received for at in (cleared.get(_key(seen)) for seen in actions) if at is not None and at.received is not None
        ]
        if actions and len(times) == len(actions) and max(times) < end:
            yield max(times), "", False


def _key(seen: ActionSeen) -> tuple[str, str | None, str | None]:
    return (
        seen.type,
        seen.turn_id if seen.call_id is not None else None,
        seen.call_id or seen.request_id or seen.environment_id,
    )


def _open_turn(marks: list[tuple[float, str, bool]], at: Origin) -> str | None:
    """The root turn that is open at this moment, unless the session awaits somebody then."""
    last = bisect_right(marks, at.received or 0.0, key=lambda mark: mark[0])
    awaiting: bool | None = None
    turn: tuple[str, bool] | None = None
    for _, name, state in reversed(marks[:last]):
        if name == "" and awaiting is None:
            awaiting = state
        elif name and turn is None:
            turn = (name, state)
        if awaiting is not None and turn is not None:
            break
    return turn[0] if turn is not None and turn[1] and not awaiting else None


RULE = Rule(
    code="TL505",
    name="silence",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="No record came for longer than --silence (300 s) in an open turn that awaited nobody.",
    proves=(
        "By the receive times that the recorder wrote, nothing was received in between, and no snapshot before it lists an open action. A post of the "
        "app counts as a record: silence is measured from it, and it is said that nothing replied to it."
    ),
    cannot=(
        "Whether the server was silent or the recorder was disconnected; whether a turn whose end came late was over before by the server's "
        "clock; whether a post arrived; where a call stands after the last snapshot, "
        "whether the turn awaited its result, which the message then leaves open."
    ),
    quiet=(
        "Recordings without receive times; pauses while the session awaits an action (until all are answered for certain: a post "
        "alone does not end the wait), and between turns."
    ),
    example="Two wrapped lines ten minutes apart inside one turn.",
    remedy="Read the session; if the turn still runs, cancel it or wait.",
    check=check,
)
