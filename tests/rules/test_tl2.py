"""TL2xx: what calls and results carry. The files are in `fixtures/rules/<name>/`."""

import json
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.cases import (
    AGENT,
    TURN,
    Case,
    Json,
    action,
    added,
    assert_fires,
    assert_quiet,
    call,
    codes,
    done,
    ending,
    function,
    loud,
    of,
    opening,
    output,
    page,
    post,
    refusal,
    snapshot,
    subagent,
    told,
    turn,
    waiting,
)
from tracelink.model.finding import Severity
from tracelink.rules.tl2_payloads.asked import decode
from tracelink.rules.tl2_payloads.bounded import TOO_MUCH, Checker
from tracelink.rules.tl2_payloads.patterns import steps

PAIR = {"call_id": "call_ebb1", "turn_id": TURN}

CASES = (
    Case("TL201", "output-not-text", PAIR, 7, "the output is an object", "JSON text; and null beside an error"),
    Case(
        "TL202",
        "contradictory-result",
        PAIR,
        7,
        "success true beside an error",
        "a failure that tells why in its output; a success that returns nothing",
    ),
    Case(
        "TL203",
        "arguments-not-json",
        PAIR,
        7,
        "the text breaks off, and the session requires the call",
        "only the announcement breaks off; the finished item is whole",
    ),
    Case("TL204", "arguments-against-schema", PAIR, 6, "gauge is required", "JSON text that fits, with a member beyond"),
    Case("TL205", "undeclared-tool", PAIR, 5, "read_guage is not declared", "list_locks is not either, but it is an MCP tool"),
    Case("TL206", "open-schema", PAIR, 1, "any object fits", "the tool is called without arguments"),
    Case(
        "TL207",
        "failed-tool",
        PAIR,
        7,
        "success false, and the turn completed",
        "an output that only reads like an error; a command that exits with 1",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_fires(case: Case) -> None:
    assert_fires(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_quiet(case: Case) -> None:
    assert_quiet(case)


# TL201

TEXT, IMAGE = {"type": "input_text", "text": "2.31 m"}, {"type": "input_image", "image_url": "https://harbour.example/a.png"}


@pytest.mark.parametrize("value", ["", "2.31 m", "null", [], [TEXT], [TEXT, IMAGE], None])
def test_b3_an_output_is_text_or_parts(value: Any) -> None:
    assert "TL201" not in codes(told(*waiting(call()), post(value=value)))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"metres": 2.31}, "an object"),
        (2.31, "a number"),
        (0, "a number"),
        (False, "a boolean"),
        ([TEXT, "2.31 m"], "entry 2 is no content part"),
        ([{"text": "2.31 m"}], "has no type"),
        ([{"type": "output_text", "text": "2.31 m"}], "of type output_text"),
        ([{"type": "input_text"}], "has no text"),
        ([{"type": "input_image", "image_url": {"url": "https://harbour.example"}}], "has no image_url"),
    ],
)
def test_b3_and_nothing_else(value: Any, words: str) -> None:
    (finding,) = of(told(*waiting(call()), post(value=value)), "TL201")
    assert words in finding.message


def test_l2_1_a_part_type_that_the_server_itself_recorded() -> None:
    newer = [{"type": "input_file", "file_id": "file_1"}]
    assert "TL201" not in codes(told(*waiting(call()), added(output(value=newer))))
    assert "TL201" in codes(told(*waiting(call()), post(value=newer)))


def test_l2_11_post_and_item_are_one_result() -> None:
    wrong = {"metres": 2.31}
    assert len(of(told(*waiting(call()), post(value=wrong), added(output(value=wrong))), "TL201")) == 1
    assert len(of(told(*waiting(call()), added(output(value=wrong))), "TL201")) == 1


def test_b5_a_page_shows_null_for_a_failed_result() -> None:
    failed = output(value=None, error=None, status="failed")
    report = told(*waiting(call()), added(output(value="gauge offline", status="failed")), page(call(), failed))
    assert not {"TL201", "TL202"} & set(codes(report))


# TL202


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (post(error="offline"), "success true and carries an error"),
        (post(success="true"), "a success that is a text"),
        (post(success=1), "a success that is a number"),
        (post(success=None), "has no success"),
        ({name: value for name, value in post().items() if name != "success"}, "has no success"),
        (post(value=None, success=False), "neither error nor output"),
        (post(value="", success=False, error=""), "neither error nor output"),
    ],
)
def test_what_cannot_both_be_so(row: Json, words: str) -> None:
    (finding,) = of(told(*waiting(call()), row), "TL202")
    assert words in finding.message


