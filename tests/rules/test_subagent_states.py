"""TL403, TL407 and TL408 by how a subagent's close and opening are told: by the event's name, by its object, or by another record."""

from typing import Any

import pytest

import tracelink
from tests.rules.cases import (
    AGENT,
    START,
    TURN,
    Json,
    added,
    create,
    done,
    ending,
    lines,
    of,
    opening,
    page,
    said,
    snapshot,
    subagent,
    told,
)

GULL = "sub_gull1"
LIMIT = {"id": AGENT, "multi_agent": {"enabled": True, "max_concurrent_subagents": 2}}


def without(row: Json, *names: str) -> Json:
    return {**row, "subagent": {name: one for name, one in row["subagent"].items() if name not in names}}


CLOSED = {
    "event and object": subagent("closed"),
    "event alone": without(subagent("closed"), "status", "closed_at"),
    "object alone": subagent("active", status="closed", closed_at=START + 30),
    "created closed": subagent("created", status="closed"),
}


def sent(item_id: str = "item_send1") -> Json:
    item = {"type": "send_subagent_input_call", "id": item_id, "turn_id": TURN, "sender_agent_id": AGENT, "content": []}
    return added({**item, "recipient_agent_id": GULL, "status": "in_progress"})


def resumed(status: str) -> Json:
    item = {"type": "resume_subagent_call", "id": "item_resume1", "turn_id": TURN, "sender_agent_id": AGENT}
    return {**item, "recipient_agent_id": GULL, "status": status}


BORN = [*opening(), added(create(status="in_progress")), subagent(), done(create())]


@pytest.mark.parametrize("how", CLOSED)
def test_work_for_a_subagent_that_was_closed(how: str) -> None:
    (finding,) = of(told(*BORN, CLOSED[how], sent()), "TL403")
    assert [at.line for at in finding.locations] == [9, 8]
    assert of(told(*BORN, CLOSED[how], subagent("active"), sent()), "TL403") == []


def test_a_resume_call_reopens_it_where_the_stream_shows_it() -> None:
    rows = [*BORN, subagent("closed")]
    assert of(told(*rows, added(resumed("in_progress")), sent()), "TL403") == []
    assert len(of(told(*rows, added(resumed("failed")), sent()), "TL403")) == 1
    assert len(of(told(*rows, sent(), added(resumed("in_progress"))), "TL403")) == 1
    assert len(of(told(*rows, resumed("completed"), sent()), "TL403")) == 1  # a listed item has no place in the stream


# TL408


def crowd(*between: Json, third: int = 40) -> list[Json]:
    """Three subagents where two are allowed; what stands before the third."""
    made = [subagent("created", GULL), subagent("created", "sub_gull2")]
    return [snapshot("created", at=0, agent=LIMIT), *made, *between, subagent("created", "sub_gull3", opened=third)]


@pytest.mark.parametrize("how", CLOSED)
def test_a_close_in_between_makes_room(how: str) -> None:
    (finding,) = of(told(*crowd()), "TL408")
    assert finding.ids == {"subagent_id": "sub_gull3"}
    assert of(told(*crowd(CLOSED[how])), "TL408") == []


@pytest.mark.parametrize(("closed", "fires"), [(30, False), (39, False), (40, True), (50, True), (None, True)])
def test_a_close_that_only_a_list_shows_counts_by_its_second(closed: int | None, fires: bool) -> None:
    """Closed before the third was opened; in the same second the order is not told, and without a time nothing is."""
    at = START + closed if closed is not None else None
    listed = subagent("closed", GULL, closed_at=at)["subagent"]
    found = of(told(*crowd(), page(listed)), "TL408")
    assert len(found) == fires


def test_two_without_a_time_of_their_close_are_two() -> None:
    listed = [subagent("closed", name, closed_at=None)["subagent"] for name in (GULL, "sub_gull2")]
    (finding,) = of(told(*crowd(), page(*listed)), "TL408")
    assert finding.message.startswith("Up to 3 subagents are active at once")


def test_each_close_makes_room_for_one() -> None:
    gone = [subagent("closed", GULL, closed_at=START + 30)["subagent"]]
    rows = [*crowd(), subagent("created", "sub_gull4", opened=41)]
    assert [one.ids for one in of(told(*rows, page(*gone)), "TL408")] == [{"subagent_id": "sub_gull4"}]
    gone += [subagent("closed", "sub_gull2", closed_at=START + 31)["subagent"]]
    assert of(told(*rows, page(*gone)), "TL408") == []


# TL407


@pytest.mark.parametrize(("torn", "fires"), [("", True), ('{"type": "agent.session.turn.item\n', False)])
def test_a_create_call_may_be_what_could_not_be_read(torn: str, fires: bool) -> None:
    rows: list[Any] = [*opening(), subagent(), added(said()), *ending()]
    text = lines(rows[:5]) + torn + lines([{"event_id": f"late_{n}", **row} for n, row in enumerate(rows[5:])])
    assert len(of(tracelink.report(text.encode()), "TL407")) == fires
