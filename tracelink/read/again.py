"""Snapshots that repeat: a stream sends the whole session object again and again, and nearly all of it is what it was before.

Two short cuts, each proved on a decoded example before it is used:

- A text that differs from an earlier one in its event id and in `last_active_at` only is that value with these two put in.
- Where the text of the agent (its instructions and tools, most of a snapshot) stands again in the same place, only the rest is decoded
  and the agent's value is put in.

Why the second is sound: the agent's text is cut out together with the member name before it, `,"agent":`, and a string that nobody
knows stands in for it. Outside a string that text is a member; inside a string its first quotation mark would end the string
and make the line no JSON, before as after. Behind a string may follow what may follow behind an object, and nothing else. So the shorter
text is JSON exactly if the whole is, and where the string turns up as the session's agent, the agent's text was there.
"""

import os
import re
from typing import Any, NamedTuple

from orjson import dumps

from tracelink.model.location import Origin
from tracelink.model.record import Example, Kind, Record
from tracelink.read.decode import given_twice, loads, too_deep
from tracelink.read.fields import FieldTable
from tracelink.read.long_numbers import lost
from tracelink.read.nesting import DONE, Nesting

SHORTEST = 600  # bytes; decoding less is cheaper than knowing better
_KEPT = 6  # shapes, and agents, kept at once
_EARLY = 4  # snapshots of a source whose shapes are not looked at: a short file would not earn back what it learns
_TRIES = 200  # fruitless lessons in a row before a source is given up

_EVENT_ID = re.compile(rb'"event_id"[ \t]*:[ \t]*"')
_ACTIVE = re.compile(rb'"last_active_at"[ \t]*:[ \t]*')
_AGENT = re.compile(rb'[{,][ \t]*"agent"[ \t]*:[ \t]*(?=\{)')
_ID = re.compile(rb"[\x20\x21\x23-\x5b\x5d-\x7e]++")
_INTEGER = re.compile(rb"[1-9][0-9]{0,15}")


class _Shape(NamedTuple):
    """literals: the text around the two places, in order; id_first: which of them comes first."""

    literals: tuple[bytes, bytes, bytes]
    id_first: bool
    value: dict[str, Any]
    session: dict[str, Any]
    example: Example


class _Agent(NamedTuple):
    """text: of the agent, with the member name before it. depth: how deep it is nested in itself."""

    text: bytes
    at: int
    name: int
    depth: int
    value: Any


