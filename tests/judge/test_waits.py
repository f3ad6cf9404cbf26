"""Who blocks whom: the waits that have begun and not ended."""

import tracelink
from tests.rules.cases import (
    AGENT,
    TURN,
    Json,
    added,
    create,
    done,
    lines,
    opening,
    page,
    session,
    subagent,
    turn,
)
from tracelink.judge.waits import active_waits, blocking_path
from tracelink.model.trace import Trace

GULL, TERN = "sub_gull1", "sub_tern1"


def traced(*rows: Json) -> Trace:
    (trace,) = tracelink.trace(lines(list(rows)).encode())
    return trace


def wait(
    sender: str | None, *recipients: str, turn_id: str = TURN, item_id: str = "item_wait1", status: str = "in_progress"
) -> Json:
    base = {"type": "wait_for_subagents_call", "id": item_id, "turn_id": turn_id, "status": status}
    return {**base, "sender_agent_id": sender, "recipient_agent_ids": list(recipients)}


def team() -> list[Json]:
    """Two subagents, each with a turn that runs."""
    rows = [*opening(), added(create()), done(create()), subagent(), subagent(subagent_id=TERN, opened=13, name="Tern")]
    for name in (GULL, TERN):
        rows += [turn(kind, f"turn_{name}", subagent_id=name) for kind in ("created", "in_progress")]
    return rows


def test_a_wait_that_began_holds_its_agent() -> None:
    trace = traced(*team(), added(wait(AGENT, GULL)))
    assert [item.item_id for item in active_waits(trace)[AGENT]] == ["item_wait1"]
    assert blocking_path(trace, AGENT) == (AGENT, GULL)
    assert blocking_path(trace, TERN) == ()


def test_a_wait_that_returned_holds_nobody() -> None:
    trace = traced(*team(), added(wait(AGENT, GULL)), done(wait(AGENT, GULL, status="completed")))
    assert active_waits(trace) == {}
    assert blocking_path(trace, AGENT) == ()


def test_a_wait_in_a_turn_that_ended_holds_nobody() -> None:
    assert active_waits(traced(*team(), added(wait(AGENT, GULL)), turn("completed"))) == {}


def test_the_turns_agent_waits_where_no_sender_is_named() -> None:
    assert list(active_waits(traced(*team(), added(wait(None, GULL))))) == [AGENT]


def test_of_several_the_first_that_still_runs_blocks() -> None:
    rows = [*team(), turn("completed", f"turn_{GULL}", subagent_id=GULL), added(wait(AGENT, GULL, TERN))]
    assert blocking_path(traced(*rows), AGENT) == (AGENT, TERN)


def test_of_several_that_all_rest_the_first_is_named() -> None:
    over = [turn("completed", f"turn_{name}", subagent_id=name) for name in (GULL, TERN)]
    assert blocking_path(traced(*team(), *over, added(wait(AGENT, TERN, GULL))), AGENT) == (AGENT, TERN)


def test_a_chain_and_a_ring() -> None:
    chain = [*team(), added(wait(AGENT, GULL)), added(wait(GULL, TERN, turn_id=f"turn_{GULL}", item_id="item_wait2"))]
    assert blocking_path(traced(*chain), AGENT) == (AGENT, GULL, TERN)
    ring = [*chain, added(wait(TERN, GULL, turn_id=f"turn_{TERN}", item_id="item_wait3"))]
    assert blocking_path(traced(*ring), AGENT) == (GULL, TERN, GULL)


def test_a_subagent_may_be_waited_for_by_its_name() -> None:
    assert blocking_path(traced(*team(), added(wait(AGENT, "Tern"))), AGENT) == (AGENT, TERN)


def test_a_wait_for_nobody_blocks_nobody() -> None:
    trace = traced(*team(), added(wait(AGENT)))
    assert blocking_path(trace, AGENT) == ()


def test_a_wait_of_a_turn_that_is_not_recorded_belongs_to_its_sender() -> None:
    """A page of items alone: the turn is known by its id only, and may well run."""
    trace = traced(session("in_progress"), page(wait(AGENT, GULL, turn_id="turn_far1")))
    assert list(active_waits(trace)) == [AGENT]
