"""Agents, turns, the latest snapshot, results and refusals: each from a story told line by line."""

import json
from pathlib import Path
from typing import Any

import pytest

import tracelink
from tests.rules.cases import (
    AGENT,
    SESSION,
    TURN,
    Json,
    action,
    added,
    approval,
    call,
    connection,
    create,
    decided,
    done,
    ending,
    lines,
    numbered,
    opening,
    output,
    page,
    post,
    refusal,
    session,
    snapshot,
    subagent,
    turn,
    user,
    waiting,
    wrapped,
)
from tracelink.model.trace import Trace


def traced(*rows: Json) -> Trace:
    (trace,) = tracelink.trace(lines(list(rows)).encode())
    return trace


def files(folder: Path, *stories: list[Json]) -> Trace:
    """Each story in a file of its own."""
    paths = []
    for number, story in enumerate(stories):
        paths.append(folder / f"{number}.jsonl")
        paths[-1].write_text(lines(story))
    (trace,) = tracelink.trace(*paths)
    return trace


# Agents: the ladder of fact sheet B.4


def spawns(*rows: Json) -> dict[str, tuple[str, str]]:
    """Subagent → (create item, rule)."""
    trace = traced(*opening(), *rows)
    return {agent.id: (agent.spawn.item_id, agent.spawn.rule) for agent in trace.agents.values() if agent.spawn is not None}


def born(subagent_id: str, words: str | None = None, **more: Any) -> Json:
    instructions = [{"type": "output_text", "text": words}] if words else None
    return subagent("created", subagent_id, instructions=instructions, **more)


def retrieved(subagent_id: str, opened: int, words: str | None = None) -> Json:
    value: Json = born(subagent_id, words, opened=opened)["subagent"]
    return value


def test_one_call_and_one_subagent_is_unique() -> None:
    assert spawns(added(create()), born("sub_a")) == {"sub_a": ("item_create1", "unique")}
    assert spawns(born("sub_a"), page(create())) == {"sub_a": ("item_create1", "unique")}, "in any order"


def test_the_same_words_tell_before_position() -> None:
    """The subagents appear in the other order."""
    rows = [added(create("item_c1", "Count gulls.")), added(create("item_c2", "Count crabs."))]
    found = spawns(*rows, born("sub_crabs", "Count crabs."), born("sub_gulls", "Count gulls."))
    assert found == {"sub_crabs": ("item_c2", "instructions"), "sub_gulls": ("item_c1", "instructions")}


def test_the_same_words_twice_tell_nothing() -> None:
    rows = [added(create("item_c1", "Count.")), added(create("item_c2", "Count."))]
    found = spawns(*rows, born("sub_a", "Count.", opened=12), born("sub_b", "Count.", opened=13))
    assert {rule for _, rule in found.values()} <= {"position", "order", "unique"}
    assert found["sub_a"][0] == "item_c1"


def test_position_side_by_side() -> None:
    rows = [added(create("item_c1")), born("sub_a"), done(create("item_c1")), added(create("item_c2")), born("sub_b")]
    assert spawns(*rows) == {"sub_a": ("item_c1", "position"), "sub_b": ("item_c2", "position")}


def test_order_by_opening_time_where_nothing_else_tells() -> None:
    """Listed objects have no position: the nth call goes to the nth by opened_at, not by id or place in the list."""
    rows = [page(create("item_c1"), create("item_c2"), create("item_c3"))]
    rows += [retrieved("sub_late", 30), retrieved("sub_first", 10), retrieved("sub_second", 20)]
    assert spawns(*rows) == {
        "sub_first": ("item_c1", "order"),
        "sub_second": ("item_c2", "order"),
        "sub_late": ("item_c3", "order"),
    }


def test_the_last_pair_left_is_unique() -> None:
    rows = [page(create("item_c1", "Count gulls."), create("item_c2"))]
    rows += [retrieved("sub_a", 10), retrieved("sub_b", 20, "Count gulls.")]
    assert spawns(*rows) == {"sub_b": ("item_c1", "instructions"), "sub_a": ("item_c2", "unique")}


def test_nested_subagents_have_their_own_parents() -> None:
    rows = [added(create("item_c1")), born("sub_a")]
    rows += [added({**create("item_c2"), "agent_id": "sub_a", "turn_id": "turn_a"}), born("sub_b", parent_agent_id="sub_a")]
    assert spawns(*rows) == {"sub_a": ("item_c1", "unique"), "sub_b": ("item_c2", "unique")}
    trace = traced(*opening(), *rows)
    assert (trace.agents["sub_a"].parent_id, trace.agents["sub_b"].parent_id) == (AGENT, "sub_a")


