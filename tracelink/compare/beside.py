"""A call beside its result, and the pending action beside the posted answer, id by id.

What is held against a call: each result that is tied to it, each that the linker thinks was meant for it (also from another session of
the run), and for an approval each posted answer. A result that was posted is held against the required action, which is what the app
answers; one that is recorded against the call. Nothing is tied here that the linker did not tie.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tracelink.compare.ids import IdPair, held
from tracelink.model.facts import InputSeen, RefusalSeen
from tracelink.model.location import Origin
from tracelink.model.trace import Action, Answer, Call, CallKey, Meant, Result, Trace

NAMED = 3
"""So many results that answer nothing are named beside a call that nothing answers."""


@dataclass(frozen=True, slots=True)
class Against:
    """One thing held against another.

    left: `call`, `pending action`, `approval`. right: `recorded result`, `posted result`, `posted answer`. again: further identical
    deliveries. refused: by the server. meant: why it is thought to be meant for this call, where its ids are not the call's.
    wrong_kind: a result for an approval, or an answer for a call.
    """

    left: str
    right: str
    at_left: Origin | None
    at_right: Origin
    ids: tuple[IdPair, ...]
    again: tuple[Origin, ...] = ()
    refused: RefusalSeen | None = None
    meant: Meant | None = None
    wrong_kind: bool = False

    @property
    def fits(self) -> bool:
        return not self.wrong_kind and all(one.fits for one in self.ids)


@dataclass(frozen=True, slots=True)
class Stray:
    """A result or answer that answers nothing in the recording."""

    id: str | None
    turn_id: str | None
    at: Origin


@dataclass(frozen=True, slots=True)
class Beside:
    """kind: call, approval or result (one that answers no call). state: how a call stands; strays: only where nothing answers it."""

    kind: str
    id: str
    turn_id: str | None
    name: str | None
    state: str | None
    session_id: str | None
    at: Origin | None
    pairs: tuple[Against, ...]
    strays: tuple[Stray, ...] = ()
    stray_count: int = 0

    @property
    def same(self) -> bool:
        return all(one.fits for one in self.pairs) and self.kind != "result"


def beside(traces: Sequence[Trace], at: int, key: CallKey | str | int) -> Beside:
    """What stands beside the call (its key), the request (its id) or the result (its index) `key` of `traces[at]`."""
    trace = traces[at]
    if isinstance(key, tuple):
        return _call(traces, trace, trace.calls[key])
    if isinstance(key, int):
        result = trace.results[key]
        target = target_of(traces, at, key)
        if target is not None:
            return beside(traces, *target)
        return Beside("result", result.call_id or "", result.turn_id, None, result.problem, trace.session_id, result.first, ())
    return _request(trace, key)


def target_of(traces: Sequence[Trace], at: int, index: int) -> tuple[int, CallKey | str] | None:
    """The call or request that a result answers or was meant for: place of its trace, and its key."""
    result = traces[at].results[index]
    if result.call is not None:
        return at, result.call
    meant = result.meant
    if meant is None:
        return None
    if meant.request_id is not None and meant.call_id is None:
        return at, meant.request_id
    for place, trace in enumerate(traces):
        if trace.session_id == (meant.session_id if meant.session_id is not None else traces[at].session_id):
            key = (meant.turn_id or "", meant.call_id or "")
            if key in trace.calls:
                return place, key
    return None


def _call(traces: Sequence[Trace], trace: Trace, call: Call) -> Beside:
    found: list[Against] = []
    for home in traces:
        posts = {one.at: one for one in home.inputs}
        for result in home.results:
            if _for(result, call, trace, home):
                found += _results(trace, call, home, result, posts)
    found += [_answered(call, one) for one in trace.answers if one.request_id == call.call_id and one.action is None]
    found.sort(key=lambda one: (one.at_right.index, one.at_right.seq))
    strays = [Stray(one.call_id, one.turn_id, one.first) for one in trace.results if one.call is None and one.meant is None]
    return Beside(
        "call", call.call_id, call.turn_id, call.name, call.state, trace.session_id, call.first, tuple(found),
        tuple(strays[:NAMED]) if not found else (), len(strays) if not found else 0,
    )  # fmt: skip


def _for(result: Result, call: Call, trace: Trace, home: Trace) -> bool:
    if home is trace and result.call == call.key:
        return True
    meant = result.meant
    if result.call is not None or meant is None or meant.call_id is None:
        return False
    session = meant.session_id if meant.session_id is not None else home.session_id
    if session != trace.session_id or (meant.session_id is None and home is not trace):
        return False
    return (meant.turn_id or "", meant.call_id) == call.key or call.key in meant.others


def _results(trace: Trace, call: Call, home: Trace, result: Result, posts: dict[Origin, InputSeen]) -> Iterator[Against]:
    if result.posted is not None:
        post = posts.get(result.posted)
        session = post.session_id if post is not None else None
        if session is None and home is not trace:
            session = home.session_id
        pending = call.required[-1] if call.required else None
        ids = _ids(trace, call, home, result, session)
        left, at = ("pending action", pending) if pending is not None else ("call", call.first)
        again = tuple(one for one in result.repeated if one not in result.recorded_again)
        yield Against(left, "posted result", at, result.posted, ids, again, result.refused, result.meant)
    if result.recorded is not None:
        ids = _ids(trace, call, home, result, home.session_id)
        meant = result.meant if result.posted is None else None
        yield Against("call", "recorded result", call.first, result.recorded, ids, result.recorded_again, None, meant)


def _answered(call: Call, answer: Answer) -> Against:
    """An answer to an approval that names a call."""
    rows = (held("call_id", call.call_id, None), held("request_id", None, answer.request_id, needed=False))
    pending = call.required[-1] if call.required else None
    left = "call" if pending is None else "pending action"
    return Against(left, "posted answer", pending or call.first, answer.posted.at, rows, (), answer.refused, None, True)


def _ids(trace: Trace, call: Call, home: Trace, result: Result, session: str | None) -> tuple[IdPair, ...]:
    rows = [
        held("session_id", trace.session_id, session, needed=False),
        held("turn_id", call.turn_id or None, result.turn_id or None, needed=bool(call.turn_id)),
        held("call_id", call.call_id or None, result.call_id or None),
    ]
    owners = (_subagent(trace, call.turn_id), _subagent(home, result.turn_id))
    if any(owners):
        rows.append(held("subagent_id", *owners, needed=False))
    return tuple(rows)


def _subagent(trace: Trace, turn_id: str | None) -> str | None:
    """Whose turn it is, if a subagent's."""
    turn = trace.turns.get(turn_id or "")
    return turn.subagent_id if turn is not None else None


