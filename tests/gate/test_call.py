"""The seven answers of the per-item gate: a truth table, and the same order as the article's own function."""

import itertools
import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracelink.gate import VERDICTS, judge_call
from tracelink.gate.call import Verdict
from tracelink.rules.tl2_payloads.bounded import Checker

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
TOOLS = {"f": SCHEMA}


def verdict(item: Any, tools: dict[str, Any] | None = TOOLS) -> Verdict:
    return judge_call(item, tools, Checker(1))


# Each dimension: values that pass it first, then those that fail it. An item fails at the first dimension that is not passed.
TYPES = {
    "ok": ["function_call"],
    "namespaced": ["acme:call", ":", None, 3, ["function_call"]],
    "not_function_call": ["message", "", "Function_call"],
}
STATES = {"ok": ["completed"], "status": ["in_progress", "incomplete", "failed", "Completed", None, True]}
ARGUMENTS = {
    "ok": ['{"n": 1}', ' {"n":1} ', '{"n": 1, "n": 2}'],
    "arguments_type": [{"n": 1}, None, 1, []],
    "arguments_parse": ["", "{", '{"n": 1', '{"n": NaN}', "nul", '{"n":1} x', "[" * 100_000],
    "arguments_schema": ["{}", '{"n":"1"}', '{"n":1,"m":2}', "[]", "null"],
}


@pytest.mark.parametrize("type_", [(verdict, one) for verdict, ones in TYPES.items() for one in ones], ids=repr)
@pytest.mark.parametrize("status", [(verdict, one) for verdict, ones in STATES.items() for one in ones], ids=repr)
def test_truth_table(type_: tuple[str, Any], status: tuple[str, Any]) -> None:
    for kind, ones in ARGUMENTS.items():
        for arguments in ones:
            item = {"type": type_[1], "call_id": "c", "name": "f", "status": status[1], "arguments": arguments}
            expected = next((one for one in (type_[0], status[0], kind) if one != "ok"), "ok")
            assert verdict(item).verdict == expected, item


def test_absent_members_are_judged_in_the_same_order() -> None:
    whole = {"type": "function_call", "status": "completed", "arguments": '{"n":1}', "name": "f"}
    expected = {"type": "namespaced", "status": "status", "arguments": "arguments_type", "name": "ok"}
    for count in range(1, 5):
        for gone in itertools.combinations(whole, count):
            item = {key: member for key, member in whole.items() if key not in gone}
            assert verdict(item).verdict == next(
                (expected[name] for name in whole if name in gone and expected[name] != "ok"), "ok"
            )
    assert verdict(whole).verdict == "ok"


@pytest.mark.parametrize("value", [None, 1, "function_call", [], ["function_call"], True, {}])
def test_what_is_no_item_is_namespaced(value: Any) -> None:
    assert verdict(value).verdict == "namespaced"


def test_details_say_more_and_change_nothing() -> None:
    assert verdict({"role": "user", "content": "hi"}).detail == "type_missing"
    assert verdict({"type": None}).detail == "type_no_string"
    assert verdict({"type": "acme:x"}).detail == "acme"
    assert verdict({"type": "Not A Slug:"}).detail == "malformed_slug"
    assert verdict({"type": "function_call", "arguments": "{}"}).detail == "status_absent"
    program = {"type": "function_call", "status": "in_progress", "caller": {"type": "program"}, "arguments": "{}"}
    assert verdict(program).detail == "program_owned"
    assert verdict({"type": "function_call", "status": "completed", "arguments": " "}).detail == "empty"


def test_without_a_schema_the_answer_is_ok_and_says_so() -> None:
    item = {"type": "function_call", "status": "completed", "arguments": "[]", "name": "g"}
    assert verdict(item).verdict == "ok"
    assert verdict(item).unchecked == "no schema is declared for it"
    assert verdict(item, None).unchecked is None


