"""Moments in order: arrival within a source, time between sources, and never an answer before what it answers."""

import json
import random
from typing import Any

import pytest

import tracelink
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