class Again:
    """`find` and `known` give the value of a text without decoding all of it, `learn` takes a decoded one in.

    starts: what the texts begin with that `find` may know.
    """

    def __init__(self, depth: int, fields: FieldTable) -> None:
        self._depth, self._fields = depth, fields
        self._shapes: list[_Shape] = []
        self._newest: dict[str, _Shape] = {}  # type of event → the shape learned last
        self.starts: tuple[bytes, ...] = ()
        self._agents: list[_Agent] = []
        self._stand_in = os.urandom(16).hex()
        self._token = f'"{self._stand_in}"'.encode()
        self._fruitless = self._lessons = 0
        self._missed: dict[str, int] = {}  # type of event → its texts since the last shape of them that repeated

    def find(self, block: bytes, at: int) -> tuple[Example, tuple[str, str], int] | None:
        """The snapshot in the line of `block` that begins at `at`, which has an end, if it has a known shape: what it is like, its event
        id and `last_active_at`, and where the next line begins."""
        for shape in self._shapes:
            if block.startswith(shape.literals[0], at):
                found = _filled(shape, block, at)
                if found is not None:
                    event_id, active, end = found
                    if block[end] == 13:
                        end += 1
                    if block[end] == 10:
                        self._repeats(shape)
                        return shape.example, (event_id, active), end + 1
        return None

    def known(self, raw: bytes) -> dict[str, Any] | None:
        """The value of `raw`, which then has no doubts; None where it must be decoded."""
        for shape in self._shapes:
            if raw.startswith(shape.literals[0]):
                found = _filled(shape, raw, 0)
                if found is not None and found[2] == len(raw):
                    self._repeats(shape)
                    session = shape.session | {"last_active_at": int(found[1])}
                    return shape.value | {"event_id": found[0], "session": session}
        for agent in self._agents:
            at = agent.at if raw.startswith(agent.text, agent.at) else raw.find(agent.text)
            if at >= 0:
                return self._around(agent, raw, at)
        return None

    def _repeats(self, shape: _Shape) -> None:
        self._fruitless = 0
        type_ = shape.value["type"]
        if self._missed.get(type_) and shape is self._newest.get(type_):
            self._missed[type_] = 0

    def _around(self, agent: _Agent, raw: bytes, at: int) -> dict[str, Any] | None:
        rest = raw[: at + agent.name] + self._token + raw[at + len(agent.text) :]
        if too_deep(rest, self._depth - agent.depth):
            return None
        try:
            value = loads(rest)
        except ValueError:
            return None
        session = value.get("session") if value.__class__ is dict else None
        if session.__class__ is not dict or session.get("agent") != self._stand_in or given_twice(rest, value) or lost(session):
            return None
        session["agent"] = agent.value
        self._fruitless = 0
        found: dict[str, Any] = value
        return found

    def confirm(self, raw: bytes, value: dict[str, Any]) -> None:
        """`value` is what `known` gave for `raw`, and it is a bare session event: further ones of its shape need not be looked at."""
        type_ = value["type"]
        self._missed[type_] = missed = self._missed.get(type_, 0) + 1
        if missed & (missed - 1) == 0 or self._lessons <= _EARLY:  # ever more rarely, where no two are alike
            self._keep(raw, value, value["session"])

    def learn(self, raw: bytes, value: dict[str, Any]) -> None:
        """`value` is what `raw` decodes to, without any doubt; it is a bare session event."""
        session = value.get("session")
        if self._fruitless > _TRIES or session.__class__ is not dict:
            return
        assert isinstance(session, dict)  # noqa: S101 - for the type checker
        self._fruitless += 1
        self._keep(raw, value, session)
        agent = self._agent(raw, session)
        if agent is not None:
            self._agents = [agent, *self._agents[: _KEPT - 1]]

    def _agent(self, raw: bytes, session: dict[str, Any]) -> _Agent | None:
        match = _AGENT.search(raw)
        if match is None or session.get("agent").__class__ is not dict:
            return None
        if any(raw.startswith(known.text, match.start()) for known in self._agents):
            return None  # it is known; something else about this text had to be decoded
        end = _end(raw, match.end(), session["agent"])
        text = raw[match.start() : end]
        try:
            same = loads(text[match.end() - match.start() :])
        except ValueError:
            return None
        if same != session["agent"]:
            return None
        return _Agent(text, match.start(), match.end() - match.start(), _depth(same), session["agent"])

    def _keep(self, raw: bytes, value: dict[str, Any], session: dict[str, Any]) -> None:
        self._lessons += 1
        if self._lessons <= _EARLY or b"\n" in raw:  # what stands in several lines is never one of them
            return
        shape = self._shape(raw, value, session)
        if shape is not None:
            first = shape.literals[0]
            self._newest[shape.value["type"]] = shape
            self._shapes = [shape, *(one for one in self._shapes[: _KEPT - 1] if one.literals[0] != first)]
            self.starts = tuple(one.literals[0] for one in self._shapes)

    def _shape(self, raw: bytes, value: dict[str, Any], session: dict[str, Any]) -> _Shape | None:
        event_id, active = value.get("event_id"), session.get("last_active_at")
        if event_id.__class__ is not str or active.__class__ is not int:
            return None
        if raw.count(b'"event_id"') != 1 or raw.count(b'"last_active_at"') != 1:
            return None
        found = _member(_EVENT_ID, raw, raw.find(b'"event_id"')), _member(_ACTIVE, raw, raw.find(b'"last_active_at"'))
        if found[0] is None or found[1] is None:
            return None
        one, two = _ID.match(raw, found[0]), _INTEGER.match(raw, found[1])
        if one is None or two is None or one.group().decode() != event_id or int(two.group()) != active:
            return None
        id_first = one.start() < two.start()
        first, second = (one, two) if id_first else (two, one)
        literals = raw[: first.start()], raw[first.end() : second.start()], raw[second.end() :]
        if literals[1 if id_first else 2][:1] != b'"' or literals[2 if id_first else 1][:1] not in (b",", b"}", b" "):
            return None
        shape = _Shape(literals, id_first, value, session, self._example(value, session))
        return shape if self._is_sure(shape) else None

    def _is_sure(self, shape: _Shape) -> bool:
        """Whether the two places are those of the members: other values there are found in the members."""
        one, two = self._stand_in, shape.session["last_active_at"] + 1
        before, between, after = shape.literals
        first, second = (one, str(two)) if shape.id_first else (str(two), one)
        value = loads(b"".join((before, first.encode(), between, second.encode(), after)))
        return bool(value["event_id"] == one and value["session"]["last_active_at"] == two)

    def _example(self, value: dict[str, Any], session: dict[str, Any]) -> Example:
        """Made with the very members of the session, which the fold knows again."""
        stand_ins = self._stand_in, (1 << 52) + int.from_bytes(os.urandom(6), "big")
        like = value | {"event_id": stand_ins[0], "session": session | {"last_active_at": stand_ins[1]}}
        ids = self._fields.ids(Kind.SESSION_EVENT, value["type"], like)
        record = Record(Kind.SESSION_EVENT, value["type"], like, ids, Origin("", 0, 0))
        return Example(record, stand_ins, numbers=frozenset((1,)))


def _end(raw: bytes, at: int, value: Any) -> int:
    """Where the object ends that begins at `at` and may be `value`; 0 where it has no end. Most writers write as orjson does."""
    try:
        text = dumps(value)
    except (TypeError, ValueError):
        text = b""
    if text and raw.startswith(text, at):
        return at + len(text)
    state, end = Nesting().feed(raw, -at, at)
    return end if state == DONE else 0


def _depth(value: Any) -> int:
    """How deep a value is nested, 1 for an object of plain members. Not recursive."""
    level, deep = [value], 0
    while level:
        deep += 1
        inner = (one.values() if isinstance(one, dict) else one for one in level)
        level = [child for one in inner for child in one if isinstance(child, dict | list)]
    return deep


def _filled(shape: _Shape, text: bytes, at: int) -> tuple[str, str, int] | None:
    """Event id, `last_active_at` and end of the text that begins at `at` with the shape's first literal."""
    before, between, after = shape.literals
    one, two = (_ID, _INTEGER) if shape.id_first else (_INTEGER, _ID)
    first = one.match(text, at + len(before))
    if first is None or not text.startswith(between, first.end()):
        return None
    second = two.match(text, first.end() + len(between))
    if second is None or not text.startswith(after, second.end()):
        return None
    event_id, active = (first.group(), second.group()) if shape.id_first else (second.group(), first.group())
    return event_id.decode(), active.decode(), second.end() + len(after)


def _member(name: "re.Pattern[bytes]", raw: bytes, at: int) -> int | None:
    """Where the value of the member begins whose name stands at `at`; None where no name stands there."""
    found = name.match(raw, at)
    return found.end() if found is not None and raw[max(0, at - 8) : at].rstrip(b" \t")[-1:] in (b"{", b",") else None
