"""Payloads: compared by structure, each difference with its JSONPath."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracelink.compare.payload import changes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "x", "y"]) | st.sampled_from([0.5, 1.0]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["a", "b", "odd name", "it's"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ({"units": 40}, {"units": 50}, [("changed", "$.units", "$.units", 40, 50)]),
        ('{"units": 40}', {"units": 50}, [("changed", "$.units", "$.units", 40, 50)]),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, [("changed", "$.a.b[1]", "$.a.b[1]", 2, 3)]),
        ({"a": 1}, {"a": 1, "odd name": None}, [("only_in_b", None, "$['odd name']", None, None)]),
        ({"it's": 1, "b": 2}, {"b": 2}, [("only_in_a", "$['it\\'s']", None, 1, None)]),
        (
            [{"x": 1}, 2, 3],
            [{"x": 0}, {"x": 1}, 2, 4],
            [("only_in_b", None, "$[0]", None, {"x": 0}), ("changed", "$[2]", "$[3]", 3, 4)],
        ),
        ("done", "undone", [("changed", "$", "$", "done", "undone")]),
        (1, True, [("changed", "$", "$", 1, True)]),
        ([1], [True], [("changed", "$[0]", "$[0]", 1, True)]),
        ("[1, 2", "[1, 3", [("changed", "$", "$", "[1, 2", "[1, 3")]),
    ],
)
def test_what_differs(a: Any, b: Any, expected: list[tuple[Any, ...]]) -> None:
    assert [tuple(one) for one in changes(a, b)] == expected


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ('{"a": [1, 2]}', {"a": [1, 2]}),
        ('{"a":1}', '{ "a" : 1 }'),
        ("x", "x"),
        (None, None),
    ],
)
def test_what_is_the_same(a: Any, b: Any) -> None:
    assert changes(a, b) == []


@given(JSON, JSON)
def test_turned_round_and_complete(a: Any, b: Any) -> None:
    there, back = changes(a, b), changes(b, a)
    turned = {"only_in_a": "only_in_b", "only_in_b": "only_in_a"}
    assert sorted(map(repr, there)) == sorted(
        repr(type(one)(turned.get(one.what, one.what), one.path_b, one.path_a, one.b, one.a)) for one in back
    )
    assert bool(there) == (json.dumps(a, sort_keys=True) != json.dumps(b, sort_keys=True))


def test_nesting_as_deep_as_text_can_be() -> None:
    deep = "[" * 900 + "1" + "]" * 900
    (one,) = changes(deep, deep.replace("1", "2"))
    assert (one.a, one.b) == (1, 2)