def test_a_failed_create_has_no_subagent() -> None:
    rows = [added(create("item_c1", status="failed")), added(create("item_c2")), born("sub_a")]
    assert spawns(*rows) == {"sub_a": ("item_c2", "unique")}
    assert spawns(added(create("item_c1", status="failed")), born("sub_a")) == {}


def test_an_orphan_subagent_stays_one() -> None:
    trace = traced(*opening(), born("sub_a"))
    assert trace.agents["sub_a"].spawn is None
    assert trace.agents["sub_a"].parent_id == AGENT, "it says so itself"


def test_more_subagents_than_calls() -> None:
    found = spawns(added(create("item_c1")), born("sub_a", opened=12), born("sub_b", opened=13))
    assert found == {"sub_a": ("item_c1", "position")}


def test_a_subagent_resumed_is_one_agent() -> None:
    trace = traced(*opening(), added(create()), born("sub_a"), subagent("closed", "sub_a"), subagent("active", "sub_a"))
    agent = trace.agents["sub_a"]
    assert (agent.status, agent.closed_at, len(agent.history)) == ("active", None, 3)
    assert agent.spawn is not None


def test_an_agent_that_is_only_named_was_not_seen() -> None:
    wait = {"type": "wait_for_subagents_call", "id": "item_w", "turn_id": TURN, "sender_agent_id": AGENT, "status": "completed"}
    trace = traced(*opening(), added({**wait, "recipient_agent_ids": ["sub_ghost"]}))
    assert trace.agents["sub_ghost"].seen is False
    assert trace.counts["subagents"] == 0


def test_a_message_by_name_makes_no_agent() -> None:
    message = {
        "type": "agent_message",
        "id": "item_m",
        "turn_id": TURN,
        "sender_agent_id": "Heron",
        "recipient_agent_id": AGENT,
    }
    trace = traced(*opening(), subagent("created", "sub_a", name="Heron"), added({**message, "content": []}))
    assert set(trace.agents) == {AGENT, "sub_a"}


# Turns: whose they are, when they are over, what covers them


def test_a_turn_belongs_to_its_subagent_id() -> None:
    """`turn.agent_id` of a child is the root's id (DESIGN 5.3)."""
    trace = traced(*opening(), born("sub_a"), turn("created", "turn_kid", subagent_id="sub_a"))
    assert {one.id: one.agent_id for one in trace.turns.values()} == {TURN: AGENT, "turn_kid": "sub_a"}
    assert all(one.owner_known for one in trace.turns.values())


def test_a_turn_that_only_items_name_is_shown_under_the_root() -> None:
    trace = traced(page(user(), call()), session("idle"))
    (only,) = trace.turns.values()
    assert (only.agent_id, only.owner_known, only.outcome, only.covered) == (AGENT, False, None, False)


def test_the_first_end_stands() -> None:
    trace = traced(*opening(), turn("completed"), turn("in_progress"), turn("cancelled"))
    only = trace.turns[TURN]
    assert only.outcome == "completed"
    assert only.ended is not None
    assert only.ended.line == 5


@pytest.mark.parametrize(
    ("rows", "by"),
    [
        ([*opening(), turn("completed")], "stream"),
        ([*opening()], ""),
        ([turn("in_progress"), turn("completed")], ""),
        ([turn("completed")["turn"], page(user())], "pages"),
        ([page(user()), turn("completed")["turn"]], ""),
        ([turn("completed")["turn"], page(user(), more=True)], ""),
        ([turn("in_progress")["turn"], page(user())], ""),
    ],
    ids=["stream", "no end", "no beginning", "whole page", "page before the end", "page gap", "page, still open"],
)
def test_cover(rows: list[Json], by: str) -> None:
    assert traced(*rows).turns[TURN].covered_by == by


# The latest snapshot


def latest(trace: Trace) -> list[tuple[str | None, int]]:
    return [(one.body.status, one.at.index) for one in trace.latest]


def test_arrival_decides_within_a_source() -> None:
    assert latest(traced(*waiting(call()), snapshot("in_progress", at=10))) == [("in_progress", 0)]


def test_a_retrieved_object_counts_by_its_place() -> None:
    assert latest(traced(*waiting(call()), session("idle", at=25))) == [("idle", 0)]


def test_an_earlier_record_with_a_later_clock_may_be_the_latest() -> None:
    found = latest(traced(snapshot("idle", at=30), snapshot("requires_action", action(call()), at=10)))
    assert sorted(str(status) for status, _ in found) == ["idle", "requires_action"]


def test_receive_times_decide_between_sources(tmp_path: Path) -> None:
    early = [wrapped(number, row) for number, row in enumerate(numbered(waiting(call())))]
    late = [wrapped(60, session("idle", at=10))]
    assert latest(files(tmp_path, late, early)) == [("idle", 0)]


