"""The fold: each record becomes at most one fact, each is counted once.

It is a map with a memory of one thing only, the last delta of each turn, so recordings add up
(`fold(a + b) == fold(a) + fold(b)`) and memory grows with turns, calls and items, not with deltas.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Self

from tracelink.fold.alike import Alike, Folded
from tracelink.fold.bodies import Bodies, integer, text
from tracelink.fold.items import item_seen, readable
from tracelink.fold.own_ids import doubt as own_doubt
from tracelink.model.facts import (
    Burst,
    EnvironmentSeen,
    ErrorSeen,
    Fact,
    InputSeen,
    PageSeen,
    RefusalSeen,
    SnapshotSeen,
    StrangerSeen,
    SubagentSeen,
    TroubleSeen,
    TurnSeen,
    WebhookSeen,
)
from tracelink.model.record import Alikes, DeltaRun, Example, Kind, Record
from tracelink.model.recording import FOREIGN, UNKNOWN, UNREADABLE, USED, Recordings, near

OFFICIAL_INPUTS = frozenset(
    "agent.session.input." + name
    for name in (
        "message",
        "cancel",
        "tool_result",
        "mcp_approval_request_result",
        "computer_use_approval_request_result",
    )
)
"""The five input event types that the API takes (fact sheet D.2)."""


_CARRIERS = frozenset((Kind.ITEM_EVENT, Kind.TURN_EVENT, Kind.SUBAGENT_EVENT))
"""Events that carry an object with ids of its own."""


def fold(records: Iterable[Record | DeltaRun | Alikes]) -> Recordings:
    """Fold records, in their order, into recordings."""
    return Fold().take(records).out


class Fold:
    """The fold while it goes on. out: what was made of the records so far."""

    def __init__(self) -> None:
        self._bodies = Bodies()
        self.out = Recordings()
        self._alike = Alike(self.out, self.folded, self._bodies.share.setdefault)

    def folded(self, example: Example) -> Folded:
        """The fact of an example."""
        record = example.record
        fact = _OBSERVE[record.kind](record, self._bodies)
        assert fact is not None  # noqa: S101 - an event without the id that its fact needs teaches nothing
        session_id = record.ids.session_id
        number = next((number for number, one in enumerate(example.stand_ins) if one == session_id), -1)
        return Folded(example, fact, number, session_id)

    def take(self, records: Iterable[Record | DeltaRun | Alikes]) -> Self:
        """Folds them too."""
        out, bodies, add = self.out, self._bodies, self._alike.add
        facts, counts, sessions = out.facts, out.counts, out.sessions
        for record in records:
            if record.__class__ is DeltaRun:
                assert isinstance(record, DeltaRun)  # noqa: S101 - for the type checker
                _burst(out, record)
                continue
            if record.__class__ is Alikes:
                assert isinstance(record, Alikes)  # noqa: S101 - for the type checker
                add(record)
                continue
            assert isinstance(record, Record)  # noqa: S101
            kind, _, _, ids, origin = record[:5]
            session_id, index = ids.session_id, origin.index
            if record.doubts:
                facts.extend(TroubleSeen(origin, "TL001", doubt, True) for doubt in record.doubts)
            if kind is Kind.DELTA:
                _burst(out, DeltaRun(ids, origin, origin, 1))
                continue
            observe = _OBSERVE.get(kind)
            disposition = USED
            if observe is not None:
                fact = observe(record, bodies)
                if fact is not None:
                    facts.append(fact)
                    if kind in _CARRIERS and (told := own_doubt(record)) is not None:
                        facts.append(told)
            elif kind is Kind.UNREADABLE:
                disposition = UNREADABLE
                code, detail = record.code or "TL001", record.detail or "it could not be read"
                facts.append(TroubleSeen(origin, code, detail, snapshot=_maybe_snapshot(record.value)))
            elif kind is Kind.UNKNOWN:
                disposition = UNKNOWN
                facts.append(StrangerSeen(origin, session_id, UNKNOWN, _what(record.type), record.type))
            elif kind is Kind.FOREIGN:
                disposition = FOREIGN
                facts.append(StrangerSeen(origin, session_id, FOREIGN, record.detail or "another API", record.type))
            if kind is not Kind.UNREADABLE:
                where = (index, session_id)
                sessions[where] = sessions.get(where, 0) + 1
            place = (index, disposition)
            counts[place] = counts.get(place, 0) + 1
        return self


def _burst(out: Recordings, run: DeltaRun) -> None:
    ids, first, last, count = run
    index, bursts = first.index, out.bursts
    where, place = (index, ids.session_id), (index, USED)
    out.sessions[where] = out.sessions.get(where, 0) + count
    out.counts[place] = out.counts.get(place, 0) + count
    key = (index, ids.session_id, ids.turn_id)
    runs = bursts.get(key)
    if runs is None:
        bursts[key] = [Burst(first, last, count)]
    elif near(runs[-1].last, first):
        runs[-1] = Burst(runs[-1].first, last, runs[-1].count + count)
    else:
        runs.append(Burst(first, last, count))


_TYPE = re.compile(r'"type"\s*:\s*"([^"]*)"')
_SNAPSHOT = re.compile(r"agent\.session\.[a-z_]+")


def _maybe_snapshot(excerpt: object) -> bool:
    """Whether an unreadable text may have been a session snapshot: JSON that shows such a type, or none yet."""
    if not isinstance(excerpt, str) or not excerpt:
        return True
    if not excerpt.lstrip().startswith(("{", "[", "data:", "event:")):
        return "{" in excerpt
    types = _TYPE.findall(excerpt)
    return not types or any(_SNAPSHOT.fullmatch(one) for one in types)


def _what(type_: str | None) -> str:
    if type_ is None:
        return "value"
    return "event" if type_.startswith(("agent.", "session.")) else "object"


def _snapshot(record: Record, bodies: Bodies) -> SnapshotSeen:
    event = record.kind is Kind.SESSION_EVENT
    session = record.value.get("session") if event else record.value
    session = session if isinstance(session, dict) else {}
    return SnapshotSeen(
        record.origin,
        record.ids.session_id,
        record.type if event else None,
        integer(session.get("created_at")),
        integer(session.get("last_active_at")),
        bodies.of(session),
    )


def _turn(record: Record, _: Bodies) -> Fact | None:
    event = record.kind is Kind.TURN_EVENT
    turn = record.value.get("turn") if event else record.value
    turn = turn if isinstance(turn, dict) else {}
    if record.ids.turn_id is None:
        return None
    error = turn.get("error")
    error = error if isinstance(error, dict) else {}
    status = text(turn.get("status"))
    if event and record.type is not None and status is None:
        status = {"created": "queued"}.get(name := record.type.rpartition(".")[2], name)
    return TurnSeen(
        record.origin,
        record.ids.session_id,
        record.ids.turn_id,
        record.type if event else None,
        record.ids.subagent_id,
        "subagent_id" in turn or record.ids.subagent_id is not None,
        text(turn.get("agent_id")),
        status,
        integer(turn.get("created_at")),
        integer(turn.get("started_at")),
        integer(turn.get("completed_at")),
        text(error.get("code")),
        text(error.get("message")),
    )


def _subagent(record: Record, _: Bodies) -> Fact | None:
    event = record.kind is Kind.SUBAGENT_EVENT
    sub = record.value.get("subagent") if event else record.value
    sub = sub if isinstance(sub, dict) else {}
    if record.ids.subagent_id is None:
        return None
    return SubagentSeen(
        record.origin,
        record.ids.session_id,
        record.ids.subagent_id,
        record.type if event else None,
        text(sub.get("parent_agent_id")),
        text(sub.get("status")),
        integer(sub.get("opened_at")),
        integer(sub.get("closed_at")),
        text(sub.get("name")),
        readable(sub.get("instructions")),
    )


def _input(record: Record, _: Bodies) -> Fact:
    type_ = record.type or "agent.session.input"
    ids = record.ids
    return InputSeen(
        record.origin, ids.session_id, type_, type_ in OFFICIAL_INPUTS, ids.turn_id, ids.call_id, ids.request_id, record.value
    )


def _environment(record: Record, _: Bodies) -> Fact:
    event = record.kind is Kind.ENVIRONMENT_EVENT
    env = record.value.get("environment") if event else record.value
    env = env if isinstance(env, dict) else {}
    error = env.get("error")
    return EnvironmentSeen(
        record.origin,
        record.ids.session_id,
        record.ids.turn_id,
        record.ids.environment_id,
        record.type if event else None,
        text(env.get("status")) or (record.type.rpartition(".")[2] if event and record.type else None),
        text(error.get("message")) if isinstance(error, dict) else None,
        integer(record.value.get("reset_count")),
    )


def _error(record: Record, _: Bodies) -> Fact:
    error = record.value.get("error")
    error = error if isinstance(error, dict) else {"message": error}
    return ErrorSeen(
        record.origin,
        record.ids.session_id,
        text(error.get("code")),
        text(error.get("type")),
        text(error.get("message")) or "",
    )


def _refusal(record: Record, _: Bodies) -> Fact:
    error: Any = record.value.get("error")
    error = error if isinstance(error, dict) else record.value
    return RefusalSeen(
        record.origin,
        record.ids.session_id,
        record.http_status,
        text(error.get("code")),
        text(error.get("type")),
        text(error.get("message")) or "",
        text(error.get("param")),
    )


def _webhook(record: Record, _: Bodies) -> Fact:
    data = record.value.get("data")
    action = data.get("required_action") if isinstance(data, dict) else None
    return WebhookSeen(
        record.origin,
        record.ids.session_id,
        record.type or "event",
        text(action.get("type")) if isinstance(action, dict) else None,
        integer(record.value.get("created_at")),
    )


def _page(record: Record, _: Bodies) -> Fact:
    value = record.value
    more = value.get("has_more")
    return PageSeen(
        record.origin,
        record.ids.session_id,
        record.ids.subagent_id,
        value.get("of", "other"),
        -1 if record.page is None else record.page,
        integer(value.get("count")) or 0,
        more if isinstance(more, bool) else None,
        text(value.get("first_id")),
        text(value.get("last_id")),
        value.get("order"),
    )


_OBSERVE: dict[Kind, Callable[[Record, Bodies], Fact | None]] = {
    Kind.SESSION_EVENT: _snapshot,
    Kind.SESSION: _snapshot,
    Kind.TURN_EVENT: _turn,
    Kind.TURN: _turn,
    Kind.ITEM_EVENT: item_seen,
    Kind.ITEM: item_seen,
    Kind.SUBAGENT_EVENT: _subagent,
    Kind.SUBAGENT: _subagent,
    Kind.INPUT: _input,
    Kind.ENVIRONMENT_EVENT: _environment,
    Kind.ENVIRONMENT: _environment,
    Kind.ERROR_EVENT: _error,
    Kind.HTTP_ERROR: _refusal,
    Kind.WEBHOOK: _webhook,
    Kind.PAGE: _page,
}
"""OBJECT records are used, and carry nothing for the trace."""
