"""Recordings ↔ bytes, for the way from one process to another. Made of plain tuples, which go several times faster than named ones.

`unpack` can move what it makes: a part that begins in the middle of a source counts its lines and records from its own start.
"""

import marshal
from typing import Any, NamedTuple

from tracelink.model.facts import (
    ActionSeen,
    Burst,
    EnvironmentSeen,
    ErrorSeen,
    Fact,
    InputSeen,
    ItemSeen,
    PageSeen,
    RefusalSeen,
    SessionBody,
    SnapshotSeen,
    StrangerSeen,
    SubagentSeen,
    TroubleSeen,
    TurnSeen,
    WebhookSeen,
)
from tracelink.model.location import Origin
from tracelink.model.recording import Recordings

_CLASSES: tuple[Any, ...] = (
    SnapshotSeen,
    TurnSeen,
    ItemSeen,
    SubagentSeen,
    InputSeen,
    EnvironmentSeen,
    ErrorSeen,
    RefusalSeen,
    WebhookSeen,
    PageSeen,
    TroubleSeen,
    StrangerSeen,
)
_NUMBERS = {one: number for number, one in enumerate(_CLASSES)}


class Shift(NamedTuple):
    """What came before in the source `index`: lines and records."""

    index: int = -1  # type: ignore[assignment]  # not tuple.index, which nobody needs here
    lines: int = 0
    seq: int = 0
    doc: int = 0


def pack(recordings: Recordings) -> bytes:
    """Facts hold JSON values and named tuples only, which is what `marshal` can write."""
    bodies: dict[int, tuple[Any, ...]] = {}
    rows = []
    for fact in recordings.facts:
        row: tuple[Any, ...] = (_NUMBERS[fact.__class__], tuple(fact[0]), *fact[1:])
        if fact.__class__ is SnapshotSeen:
            assert isinstance(fact, SnapshotSeen)  # noqa: S101 - for the type checker
            body = bodies.get(id(fact.body))
            if body is None:
                plain = tuple(fact.body)
                body = bodies[id(fact.body)] = (plain[0], tuple(map(tuple, plain[1])), *plain[2:])
            row = (*row[:-1], body)
        rows.append(row)
    bursts = [
        (key, [(tuple(one.first), tuple(one.last), one.count) for one in runs]) for key, runs in recordings.bursts.items()
    ]
    return marshal.dumps((rows, bursts, list(recordings.counts.items()), list(recordings.sessions.items())))


def unpack(data: bytes, shift: Shift) -> Recordings:
    """The recordings that were packed, by a process of this program."""
    rows, bursts, counts, sessions = marshal.loads(data)  # noqa: S302 - our own bytes, from a process that we started
    new = tuple.__new__
    bodies: dict[int, SessionBody] = {}
    out = Recordings()
    facts = out.facts

    def origin(at: Any) -> Origin:
        if at[4] == shift.index:
            source, line, byte, event_id, index, seq, doc, stream, received, direction = at
            at = (
                source,
                line + shift.lines,
                byte,
                event_id,
                index,
                seq + shift.seq,
                doc + shift.doc,
                stream,
                received,
                direction,
            )
        return new(Origin, at)

    for row in rows:
        number, at, *rest = row
        if number == 0:
            plain = rest[-1]
            body = bodies.get(id(plain))
            if body is None:
                actions = tuple(new(ActionSeen, one) for one in plain[1])
                body = bodies[id(plain)] = new(SessionBody, (plain[0], actions, *plain[2:]))
            rest[-1] = body
        fact: Fact = new(_CLASSES[number], (origin(at), *rest))
        facts.append(fact)
    for key, runs in bursts:
        out.bursts[key] = [Burst(origin(first), origin(last), count) for first, last, count in runs]
    out.counts.update(counts)
    out.sessions.update(sessions)
    return out
