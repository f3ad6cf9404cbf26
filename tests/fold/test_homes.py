"""Which session a record goes to that names none: by its ids, its document, the post before it, its source, the run; else to none."""

import json
from typing import Any

import tracelink
from tests.rules.cases import (
    SESSION,
    TURN,
    Json,
    added,
    call,
    connection,
    create,
    decided,
    lines,
    opening,
    output,
    page,
    post,
    refusal,
    session,
    snapshot,
    subagent,
    turn,
    waiting,
    wrapped,
)
from tracelink.model.trace import Trace

OTHER = "sess_tide2"


def jsonl(*rows: Any) -> bytes:
    return lines(list(rows)).encode()


def traces(*sources: bytes) -> dict[str | None, Trace]:
    return {trace.session_id: trace for trace in tracelink.trace(*sources)}


def here(session_id: str, turn_id: str) -> list[Json]:
    """A turn of a session, that runs."""
    return [snapshot("in_progress", session_id=session_id), turn("created", turn_id, session_id=session_id)]


def both() -> list[Json]:
    return [*here(SESSION, TURN), *here(OTHER, "turn_other1")]


def test_by_the_turn() -> None:
    """Pages of items name no session: each item goes where its turn is known."""
    found = traces(jsonl(*both()), jsonl(call("call_other1", "turn_other1"), call()))
    assert set(found) == {SESSION, OTHER}
    assert list(found[SESSION].calls) == [(TURN, "call_ebb1")]
    assert list(found[OTHER].calls) == [("turn_other1", "call_other1")]


def test_by_the_call_where_the_turn_is_wrong() -> None:
    rows = [*both(), added(call()), added(call("call_other1", "turn_other1"), session_id=OTHER)]
    found = traces(jsonl(*rows), jsonl(post("call_other1", "turn_nowhere")))
    assert [one.call_id for one in found[OTHER].results] == ["call_other1"]
    assert found[SESSION].results == ()


def test_by_the_request_and_by_the_environment() -> None:
    asked = {"type": "mcp_approval_request", "turn_id": "turn_other1", "request_id": "mcpr_reef1", "request": {}}
    rows = [
        snapshot("requires_action", connection()),
        snapshot("requires_action", asked, session_id=OTHER),
    ]
    state = {"type": "self_hosted", "id": "env_reef1", "object": "agent.environment", "status": "connected"}
    found = traces(jsonl(*rows), jsonl(decided(), state))
    assert [one.request_id for one in found[OTHER].inputs] == ["mcpr_reef1"]
    assert [one.environment_id for one in found[SESSION].environments] == ["env_reef1"]


def test_by_the_sessions_own_environment() -> None:
    own = {"type": "self_hosted", "id": "env_own1", "remote_url": "wss://x.example", "workspace_directory": "/work"}
    rows = [snapshot("in_progress", environment=own), snapshot("in_progress", session_id=OTHER)]
    state = {"type": "self_hosted", "id": "env_own1", "object": "agent.environment", "status": "connected"}
    found = traces(jsonl(*rows), jsonl(state))
    assert [one.environment_id for one in found[SESSION].environments] == ["env_own1"]
    assert None not in found


def test_an_id_seen_with_two_sessions_decides_nothing() -> None:
    rows = [*both(), added(call()), added(call(turn_id="turn_other1"), session_id=OTHER)]
    found = traces(jsonl(*rows), jsonl(post(turn_id="turn_nowhere")))
    assert [one.call_id for one in found[None].inputs] == ["call_ebb1"]


def test_by_the_document() -> None:
    """What stands in one document with one session is that session's."""
    documents = [
        {"session": session("idle"), "items": page(call())},
        {"session": session("idle", session_id=OTHER), "items": page(call("call_other1", "turn_other1"))},
    ]
    found = traces("".join(json.dumps(one) + "\n" for one in documents).encode())
    assert list(found[SESSION].calls) == [(TURN, "call_ebb1")]
    assert list(found[OTHER].calls) == [("turn_other1", "call_other1")]
    assert [sum(len(one.pages) for one in found[name].lists) for name in (SESSION, OTHER)] == [1, 1]


def test_by_the_source() -> None:
    """A file of one session, whose items no other record knows."""
    found = traces(jsonl(*here(SESSION, TURN), call("call_far1", "turn_far1")), jsonl(*here(OTHER, "turn_other1")))
    assert list(found[SESSION].calls) == [("turn_far1", "call_far1")]
    assert found[OTHER].calls == {}


def test_by_the_run() -> None:
    found = traces(jsonl(*here(SESSION, TURN)), jsonl(call("call_far1", "turn_far1")))
    assert list(found) == [SESSION]
    assert list(found[SESSION].calls) == [("turn_far1", "call_far1")]


