"""Events of turns, calls and results that are built alike: the first of a form is decoded as any line is, those that follow are matched
by one strict expression, which gives what differs between them: ids, times, and a call's name, arguments and output.

Why it is sound: the expression fixes the name and the order of every member and every value that is no id, no number and no payload. An id
has no escapes and no bytes beyond ASCII, a number is an integer of few digits; a payload is one JSON value as its quotation marks and
brackets show it, and is decoded by itself, with the doubts that any text is asked for. Between two members of a JSON text stands
nothing else, so what the expression takes is JSON exactly if its payloads are. Everything it does not take is decoded the plain way;
`tests/read/test_alike.py` holds both ways to the same report.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from tracelink.model.limits import Limits
from tracelink.model.location import Origin
from tracelink.model.record import Example, Kind, Record
from tracelink.read.decode import given_twice, loads, too_deep
from tracelink.read.fields import FieldTable
from tracelink.read.long_numbers import large
from tracelink.read.mold import Mold

_FORMS = 48  # forms that are kept
_TRIES = 4096  # events that are looked at for a form
_BARREN = 16  # those of one type that may teach nothing, one after the other, before the type is given up
_REMEMBERED = 256  # payloads
_TRIED = 6  # forms that a line is held against, those first that were found last
_MISSES, _SELDOM = 32, 16  # lines without a form in a row, after which only every so many is tried
_DEPTH = 1000  # the decoder takes 1024 levels of a whole line
_LONGEST = 2000  # characters of a text: longer ones may be cut

TYPES = frozenset(("function_call", "function_call_output", "message"))
"""Items that have a form: most of a stream. Of these the fold takes every member over as it is, or leaves it out (see `mold`)."""


class Rows(NamedTuple):
    """Lines that follow each other, as in `Alikes`."""

    examples: list[Example]
    values: list[tuple[Any, ...]]
    bytes: list[int]


class _Form(NamedTuple):
    """match: of its expression. payloads: which values have to be decoded. lead: what each of its lines begins with."""

    example: Example
    match: "Callable[[str, int, int], re.Match[str] | None]"
    payloads: tuple[int, ...]
    lead: bytes


class Alike:
    """Learns forms (`learn`) and finds events that have one (`find`), of any number of sources. leads: what their lines begin with."""

    def __init__(self, limits: Limits, fields: FieldTable) -> None:
        self._limits, self._fields = limits, fields
        self._forms: list[_Form] = []
        self._next: dict[int, int] = {}  # number of a form → of the one that came behind it
        self._last = 0
        self._known: set[str] = set()
        self._tries = 0
        self._barren: dict[tuple[str, object], int] = {}
        self.leads: tuple[bytes, ...] = ()
        self._block = b""
        self._text = ""
        self._payloads: dict[str, Any] = {}
        self._recent: list[int] = []  # numbers of forms, those first that were found last
        self._missed = 0  # lines since the last that had a form, though they began like one
        self._depth = min(limits.depth, _DEPTH) - 3  # of a payload: it stands in an item or turn, in an event

    def find(self, block: bytes, at: int, end: int, offset: int, rows: Rows) -> int:
        """Adds the lines of `block` from `at` on that have a known form to `rows`, and says where they end. offset: where the block
        begins in the source."""
        if block is not self._block:
            if len(block) > self._limits.record_bytes:
                return at
            # A character a byte: what is no ASCII can only stand in payloads, which are decoded from their bytes.
            self._block, self._text = block, block.decode("latin-1")
        text, forms, behind = self._text, self._forms, self._next
        add_example, add_values, add_byte = rows.examples.append, rows.values.append, rows.bytes.append
        if self._missed >= _MISSES and self._missed % _SELDOM:
            self._missed += 1
            return at
        before = ~self._last  # what comes first here comes behind something else
        while at < end:
            number = behind.get(before, 0)
            example, match_form, payloads, _ = forms[number]
            match = match_form(text, at, end)
            if match is None:
                if not block.startswith(self.leads, at):
                    break
                other = self._other(block, at, end, number)
                if other is None:
                    self._missed += 1
                    break
                number, match = other
                behind[before] = number
                example, _, payloads, _ = forms[number]
            values: tuple[Any, ...] | None = match.groups()
            if payloads:
                values = self._decoded(payloads, match.groups())
            if values is None:
                self._missed += 1
                break
            add_example(example)
            add_values(values)
            add_byte(offset + at)
            self._last = before = number
            self._missed = 0
            at = match.end()
        return at

    def _other(self, block: bytes, at: int, end: int, tried: int) -> "tuple[int, re.Match[str]] | None":
        left = _TRIED
        for number in self._recent:
            form = self._forms[number]
            if number != tried and block.startswith(form.lead, at):
                match = form.match(self._text, at, end)
                if match is not None:
                    self._recent.remove(number)
                    self._recent.insert(0, number)
                    return number, match
                left -= 1
                if not left:
                    break
        return None

    def _decoded(self, payloads: tuple[int, ...], values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        found = list(values)
        for number in payloads:
            text = found[number]
            if text[0] == '"' and "\\" not in text and text.isascii():
                if len(text) - 2 > _LONGEST:
                    return None
                found[number] = text[1:-1]
                continue
            value = self._payloads.get(text, self)
            if value is self and (value := self._payload(text)) is self:
                return None
            found[number] = value
        return tuple(found)

    def _payload(self, text: str) -> Any:
        """Decodes a payload, and remembers a short one: a call's arguments come several times. Itself where the event has to be looked
        at."""
        raw = text.encode("latin-1")
        if too_deep(raw, self._depth):
            return self
        try:
            value = loads(raw)
        except ValueError:
            return self
        if value.__class__ is str:
            if len(value) > _LONGEST:
                return self
        elif large(value) or given_twice(raw, value):
            return self
        if len(text) <= _LONGEST:
            if len(self._payloads) >= _REMEMBERED:
                self._payloads.clear()
            self._payloads[text] = value
        return value

    def learn(self, kind: Kind, raw: bytes, value: dict[str, Any]) -> None:
        """Takes the form of an event of this kind that was decoded without a doubt, if it has one."""
        item = value.get("item")
        type_ = item.get("type") if kind is Kind.ITEM_EVENT and item.__class__ is dict else None
        if kind is Kind.ITEM_EVENT and (type_.__class__ is not str or type_ not in TYPES):
            return
        key = value["type"], type_
        barren = self._barren.get(key, 0)
        if len(self._forms) >= _FORMS or self._tries >= _TRIES or barren >= _BARREN:
            return
        self._tries += 1
        mold = Mold(raw.decode("latin-1"))
        ids = self._fields.ids(kind, value["type"], mold.value) if mold.take(value) else None
        if ids is None or (kind is Kind.TURN_EVENT and ids.turn_id is None):  # of which there is no fact
            self._barren[key] = barren + 1
            return
        self._barren[key] = 0
        expression = mold.expression
        if expression in self._known:
            return
        self._known.add(expression)
        record = Record(kind, value["type"], mold.value, ids, Origin("", 0, 0))
        example = Example(record, tuple(mold.stand_ins), frozenset(mold.numbers), frozenset(mold.shared))
        self._recent.insert(0, len(self._forms))
        self._forms.append(_Form(example, re.compile(expression).match, tuple(mold.payloads), mold.lead.encode()))
        self.leads = tuple({form.lead for form in self._forms})
