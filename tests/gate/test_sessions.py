"""Several Agents API sessions in one recording: one of them is the history, and that is said; and the function of the package."""

import json
from pathlib import Path
from typing import Any

import pytest

import tracelink
from tests.gate.examples import TOOLS, USER, call, lines, out
from tests.gate.test_breaker import a_call, a_out, agents
from tracelink.gate import read_history
from tracelink.read import Values

TWO = lines(agents(a_call()), agents(a_call(2), "s2"), agents(a_out()), agents(a_out(2), "s2"))


def ids(data: bytes | list[Any], session: str | None = None) -> list[str]:
    history = read_history(Values(data if isinstance(data, list) else [data]), session)
    return [item.value["call_id"] for item in history.items]


def test_the_first_session_is_the_history_and_the_other_is_told() -> None:
    history = read_history(Values([TWO]))
    assert history.sessions == ("s1", "s2")
    assert ids(TWO) == ["c1", "c1"]
    assert "2 items of the session s2 are not part" in history.remarks[0].message


def test_another_session_is_named() -> None:
    assert ids(TWO, "s2") == ["c2", "c2"]


def test_sessions_in_two_files_are_not_mixed() -> None:
    one = [agents(a_call()), agents(a_out())]
    two = [agents(a_call(2), "s2"), agents(a_out(2), "s2")]
    assert ids([lines(*one), lines(*two)]) == ["c1", "c1"]


def test_an_item_belongs_to_the_session_of_its_turn() -> None:
    turn = {"object": "agent.session.turn", "id": "t2", "session_id": "s2", "status": "completed"}
    listed = {"object": "list", "data": [a_call(3, turn_id="t2"), a_out(3, turn_id="t2")], "has_more": False}
    assert ids(lines(agents(a_call()), agents(a_out()), turn, listed)) == ["c1", "c1"]


def test_an_item_of_no_known_session_is_left_out_and_told_where_there_are_several() -> None:
    listed = {"object": "list", "data": [a_call(3, turn_id="t9")], "has_more": False}
    history = read_history(Values([TWO + lines(listed)]))
    assert len(history.items) == 2
    assert any("do not say of which session" in one.message for one in history.remarks)
    assert ids(lines(agents(a_call()), agents(a_out()), listed)) == ["c1", "c1", "c3"]


def test_files_of_one_session_are_one_history() -> None:
    listed = {"object": "list", "data": [a_out(), a_call()], "has_more": False}
    assert ids([lines(agents(a_call()), agents(a_out())), lines(listed)]) == ["c1", "c1"]


def test_the_option(program: Any) -> None:
    program.write("two.jsonl", TWO.decode())
    shown = json.loads(program("gate", "two.jsonl", "--session", "s2", "--format", "json").stdout)
    assert [one["call_id"] for one in shown["items"]] == ["c2", "c2"]
    refused = program("gate", "two.jsonl", "--session", "s3")
    assert refused.returncode == 2
    assert "s1" in refused.stderr


def test_profile_in_another_case_and_misspelt(program: Any) -> None:
    program.write("a.json", json.dumps([USER]))
    assert program("gate", "a.json", "--profile", "OpenAI").stdout.startswith("sendable to openai")
    assert "Did you mean 'openai'" in program("gate", "a.json", "--profile", "Open-AI").stderr


def test_the_function_of_the_package(tmp_path: Path) -> None:
    items = [USER, call(), out()]
    assert tracelink.gate(items).sendable
    assert tracelink.gate(json.dumps(items).encode()).sendable
    (tmp_path / "a.json").write_text(json.dumps(items))
    judged = tracelink.gate(tmp_path / "a.json", profile="openai", tools=TOOLS)
    assert [one.verdict for one in judged.verdicts] == ["not_function_call", "arguments_schema", "not_function_call"]
    assert [item.value["call_id"] for item in tracelink.gate(TWO, session="s2").history.items] == ["c2", "c2"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"profile": "OpenAI"}, "no profile"),
        ({"tools": 3}, "no tool list"),
    ],
)
def test_what_the_function_refuses(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        tracelink.gate([USER], **given)
    with pytest.raises(ValueError, match=r"gone\.json"):
        tracelink.gate("gone.json")


def test_the_room_stays_a_package() -> None:
    from tracelink.gate.repair import repair

    assert repair(tracelink.gate([USER])).changes == ()
