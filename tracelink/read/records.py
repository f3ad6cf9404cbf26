"""The values of one source → its records, each counted.

The idea: a short path for what nearly all lines are (an event with its type and payload in place: one dictionary look-up, one row of ids,
one record) and a long path for the rest (unwrap, locate).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from tracelink.model.limits import Limits
from tracelink.model.location import Origin
from tracelink.model.record import Alikes, DeltaRun, Ids, Kind, Record
from tracelink.read.alike import Alike
from tracelink.read.context import NOTHING, Context
from tracelink.read.decode import given_twice
from tracelink.read.fields import Extract, FieldTable
from tracelink.read.frame import DOCUMENT, JSONL, Bad, Frame, place
from tracelink.read.jsonl import frames
from tracelink.read.lines import lines
from tracelink.read.long_numbers import exactly, lost
from tracelink.read.places import Path, locate
from tracelink.read.runs import Run
from tracelink.read.shapes import EVENT_MEMBERS, EVENTS, STREAMED
from tracelink.read.skim import SHORTEST, Batch, Known, Skim
from tracelink.read.unwrap import Found, Unwrapper

_NO_IDS = Ids()
_ALIKE = frozenset((Kind.ITEM_EVENT, Kind.TURN_EVENT))
_RETRIEVED_BY_URL = frozenset({Kind.ITEM, Kind.PAGE, Kind.TURN})

Skimmed = Record | DeltaRun | Alikes


class Records:
    """Makes records of what the framing yields, in order.

    name, index: of the source. seq, doc: how many records and values there were so far. forms: frames of each form. skim: what it
    may learn from; None where every value is decoded.
    """

    def __init__(self, name: str, index: int, fields: FieldTable, limits: Limits, forms: Alike | None) -> None:
        self.name, self.index, self.fields = name, index, fields
        # The user's own rows look at every value, so then every value is decoded.
        self.skim = Skim(limits, fields, forms) if forms is not None and fields.extra is None else None
        self.seq = 0
        self.doc = 0
        self.forms: dict[str, int] = {}
        self.unwrapper = Unwrapper(_texts(limits))
        self.last_value: Any = None
        self.first_bad: Bad | None = None

    def told(self, bad: Bad) -> bool:
        """Whether something else tells of it."""
        return False

    def made(self, items: Iterable["Frame | Bad | Known"]) -> Iterator[Skimmed]:
        skim = self.skim
        forms, name, index = self.forms, self.name, self.index
        fast = _fast(self.fields)
        expected = EVENT_MEMBERS.issuperset
        new = tuple.__new__
        for item in items:
            if item.__class__ is not Frame:
                if isinstance(item, Bad):
                    if not self.told(item):
                        yield self.trouble(item)
                elif isinstance(item, Batch):
                    yield self._batch(item)
                else:
                    assert isinstance(item, Run)  # noqa: S101 - for the type checker
                    yield self._run(item)
                continue
            value, line, byte, raw, form, doubts = item[:6]
            forms[form] = forms.get(form, 0) + 1
            self.last_value = value
            if value.__class__ is dict:
                type_ = value.get("type")
                entry = fast.get(type_) if type_.__class__ is str else None
                if entry is not None and item[10] is None and expected(value):
                    kind, payload, extract = entry
                    if (payload is None or value.get(payload).__class__ is dict) and (item[7] is None or "event_id" in value):
                        ids = extract(value)
                        if kind is Kind.DELTA:
                            if skim is not None and not doubts:
                                skim.runs.learn(item)
                        elif not item[11]:
                            if (
                                not doubts
                                and lost(value[payload] if payload else value)
                                and (exact := exactly(raw)) is not None
                            ):
                                value, doubts = exact
                            doubts = doubts + given_twice(raw, value)
                            if skim is not None and kind is Kind.SESSION_EVENT and not doubts and len(raw) > SHORTEST:
                                skim.again.learn(raw, value)
                            elif skim is not None and kind in _ALIKE and not doubts and form == JSONL:
                                skim.alike.learn(kind, raw, value)
                        elif skim is not None and kind is Kind.SESSION_EVENT:
                            skim.again.confirm(raw, value)
                        origin = new(Origin, (name, line, byte, ids[0], index, self.seq, self.doc, True, item[8], None))
                        self.seq += 1
                        self.doc += 1
                        yield new(Record, (kind, type_, value, ids, origin, None, None, None, None, doubts))
                        continue
            yield from self._unwrapped(item)
            self.doc += 1

    def _batch(self, batch: Batch) -> Alikes:
        count = batch.lines
        self.forms[JSONL] = self.forms.get(JSONL, 0) + count
        self.last_value = batch.rows.examples[-1].record.value
        made = Alikes(self.name, self.index, self.seq, self.doc, batch.line, *batch.rows)
        self.seq += count
        self.doc += count
        return made

    def _run(self, run: Run) -> DeltaRun:
        count, name, index = run.count, self.name, self.index
        self.forms[run.form] = self.forms.get(run.form, 0) + count
        first = Origin(name, run.line, run.byte, run.event_id, index, self.seq, self.doc)
        self.seq += count
        self.doc += count
        last = Origin(name, run.last_line, run.last_byte, run.last_event_id, index, self.seq - 1, self.doc - 1)
        return DeltaRun(Ids(session_id=run.session_id, turn_id=run.turn_id), first, last, count)

    def _unwrapped(self, frame: Frame) -> Iterator[Record]:
        """The long path: a wrapper, a list, a page, a retrieved object, a repaired text."""
        context = NOTHING if frame.received is None else Context(received=frame.received)
        repaired = frame.repaired
        pages = self.unwrapper.pages
        try:
            found = self.unwrapper.find(frame.value, context, frame.event, repaired.open if repaired else frozenset())
        except RecursionError:
            yield self.trouble(
                Bad(
                    "TL011",
                    "the value is nested too deeply and was skipped",
                    frame.raw[:200].decode("utf-8", "replace"),
                    frame.line,
                    frame.byte,
                )
            )
            return
        if repaired is None and not frame.doubts and any(_lost(one.value) for one in found):
            exact = exactly(frame.raw)
            if exact is not None:
                self.unwrapper.pages = pages
                frame = frame._replace(value=exact.value, doubts=exact.doubts)
                found = self.unwrapper.find(frame.value, context, frame.event)
        doubts = frame.doubts if repaired else frame.doubts + given_twice(frame.raw, frame.value)
        places = self.places(frame, found)
        element: Path = ()
        for one in found:
            if one.path and one.path[0].__class__ is int:
                # Each member of a list is a value of its own, as each line is: what one of them holds together is not the list.
                now = _element(one.path)
                if element and now != element:
                    self.doc += 1
                element = now
            line, byte = places.get(one.path, (frame.line, frame.byte))
            yield self._record(one, line, byte, frame.event_id, doubts)
            doubts = ()

    def places(self, frame: Frame, found: list[Found]) -> dict[Path, tuple[int, int]]:
        """(line, byte) of each record; one alone on its line stands where the line starts."""
        if not found or (len(found) == 1 and (frame.form != DOCUMENT and frame.value.__class__ is dict)):
            return {}
        wanted = {one.path for one in found if one.path}
        if not wanted:
            return {}
        at: dict[Path, int] = {}
        text = frame.raw.decode("latin-1")  # once a frame: a torn document has many parts
        if frame.repaired is not None:
            groups: dict[Path, list[Path]] = {}
            for path in wanted:
                base = path
                while base not in frame.repaired.starts:
                    base = base[:-1]
                groups.setdefault(base, []).append(path)
            for base, paths in groups.items():
                at |= locate(text, paths, base, frame.repaired.starts[base])
        else:
            at = locate(text, wanted)
        if frame.pieces:
            return {path: place(frame.raw, offset, 0, 0, frame.pieces) for path, offset in at.items()}
        places: dict[Path, tuple[int, int]] = {}
        line, before = frame.line, 0
        for path, offset in sorted(at.items(), key=lambda entry: entry[1]):
            line += frame.raw.count(b"\n", before, offset)
            before = offset
            places[path] = (line, frame.byte + offset)
        return places

    def _record(self, one: Found, line: int, byte: int, event_id: str | None, doubts: tuple[str, ...]) -> Record:
        kind, context = one.kind, one.context
        ids = self.fields.ids(kind, one.type, one.value, one.outer)
        if ids.session_id is None and context.session_id is not None:
            ids = ids._replace(session_id=context.session_id)
        if kind in _RETRIEVED_BY_URL:
            if ids.subagent_id is None and context.subagent_id is not None:
                ids = ids._replace(subagent_id=context.subagent_id)
            if ids.turn_id is None and context.turn_id is not None:
                ids = ids._replace(turn_id=context.turn_id)
        stream = kind in STREAMED
        if event_id is not None and ids.event_id is None and stream:
            ids = ids._replace(event_id=event_id)
        direction = context.direction
        if direction is None and context.soft is not None:
            # The method tells what the app sent; anything else beside it is the server's answer.
            direction = context.soft if kind is Kind.INPUT else "in"
        origin = Origin(
            self.name, line, byte, ids.event_id, self.index, self.seq, self.doc, stream, context.received, direction
        )
        self.seq += 1
        status = context.http_status if kind is Kind.HTTP_ERROR else None
        return Record(kind, one.type, one.value, ids, origin, one.detail, None, one.page, status, doubts)

    def trouble(self, bad: Bad) -> Record:
        if self.first_bad is None:
            self.first_bad = bad
        origin = Origin(self.name, bad.line, bad.byte, None, self.index, self.seq, self.doc)
        self.seq += 1
        self.doc += 1
        return Record(Kind.UNREADABLE, None, bad.text, _NO_IDS, origin, bad.detail, bad.code)


def _lost(value: Any) -> bool:
    """`lost`, of what an event carries too."""
    if value.__class__ is not dict:
        return False
    return any(one.__class__ is dict and lost(one) for one in (value, value.get("item"), value.get("session")))


def _element(path: Path) -> Path:
    """The leading indices of a path: which member of the outermost list (or lists) it leads into."""
    for length, step in enumerate(path):
        if step.__class__ is not int:
            return path[:length]
    return path


_Entry = tuple[Kind, "str | None", Extract]


@lru_cache(4)
def _fast(fields: FieldTable) -> Mapping[str, _Entry]:
    """Event type → kind, payload member, row of ids. Empty where the user added rows: those look at every value."""
    if fields.extra is not None:
        return {}
    return {type_: (kind, payload, fields.row(kind)) for type_, (kind, payload) in EVENTS.items()}


def _texts(limits: Limits) -> Callable[[str], Iterator[tuple[Any, str | None]]]:
    """For strings inside wrappers: the values in a text, each with its SSE event name."""

    def read(text: str) -> Iterator[tuple[Any, str | None]]:
        for found in frames(lines((text.encode("utf-8", "replace"),), limits.record_bytes), limits):
            if isinstance(found, Frame) and found.repaired is None:
                yield found.value, found.event

    return read