def _request(trace: Trace, request_id: str) -> Beside:
    action = next((one for one in trace.actions if one.seen.request_id == request_id), None)
    number = trace.actions.index(action) if action is not None else None
    seen = action.seen if action is not None else None
    found = [
        _answer(trace, action, request_id, one) for one in trace.answers if one.action is not None and one.action == number
    ]
    found += [
        _answer(trace, action, request_id, one) for one in trace.answers if one.action is None and one.request_id == request_id
    ]
    found += [
        _wrong_kind(trace, action, request_id, one)
        for one in trace.results
        if one.call is None and one.meant is not None and one.meant.request_id == request_id
    ]
    found.sort(key=lambda one: (one.at_right.index, one.at_right.seq))
    strays = [
        Stray(one.request_id, None, one.posted.at)
        for one in trace.answers
        if one.action is None and one.request_id != request_id
    ]
    at = action.first if action is not None else None
    return Beside(
        "approval", request_id, seen.turn_id if seen is not None else None, seen.name if seen is not None else None,
        None if action is None else "required" if action.listed_latest else "no longer required", trace.session_id, at, tuple(found),
        tuple(strays[:NAMED]) if not found else (), len(strays) if not found else 0,
    )  # fmt: skip


def _answer(trace: Trace, action: Action | None, request_id: str, answer: Answer) -> Against:
    post = answer.posted
    rows = [_session(trace, post), held("request_id", request_id if action is not None else None, post.request_id)]
    if post.turn_id is not None and action is not None and action.seen.turn_id is not None:
        rows.insert(1, held("turn_id", action.seen.turn_id, post.turn_id))
    wrong = answer.problem is not None
    at = action.last if action is not None else None
    return Against("approval", "posted answer", at, post.at, tuple(rows), (), answer.refused, None, wrong)


def _wrong_kind(trace: Trace, action: Action | None, request_id: str, result: Result) -> Against:
    rows = (held("request_id", request_id, None), held("call_id", None, result.call_id, needed=False))
    at = action.last if action is not None else None
    right = "posted result" if result.posted is not None else "recorded result"
    return Against("approval", right, at, result.first, rows, (), result.refused, result.meant, True)


def _session(trace: Trace, post: InputSeen) -> IdPair:
    return held("session_id", trace.session_id, post.session_id, needed=False)


def candidates(traces: Sequence[Trace], found: Sequence[tuple[int, str, object]]) -> dict[tuple[int, CallKey | str | int], int]:
    """What can be held against something, of ids that were looked up: (place of its trace, its key) → which of `found` named it.

    found: place of the trace, kind and key, as `story.known` has them. A result stands for the call that it answers or was meant for.
    """
    targets: dict[tuple[int, CallKey | str | int], int] = {}
    for number, (at, kind, key) in enumerate(found):
        if isinstance(key, tuple):
            targets.setdefault((at, key), number)
        elif isinstance(key, int):
            targets.setdefault(target_of(traces, at, key) or (at, key), number)
        elif kind == "request" and isinstance(key, str):
            targets.setdefault((at, key), number)
    return targets
