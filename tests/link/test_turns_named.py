"""Turns that are only named, by an item, an action or a delta, are turns of which nothing else is known; one with a record of its own is
made of that."""

from typing import Any

import pytest

import tracelink
from tests.rules.cases import SESSION, TURN, Json, action, call, ending, lines, opening, snapshot, turn
from tracelink.model.trace import Trace


def traced(*rows: Any) -> Trace:
    (trace,) = tracelink.trace(lines(list(rows)).encode())
    return trace


def delta(turn_id: str | None = TURN) -> Json:
    ids = {"session_id": SESSION, "turn_id": turn_id, "item_id": "item_said1", "output_index": 0, "content_index": 0}
    return {"type": "agent.session.turn.output_text.delta", **ids, "delta": "2"}


NAMED = {
    "item": [call()],
    "action": [snapshot("requires_action", action(call()))],
    "delta": [delta(), delta()],
    "all": [call(), snapshot("requires_action", action(call())), delta()],
}


@pytest.mark.parametrize("how", NAMED)
def test_a_turn_that_is_only_named(how: str) -> None:
    """It begins where it is named first by the first kind of record that does."""
    (found,) = traced(snapshot("in_progress"), *NAMED[how]).turns.values()
    assert (found.id, found.status, found.outcome, found.began) == (TURN, None, None, None)
    assert [at.line for at in found.origins] == [2]


@pytest.mark.parametrize("how", NAMED)
@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
def test_a_turn_with_a_record_of_its_own(how: str, first: bool) -> None:
    story, named = [*opening(), *ending()], NAMED[how]
    (found,) = traced(*(named + story if first else story + named)).turns.values()
    assert (found.id, found.status, found.outcome) == (TURN, "completed", "completed")
    assert found.began is not None
    assert len(found.origins) == 3


def test_a_delta_without_a_turn_names_none() -> None:
    assert traced(snapshot("in_progress"), delta(None)).turns == {}
    assert list(traced(turn("created"), delta(None)).turns) == [TURN]