def article(item: dict[str, Any], schemas: dict[str, Any]) -> str:
    """The function that the gate comes from, as the fact sheet (I.1) tells it: its order, and the keywords it knows."""
    kind = item.get("type")
    if not isinstance(kind, str) or ":" in kind:
        return "namespaced"
    if kind != "function_call":
        return "not_function_call"
    if item.get("status") != "completed":
        return "status"
    if not isinstance(item.get("arguments"), str):
        return "arguments_type"
    try:
        value = json.loads(item["arguments"])
    except (ValueError, RecursionError):
        return "arguments_parse"
    return "ok" if fits(value, schemas[item["name"]]) else "arguments_schema"


def fits(value: Any, schema: dict[str, Any]) -> bool:
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
    if "type" in schema and (
        not isinstance(value, kinds[schema["type"]]) or (schema["type"] == "integer" and isinstance(value, bool))
    ):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, dict) and schema.get("properties"):
        if any(name not in value for name in schema.get("required", [])):
            return False
        if schema.get("additionalProperties") is False and any(name not in schema["properties"] for name in value):
            return False
        return all(fits(value[name], one) for name, one in schema["properties"].items() if name in value)
    if isinstance(value, list) and "items" in schema:
        return all(fits(one, schema["items"]) for one in value)
    return True


leaves = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(("", "a", "b")))
documents = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=6
)
simple = st.one_of(
    st.sampled_from(({"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"type": "null"}, {"enum": ["a", "b"]})),
    st.fixed_dictionaries({"type": st.just("array"), "items": st.just({"type": "integer"})}),
)
schemas = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("abc"), simple, min_size=1, max_size=3)},
    optional={"required": st.lists(st.sampled_from("abc"), max_size=2), "additionalProperties": st.booleans()},
)
texts = st.one_of(
    documents.map(json.dumps),
    documents.map(lambda one: json.dumps(one)[:-1]),
    st.text(max_size=6).filter(lambda one: "NaN" not in one and "Infinity" not in one),
)
items = st.fixed_dictionaries(
    {"name": st.just("f")},
    optional={
        "type": st.sampled_from(("function_call", "function_call", "function_call", "message", "a:b", None, 1)),
        "status": st.sampled_from(("completed", "completed", "incomplete", "in_progress", None)),
        "arguments": st.one_of(texts, texts, documents),
    },
)


@settings(max_examples=1500, deadline=None)
@given(items, schemas)
def test_the_order_is_the_article_s(item: dict[str, Any], schema: dict[str, Any]) -> None:
    assert verdict(item, {"f": schema}).verdict == article(item, {"f": schema})


HOSTILE = [
    ({"type": "object", "properties": {"s": {"pattern": "^(a+)+$"}}}, json.dumps({"s": "a" * 5000 + "!"})),
    ({"$ref": "#"}, "{}"),
    ({"$ref": "https://example.invalid/schema"}, "{}"),
    ({"type": "array", "uniqueItems": True}, json.dumps([[n] for n in range(4000)])),
    ({"allOf": [{"anyOf": [{"type": "object"}] * 40}] * 40}, "{}"),
    ({"type": 3}, "{}"),
    ({"properties": {"a": {"const": "x" * 100_000}}}, json.dumps({"a": "y" * 100_000})),
]


@pytest.mark.parametrize(("schema", "arguments"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_schemas_end_soon_with_an_answer(schema: Any, arguments: str) -> None:
    item = {"type": "function_call", "status": "completed", "arguments": arguments, "name": "f"}
    begun = time.monotonic()
    answer = verdict(item, {"f": schema})
    assert time.monotonic() - begun < 5
    assert answer.verdict in VERDICTS


@pytest.mark.parametrize("arguments", ["[" * 1_000_000, '{"a":' * 200_000, '"' + '\\"' * 500_000, "1" * 5000, '"\\ud800"'])
def test_hostile_arguments_end_soon(arguments: str) -> None:
    item = {"type": "function_call", "status": "completed", "arguments": arguments, "name": "g"}
    begun = time.monotonic()
    assert verdict(item).verdict in ("arguments_parse", "ok")
    assert time.monotonic() - begun < 5