def test_to_none_where_there_are_two() -> None:
    found = traces(jsonl(*here(SESSION, TURN)), jsonl(*here(OTHER, "turn_other1")), jsonl(call("call_far1", "turn_far1")))
    assert list(found[None].calls) == [("turn_far1", "call_far1")]


def test_a_refusal_goes_where_the_post_before_it_went() -> None:
    rows = [*both(), post(), refusal("No."), post("call_other1", "turn_other1"), refusal("Never.")]
    found = traces(jsonl(*rows))
    assert [one.message for one in found[SESSION].refusals] == ["No."]
    assert [one.message for one in found[OTHER].refusals] == ["Never."]


def test_a_refusal_goes_where_the_call_is_that_it_names() -> None:
    rows = [*both(), added(call()), post("call_other1", "turn_other1"), refusal("Unknown pending tool call: call_ebb1")]
    assert len(traces(jsonl(*rows))[SESSION].refusals) == 1


def test_a_page_goes_where_its_members_went() -> None:
    """And a page with members of two sessions to neither."""
    found = traces(jsonl(*both()), jsonl(page(call())), jsonl(page(call(), call("call_other1", "turn_other1"))))
    assert [sum(len(one.pages) for one in found[name].lists) for name in (SESSION, OTHER)] == [1, 0]


def test_a_recording_of_pages_alone_is_a_session_without_an_id() -> None:
    found = traces(jsonl({"object": "list", "data": [], "first_id": None, "last_id": None, "has_more": True}))
    assert list(found) == [None]
    assert [len(one.pages) for one in found[None].lists] == [1]


def test_deltas_go_with_their_turn() -> None:
    delta = {
        "type": "agent.session.turn.output_text.delta",
        "delta": "x",
        "item_id": "i",
        "output_index": 0,
        "content_index": 0,
    }
    rows = [{**delta, "event_id": f"d{n}", "session_id": OTHER, "turn_id": "turn_other1"} for n in range(5)]
    found = traces(jsonl(*both(), *rows))
    assert found[OTHER].counts["records"] == 2 + 5
    assert found[SESSION].counts["records"] == 2
    alone = traces(jsonl(*rows))
    assert alone[OTHER].counts["records"] == 5


# Deliveries


def test_the_same_event_again_is_one_and_another_under_its_id_is_kept() -> None:
    one = {"event_id": "ev_x", **added(call())}
    other = {"event_id": "ev_x", **added(call("call_ebb2"))}
    (run,) = [tracelink.trace(jsonl(*opening(), one, one, other, one))]
    assert list(run.counts) == [{"used": 6, "repeated": 2}]
    assert sorted(run.traces[0].calls) == [(TURN, "call_ebb1"), (TURN, "call_ebb2")]


def test_the_same_post_at_the_same_time_is_one_delivery() -> None:
    row = wrapped(30, {"events": [post()]})
    again = wrapped(31, {"events": [post()]})
    (trace,) = tracelink.trace(jsonl(*waiting(call()), row, row))
    assert (len(trace.inputs), len(trace.repeats)) == (1, 1)
    (trace,) = tracelink.trace(jsonl(*waiting(call()), row, again))
    assert (len(trace.inputs), len(trace.repeats)) == (2, 0)
    (trace,) = tracelink.trace(jsonl(*waiting(call()), post(), post()))
    assert len(trace.inputs) == 2  # without times nothing shows that the recorder and not the app repeated it


def test_several_files_are_put_in_order_by_receive_times() -> None:
    """The later file is given first; without times the order is that of the arguments."""
    early = jsonl(
        wrapped(1, {"event_id": "a", **snapshot("in_progress", at=1)}), wrapped(2, {"event_id": "b", **turn("created")})
    )
    late = jsonl(wrapped(9, {"event_id": "c", **turn("completed")}), wrapped(10, {"event_id": "d", **snapshot("idle", at=10)}))
    for sources in ((early, late), (late, early)):
        (trace,) = tracelink.trace(*sources)
        assert [one.body.status for one in trace.snapshots] == ["in_progress", "idle"]
        assert [one.status for one in trace.turns[TURN].history] == ["queued", "completed"]
        assert trace.turns[TURN].outcome == "completed"


def test_what_has_no_id_is_told_apart_by_its_place() -> None:
    nameless = output() | {"id": None}
    (trace,) = tracelink.trace(jsonl(*waiting(call()), added(nameless), added(nameless | {"output": "other"})))
    assert len(trace.results) == 2


def test_subagents_go_by_their_own_id() -> None:
    born = subagent()["subagent"] | {"session_id": None}
    found = traces(jsonl(*both(), added(create()), subagent()), jsonl(born))
    assert [agent for agent in found[SESSION].agents if agent.startswith("sub_")] == ["sub_gull1"]
    assert None not in found
