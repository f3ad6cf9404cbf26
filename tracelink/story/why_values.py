"""What `why` answers with, and what it is put together from."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tracelink.model.finding import Finding
from tracelink.model.location import Origin
from tracelink.model.run import SessionReport
from tracelink.model.trace import Trace
from tracelink.story.values import Moment

Said = str | Moment
"""A sentence, or a moment that has its own words and place."""


@dataclass(frozen=True, slots=True)
class Link:
    """One thing before or after: our words with recorded ids in them, its ids, its place and time if it has one."""

    text: str
    ids: dict[str, str] = field(default_factory=dict)
    at: Origin | None = None
    time: float | None = None
    clock: str | None = None
    quoted: Any = None


@dataclass(frozen=True, slots=True)
class Why:
    """facts: labelled values as recorded. seen: a word and a place each, in order. before: what led to it. after: what came of
    it. findings: those that name it."""

    kind: str
    id: str
    session_id: str | None
    what: str
    facts: tuple[tuple[str, Any], ...] = ()
    seen: tuple[tuple[str, Origin], ...] = ()
    before: tuple[Link, ...] = ()
    after: tuple[Link, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(slots=True)
class Parts:
    """The same while it is made. names: further ids under which findings speak of it."""

    what: str
    facts: list[tuple[str, Any]] = field(default_factory=list)
    seen: list[tuple[str, Origin]] = field(default_factory=list)
    before: list[Said] = field(default_factory=list)
    after: list[Said] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


class Told:
    """A session's report with its moments in order, and how to look things up among them."""

    def __init__(self, report: SessionReport, moments: tuple[Moment, ...]) -> None:
        self.report, self.moments = report, moments
        self.places = {one.name: at for at, one in enumerate(moments)}

    @property
    def trace(self) -> Trace:
        return self.report.trace

    def get(self, name: str) -> Sequence[Moment]:
        """The moment of that name, or none."""
        return [self.moments[self.places[name]]] if name in self.places else []

    def begun(self, prefix: str) -> Sequence[Moment]:
        return [one for one in self.moments if one.name.startswith(prefix)]

    def asked(self, turn_id: str | None, before: str | None = None) -> Sequence[Moment]:
        """The last message of a user in the turn, before the moment of that name."""
        end = self.places.get(before or "", len(self.moments))
        found = [one for one in self.moments[:end] if one.kind == "asked" and one.turn_id == turn_id]
        return [worded(one, "the last message before it") for one in found[-1:]]

    def previous(self, name: str) -> Sequence[Moment]:
        """The moment that comes right before in the same turn and moved it, whatever it has to do with it."""
        at = self.places.get(name)
        if at is None:
            return []
        turn_id = self.moments[at].turn_id
        for one in reversed(self.moments[:at]):
            if one.turn_id == turn_id and one.progress:
                return [worded(one, "right before it in its turn")] if one.kind not in ("asked", "turn_began") else []
        return []


def worded(one: Moment, lead: str) -> Moment:
    """The moment, its words led in by what ties it to what is asked about."""
    return replace(one, what=f"{lead}: {one.what}")