@pytest.mark.parametrize(
    "row",
    [
        post(),
        post(value=None),
        post(error=None),
        post(error=""),
        post(value="partly done", success=False),
        post(value=None, success=False, error="offline"),
        post(value="log", success=False, error="offline"),
    ],
)
def test_what_can(row: Json) -> None:
    assert "TL202" not in codes(told(*waiting(call()), row))


def test_a_success_that_was_recorded_as_a_failure() -> None:
    failed = output(status="failed")
    (finding,) = of(told(*waiting(call()), post(), added(failed)), "TL202")
    assert [one.line for one in finding.locations] == [7, 8]
    assert "TL207" not in codes(told(*waiting(call()), post(), added(failed)))


def test_the_same_result_with_the_other_success() -> None:
    """Two results that differ: TL106 tells, and TL202 does not tell it again."""
    told_twice = codes(told(*waiting(call()), post(), post(success=False)))
    assert "TL106" in told_twice
    assert "TL202" not in told_twice


def test_an_item_alone_has_no_success_to_contradict() -> None:
    assert "TL202" not in codes(told(*waiting(call()), added(output(value="2.31 m", error="offline"))))


def test_an_input_that_the_api_does_not_take_is_tl010s() -> None:
    row = {"type": "agent.session.input.function_call_output", "turn_id": TURN, "call_id": "call_ebb1", "output": "2.31 m"}
    assert "TL202" not in codes(told(*waiting(call()), row))


# TL203


def required(arguments: Any, **more: Any) -> list[Json]:
    return waiting(call(arguments=arguments, **more))


@pytest.mark.parametrize(
    "arguments",
    [{}, None, "{}", '{"gauge": 1}', "null", "3", "[1]", ' {"a": 1} ', '{"a": 1e999}', "9" * 5000, "[" * 300 + "]" * 300],
)
def test_l2_2_arguments_of_every_kind(arguments: Any) -> None:
    assert "TL203" not in codes(told(*required(arguments)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "an empty text"),
        ("  ", "an empty text"),
        ('{"gauge": "nor', "break off after 14"),
        ('{"gauge": ', "break off after"),
        ("{'gauge': 1}", "stop being JSON at character 2"),
        ('{"gauge": 1} {"gauge": 2}', "stop being JSON at character 14"),
        ('{"gauge": NaN}', "NaN"),
        ("north pier", "stop being JSON at character 1"),
    ],
)
def test_l2_2_text_that_is_no_json(arguments: str, words: str) -> None:
    (finding,) = of(told(*required(arguments)), "TL203")
    assert words in finding.message
    assert "TL204" not in codes(told(*required(arguments)))


def test_l2_10_an_action_without_item() -> None:
    cut = call(arguments='{"gauge"')
    assert len(of(told(*opening(), snapshot("requires_action", action(cut))), "TL203")) == 1


def test_l2_3_the_later_state_of_an_item_wins() -> None:
    cut, whole = call(arguments='{"gauge"', status="incomplete"), call(arguments='{"gauge": "weir"}')
    assert "TL203" not in codes(told(*opening(cut), done(cut), done(whole)))
    assert "TL203" in codes(told(*opening(whole), done(cut)))


def test_l2_4_what_was_only_announced_proves_nothing() -> None:
    assert "TL203" not in codes(told(*opening(call(arguments='{"gauge"', status="in_progress"))))


@pytest.mark.parametrize(("kind", "count"), [("completed", 1), ("cancelled", 0), ("failed", 0)])
def test_b5_unfinished_items_of_a_turn_that_was_cut(kind: str, count: int) -> None:
    cut = call(arguments='{"gauge"', status="incomplete")
    assert len(of(told(*opening(), done(cut), *ending(kind)), "TL203")) == count


# TL204


def with_schema(parameters: Any, arguments: Any) -> list[Json]:
    return toolbox(waiting(call(arguments=arguments)), [function(parameters=parameters)])


def toolbox(rows: list[Json], tools: Any) -> list[Json]:
    for row in rows:
        if "session" in row:
            row["session"]["agent"]["tools"] = tools
    return rows


