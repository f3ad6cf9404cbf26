"""Recordings ↔ bytes, for the way from one process to another. Made of plain tuples, which go several times faster than named ones.

Records that are like an example are most of a long recording. They are sent as they were read, plain values all of them, with the fact of
each example: making facts of them once, where they are needed, costs less than making them twice. `unpack` can move what it makes: a part
that begins in the middle of a source counts its lines and records from its own start.
"""

import marshal
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tracelink.fold import Fold
from tracelink.fold.alike import KEPT, Alike, Folded
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
from tracelink.model.record import Alikes, Example, Ids, Kind, Record
from tracelink.model.recording import Recordings
from tracelink.read.records import Skimmed

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


def pack(records: Iterable[Skimmed]) -> bytes:
    """The recordings of these records. Facts hold JSON values and named tuples only, which is what `marshal` can write."""
    folding = Fold()
    recordings = folding.out
    plain = _Plain()
    numbers: dict[int, tuple[int, Example]] = {}  # id of an example → its number, and the example, which keeps its id
    examples: list[tuple[Any, ...]] = []
    batches: list[tuple[Any, ...]] = []

    def number(example: Example) -> int:
        known = numbers.get(id(example))
        if known is None:
            if len(numbers) >= KEPT:
                numbers.clear()
            known = numbers[id(example)] = len(examples), example
            _, fact, session, session_id = folding.folded(example)
            examples.append((*example[1:], plain.row(fact), session, session_id))
        return known[0]

    def folded() -> Iterator[Skimmed]:
        for record in records:
            if record.__class__ is Alikes:
                assert isinstance(record, Alikes)  # noqa: S101 - for the type checker
                batches.append((len(recordings.facts), *record[:5], list(map(number, record.examples)), *record[6:]))
            else:
                yield record

    folding.take(folded())
    rows = list(map(plain.row, recordings.facts))
    bursts = [
        (key, [(tuple(one.first), tuple(one.last), one.count) for one in runs]) for key, runs in recordings.bursts.items()
    ]
    counts = list(recordings.counts.items()), list(recordings.sessions.items())
    return marshal.dumps((rows, examples, batches, bursts, *counts))


class _Plain:
    """Facts as plain tuples; what several share stays shared."""

    def __init__(self) -> None:
        self._bodies: dict[int, tuple[Any, ...]] = {}

    def row(self, fact: Fact) -> tuple[Any, ...]:
        """Its class by number, its origin, the rest."""
        row: tuple[Any, ...] = (_NUMBERS[fact.__class__], tuple(fact[0]), *fact[1:])
        if fact.__class__ is not SnapshotSeen:
            return row
        assert isinstance(fact, SnapshotSeen)  # noqa: S101 - for the type checker
        body = self._bodies.get(id(fact.body))
        if body is None:
            plain = tuple(fact.body)
            body = self._bodies[id(fact.body)] = (plain[0], tuple(map(tuple, plain[1])), *plain[2:])
        return (*row[:-1], body)


def unpack(data: bytes, shift: Shift) -> Recordings:
    """The recordings that were packed, by a process of this program."""
    rows, examples, batches, bursts, counts, sessions = marshal.loads(data)  # noqa: S302 - our own bytes, from a process that we started
    whole = _Whole(shift)
    out = Recordings(counts=dict(counts), sessions=dict(sessions))
    facts = out.facts
    known = []
    folded = {}
    for stand_ins, ints, shared, row, session, session_id in examples:
        example = Example(_NO_RECORD, stand_ins, ints, shared)
        known.append(example)
        folded[id(example)] = Folded(example, whole.fact(row), session, session_id)
    alike = Alike(out, lambda example: folded[id(example)], {}.setdefault)
    done = 0
    for before, source, index, seq, doc, line, of_rows, values, bytes_ in batches:
        facts.extend(map(whole.fact, rows[done:before]))
        done = before
        by = shift if index == shift.index else Shift()
        alike.add(
            Alikes(source, index, seq + by.seq, doc + by.doc, line + by.lines, [known[one] for one in of_rows], values, bytes_)
        )
    facts.extend(map(whole.fact, rows[done:]))
    for key, runs in bursts:
        out.bursts[key] = [Burst(whole.origin(first), whole.origin(last), count) for first, last, count in runs]
    return out


_NO_RECORD = Record(Kind.UNKNOWN, None, None, Ids(), Origin("", 0, 0))


class _Whole:
    """Facts from plain tuples."""

    def __init__(self, shift: Shift) -> None:
        self._shift = shift
        self._bodies: dict[int, SessionBody] = {}

    def origin(self, at: Any) -> Origin:
        """Where it stands in the whole source."""
        shift = self._shift
        if at[4] == shift.index:
            source, line, byte, event_id, index, seq, doc, *rest = at
            at = (source, line + shift.lines, byte, event_id, index, seq + shift.seq, doc + shift.doc, *rest)
        return tuple.__new__(Origin, at)

    def fact(self, row: tuple[Any, ...]) -> Fact:
        """The fact of a row; the rows live as long as this."""
        new = tuple.__new__
        number, at, *rest = row
        if number == 0:
            plain = rest[-1]
            body = self._bodies.get(id(plain))
            if body is None:
                actions = tuple(new(ActionSeen, one) for one in plain[1])
                body = self._bodies[id(plain)] = new(SessionBody, (plain[0], actions, *plain[2:]))
            rest[-1] = body
        made: Fact = new(_CLASSES[number], (self.origin(at), *rest))
        return made