def test_then_last_active_at(tmp_path: Path) -> None:
    assert latest(files(tmp_path, [session("idle", at=50)], waiting(call()))) == [("idle", 0)]
    assert latest(files(tmp_path, [session("idle", at=2)], waiting(call()))) == [("requires_action", 1)]


def test_equal_seconds_leave_both(tmp_path: Path) -> None:
    assert latest(files(tmp_path, [session("idle", at=10)], waiting(call()))) == [("idle", 0), ("requires_action", 1)]


def test_equal_seconds_and_equal_bodies_are_one(tmp_path: Path) -> None:
    assert len(latest(files(tmp_path, [session("requires_action", action(call()))], waiting(call())))) == 1


# Results


PAIR = (TURN, "call_ebb1")


def results(*rows: Json) -> list[tuple[bool, bool, int]]:
    """(posted, recorded, repetitions) of each result."""
    return [
        (one.posted is not None, one.recorded is not None, len(one.repeated)) for one in traced(*waiting(call()), *rows).results
    ]


def test_an_item_confirms_the_post_that_says_the_same() -> None:
    assert results(post(), added(output())) == [(True, True, 0)]
    assert results(added(output()), post()) == [(True, True, 0)]
    assert results(post(value="a"), post(value="b"), added(output(value="b"))) == [(True, False, 0), (True, True, 0)]


def test_another_item_is_a_result_of_its_own() -> None:
    assert results(post(value="a"), added(output(value="b"))) == [(True, False, 0), (False, True, 0)]


def test_a_resend_and_its_item_are_one_repetition() -> None:
    assert results(post(), post(), added(output()), added(output(id="item_again"))) == [(True, True, 1)]


def test_the_same_item_again_is_no_repetition() -> None:
    assert results(added(output()), page(call(), output())) == [(False, True, 0)]


def test_a_refused_post_that_was_sent_again_is_one_result() -> None:
    trace = traced(*waiting(call()), post(), refusal("Unknown pending tool call: call_ebb1"), post(), added(output()))
    (result,) = trace.results
    assert (result.refused, result.repeated) == (None, ())
    assert result.posted is not None
    assert result.posted.line == 9, "the one that was taken"


def test_posts_without_ids_are_not_merged() -> None:
    assert len(results(post(call_id=None), post(call_id=None))) == 2


def test_numbers_and_booleans_differ() -> None:
    assert len(results(post(value={"ok": True}), post(value={"ok": 1}))) == 2


def test_the_output_is_what_the_event_carried() -> None:
    """On a page the output of a failed result was null."""
    event = added(output(value="The gauge is out of reach.", status="failed"))
    trace = traced(*waiting(call()), event, page(user(), call(), output(value=None, status="failed")))
    assert trace.results[0].output == "The gauge is out of reach."


@pytest.mark.parametrize(
    ("rows", "state"),
    [
        ([], "required"),
        ([post()], "unapplied"),
        ([added(output())], "answered"),
        ([post(), snapshot("in_progress", at=12)], "answered"),
        ([post(), refusal("Unknown pending tool call: call_ebb1")], "required"),
        ([post("call_ebb")], "required"),
        ([snapshot("in_progress", at=12)], "cleared"),
        (ending(), "unanswered"),
        (ending("failed"), "abandoned"),
        (ending("cancelled"), "abandoned"),
        ([post(), refusal("x", "conflict_error"), *ending("cancelled")], "abandoned"),
        ([post(), *ending()], "answered"),
    ],
)
def test_states(rows: list[Json], state: str) -> None:
    assert traced(*waiting(call()), *rows).calls[PAIR].state == state


def test_state_of_a_call_in_an_open_turn() -> None:
    assert traced(*opening(call())).calls[PAIR].state == "open"
    assert traced(page(user(), call(), more=True)).calls[PAIR].state == "open"


def test_a_later_session_in_another_file_clears_the_call(tmp_path: Path) -> None:
    trace = files(tmp_path, waiting(call()), [session("idle", at=50)])
    assert trace.calls[PAIR].state == "cleared"


# Refusals


def refused(*rows: Json) -> list[str | None]:
    """The call_ids of the posts that were refused."""
    trace = traced(*waiting(call(), call("call_fog7")), *rows)
    return [one.call_id for one in trace.results if one.refused is not None]


UNKNOWN = "Unknown pending tool call: {}"


def test_a_refusal_that_names_the_call() -> None:
    assert refused(post(), post("call_fog7"), refusal(UNKNOWN.format("call_ebb1"))) == ["call_ebb1"]
    assert refused(post(), post("call_fog7"), refusal(f"{UNKNOWN.format('`call_ebb1`')}.")) == ["call_ebb1"]


def test_a_refusal_that_names_nothing_is_of_the_post_before_it() -> None:
    assert refused(post(), post("call_fog7"), refusal("The input conflicts.", "conflict_error")) == ["call_fog7"]


