"""Collects differences, and what only one side records.

A value that one side does not record contradicts nothing: it is noted as untold, and is no difference.
"""

from typing import Any

from tracelink.compare.payload import changes
from tracelink.compare.steps import Placed
from tracelink.compare.values import CHANGED, MOVED, ONLY_IN_A, ONLY_IN_B, TURN, Difference, Untold
from tracelink.model.location import Location, Origin

Place = Origin | Location | None

Pinned = list[tuple[Origin | None, Origin | None]]
"""Places of the same thing on both sides."""


class Thing:
    """What differences are of: its kind, its name, its ids and its place on both sides (None where a side has no such thing)."""

    __slots__ = ("at_a", "at_b", "ids_a", "ids_b", "kind", "name")

    def __init__(
        self, kind: str, name: str | None, ids_a: dict[str, str], ids_b: dict[str, str], at_a: Place, at_b: Place
    ) -> None:
        self.kind, self.name, self.ids_a, self.ids_b, self.at_a, self.at_b = kind, name, ids_a, ids_b, at_a, at_b


class Notes:
    """In the order in which they were found."""

    def __init__(self) -> None:
        self.placed: list[Placed] = []
        self.untold: list[Untold] = []

    def alone(self, thing: Thing, side: str, value: Any = None) -> None:
        """The whole thing stands on one side (`a` or `b`) only."""
        if side == "a":
            self._add(thing, ONLY_IN_A, "", None, None, value, None)
        else:
            self._add(thing, ONLY_IN_B, "", None, None, None, value)

    def moved(self, thing: Thing) -> None:
        self._add(thing, MOVED, "", None, None, None, None)

    def plain(self, thing: Thing, field: str, a: Any, b: Any, *, timed: bool = True) -> None:
        """A field that is compared as it is. timed: False for how a thing stands in the end, which is at no place in time."""
        if a is None or b is None:
            self.missing(thing, field, a, b)
        elif a != b:
            self._add(thing, CHANGED, field, None, None, a, b, timed)

    def known(self, thing: Thing, field: str, a: Any, b: Any) -> None:
        """A field of which both sides are known to speak: absence is a value too."""
        if a != b:
            self._add(thing, CHANGED, field, None, None, a, b)

    def payload(self, thing: Thing, field: str, a: Any, b: Any) -> None:
        """A field that is compared as JSON, by structure."""
        if a is None or b is None:
            self.missing(thing, field, a, b)
            return
        for one in changes(a, b):
            self._add(thing, one.what, field, one.path_a, one.path_b, one.a, one.b)

    def ids(self, thing: Thing) -> None:
        """Ids of one thing that are not the same on both sides. A turn's id is told of the turn alone."""
        for name in thing.ids_a:
            if name in thing.ids_b and (name != "turn_id" or thing.kind == TURN):
                self.plain(thing, name, thing.ids_a[name], thing.ids_b[name])

    def missing(self, thing: Thing, field: str, a: Any, b: Any) -> None:
        """Notes that one side does not record the field, if the other does."""
        if (a is None) != (b is None):
            side = "a" if b is None else "b"
            self.untold.append(Untold(thing.kind, field, side, thing.ids_a if side == "a" else thing.ids_b))

    def _add(
        self, thing: Thing, what: str, field: str, path_a: str | None, path_b: str | None, a: Any, b: Any,
        timed: bool = True,
    ) -> None:  # fmt: skip
        found = Difference(
            thing.kind, what, field, path_a, path_b, a, b, thing.name, thing.ids_a, thing.ids_b,
            _location(thing.at_a), _location(thing.at_b),
        )  # fmt: skip
        self.placed.append(Placed(found, *((_origin(thing.at_a), _origin(thing.at_b)) if timed else (None, None))))


def _origin(at: Place) -> Origin | None:
    return at if isinstance(at, Origin) else None


def _location(at: Place) -> Location | None:
    return at.location if isinstance(at, Origin) else at
