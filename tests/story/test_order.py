"""Moments in order: arrival within a source, time between sources, and never an answer before what it answers."""

import json
import random
from typing import Any

import pytest

import tracelink
from tests.rules import cases
from tests.rules.cases import added, call, done, lines, output, post, waiting, wrapped
from tests.story.conftest import FIXTURES, STALLED
from tracelink.model.location import Origin
from tracelink.model.trace import Trace
from tracelink.story.moments import moments
from tracelink.story.order import arrange
from tracelink.story.values import Moment


def told(*sources: bytes) -> tuple[Any, Trace]:
    (trace,) = tracelink.trace(*sources)
    return arrange(moments(trace), trace), trace


def split(text: str) -> tuple[bytes, bytes]:
    """What came in and what went out, as two files."""
    rows = [json.loads(line) for line in text.splitlines()]
    ways: dict[bool, list[str]] = {True: [], False: []}
    for row in rows:
        ways[row["dir"] == "in" and "event" in row].append(json.dumps(row))
    return "\n".join(ways[True]).encode(), "\n".join(ways[False]).encode()


def test_two_files_with_times_are_one_story() -> None:
    text = STALLED.read_text()
    whole, _ = told(text.encode())
    parts, _ = told(*split(text))
    assert [one.what for one in parts.moments] == [one.what for one in whole.moments]
    assert parts.notes == ()


def test_two_files_without_times_keep_cause_before_effect() -> None:
    text = STALLED.read_text()
    rows = [json.loads(line) for line in text.splitlines()]
    for row in rows:
        del row["ts"]
    ordered, trace = told(*split("\n".join(map(json.dumps, rows))))
    names = [one.name for one in ordered.moments]
    call = next(iter(trace.calls.values()))
    assert names.index(f"call:{call.turn_id}/{call.call_id}") < names.index("post:0") < names.index("recorded:0")
    assert any("no clock is common" in note for note in ordered.notes)


def test_every_moment_once_whatever_contradicts() -> None:
    dice = random.Random(7)  # noqa: S311
    at = [Origin("x", line, line, None, line % 2, line) for line in range(40)]
    made = [Moment("item", f"n{n}", at[n], "x", after=tuple(f"n{dice.randrange(40)}" for _ in range(3))) for n in range(40)]
    ordered = arrange(made, Trace("s"))
    assert sorted(one.name for one in ordered.moments) == sorted(one.name for one in made)
    assert arrange(made, Trace("s")) == ordered


@pytest.mark.parametrize("name", ["stalled/wrapped.log", "subagents/wrapped.log", "clean/stream.sse", "subagents/stream.jsonl"])
def test_a_stream_keeps_its_order(name: str) -> None:
    ordered, _ = told((FIXTURES / name).read_bytes())
    lines = [one.at.seq for one in ordered.moments if one.at.stream]
    assert lines == sorted(lines)


def test_pages_lie_within_their_turn() -> None:
    ordered, trace = told((FIXTURES / "subagents" / "bundle.json").read_bytes())
    places = {one.name: at for at, one in enumerate(ordered.moments)}
    for turn in trace.turns.values():
        inside = [
            at
            for at, one in enumerate(ordered.moments)
            if one.turn_id == turn.id and one.kind not in ("turn_began", "turn_ended")
        ]
        assert places[f"turn_began:{turn.id}"] < min(inside)
        assert max(inside) < places[f"turn_ended:{turn.id}"]
    for agent in trace.agents.values():
        if agent.spawn is not None:
            first = trace.turns_of(agent.id)[0]
            assert places[f"item:{agent.spawn.item_id}"] < places[f"turn_began:{first.id}"]


def _timed(*seconds: float) -> list[str]:
    rows = [cases.turn("created"), added(call()), done(call()), added(output())]
    made = [wrapped(at, row) for at, row in zip(seconds, rows, strict=True)]
    return list(told(lines(made).encode())[0].notes)


def test_receive_times_that_go_back_are_told() -> None:
    (note,) = (one for one in _timed(9, 5, 7, 2) if "go back" in one)
    assert "go back 2 times, first at" in note
    assert ":2: there they and the order of the records do not agree" in note


@pytest.mark.parametrize("seconds", [(1, 2, 3, 4), (1, 1, 1, 1), (3, 2.5, 3.2, 2.9)])
def test_times_that_go_on_or_are_a_moment_late_are_no_note(seconds: tuple[float, ...]) -> None:
    assert not [one for one in _timed(*seconds) if "go back" in one]


def test_a_post_that_is_sent_again_is_told_once() -> None:
    ordered, _ = told(lines([*waiting(call()), post(), post(), added(output())]).encode())
    again = [one.what for one in ordered.moments if "again" in one.what]
    assert again == ["the same result for read_gauge (call_ebb1) again"]
    assert not [one for one in ordered.moments if one.kind == "input"]


def test_a_result_in_another_turn_is_told_with_both_turns() -> None:
    ordered, _ = told(lines([*waiting(call()), post(turn_id="turn_other")]).encode())
    (posted,) = (one.what for one in ordered.moments if one.kind == "posted")
    assert posted == "result for call_ebb1 posted under turn_other, perhaps meant for call_ebb1 in turn_tide1"


@pytest.mark.parametrize(("role", "words"), [("assistant", " said"), ("critic", "a message of role critic")])
def test_who_said_it_is_not_made_up(role: str, words: str) -> None:
    message = {
        "type": "message",
        "id": "msg_1",
        "turn_id": "turn_tide1",
        "role": role,
        "status": "completed",
        "content": [{"type": "output_text", "text": "Low water at noon."}],
    }
    ordered, _ = told(lines([*waiting(call()), done(message)]).encode())
    (what,) = (one.what for one in ordered.moments if one.kind == "said")
    assert what.endswith(words)
    assert ("said" in what) == (role == "assistant")
