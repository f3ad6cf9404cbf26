"""What fits at a look fits for the library too, and what does not is never said to."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracelink.rules.tl2_payloads.bounded import Checker, Outcome
from tracelink.rules.tl2_payloads.plain import fits

NAMES = st.sampled_from(["sku", "count", "note"])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(-2, 2), st.sampled_from(["", "a", "sku"]))
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "object", "array", "null", "strange", 3])
SCHEMAS = st.recursive(
    st.fixed_dictionaries(
        {}, optional={"type": TYPES, "enum": st.lists(LEAVES, max_size=3), "title": LEAVES, "pattern": st.just("^a")}
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES,
            "properties": st.dictionaries(NAMES, inner, max_size=3) | st.just(3),
            "required": st.lists(NAMES, max_size=2) | st.just([4]),
            "additionalProperties": st.booleans() | inner,
            "items": inner,
            "minimum": st.just(0),
        },
    ),
    max_leaves=6,
)


@given(SCHEMAS, VALUES)
def test_what_fits_at_a_look_fits(schema: Any, value: Any) -> None:
    if fits(schema, value):
        assert Checker()._check(schema, value) == Outcome()


TOOL = {
    "type": "object",
    "properties": {"sku": {"type": "string", "description": "of the shelf"}, "count": {"type": "integer"}},
    "required": ["sku"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("value", [{"sku": "a"}, {"sku": "a", "count": 2}])
def test_the_common_case_is_seen_at_a_look(value: Any) -> None:
    assert fits(TOOL, value)


@pytest.mark.parametrize(
    "value", [{}, {"sku": 1}, {"sku": "a", "count": True}, {"sku": "a", "more": 1}, [], None, {"sku": "a", "count": 1.5}]
)
def test_what_does_not_fit_is_left_to_the_library(value: Any) -> None:
    assert not fits(TOOL, value)
    assert Checker().check(TOOL, value).problems
