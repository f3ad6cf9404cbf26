"""Recordings → one recording a session, duplicates dropped.

A record belongs to the session that it names itself. Items, posts and refusals name none (fact sheet E, D.2); they go,
in this order, where their turn id, subagent id, request or environment id, or call id was seen with a session; to the only
session of their document; to the session of the post before them (refusals); to the only session of their source; to the
only session of the run. What is left belongs to a recording without a session id.

Duplicates (DESIGN 5.5): the same event_id with the same content is the same event; so is a post whose receive time and
content are those of another.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from tracelink.model.facts import (
    EnvironmentSeen,
    ErrorSeen,
    Fact,
    InputSeen,
    ItemSeen,
    PageSeen,
    RefusalSeen,
    SnapshotSeen,
    StrangerSeen,
    SubagentSeen,
    TroubleSeen,
    TurnSeen,
    WebhookSeen,
)
from tracelink.model.recording import REPEATED, USED, Divided, Recording, Recordings


class _Homes:
    """Which session each id was seen with. An id seen with two sessions decides nothing.

    Made at the first question: a plain event stream, in which every record names its session, never asks.
    """

    def __init__(self, recordings: Recordings) -> None:
        self._recordings = recordings
        self._made = False
        named = {session_id for _, session_id in recordings.sessions if session_id is not None}
        self._lone = next(iter(named)) if len(named) == 1 else None  # where there is one session, everything is its

    def _make(self) -> None:
        recordings = self._recordings
        self._made = True
        self._by_id: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._by_doc: dict[tuple[int, int], set[str]] = defaultdict(set)
        self._by_source: dict[int, set[str]] = defaultdict(set)
        self._all: set[str] = set()
        for (index, session_id), _ in recordings.sessions.items():
            if session_id is not None:
                self._by_source[index].add(session_id)
                self._all.add(session_id)
        for fact in recordings.facts:
            session_id = None if isinstance(fact, TroubleSeen) else fact.session_id
            if session_id is not None:
                self._by_doc[fact.at.index, fact.at.doc].add(session_id)
                for key in _ids(fact):
                    self._by_id[key].add(session_id)

    def of(self, fact: Fact, before: str | None) -> str | None:
        """The session of a fact that names none; `before` is the session of the post before it in its source."""
        if self._lone is not None:
            return self._lone
        if not self._made:
            self._make()
        for key in _ids(fact):
            home = _only(self._by_id.get(key))
            if home is not None:
                return home
        home = _only(self._by_doc.get((fact.at.index, fact.at.doc)))
        if home is None and isinstance(fact, RefusalSeen):
            home = before
        return home or _only(self._by_source.get(fact.at.index)) or _only(self._all)


def _only(homes: set[str] | None) -> str | None:
    return next(iter(homes)) if homes is not None and len(homes) == 1 else None


def _ids(fact: Fact) -> Iterator[tuple[str, str]]:
    """The ids of a fact that tie it to a session, strongest first."""
    if isinstance(fact, SnapshotSeen):
        for action in fact.body.actions:
            yield from _pairs(
                turn=action.turn_id, request=action.request_id, environment=action.environment_id, call=action.call_id
            )
        yield from _pairs(environment=fact.body.environment_id)
    elif isinstance(fact, TurnSeen):
        yield from _pairs(turn=fact.turn_id, agent=fact.subagent_id)
    elif isinstance(fact, ItemSeen):
        yield from _pairs(turn=fact.turn_id, item=fact.item_id, request=fact.request_id, call=fact.call_id)
    elif isinstance(fact, InputSeen):
        yield from _pairs(turn=fact.turn_id, request=fact.request_id, call=fact.call_id)
    elif isinstance(fact, SubagentSeen):
        yield from _pairs(agent=fact.subagent_id)
    elif isinstance(fact, EnvironmentSeen):
        yield from _pairs(turn=fact.turn_id, environment=fact.environment_id)
    elif isinstance(fact, RefusalSeen):
        call = fact.message.rpartition(":")[2].strip() if "tool call" in fact.message else None
        yield from _pairs(call=call or None)


def _pairs(**ids: str | None) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, value in ids.items() if value is not None)


def divide(recordings: Recordings) -> Divided:
    """Split by session. The result shares the facts, and changes nothing of its input."""
    homes = _Homes(recordings)
    troubles: list[TroubleSeen] = []
    strangers: list[StrangerSeen] = []
    by_session: dict[str | None, Recording] = {}
    counts = dict(recordings.counts)
    known: set[object] = set()
    delivered: dict[str | None, _Delivered] = {}
    last_post: dict[int, str | None] = {}
    pages: list[PageSeen] = []
    recording: Recording | None = None
    for fact in recordings.facts:
        session_id = fact.session_id
        if session_id is None or fact.__class__ in _SPECIAL:
            if isinstance(fact, TroubleSeen):
                troubles.append(fact)
                continue
            if isinstance(fact, StrangerSeen):
                strangers.append(fact)
                if session_id is None:
                    continue
            elif session_id is None:
                session_id = homes.of(fact, last_post.get(fact.at.index))
            if isinstance(fact, InputSeen):
                last_post[fact.at.index] = session_id
            elif isinstance(fact, PageSeen) and session_id is None:
                pages.append(fact)
                continue
        if recording is None or session_id != recording.session_id:
            recording = by_session.get(session_id)
            if recording is None:
                recording = by_session[session_id] = Recording(session_id, clocked=False)
                delivered[session_id] = _Delivered(recording.order)
        at = fact.at
        if at.received is not None:
            recording.clocked = True
        identity = at.event_id if at.event_id is not None else _post_identity(fact)
        if identity is not None:
            count = len(known)
            known.add(identity)
            if len(known) == count:  # it was there: perhaps in another session or at a fact of another kind
                earlier = delivered[session_id].first(fact, identity)
                if earlier is not None and earlier[1:] == fact[1:]:
                    recording.repeats.append((at.event_id or "", earlier.at, at))
                    _move(counts, at.index)
                    continue
        if isinstance(fact, ItemSeen):
            recording.order.append(fact)
            key = (fact.turn_id, fact.item_id or f"(no id at {at.source}:{at.line}:{at.byte})")
            history = recording.items.get(key)
            if history is None:
                recording.items[key] = [fact]
            else:
                history.append(fact)
        else:
            _put(recording, fact)
    members = _members(by_session.values()) if pages else {}
    for page in pages:  # a page goes where its members went
        session_ids = members.get((page.at.index, page.at.doc), {None})
        session_id = next(iter(session_ids)) if len(session_ids) == 1 else None
        if session_id in by_session:
            _put(by_session[session_id], page)
            by_session[session_id].clocked |= page.at.received is not None
        elif not by_session:
            by_session[None] = Recording(None, pages=[page], order=[page])
    if len({index for index, _ in recordings.sessions}) > 1:
        for recording in by_session.values():
            _by_time(recording)
    _bursts(recordings, homes, by_session)
    found = list(by_session.values())
    return Divided(found, troubles, strangers, counts, dict(recordings.sessions))


_SPECIAL = frozenset((TroubleSeen, StrangerSeen, InputSeen, PageSeen))
"""Kinds of facts that need a question more before they are put to their session."""


class _Delivered:
    """What the facts of one recording were delivered under. Filled at the first question: most recordings hold nothing twice."""

    def __init__(self, order: list[Fact]) -> None:
        self._order, self._taken = order, 0
        self._first: dict[tuple[type, object], Fact] = {}

    def first(self, fact: Fact, identity: object) -> Fact | None:
        """The first fact of the same kind and identity, None if there is none before this one."""
        for one in self._order[self._taken :]:
            known = one.at.event_id if one.at.event_id is not None else _post_identity(one)
            if known is not None:
                self._first.setdefault((one.__class__, known), one)
        self._taken = len(self._order)
        return self._first.get((fact.__class__, identity))


def _post_identity(fact: Fact) -> object | None:
    """What makes two facts without an event id the same delivery, None for what is never one."""
    if isinstance(fact, InputSeen) and fact.at.received is not None:
        return (fact.at.received, fact.type, fact.turn_id, fact.call_id, fact.request_id)
    return None


def _members(recordings: Iterable[Recording]) -> dict[tuple[int, int], set[str | None]]:
    """Document (source index and number) → the sessions that its records went to."""
    found: dict[tuple[int, int], set[str | None]] = defaultdict(set)
    for recording in recordings:
        for at in chain((fact.at for fact in recording.order), (again for _, _, again in recording.repeats)):
            found[at.index, at.doc].add(recording.session_id)
    return found


def _move(counts: dict[tuple[int, str], int], index: int) -> None:
    counts[index, USED] = counts.get((index, USED), 1) - 1
    counts[index, REPEATED] = counts.get((index, REPEATED), 0) + 1


def _put(recording: Recording, fact: Fact) -> None:
    recording.order.append(fact)
    if isinstance(fact, SnapshotSeen):
        recording.snapshots.append(fact)
    elif isinstance(fact, TurnSeen):
        recording.turns.setdefault(fact.turn_id, []).append(fact)
    elif isinstance(fact, SubagentSeen):
        recording.subagents.setdefault(fact.subagent_id, []).append(fact)
    elif isinstance(fact, InputSeen):
        recording.inputs.append(fact)
    elif isinstance(fact, EnvironmentSeen):
        recording.environments.append(fact)
    elif isinstance(fact, ErrorSeen):
        recording.errors.append(fact)
    elif isinstance(fact, RefusalSeen):
        recording.refusals.append(fact)
    elif isinstance(fact, WebhookSeen):
        recording.webhooks.append(fact)
    elif isinstance(fact, PageSeen):
        recording.pages.append(fact)
    elif isinstance(fact, StrangerSeen):
        recording.strangers.append(fact)


def _by_time(recording: Recording) -> None:
    """Puts what several sources say of one object in order of time, where each of them has receive times (DESIGN 5.4)."""
    if len({fact.at.index for fact in recording.order}) < 2:
        return
    histories: list[list[Any]] = [recording.snapshots, *recording.turns.values(), *recording.items.values()]
    for history in [*histories, *recording.subagents.values()]:
        if len({one.at.index for one in history}) > 1 and all(one.at.received is not None for one in history):
            history.sort(key=lambda one: one.at.received)


def _bursts(recordings: Recordings, homes: _Homes, by_session: dict[str | None, Recording]) -> None:
    for (_, session_id, turn_id), bursts in recordings.bursts.items():
        for burst in bursts:
            home = session_id
            if home is None:
                # By its turn, as the environment's events are.
                home = homes.of(EnvironmentSeen(burst.first, None, turn_id, None, None, None, None, None), None)
            if home in by_session:
                by_session[home].bursts.append((turn_id, burst))
                by_session[home].clocked |= burst.first.received is not None or burst.last.received is not None
            elif home is not None:
                by_session[home] = Recording(home, bursts=[(turn_id, burst)])
