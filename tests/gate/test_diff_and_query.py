"""`diff-items`: what is matched with what, and how it differs. `query`: any JSONPath, streamed, with places."""

import json
from typing import Any

import pytest

from tests.gate.examples import USER, call, lines, out, said
from tracelink.gate import history_of
from tracelink.gate.diff import diff_items


def told(a: list[Any], b: list[Any]) -> list[tuple[int | None, int | None, list[str]]]:
    return [(one.a, one.b, [each.what for each in one.differences]) for one in diff_items(history_of(a), history_of(b))]


def test_equal_histories_do_not_differ() -> None:
    items = [USER, call(), out(), said()]
    assert told(items, items) == [(n, n, []) for n in range(4)]


def test_arguments_are_compared_as_json() -> None:
    assert told([call(arguments='{"a":1,"b":2}')], [call(arguments='{ "b": 2, "a": 1 }')]) == [(0, 0, [])]
    assert told([call(arguments='{"a":1}')], [call(arguments='{"a":2}')]) == [(0, 0, ["arguments_changed"])]
    assert told([call(arguments='{"a":1}')], [call(arguments={"a": 1})]) == [(0, 0, [])]


def test_types_that_turned_namespaced() -> None:
    a = [USER, {"type": "web_search_call", "id": "ws_1", "status": "completed"}, said()]
    b = [USER, {"type": "openrouter:web_search", "id": "ws_1", "status": "completed"}, said()]
    assert told(a, b)[1] == (1, 1, ["type_namespaced"])


def test_ids_that_drifted_and_status() -> None:
    assert told([call(id="fc_1")], [call(id="x_9", status="incomplete")]) == [(0, 0, ["status_changed", "id_drifted"])]
    assert told([USER, call()], [USER, call("other")])[1] == (1, 1, ["id_drifted"])


def test_by_call_id_first_then_by_position() -> None:
    a = [USER, call("x"), call("y"), out("x"), out("y"), said()]
    b = [USER, call("y"), call("x"), out("y"), out("x"), said("other")]
    assert told(a, b) == [(0, 0, []), (1, 2, ["moved"]), (2, 1, []), (3, 4, ["moved"]), (4, 3, []), (5, 5, ["value_changed"])]


def test_another_order_is_a_difference_and_what_was_put_in_is_not() -> None:
    assert told([USER, call(), out(), said()], [USER, out(), call(), said()]) == [
        (0, 0, []),
        (1, 2, ["moved"]),
        (2, 1, []),
        (3, 3, []),
    ]
    assert told([call(), out()], [USER, call(), out()]) == [(None, 0, ["only_in_b"]), (0, 1, []), (1, 2, [])]
    moved = [call("a"), call("b"), call("c"), out("a"), out("b"), out("c")]
    assert [one for one in told(moved, [*moved[1:], moved[0]]) if one[2]] == [(0, 5, ["moved"])]


def test_what_only_one_side_has() -> None:
    assert told([USER, call(), out()], [call(), out(), said()]) == [
        (0, None, ["only_in_a"]),
        (1, 0, []),
        (2, 1, []),
        (None, 2, ["only_in_b"]),
    ]


def test_the_commands(program: Any) -> None:
    program.write("a.json", json.dumps([USER, call(), out()]))
    program.write("b.json", json.dumps([USER, call(status="incomplete"), out()]))
    same = program("diff-items", "a.json", "a.json")
    assert (same.returncode, same.stdout) == (0, "0 differences in 3 items and 3\n")
    differs = program("diff-items", "a.json", "b.json")
    assert differs.returncode == 1
    assert "status_changed status: completed → incomplete" in differs.stdout
    assert program("gate", "a.json", "--against", "b.json").stdout == differs.stdout
    shown = json.loads(program("diff-items", "a.json", "b.json", "--format", "json").stdout)
    assert (shown["schema"], shown["same"], shown["counts"]["differing"]) == ("tracelink.diff-items/1", False, 1)
    assert program("diff-items", "a.json", "gone.json").returncode == 3


def test_query_prints_value_source_and_line(program: Any) -> None:
    assert program("query", "$.item.call_id", "one.jsonl").stdout == 'one.jsonl:5\t"call_a1"\none.jsonl:6\t"call_a1"\n'
    assert program("query", "$.item.call_id", "one.jsonl", "--format", "values").stdout == '"call_a1"\n"call_a1"\n'
    first = json.loads(program("query", "$.item.call_id", "one.jsonl", "--format", "jsonl").stdout.splitlines()[0])
    assert first == {"value": "call_a1", "source": "one.jsonl", "line": 5, "byte": first["byte"], "path": "item.call_id"}


@pytest.mark.parametrize(
    "expression", ["$..call_id", "$.item[?(@.x == 1)]", "$.item.`len`", "item.*", "$.session.required_actions[0].name"]
)
def test_any_expression_of_jsonpath_ng(program: Any, expression: str) -> None:
    assert program("query", expression, "one.jsonl").returncode == 0


def test_query_usage(program: Any) -> None:
    bad = program("query", "$[", "one.jsonl")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "is no JSONPath" in bad.stderr
    assert program("query", "$.a").returncode == 2
    assert program("query", "$.a", "gone.jsonl").returncode == 3
    assert (program("query", "$.nowhere", "one.jsonl").returncode, program("query", "$.nowhere", "one.jsonl").stdout) == (0, "")


def test_query_ids_is_the_standard_extraction(program: Any) -> None:
    rows = [line.split("\t") for line in program("query", "--ids", "one.jsonl").stdout.splitlines()]
    assert rows[0][:3] == ["place", "kind", "type"]
    assert {"turn_id", "call_id", "subagent_id", "session_id"} <= set(rows[0])
    call_row = dict(zip(rows[0], rows[5], strict=True))
    assert (call_row["place"], call_row["call_id"], call_row["turn_id"], call_row["subagent_id"]) == (
        "one.jsonl:5",
        "call_a1",
        "turn_a1",
        "-",
    )
    first = json.loads(program("query", "--ids", "one.jsonl", "--format", "jsonl").stdout.splitlines()[4])
    assert (first["call_id"], first["line"]) == ("call_a1", 5)


def test_query_reads_responses_too_and_escapes(program: Any) -> None:
    program.write("items.jsonl", lines(call("\x1b[31m"), out()).decode())
    assert program("query", "$.call_id", "items.jsonl").stdout.splitlines()[0] == 'items.jsonl:1\t"\\u001b[31m"'