STRICT = {"type": "object", "properties": {"gauge": {"type": "string"}}, "required": ["gauge"], "additionalProperties": False}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "lacks gauge (required)"),
        ("{}", "lacks gauge (required)"),
        ({"gauge": 3}, "gauge is an integer, not string (type)"),
        ({"gauge": True}, "gauge is a boolean, not string (type)"),
        ({"gauge": "weir", "unit": "m"}, "has unit, which is not declared (additionalProperties)"),
        ([], "the top level is an array, not object (type)"),
        ('"weir"', "the top level is a string, not object (type)"),
    ],
)
def test_the_member_and_the_keyword_are_named(arguments: Any, words: str) -> None:
    (finding,) = of(told(*with_schema(STRICT, arguments)), "TL204")
    assert words in finding.message


def test_values_are_not_shown_and_the_message_is_short() -> None:
    arguments = {"name" * 100 + str(number): "hush" * 1000 for number in range(20)}
    (finding,) = of(told(*with_schema(STRICT, arguments)), "TL204")
    assert "hush" not in finding.message
    assert len(finding.message) < 700


def test_l2_14_null_may_stand_for_what_was_left_out() -> None:
    assert "TL204" not in codes(told(*with_schema(STRICT, None)))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "objekt"},
        {"required": "gauge"},
        {"properties": ["gauge"]},
        {"properties": {"gauge": {"minimum": 1, "exclusiveMinimum": True}}},
        {"$ref": "#/$defs/none"},
        {"$ref": "#"},
        "object",
        5,
        ["gauge"],
    ],
)
def test_a_broken_schema_is_not_the_calls_fault(schema: Any) -> None:
    assert "TL204" not in codes(told(*with_schema(schema, {"gauge": 3})))


def test_another_draft_is_read_as_far_as_it_is_the_same() -> None:
    schema = STRICT | {"$schema": "http://json-schema.org/draft-07/schema#", "nullable": True}
    assert len(of(told(*with_schema(schema, {})), "TL204")) == 1


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []

    def refuse(*what: object, **_: object) -> None:
        tried.append(what)
        raise OSError("no network here")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    schema = {"properties": {"gauge": {"$ref": "http://127.0.0.1:9/gauge.json"}}}
    outcome = Checker().check(schema, {"gauge": 3})
    assert outcome.unchecked == "its schema refers to another place"
    assert "TL204" not in codes(told(*with_schema(schema, {"gauge": 3})))
    assert tried == []


def test_the_list_that_held_at_the_call() -> None:
    loose = [function(parameters={"type": "object", "properties": {"gauge": {}}})]
    strict = [function(parameters=STRICT)]
    wrong = call(arguments={"gauge": 3})
    before, after = [snapshot("created", tools=strict), added(wrong)], [snapshot("in_progress", tools=loose)]
    assert len(of(told(*before, *after), "TL204")) == 1  # strict held
    assert "TL204" not in codes(told(snapshot("created", tools=loose), added(wrong), snapshot("idle", tools=strict)))
    assert len(of(told(added(wrong), snapshot("idle", tools=strict)), "TL204")) == 1  # none before: the first after
    assert "TL204" not in codes(told(added(wrong), snapshot("idle", tools=loose), snapshot("idle", tools=strict)))


def test_h1_a_subagents_call_has_another_agents_tools() -> None:
    theirs = call(arguments={"x": 1}, name="other", turn_id="turn_sub1")
    report = told(*opening(), subagent(), turn("created", "turn_sub1", subagent_id="sub_gull1"), done(theirs))
    assert not {"TL204", "TL205", "TL206"} & set(codes(report))