def test_a_refusal_of_something_else_is_tied_to_nothing() -> None:
    assert refused(post(), refusal("No such session.", "not_found_error")) == []
    assert refused(post(), refusal("Unknown pending tool call: call_of_another_log")) in ([], ["call_ebb1"])


def test_a_refusal_does_not_look_ahead() -> None:
    assert refused(refusal("The input conflicts.", "conflict_error"), post()) == []


def test_two_refusals_in_a_row_are_of_two_posts() -> None:
    both = [refusal(UNKNOWN.format("call_ebb1")), refusal(UNKNOWN.format("call_fog7"))]
    assert refused(post(), post("call_fog7"), *both) == ["call_ebb1", "call_fog7"]


def test_a_log_entry_with_request_and_response() -> None:
    """One POST is taken or refused as a whole; the one that the message names is the one at fault."""
    entry = {"request": {"body": {"events": [post()]}}, "response": {"status": 400, "body": refusal("Bad pair.")}}
    assert refused(post("call_fog7"), entry) == ["call_ebb1"]


def test_a_refusal_of_an_approval() -> None:
    trace = traced(*opening(), snapshot("requires_action", approval()), decided(), refusal("No such request: mcpr_reef1"))
    (answer,) = trace.answers
    assert answer.refused is not None


# Actions over their life


def test_actions_come_and_go() -> None:
    fog = call("call_fog7")
    trace = traced(*waiting(call(), fog), snapshot("requires_action", action(fog), at=14), snapshot("in_progress", at=15))
    first, second = trace.actions
    assert (first.id, first.first.line, first.last.line) == ("call_ebb1", 7, 7)
    assert first.cleared is not None
    assert first.cleared.line == 8
    assert (second.first.line, second.last.line, second.listed_latest) == (7, 8, False)


def test_an_environment_is_cleared_by_its_connection() -> None:
    event = {"type": "agent.session.environment.connected", "session_id": SESSION, "turn_id": None}
    env = {"id": "env_reef1", "type": "self_hosted", "status": "connected", "error": None}
    waits = snapshot("requires_action", connection())
    trace = traced(waits, {**event, "environment": env})
    assert trace.actions[0].cleared is not None
    assert traced(waits, {**event, "environment": {**env, "id": "env_other"}}).actions[0].cleared is None


def test_an_action_listed_again_is_open_again() -> None:
    trace = traced(*waiting(call()), snapshot("in_progress", at=12), snapshot("requires_action", action(call()), at=13))
    assert trace.actions[0].cleared is None


def test_linking_is_blind_to_how_the_records_are_framed(tmp_path: Path) -> None:
    """JSON lines, one array, server-sent events and wrapped lines tell one story."""
    story = numbered([*waiting(call()), post(), added(output()), snapshot("in_progress", at=12), *ending()])
    texts = {
        "lines": lines(story),
        "array": json.dumps(story),
        "sse": "".join(f"event: {row['type']}\ndata: {json.dumps(row)}\n\n" for row in story),
        "wrapped": lines([wrapped(number, row) for number, row in enumerate(story)]),
    }
    told = {
        name: [
            (trace.session_id, {key: one.state for key, one in trace.calls.items()}, trace.counts)
            for trace in tracelink.trace(text.encode())
        ]
        for name, text in texts.items()
    }
    assert all(one == told["lines"] for one in told.values()), told


def test_who_creates_in_a_turn_owns_it() -> None:
    """B.2: a create call names its requester, so a child's page tells whose turn it lists, without any turn object."""
    item = {"type": "create_subagent_call", "id": "item_1", "turn_id": "turn_kid", "agent_id": "sub_1", "status": "completed"}
    kid = {"object": "agent.session.subagent", "id": "sub_1", "session_id": "sess_1", "parent_agent_id": "agent_1"}
    listed = page({**item, "content": [], "model": None, "reasoning_effort": None})
    trace = traced({**kid, "status": "active", "opened_at": 1, "closed_at": None, "name": None, "instructions": None}, listed)
    assert (trace.turns["turn_kid"].agent_id, trace.turns["turn_kid"].owner_known) == ("sub_1", True)


def test_a_subagent_under_the_roots_own_id_leaves_the_root_in_place() -> None:
    """Ids are opaque and may be anything, also equal. Every trace has a root."""
    session = {"object": "agent.session", "id": "s1", "status": "idle", "agent": {"id": "same"}, "required_actions": []}
    sub = {"object": "agent.session.subagent", "id": "same", "session_id": "s1", "parent_agent_id": "same", "status": "active"}
    report = tracelink.report("\n".join(map(json.dumps, (session, sub))).encode())
    assert report.sessions[0].trace.root.id == "same"
