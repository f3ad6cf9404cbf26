"""What a recording does not show is told as such: the answer is about what was read, and `unclear` says when the rest could change it."""

import json
from typing import Any

import pytest

from tests.gate.examples import ADDED, COMPLETED, CREATED, DONE, USER, call, lines, out, reasoning, request, said
from tracelink.gate import COLUMNS, judge, read_history
from tracelink.gate.judge import Judged
from tracelink.read import Values

TORN = b'{"type":"function_call_outp\n'


def judged(data: bytes, profile: str = "openresponses") -> Judged:
    return judge(read_history(Values([data])), profile)


UNCLEAR = {
    "a torn line": lines(USER) + TORN + lines(said()),
    "a torn line beside an open call": lines(USER, call()) + TORN,
    "a page with more": json.dumps({"object": "list", "data": [USER, call(), out()], "has_more": True}).encode(),
    "a stream without its end": lines(CREATED, DONE),
    "a body of a log that is cut off": json.dumps(
        {"body": '[{"type":"message","role":"user","content":"go"},{"type":"mess'}
    ).encode(),
}
CLEAR = {
    "all was read": lines(USER, said()),
    "a whole page": json.dumps({"object": "list", "data": [USER, call(), out()], "has_more": False}).encode(),
    "a whole stream": lines(CREATED, DONE, COMPLETED),
    "a torn line before the request": lines({"a": 1}) + TORN + request(input=[USER]),
    "a torn line, and a block that it cannot lift": lines(USER, call(arguments="{"), out()) + TORN,
    "an announced item that may not be executed": lines(CREATED, ADDED, DONE),
}


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_is_missing_makes_the_answer_unclear(name: str) -> None:
    found = judged(UNCLEAR[name])
    assert found.unclear
    assert any("cannot be told" in one.message for one in found.reasons)


@pytest.mark.parametrize("name", CLEAR)
def test_what_changes_nothing_does_not(name: str) -> None:
    assert not judged(CLEAR[name]).unclear


def test_state_on_a_server_is_unclear_only_for_that_server() -> None:
    data = request(previous_response_id="resp_0", input=[out()])
    own, other = judged(data, "own"), judged(data)
    assert (own.sendable, own.unclear) == (True, True)
    assert "cannot be told" in own.reasons[0].message
    assert (other.sendable, other.unclear) == (False, False)


def test_arguments_that_nothing_checks_are_told() -> None:
    found = judged(request(tools=[{"type": "function", "name": "f"}], input=[call(), out()]))
    assert [(one.reason, one.severity) for one in found.reasons] == [("schema_missing", "note")]
    assert "cannot be told" in found.reasons[0].message


def test_people_and_programs_are_told(program: Any) -> None:
    program.write("torn.jsonl", UNCLEAR["a torn line"].decode())
    assert program("gate", "torn.jsonl").stdout.startswith("sendable, as far as it could be read, to openresponses: ")
    shown = json.loads(program("gate", "torn.jsonl", "--format", "json").stdout)
    assert (shown["sendable"], shown["unclear"]) == (True, True)


PARALLEL = {
    "calls, then outputs": [call("a"), call("b"), out("a"), out("b")],
    "outputs in another order": [call("a"), call("b"), call("c"), out("c"), out("a"), out("b")],
    "one after the other": [call("a"), out("a"), call("b"), out("b")],
    "reasoning before each": [reasoning(), call("a"), reasoning(id="rs_2"), call("b"), out("a"), out("b")],
    "groups in a row": [call("a"), call("b"), out("b"), out("a"), call("c"), call("d"), out("c"), out("d"), said()],
}


@pytest.mark.parametrize("profile", COLUMNS)
@pytest.mark.parametrize("name", PARALLEL)
def test_parallel_calls_are_in_order_everywhere(name: str, profile: str) -> None:
    found = judged(json.dumps([USER, *PARALLEL[name]]).encode(), profile)
    assert {one.reason for one in found.reasons} & {"order", "adjacency", "missing_output", "duplicate_call_id"} == set()


@pytest.mark.parametrize(
    "items",
    [
        [call("a"), call("b"), out("a"), USER, out("b")],
        [call("a"), reasoning(), out("a"), said()],
        [call("a"), call("b"), out("a"), reasoning(), call("c"), out("b"), out("c")],
    ],
)
def test_what_stands_between_breaks_a_group_only_where_it_matters(items: list[Any]) -> None:
    data = json.dumps([USER, *items]).encode()
    assert [one.severity for one in judged(data, "adjacent").reasons if one.reason == "adjacency"] == ["block"]
    assert "adjacency" not in [one.reason for one in judged(data, "openai").reasons]