HOSTILE: tuple[Callable[[], tuple[Any, Any]], ...] = (
    lambda: ({"properties": {"a": {"pattern": "^(a+)+$"}}}, {"a": "a" * 60 + "b"}),
    lambda: ({"properties": {"a": {"pattern": "a*a*a*a*a*a*b"}}}, {"a": "a" * 5000}),
    lambda: ({"properties": {"a": {"pattern": "(a|a)" * 60 + "b"}}}, {"a": "a" * 60}),
    lambda: ({"properties": {"a": {"pattern": "a?" * 60 + "a" * 60}}}, {"a": "a" * 60}),
    lambda: ({"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False}, {"a" * 60 + "b": 1}),
    lambda: ({"$ref": "#/$defs/d0", "$defs": doubling("allOf", 40, "object")}, {"a": 1}),
    lambda: ({"$ref": "#/$defs/d0", "$defs": doubling("anyOf", 40, "string")}, {"a": "x" * 100_000}),
    lambda: ({"properties": {"a": {"uniqueItems": True}}}, {"a": [{"n": n} for n in range(2000)]}),
    lambda: ({"properties": {"a": {"allOf": [{"items": {"type": "integer"}}] * 500}}}, {"a": list(range(4000))}),
    lambda: (nested("properties", 500), nested("a", 500)),
    lambda: ({"$schema": "https://json-schema.org/draft/2020-12/schema", "$dynamicRef": "#"}, {"a": 1}),
)


def doubling(keyword: str, levels: int, kind: str) -> Json:
    """2 to the power of `levels` ways through few lines."""
    return {f"d{n}": {keyword: [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)} | {f"d{levels}": {"type": kind}}


def nested(name: str, levels: int) -> Json:
    value: Json = {}
    for _ in range(levels):
        value = {name: {"a": value}} if name == "properties" else {name: value}
    return value


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_schemas_end_soon_and_accuse_nobody(hostile: Callable[[], tuple[Any, Any]]) -> None:
    schema, value = hostile()
    begin = time.process_time()
    outcome = Checker().check(schema, value)
    assert outcome.problems == ()
    assert time.process_time() - begin < 10


def test_the_work_for_one_recording_is_bounded() -> None:
    schema = {"$ref": "#/$defs/d0", "$defs": doubling("allOf", 9, "object")}
    checker = Checker()
    outcomes = [checker.check(schema, {"a": 1}).unchecked for _ in range(400)]
    assert outcomes[0] is None
    assert outcomes[-1] == TOO_MUCH


@pytest.mark.parametrize("pattern", [r"^\d{4}-\d{2}-\d{2}$", "^[A-Z]{2}[0-9]+$", r"^[^@]+@[^@]+\.[a-z]+$", "^(?:n|s|e|w)$"])
def test_everyday_patterns_are_run(pattern: str) -> None:
    need = steps(pattern, 24)
    assert need is not None
    assert need < 1_000_000
    schema = {"properties": {"gauge": {"pattern": pattern}}}
    (finding,) = of(told(*with_schema(schema, {"gauge": "?"})), "TL204")
    assert "gauge does not keep to pattern" in finding.message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
KEYWORDS = (
    *(
        "type",
        "required",
        "properties",
        "items",
        "allOf",
        "anyOf",
        "not",
        "if",
        "then",
        "enum",
        "const",
        "pattern",
        "$ref",
        "$id",
    ),
    *(
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "minimum",
        "multipleOf",
        "maxLength",
        "uniqueItems",
    ),
    *("dependentSchemas", "dependentRequired", "contains", "prefixItems", "$defs", "$schema", "propertyNames", "$dynamicRef"),
)
LEAVES = JSON | st.sampled_from(["object", "string", "#", "#/$defs/a", "^a+$", "(a+)+", "http://127.0.0.1:9/", True, 0, 1])
SCHEMAS = st.recursive(
    st.booleans() | st.dictionaries(st.sampled_from(KEYWORDS), LEAVES, max_size=4),
    lambda inner: (
        st.dictionaries(st.sampled_from(KEYWORDS), inner | st.lists(inner, max_size=3), max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", "^x"]), inner, max_size=3)
    ),
    max_leaves=25,
)


@settings(max_examples=300, deadline=5000)
@given(SCHEMAS | JSON, JSON)
def test_no_schema_and_no_value_raises_or_hangs(schema: Any, value: Any) -> None:
    first = Checker().check(schema, value)
    assert first == Checker().check(schema, value)
    assert all(len(problem) < 400 for problem in first.problems)


@settings(max_examples=150, deadline=5000)
@given(JSON)
def test_what_a_library_says_of_plain_types_is_what_is_said_here(value: Any) -> None:
    from jsonschema import Draft202012Validator

    schema = {"type": ["object", "array"], "minProperties": 1, "items": {"type": "integer"}}
    outcome = Checker().check(schema, value)
    assert bool(outcome.problems) is not Draft202012Validator(schema).is_valid(value)


@given(JSON)
def test_written_json_decodes(value: Any) -> None:
    assert decode(json.dumps(value)) == value


@given(st.text(max_size=40))
def test_any_text_decodes_or_says_why(text: str) -> None:
    try:
        decode(text)
    except ValueError as error:
        assert str(error)  # noqa: PT017


@settings(max_examples=60, deadline=5000)
@given(SCHEMAS | JSON, JSON)
def test_the_whole_way_with_random_declarations(schema: Any, arguments: Any) -> None:
    told(*with_schema(schema, arguments))
    told(*toolbox(waiting(call(arguments=arguments)), arguments))


def test_two_calls_under_one_key_are_tl109s() -> None:
    report = told(*waiting(call()), done(call(name="other", arguments={"x": 1}), 1))
    assert "TL109" in codes(report)
    assert not {"TL204", "TL205"} & set(codes(report))


# TL205


@pytest.mark.parametrize("tools", [None, [], "none", {"type": "function"}, [{"type": "namespace", "tools": []}]])
def test_where_the_session_shows_no_list_nothing_is_said(tools: Any) -> None:
    assert "TL205" not in codes(told(*toolbox(waiting(call()), tools)))


def test_a_list_without_functions_declares_none() -> None:
    assert len(of(told(*toolbox(waiting(call()), [{"type": "web_search"}])), "TL205")) == 1


def test_no_snapshot_no_finding() -> None:
    assert "TL205" not in codes(told(added(call(name="unheard_of"))))


def test_a_tool_that_was_declared_before_the_next_snapshot() -> None:
    rows = [snapshot("created"), added(call(name="new_tool")), snapshot("requires_action", tools=[function("new_tool")])]
    assert "TL205" not in codes(told(*rows))


def test_the_list_of_another_agent() -> None:
    rows = [snapshot("created"), turn("created"), added(call(name="unheard_of"))]
    rows[0]["session"]["agent"]["id"] = "agent_other"
    later = snapshot("in_progress", tools=None)
    later["session"]["agent"] |= {"id": AGENT, "tools": None}
    assert "TL205" not in codes(told(*rows, later))


# TL206


def test_once_a_tool() -> None:
    calls = [call(), call("call_flow2")]
    assert len(of(told(*toolbox(waiting(*calls), [function(parameters={})])), "TL206")) == 1


@pytest.mark.parametrize(
    ("parameters", "count"),
    [
        (True, 1),
        ({}, 1),
        ({"type": "object", "properties": {}, "additionalProperties": True}, 1),
        ({"type": "object", "properties": {"gauge": {}}}, 0),
        ({"type": "object", "additionalProperties": False}, 0),
        ({"type": "object", "additionalProperties": {"type": "string"}}, 0),
        ({"$ref": "#/$defs/x"}, 0),
        (None, 0),
    ],
)
def test_what_is_open(parameters: Any, count: int) -> None:
    report = told(*with_schema(parameters, {"gauge": "weir"}))
    assert len(of(report, "TL206")) == count
    if count:
        assert loud(report) == set()


# TL207

FAILED = post(value=None, success=False, error="offline")


def test_h2_a_warning_only_where_the_turn_completed() -> None:
    (early,) = of(told(*waiting(call()), FAILED), "TL207")
    (late,) = of(told(*waiting(call()), FAILED, snapshot("in_progress"), *ending()), "TL207")
    assert (early.severity, late.severity) == (Severity.NOTE, Severity.WARNING)
    assert late.locations[-1].line == 9


def test_a_refused_failure_answered_nothing() -> None:
    assert "TL207" not in codes(told(*waiting(call()), FAILED, refusal("Unknown pending tool call: call_ebb1")))


def test_a_misaddressed_failure_answered_nothing() -> None:
    astray = post("call_ebb", value=None, success=False, error="offline")
    assert "TL207" not in codes(told(*waiting(call()), astray))


@pytest.mark.parametrize(
    ("more", "count"),
    [
        ({"error": None}, 0),
        ({"error": ""}, 0),
        ({"error": "no lock"}, 1),
        ({"error": {"code": 5}}, 1),
        ({"status": "failed"}, 1),
    ],
)
def test_mcp_calls(more: Json, count: int) -> None:
    mcp = {"type": "mcp_call", "id": "item_mcp1", "turn_id": TURN, "server_label": "harbour", "name": "open_lock"}
    mcp |= {"arguments": {}, "output": None, "error": None, "status": "completed"}
    assert len(of(told(*opening(), done(mcp | more)), "TL207")) == count


def test_h10_a_command_that_exits_with_1_is_no_failed_tool() -> None:
    command = {"type": "command_execution", "id": "item_cmd1", "turn_id": TURN, "command": "grep -c surge log.txt", "cwd": None}
    command |= {"duration_ms": 3, "exit_code": 1, "output": "0", "status": "completed"}
    assert "TL207" not in codes(told(*opening(), done(command), *ending()))


def test_an_item_alone_tells_of_the_failure() -> None:
    assert len(of(told(*waiting(call()), added(output(value=None, error="offline"))), "TL207")) == 1
