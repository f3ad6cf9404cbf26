"""What a failed schema is called, what an open schema is, and ids in the words of a refusal."""

from typing import Any

import pytest

from tests.rules.cases import (
    START,
    Json,
    added,
    call,
    codes,
    create,
    done,
    of,
    opening,
    page,
    refusal,
    session,
    subagent,
    told,
    turn,
    user,
    waiting,
)
from tracelink.judge.declared import is_open
from tracelink.rules.tl2_payloads.bounded import Checker

LONG = "n" * 50


@pytest.mark.parametrize(
    ("schema", "value", "said"),
    [
        ({"required": ["a", "b"]}, {"b": 1}, "the top level lacks a (required)"),
        ({"required": list("abcde")}, {}, "the top level lacks a, b, c and 2 more (required)"),
        ({"required": [LONG]}, {}, f"the top level lacks {'n' * 40}… (required)"),
        ({"type": "string"}, None, "the top level is null, not string (type)"),
        ({"type": ["string", "null"]}, 1.5, "the top level is a number, not string or null (type)"),
        ({"type": "string"}, True, "the top level is a boolean, not string (type)"),
        ({"type": "string"}, 3, "the top level is an integer, not string (type)"),
        ({"type": "string"}, [], "the top level is an array, not string (type)"),
        ({"type": "array"}, {}, "the top level is an object, not array (type)"),
        ({"type": "array"}, "x", "the top level is a string, not array (type)"),
        ({"enum": ["a", "b"]}, "c", "the top level is none of the 2 values allowed (enum)"),
        ({"properties": {"a": {"items": {"type": "string"}}}}, {"a": ["x", 1]}, "a[1] is an integer, not string (type)"),
        (False, 1, "the top level is not allowed at all"),
        ({"properties": {"a": False}}, {"a": 1}, "a is not allowed at all"),
        (
            {"items": {"properties": {"a": {"patternProperties": {"^b$": False}}}}},
            [{"a": {"b": 1}}],
            "[0].a.b is not allowed at all",
        ),
        ({"prefixItems": [True, False]}, ["x", "y"], "[1] is not allowed at all"),
        ({"properties": {"a": {"not": {"type": "null"}}}}, {"a": None}, "a does not keep to not"),
        ({"minimum": 3}, 2, "the top level does not keep to minimum"),
        ({"pattern": "^a$"}, "b", "the top level does not keep to pattern"),
        (
            {"properties": {"a": {}}, "additionalProperties": False},
            {"a": 1, "b": 2},
            "the top level has b, which is not declared (additionalProperties)",
        ),
        (
            {"patternProperties": {"^a$": {}}, "additionalProperties": False},
            {"b": 2},
            "the top level has a member, which is not declared (additionalProperties)",
        ),
        (
            {"properties": {"a": {}}, "unevaluatedProperties": False},
            {"a": 1, "b": 2},
            "the top level has a member, which is not declared (unevaluatedProperties)",
        ),
        ({"properties": {LONG: {"type": "null"}}}, {LONG: 1}, f"{'n' * 40} is an integer, not null (type)"),
    ],
)
def test_what_failed_in_our_words(schema: Any, value: Any, said: str) -> None:
    outcome = Checker(1).check(schema, value)
    assert (outcome.problems, outcome.unchecked) == ((said,), None)


def test_a_place_deep_inside_is_cut() -> None:
    schema: Any = {"type": "null"}
    value: Any = 1
    for _ in range(12):
        schema, value = {"properties": {"p" * 20: schema}}, {"p" * 20: value}
    (said,) = Checker(1).check(schema, value).problems
    path = ".".join(["p" * 20] * 12)[:119]
    assert said == f"{path}… is an integer, not null (type)"


@pytest.mark.parametrize(
    ("schema", "open_"),
    [
        (True, True),
        ({}, True),
        (False, False),
        (None, False),
        ({"type": "object"}, True),
        ({"type": ["object", "null"], "title": "T", "description": "D"}, True),
        ({"type": "string"}, False),
        ({"type": ["string"]}, False),
        ({"type": "object", "properties": {}, "required": []}, True),
        ({"type": "object", "properties": {"a": {}}}, False),
        ({"type": "object", "required": ["a"]}, False),
        ({"type": "object", "additionalProperties": True}, True),
        ({"type": "object", "additionalProperties": {}}, True),
        ({"type": "object", "additionalProperties": False}, False),
        ({"type": "object", "minProperties": []}, False),
        ({"patternProperties": {}}, True),
        ({"enum": []}, False),
    ],
)
def test_a_schema_that_takes_any_object(schema: Any, open_: bool) -> None:
    assert is_open(schema) is open_


@pytest.mark.parametrize("mark", ["", ".", ",", ";", ":", ")", "]", ".)"])
def test_punctuation_behind_an_id_in_a_refusal_is_none_of_it(mark: str) -> None:
    """The post itself is not in the recording, so only the words tell."""
    (finding,) = of(told(*waiting(call()), refusal(f"Unknown pending tool call: call_far1{mark}")), "TL307")
    assert finding.ids["call_id"] == "call_far1"


# TL407 from pages: a subagent that was opened within a turn whose items are all there, and no create call among them


def listed(opened: int, *, began: int = 10, ended: int | None = 30, items: tuple[Json, ...] = ()) -> list[str]:
    root = turn("completed")["turn"] | {"created_at": START + began, "completed_at": None if ended is None else START + ended}
    child = subagent(opened=opened)["subagent"]
    rows = [session("idle", at=40), page(root), page(user(), *items), page(child)]
    return [code for code in codes(told(*rows)) if code == "TL407"]


def test_a_subagent_within_a_turn_that_made_none() -> None:
    assert listed(20) == ["TL407"]
    assert listed(10) == ["TL407"]


def test_a_subagent_of_another_time_may_be_of_another_turn() -> None:
    assert listed(9) == []
    assert listed(30) == []  # in the second of the end: it may be later
    assert listed(31) == []
    assert listed(20, ended=None) == []
    assert listed(20, items=(create(),)) == []


def test_the_same_in_a_stream() -> None:
    rows = [*opening(user()), subagent(), turn("completed")]
    assert "TL407" in codes(told(*rows))
    assert "TL407" not in codes(told(*opening(user()), added(create()), done(create()), subagent(), turn("completed")))
