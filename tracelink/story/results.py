"""Results and answers → moments: what was posted, what the server recorded of it, what it refused."""

from collections.abc import Iterator

from tracelink.model.facts import RefusalSeen
from tracelink.model.trace import Result, Trace
from tracelink.story.times import when
from tracelink.story.values import Moment


def refusal(
    name: str, seen: RefusalSeen, turn_id: str | None, agent_id: str | None, ids: dict[str, str], after: tuple[str, ...]
) -> Moment:
    """The moment at which the server refused a post."""
    time, clock = when(seen.at)
    status = f" with HTTP {seen.http_status}" if seen.http_status else f" ({seen.code})" if seen.code else ""
    what = f"the server refused {'it' if after else 'a request'}{status}"
    return Moment("refused", name, seen.at, what, time, clock, turn_id, agent_id, ids, seen.message, False, True, after)


def result_moments(trace: Trace) -> Iterator[Moment]:
    for number, result in enumerate(trace.results):
        yield from _result(trace, number, result)
    for number, answer in enumerate(trace.answers):
        seen = trace.actions[answer.action].seen if answer.action is not None else None
        turn_id = seen.turn_id if seen is not None else None
        turn = trace.turns.get(turn_id or "")
        owner = turn.agent_id if turn is not None else None
        ids = {"request_id": answer.request_id} if answer.request_id else {}
        ids |= {"turn_id": turn_id} if turn_id else {}
        time, clock = when(answer.posted.at)
        what = f"answer to {answer.request_id or '(no request id)'} posted"
        name, bad = f"answer:{number}", answer.problem is not None
        quoted = answer.posted.value.get("response")
        yield Moment("posted", name, answer.posted.at, what, time, clock, turn_id, owner, ids, quoted, False, bad)
        if answer.recorded is not None:
            time, clock = when(answer.recorded)
            what = f"answer to {answer.request_id} recorded"
            yield Moment(
                "recorded", f"answered:{number}", answer.recorded, what, time, clock, turn_id, owner, ids, after=(name,)
            )
        if answer.refused is not None:
            yield refusal(f"answer_refused:{number}", answer.refused, turn_id, owner, ids, (name,))


def home(result: Result) -> str | None:
    """The turn a result belongs to: its call's, else that of the call it was meant for, else the one it names."""
    if result.call is not None:
        return result.call[0]
    meant = result.meant.turn_id if result.meant is not None and not result.meant.others else None
    return meant or result.turn_id


def said(result: Result) -> object:
    """What it says: its error if it failed, else its output."""
    return result.error if result.error is not None and not result.output else result.output


def _result(trace: Trace, number: int, result: Result) -> Iterator[Moment]:
    turn_id = home(result)
    turn = trace.turns.get(turn_id or "")
    owner = turn.agent_id if turn is not None else None
    names = {"turn_id": result.turn_id, "call_id": result.call_id, "item_id": result.item_id}
    ids = {name: value for name, value in names.items() if value is not None}
    call = trace.calls.get(result.call) if result.call is not None else None
    whose = f"{call.name or 'a function'} ({call.call_id})" if call is not None else result.call_id or "(no call id)"
    failed = "failed result" if result.success is False or (result.success is None and result.error is not None) else "result"
    after = (f"call:{result.call[0]}/{result.call[1]}",) if result.call is not None else ()
    astray = _astray(result)
    if result.posted is not None:
        time, clock = when(result.posted)
        what = f"{failed} for {whose} posted{astray}"
        loud = result.problem is not None or result.refused is not None
        yield Moment(
            "posted", f"post:{number}", result.posted, what, time, clock, turn_id, owner, ids, said(result), False, loud, after
        )
        after = (f"post:{number}",)
    if result.refused is not None:
        yield refusal(f"post_refused:{number}", result.refused, turn_id, owner, ids, (f"post:{number}",))
    if result.recorded is not None:
        time, clock = when(result.recorded)
        name, what = f"recorded:{number}", f"{failed} for {whose} recorded{'' if result.posted else astray}"
        loud = result.problem is not None
        yield Moment(
            "recorded", name, result.recorded, what, time, clock, turn_id, owner, ids, said(result), not loud, loud, after
        )
    for position, at in enumerate(result.repeated):
        time, clock = when(at)
        what = f"the same {failed} for {whose} again"
        yield Moment(
            "recorded", f"again:{number}:{position}", at, what, time, clock, turn_id, owner, ids, None, False, after=after
        )


def _astray(result: Result) -> str:
    if result.call is not None:
        return ""
    meant = result.meant
    if meant is None or meant.others:
        return ", which no call here has"
    if meant.reason == "approval":
        return ", which is the wrong kind of answer to it"
    target = meant.call_id or meant.request_id or "another"
    if meant.turn_id not in (None, result.turn_id):
        target += f" in {meant.turn_id}"
        if result.turn_id is not None:
            return f" under {result.turn_id}, perhaps meant for {target}"
    return f", perhaps meant for {target}"
