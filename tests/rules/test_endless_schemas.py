"""A schema that refers to itself without end is ended by a bound of ours, and not by the interpreter's.

Where Python's stack ends, a library written in Rust may be the one that finds out: it panics, with an exception that is none
(`BaseException`), so that the whole run dies. Whether it is depends on how deep the caller stands: a debugger or the measuring of
coverage is enough.
"""

import sys
from typing import Any

import pytest
from referencing._core import Resolver

from tracelink.rules.tl2_payloads.bounded import Checker

ENDLESS: list[tuple[Any, Any]] = [
    ({"$ref": "#"}, {"gauge": 3}),
    ({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}, {}),
    ({"allOf": [{"$ref": "#"}]}, {}),
    ({"unevaluatedProperties": False, "$ref": "#"}, {"gauge": 3}),
    ({"unevaluatedProperties": False, "anyOf": [True, {"$ref": "#"}]}, {"gauge": 3}),
    ({"$dynamicAnchor": "a", "properties": {"gauge": {"not": {"$ref": "#/properties/gauge"}}}}, {"gauge": 3}),
    ({"$dynamicAnchor": "a", "not": {"$dynamicRef": "#a"}}, {"gauge": 3}),
]


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The references that the library follows, as it follows them."""
    found: list[str] = []
    lookup = Resolver.lookup

    def counted(self: Any, ref: str) -> Any:
        found.append(ref)
        return lookup(self, ref)

    monkeypatch.setattr(Resolver, "lookup", counted)
    return found


def references(followed: list[str], schema: Any, value: Any, room: int) -> int:
    """How many references are followed, with room for so many frames more than now."""
    before, frame, depth = sys.getrecursionlimit(), sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    followed.clear()
    sys.setrecursionlimit(depth + room)
    try:
        Checker(1).check(schema, value)
    finally:
        sys.setrecursionlimit(before)
    return len(followed)


@pytest.mark.parametrize(("schema", "value"), ENDLESS)
def test_it_is_not_checked_and_nobody_is_accused(schema: Any, value: Any) -> None:
    outcome = Checker(1).check(schema, value)
    assert outcome.problems == ()
    assert outcome.unchecked is not None


@pytest.mark.parametrize(("schema", "value"), ENDLESS)
def test_the_end_does_not_hang_on_pythons_stack(schema: Any, value: Any, followed: list[str]) -> None:
    assert references(followed, schema, value, 900) == references(followed, schema, value, 1800)


def test_a_finite_schema_is_looked_at_alike_on_any_stack(followed: list[str]) -> None:
    """The comparison is quiet where it should be, and sees what is followed."""
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "integer"}}}
    assert references(followed, schema, {"a": "x"}, 900) == references(followed, schema, {"a": "x"}, 1800) > 0


def tree(depth: int, leaf: Any) -> Any:
    value = {"size": leaf}
    for _ in range(depth):
        value = {"size": 1, "parts": [value, {"size": 2}]}
    return value


TREE = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "properties": {"size": {"$ref": "#/$defs/size"}, "parts": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
        },
        "size": {"type": "integer"},
    },
}


def test_a_schema_that_refers_to_itself_with_an_end_is_checked_to_it() -> None:
    assert Checker(1).check(TREE, tree(25, 3)) == ((), None)
    (said,) = Checker(1).check(TREE, tree(25, "large")).problems
    assert said.endswith("(type)")


def test_what_is_nested_deeper_than_the_stack_is_sure_to_bear_is_not_checked() -> None:
    deep: Any = {"$ref": "#/$defs/node"}
    for _ in range(12):
        deep = {"allOf": [deep]}
    schema = {**deep, "$defs": {"node": {"properties": {"a": deep}}}}
    value: Any = 1
    for _ in range(40):
        value = {"a": value}
    outcome = Checker(1).check(schema, value)
    assert (outcome.problems, outcome.unchecked) == ((), "the arguments are too large or too deep to check")
