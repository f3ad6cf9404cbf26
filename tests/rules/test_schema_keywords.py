"""Every keyword of a schema that is held against arguments: it finds what it asks for, and one of another kind makes the schema unusable."""

from typing import Any

import pytest

from tracelink.rules.tl2_payloads.bounded import Checker
from tracelink.rules.tl2_payloads.plain import fits

INVALID = "its schema is no valid JSON Schema"

# keyword, what it asks, a value that breaks it, one that keeps to it, and what the keyword may not hold
KEYWORDS: list[tuple[str, Any, Any, Any, Any]] = [
    ("minLength", 2, "a", "ab", "2"),
    ("maxLength", 1, "ab", "a", -1),
    ("minItems", 1, [], [1], True),
    ("maxItems", 1, [1, 2], [1], 1.5),
    ("minProperties", 1, {}, {"a": 1}, None),
    ("maxProperties", 0, {"a": 1}, {}, []),
    ("minimum", 2, 1, 2, "2"),
    ("maximum", 2, 3, 2, True),
    ("exclusiveMinimum", 2, 2, 3, True),
    ("exclusiveMaximum", 2, 2, 1, None),
    ("multipleOf", 2, 3, 4, 0),
    ("pattern", "^a", "b", "a", 5),
    ("$ref", "#/$defs/text", 5, "a", 5),
    ("type", "string", 5, "a", "objekt"),
    ("type", ["string", "null"], 5, None, []),
    ("required", ["a"], {}, {"a": 1}, "a"),
    ("required", ["a"], {}, {"a": 1}, ["a", 5]),
    ("dependentRequired", {"a": ["b"]}, {"a": 1}, {"a": 1, "b": 1}, {"a": "b"}),
    ("enum", ["a", "b"], "c", "a", "abc"),
    ("uniqueItems", True, [1, 2, 1], [1, 2], "yes"),
    ("const", 5, 6, 5, ...),
    ("items", {"type": "string"}, ["a", 5], ["a", "b"], 5),
    ("contains", {"type": "string"}, [5], [5, "a"], "a"),
    ("additionalProperties", False, {"a": 1}, {}, "no"),
    ("propertyNames", {"maxLength": 1}, {"ab": 1}, {"a": 1}, []),
    ("not", {"type": "string"}, "a", 5, "string"),
    ("allOf", [{"type": "string"}, {"minLength": 2}], "a", "ab", []),
    ("anyOf", [{"type": "string"}, {"type": "null"}], 5, None, {}),
    ("oneOf", [{"type": "string"}, {"minLength": 2}], "ab", "a", [5]),
    ("prefixItems", [{"type": "string"}], [5], ["a", 5], {"type": "string"}),
    ("properties", {"a": {"type": "string"}}, {"a": 5}, {"a": "b"}, ["a"]),
    ("patternProperties", {"^a": {"type": "string"}}, {"ab": 5}, {"b": 5}, {"^a": 5}),
    ("dependentSchemas", {"a": {"required": ["b"]}}, {"a": 1}, {"b": 1}, []),
]


@pytest.mark.parametrize(("keyword", "asked", "breaks", "keeps", "wrong"), KEYWORDS, ids=[row[0] for row in KEYWORDS])
def test_a_keyword_finds_what_it_asks_for(keyword: str, asked: Any, breaks: Any, keeps: Any, wrong: Any) -> None:
    schema = {keyword: asked, "$defs": {"text": {"type": "string"}}}
    assert len(Checker(1).check(schema, breaks).problems) == 1
    assert Checker(1).check(schema, keeps) == ((), None)
    if wrong is not ...:
        assert Checker(1).check({**schema, keyword: wrong}, keeps) == ((), INVALID)


def test_what_is_no_keyword_asks_nothing() -> None:
    assert Checker(1).check({"uniqueitems": True, "nullable": 5, "format": "date"}, [1, 1]) == ((), None)
    assert Checker(1).check({"const": None}, 5) == ((), None)  # a null there may be what a recorder left out


@pytest.mark.parametrize(("keyword", "wrong"), [(row[0], row[4]) for row in KEYWORDS if row[4] is not ...])
def test_a_member_that_is_not_there_is_asked_for_no_less_soundly(keyword: str, wrong: Any) -> None:
    """At a look or by the library: the schema of a member that the arguments lack makes the whole unusable, if it is none."""
    schema = {"type": "object", "properties": {"a": {keyword: wrong}}}
    assert not fits(schema, {})
    assert Checker(1).check(schema, {}) == ((), INVALID)


@pytest.mark.parametrize(
    "member",
    [
        {"type": "array", "items": {"type": "string", "enum": ["a"]}},
        {"type": "string", "description": "of the gauge", "default": {}},
        {"enum": ["a", 5]},
    ],
)
def test_a_common_member_that_is_not_there_is_seen_at_a_look(member: Any) -> None:
    assert fits({"type": "object", "properties": {"a": member}}, {})


@pytest.mark.parametrize("keyword", ["properties", "not", "minLength", "additionalProperties", "anyOf", "strange"])
@pytest.mark.parametrize("asked", [{}, {"type": "string"}, {"minLength": {}}])
def test_of_a_member_with_other_keywords_nothing_is_said_at_a_look(keyword: str, asked: Any) -> None:
    assert not fits({"properties": {"a": {keyword: asked}}}, {})


def test_a_check_costs_what_it_looked_at() -> None:
    """Not a whole share of the recording's budget, which would end after a few calls."""
    checker, schema = Checker(), {"properties": {"a": {"minimum": 0}}}
    assert {checker.check(schema, {"a": number}) for number in range(50)} == {((), None)}
