"""TL404: what shows that a subagent's turn was open when the root's ended, and what does not."""

import json
from typing import Any

import tracelink
from tests.rules.cases import (
    AGENT,
    SESSION,
    START,
    TURN,
    Json,
    added,
    create,
    done,
    lines,
    of,
    opening,
    session,
    snapshot,
    subagent,
    told,
    turn,
)
from tracelink.model.finding import Finding

GULL, CHILD = "sub_gull1", "turn_gull1"


def child(kind: str, **more: Any) -> Json:
    return turn(kind, CHILD, subagent_id=GULL, **more)


def begun() -> list[Json]:
    return [*opening(), added(create()), done(create()), subagent(), child("created"), child("in_progress")]


def left(*rows: Json) -> list[Finding]:
    return of(told(*rows), "TL404")


def act(kind: str, status: str = "completed", name: str = GULL) -> Json:
    item = {"type": f"{kind}_subagent_call", "id": f"item_{kind}", "turn_id": TURN, "status": status}
    return {**item, "sender_agent_id": AGENT, "recipient_agent_id": name}


def test_seen_running_in_the_stream_that_ended() -> None:
    (finding,) = left(*begun(), turn("completed"), snapshot("idle"))
    assert finding.confidence.value == "medium"
    assert finding.ids == {"subagent_id": GULL, "turn_id": CHILD, "root_turn_id": TURN}
    assert [at.line for at in finding.locations] == [10, 9]
    assert "(last seen in_progress at <bytes>:9)" in finding.message


def test_seen_running_before_and_after_the_end() -> None:
    rows = [*begun(), turn("completed"), snapshot("idle"), child("in_progress", started_at=START + 2)]
    assert len(left(*rows)) == 1


def test_begun_after_the_end_is_another_story() -> None:
    rows = [*opening(), added(create()), done(create()), subagent(), turn("completed"), snapshot("idle"), child("created")]
    assert left(*rows) == []


def test_an_interrupt_or_a_close_ends_it_recorded_or_not() -> None:
    for kind in ("interrupt", "close"):
        assert left(*begun(), added(act(kind)), done(act(kind)), turn("completed")) == []
        assert len(left(*begun(), added(act(kind, "failed")), done(act(kind, "failed")), turn("completed"))) == 1
        assert len(left(*begun(), added(act(kind, name="sub_tern1")), turn("completed"))) == 1


def test_while_the_root_runs_it_may_still_wait() -> None:
    assert left(*begun()) == []
    assert left(*begun(), turn("completed"), snapshot("idle"), turn("created", "turn_tide2")) == []


def test_a_line_that_cannot_be_read_may_be_its_end() -> None:
    text = lines(begun()) + "{broken\n" + lines([turn("completed"), snapshot("idle")])
    assert "TL404" not in {one.code for one in tracelink.report(text.encode()).all_findings()}


def retrieved(status: str, *, at: int = 1, finished: int | None = 20) -> list[Json]:
    """The turn objects, as they were fetched."""
    root = turn("completed")["turn"] | {"completed_at": None if finished is None else START + finished}
    return [root, child(status)["turn"] | {"created_at": START + at, "status": status}]


def fetched(*turns: Json, **more: Any) -> list[Finding]:
    document = {"session": session("idle"), "turns": {"object": "list", "data": list(turns)[::-1], "has_more": False}, **more}
    return of(tracelink.report(json.dumps(document).encode()), "TL404")


def test_fetched_beside_the_roots_end() -> None:
    (finding,) = fetched(*retrieved("in_progress"))
    assert finding.confidence.value == "medium"
    assert fetched(*retrieved("in_progress", at=20)) != []  # in that very second
    assert fetched(*retrieved("in_progress", at=21)) == []  # younger than the root's end
    assert fetched(*retrieved("in_progress", finished=None)) == []
    assert fetched(*retrieved("paused")) == []  # a status that nobody knows


def test_fetched_after_the_root_ended() -> None:
    """A child's turn that still runs when it is fetched later is open for sure."""
    rows = [{"ts": START + n, "event": row} for n, row in enumerate([*begun(), turn("completed"), snapshot("idle")])]
    later = {
        "ts": START + 100,
        "path": f"/v1/agents/sessions/{SESSION}/subagents/{GULL}/turns/{CHILD}",
        "body": retrieved("in_progress")[1],
    }
    (finding,) = of(tracelink.report(lines([*rows, later]).encode()), "TL404")
    assert finding.confidence.value == "high"
