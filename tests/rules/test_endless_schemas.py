"""A schema that refers to itself without end is ended by a bound of ours, and not by the interpreter's.

Where Python's stack ends, a library written in Rust may be the one that finds out: it panics, with an exception that is none
(`BaseException`), so that the whole run dies. Whether it is depends on how deep the caller stands: a debugger or the measuring of
coverage is enough.
"""

import sys
from typing import Any

import pytest

from tracelink.rules.tl2_payloads.bounded import Checker

ENDLESS: list[tuple[Any, Any]] = [
    ({"$ref": "#"}, {"gauge": 3}),
    ({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}, {}),
    ({"allOf": [{"$ref": "#"}]}, {}),
]


class Counting(Checker):
    """A checker that knows how many keywords were looked at."""

    looked = 0

    def _spend(self, steps: int) -> None:
        self.looked += 1
        super()._spend(steps)


def looked(schema: Any, value: Any, room: int) -> tuple[int, str | None]:
    """Keywords looked at, and what was said, with room for so many frames more than now."""
    before, frame, depth = sys.getrecursionlimit(), sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(depth + room)
    try:
        checker = Counting(1)
        said = checker.check(schema, value).unchecked
    finally:
        sys.setrecursionlimit(before)
    return checker.looked, said


@pytest.mark.parametrize(("schema", "value"), ENDLESS)
def test_it_is_not_checked_and_nobody_is_accused(schema: Any, value: Any) -> None:
    outcome = Checker(1).check(schema, value)
    assert outcome.problems == ()
    assert outcome.unchecked is not None


@pytest.mark.parametrize(("schema", "value"), ENDLESS)
def test_the_end_does_not_hang_on_pythons_stack(schema: Any, value: Any) -> None:
    assert looked(schema, value, 900) == looked(schema, value, 1800)


def test_a_finite_schema_is_looked_at_alike_on_any_stack() -> None:
    """The comparison is quiet where it should be."""
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "integer"}}}
    assert looked(schema, {"a": "x"}, 900) == looked(schema, {"a": "x"}, 1800)
