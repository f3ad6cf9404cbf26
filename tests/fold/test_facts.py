"""What is kept of each kind of record, whole and odd: one fact a record, and nothing claimed that it does not say."""

import json
from typing import Any

import pytest

import tracelink
from tests.rules.cases import (
    AGENT,
    SESSION,
    START,
    TURN,
    Json,
    added,
    call,
    done,
    lines,
    page,
    refusal,
    session,
    snapshot,
    subagent,
    turn,
)
from tracelink.fold import fold
from tracelink.model.facts import Fact, PageSeen
from tracelink.model.location import Origin
from tracelink.model.record import Ids, Kind, Record

GULL = "sub_gull1"


def facts(*values: Any) -> list[Fact]:
    return fold(tracelink.read("".join(json.dumps(one) + "\n" for one in values).encode())).facts


def fact(value: Any) -> Any:
    (one,) = facts(value)
    return one


def read(data: bytes) -> list[Fact]:
    return fold(tracelink.read(data)).facts


# Sessions


def test_a_session_alone_and_in_an_event() -> None:
    alone, told = facts(session("idle", at=7), {"event_id": "ev_1", **snapshot("in_progress", at=9)})
    assert (alone.event_type, told.event_type) == (None, "agent.session.in_progress")
    assert (alone.session_id, alone.created_at, alone.last_active_at) == (SESSION, START, START + 7)
    assert (alone.body.status, told.body.status) == ("idle", "in_progress")
    assert alone.body.agent_id == AGENT
    assert alone.body.multi_agent is True
    assert alone.body.max_subagents is None


def test_equal_bodies_are_one_value_and_times_are_no_part_of_it() -> None:
    one, later, other = facts(session("idle", at=7), session("idle", at=8), session("in_progress", at=9))
    assert one.body is later.body
    assert one.body is not other.body


def test_a_number_that_json_libraries_fear_hides_nothing() -> None:
    """More than 64 bits: kept as it is, and the rest of the session with it."""
    huge = session(
        "requires_action", {"type": "function_call", "turn_id": TURN, "call_id": "c", "name": "f", "arguments": 10**30}
    )
    doubt, one, also, two = facts(huge, huge)
    assert [(said.code, said.doubt) for said in (doubt, also)] == [("TL001", True)] * 2
    assert one.body == two.body
    assert one.body.status == "requires_action"
    assert [action.call_id for action in one.body.actions] == ["c"]


def test_odd_members_of_a_session_say_nothing() -> None:
    odd = session("idle", agent="Desk", environment=["none"], required_actions={"type": "function_call"}, error=5)
    body = fact(odd).body
    assert (body.agent_id, body.multi_agent, body.environment_type, body.error) == (None, None, None, None)
    assert (body.actions, body.has_actions) == ((), False)
    mixed = fact(session("requires_action") | {"required_actions": ["call", None, {"turn_id": TURN}]}).body
    assert [(one.type, one.turn_id) for one in mixed.actions] == [("unknown", TURN)]
    assert mixed.has_actions


def test_what_a_session_says_of_its_agent_and_environment() -> None:
    agent = {"id": AGENT, "name": "Desk", "model": "gpt-6-astra", "tools": [{"type": "web_search"}]}
    many = {"enabled": False, "max_concurrent_subagents": 2}
    body = fact(session("idle", agent={**agent, "multi_agent": many}, environment={"id": "env_1", "type": "hosted"})).body
    assert (body.agent_id, body.agent_name, body.model, body.tools) == (AGENT, "Desk", "gpt-6-astra", agent["tools"])
    assert (body.multi_agent, body.max_subagents) == (False, 2)
    assert (body.environment_id, body.environment_type) == ("env_1", "hosted")


@pytest.mark.parametrize(
    ("member", "one", "other"),
    [
        ("status", "idle", "failed"),
        ("required_actions", [], [{"type": "function_call", "turn_id": TURN, "call_id": "c"}]),
        ("agent", {"id": "agent_1"}, {"id": "agent_2"}),
        ("environment", {"id": "env_1"}, {"id": "env_2"}),
        ("error", "gone", "lost"),
    ],
)
def test_sessions_that_differ_in_one_member_are_two(member: str, one: Any, other: Any) -> None:
    """Also where all the other members are missing, which are then the same nothing."""
    bare = {"object": "agent.session", "id": SESSION}
    bodies = [seen.body for seen in facts({**bare, member: one}, {**bare, member: other}, {**bare, member: one})]
    assert bodies[0] == bodies[2] != bodies[1]


def test_an_error_of_a_session_is_text_or_an_object() -> None:
    assert fact(session("failed", error="gone")).body.error == "gone"
    assert fact(session("failed", error={"code": "x", "message": "gone"})).body.error == "gone"


def test_an_action_carries_its_own_words_or_those_of_its_request() -> None:
    inner = {"type": "mcp_tool_call", "name": "open_lock", "arguments": {"lock": 2}}
    rows = [
        {"type": "mcp_approval_request", "turn_id": TURN, "request_id": "r1", "request": inner},
        {"type": "environment_connection", "environment_id": "env_1"},
        {"type": "function_call", "turn_id": TURN, "call_id": "c1", "name": "f", "arguments": None},
    ]
    approval, environment, function = fact(session("requires_action", *rows)).body.actions
    assert (approval.name, approval.arguments, approval.request_id, approval.request) == ("open_lock", {"lock": 2}, "r1", inner)
    assert (environment.environment_id, environment.name, environment.request) == ("env_1", None, None)
    assert (function.call_id, function.name, function.arguments) == ("c1", "f", None)


# Turns, subagents, environments, errors


def test_a_turn_alone_and_in_an_event() -> None:
    event = {"event_id": "ev_1", **turn("failed", subagent_id="sub_1")}
    alone, told = facts(turn("completed")["turn"], event)
    assert (alone.event_type, alone.status, alone.owner_known, alone.subagent_id) == (None, "completed", True, None)
    assert (alone.created_at, alone.started_at, alone.completed_at) == (START + 1, START + 1, START + 20)
    assert (alone.agent_id, told.agent_id) == (AGENT, AGENT)
    assert (told.event_type, told.status, told.subagent_id) == ("agent.session.turn.failed", "failed", "sub_1")
    assert (told.error_code, told.error_message) == ("server_error", "The turn failed.")


@pytest.mark.parametrize(
    ("kind", "status"), [("created", "queued"), ("in_progress", "in_progress"), ("cancelled", "cancelled")]
)
def test_the_events_own_name_tells_the_status_that_its_object_lacks(kind: str, status: str) -> None:
    event = turn(kind)
    del event["turn"]["status"]
    assert fact(event).status == status


def test_the_status_of_the_object_is_believed_before_the_events_name() -> None:
    """A turn that was cancelled while the event was under way, say: the object is the turn itself."""
    event = turn("in_progress", status="cancelled")
    assert (fact(event).event_type, fact(event).status) == ("agent.session.turn.in_progress", "cancelled")


def test_a_retrieved_turn_without_a_status_has_none() -> None:
    bare = turn("created")["turn"]
    del bare["status"]
    assert fact(bare).status is None


def test_whose_turn_it_is_may_be_unknown() -> None:
    event = turn("created")
    del event["turn"]["subagent_id"]
    assert not fact(event).owner_known


def test_a_turn_or_subagent_without_an_id_is_counted_and_makes_no_fact() -> None:
    nameless = turn("created")
    nameless["turn_id"] = None
    nameless["turn"]["id"] = None
    born = subagent()
    born["subagent"]["id"] = None
    recordings = fold(tracelink.read(lines([nameless, born]).encode()))
    assert recordings.facts == []
    assert recordings.counts == {(0, "used"): 2}


def test_a_subagent() -> None:
    words = [
        {"type": "output_text", "text": "Look."},
        {"type": "encrypted_content"},
        "x",
        {"text": 5},
        {"text": "Then report."},
    ]
    one = fact(subagent(name="Gull", instructions=words))
    assert (one.subagent_id, one.parent_agent_id, one.status, one.name) == (GULL, AGENT, "active", "Gull")
    assert (one.opened_at, one.closed_at) == (START + 12, None)
    assert one.instructions == "Look.\nThen report."
    gone = fact(subagent("closed"))
    assert (gone.status, gone.closed_at) == ("closed", START + 30)
    assert fact(subagent(instructions="Look.")).instructions == "Look."
    assert fact(subagent(instructions=[{"type": "encrypted_content"}])).instructions is None
    assert fact(subagent(instructions={"text": "x"})).instructions is None


def test_an_environment() -> None:
    place = {"session_id": SESSION, "turn_id": TURN}
    state = {"id": "env_1", "type": "self_hosted", "error": {"code": "x", "message": "No route."}}
    one = fact({"type": "agent.session.environment.failed", "environment": state, **place})
    assert (one.environment_id, one.status, one.error_message, one.turn_id) == ("env_1", "failed", "No route.", TURN)
    said = fact(
        {"type": "agent.session.environment.failed", "environment": {**state, "status": "expired", "error": None}, **place}
    )
    assert (said.status, said.error_message) == ("expired", None)
    retrieved = {"object": "agent.environment", "id": "env_1", "type": "self_hosted"}
    assert (fact(retrieved).event_type, fact(retrieved).status) == (None, None)  # only an event's name tells a status
    again = fact({**retrieved, "status": "connected", "error": {"message": "Slow."}})
    assert (again.environment_id, again.event_type, again.status, again.error_message) == ("env_1", None, "connected", "Slow.")
    reset = fact({"type": "agent.session.environment.reset", "environment_id": "env_1", "reset_count": 3, **place})
    assert (reset.environment_id, reset.status, reset.reset_count) == ("env_1", "reset", 3)


def test_an_error_event() -> None:
    error = {"code": "server_overloaded", "type": "server_error", "message": "Busy.", "param": None}
    one = fact({"type": "error", "event_id": "ev_1", "session_id": SESSION, "error": error})
    assert (one.session_id, one.code, one.type, one.message) == (SESSION, "server_overloaded", "server_error", "Busy.")


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_refusal_wrapped_and_bare(wrapped: bool) -> None:
    body = {"error": {"type": "invalid_request_error", "code": "x", "message": "No.", "param": "events[0]"}}
    one = fact({"status": 400, "path": f"/v1/agents/sessions/{SESSION}/events", "body": body if wrapped else body["error"]})
    said = (one.session_id, one.http_status, one.type, one.code, one.message, one.param)
    assert said == (SESSION, 400, "invalid_request_error", "x", "No.", "events[0]")
    assert fact(refusal("No.")).http_status is None


def test_a_webhook() -> None:
    hook = {"id": "wh_1", "object": "event", "created_at": START, "type": "agent.session.action_required"}
    one = fact({**hook, "data": {"id": SESSION, "required_action": {"type": "function_call"}}})
    assert (one.session_id, one.type, one.action_type, one.created_at) == (SESSION, hook["type"], "function_call", START)
    assert fact({**hook, "data": {"id": SESSION, "required_action": "function_call"}}).action_type is None
    assert fact({**hook, "data": {"id": SESSION}}).action_type is None


def test_a_page() -> None:
    pages = facts(page(call(), call("call_ebb2"), more=True))
    envelope = pages[0]
    assert (envelope.of, envelope.number, envelope.has_more) == ("item", 0, True)
    assert (envelope.first_id, envelope.last_id) == ("item_call_ebb2", "item_call_ebb1")
    assert envelope[envelope._fields.index("count")] == 2
    assert [one.page for one in pages[1:]] == [0, 0]
    assert [one.item_id for one in pages[1:]] == ["item_call_ebb1", "item_call_ebb2"]
    assert fact({"object": "list", "data": [], "has_more": "no"}).has_more is None


def test_a_page_is_of_the_session_and_subagent_that_its_request_names() -> None:
    path = f"/v1/agents/sessions/{SESSION}/subagents/{GULL}/items"
    envelope = facts({"method": "GET", "path": path, "status": 200, "body": page(call())})[0]
    assert (envelope.session_id, envelope.subagent_id) == (SESSION, GULL)
    assert facts({"session_id": SESSION, "body": page(call())})[0].session_id == SESSION
    assert facts(page(call()))[0].session_id is None


@pytest.mark.parametrize("kind", [one for one in Kind if one not in (Kind.DELTA, Kind.UNREADABLE)])
def test_a_record_of_which_nothing_is_left_is_counted(kind: Kind) -> None:
    """Redaction leaves an empty object of a value that it cannot walk through."""
    ids = Ids(session_id=SESSION, turn_id=TURN, item_id="item_1", subagent_id=GULL)
    found = fold([Record(kind, "agent.session.idle", {}, ids, Origin("x", 1, 0))])
    assert sum(found.counts.values()) == 1
    assert all(one.of == "other" for one in found.facts if isinstance(one, PageSeen))


# Items


def item(**members: Any) -> Any:
    return fact({"id": "item_1", "turn_id": TURN, "status": "completed", **members})


def test_the_phases_of_an_item() -> None:
    seen = facts({"event_id": "a", **added(call())}, {"event_id": "b", **done(call())}, call())
    assert [one.phase for one in seen] == ["added", "done", "listed"]
    assert [one.session_id for one in seen] == [SESSION, SESSION, None]


def test_only_what_matters_of_an_item_is_kept() -> None:
    assert item(type="function_call", call_id="c", name="f", arguments={"a": 1}, other="x").value == {
        "name": "f",
        "arguments": {"a": 1},
    }
    assert item(type="command_execution", command="ls", cwd="/", exit_code=2, output="x").value == {
        "command": "ls",
        "exit_code": 2,
    }
    assert item(type="reasoning", summary=[{"type": "summary_text", "text": "I count."}]).value == {"text": "I count."}
    assert item(type="message", role="user", content=[{"type": "input_text", "text": "a" * 3000}]).value["text"] == "a" * 2000


def test_names_are_text() -> None:
    """Another vendor's number is shown as one; a list is no name."""
    assert item(type="function_call", call_id="c", name=7).value["name"] == "7"
    assert item(type="function_call", call_id="c", name=["f"]).value["name"] is None
    assert item(type="command_execution", command=True).value["command"] == "True"


@pytest.mark.parametrize(
    ("members", "sender", "recipients", "text"),
    [
        ({"type": "create_subagent_call", "agent_id": "a", "content": [{"text": "Go."}]}, "a", [], "Go."),
        ({"type": "create_subagent_call", "agent_id": "a", "task": "Go."}, "a", [], "Go."),
        ({"type": "send_subagent_input_call", "subagent_id": "s", "input": "On."}, None, ["s"], "On."),
        ({"type": "agent_message", "from": "s", "text": "Done."}, "s", [], "Done."),
        (
            {"type": "wait_for_subagents_call", "sender_agent_id": "a", "recipient_agent_ids": ["s", "t", "s", "", 5]},
            "a",
            ["s", "t"],
            None,
        ),
        ({"type": "wait_for_subagents_call", "subagent_ids": ["s"], "subagent_id": "t"}, None, ["s", "t"], None),
        ({"type": "close_subagent_call", "sender_agent_id": "a", "recipient_agent_id": "s"}, "a", ["s"], None),
    ],
)
def test_who_asks_whom(members: Json, sender: str | None, recipients: list[str], text: str | None) -> None:
    """In the official shapes, and in those of the article (fact sheet K)."""
    value = item(**members).value
    assert (value["sender"], value["recipients"], value.get("text")) == (sender, recipients, text)


# What could not be read


@pytest.mark.parametrize(
    ("line", "maybe"),
    [
        ('{"type": "agent.session.idle", "session":', True),
        ('{"event_id": "ev_1", "type":"agent.session.requires_action"', True),
        ('[{"type" : "agent.session.idle"', True),
        ('{"type": "agent.session.turn.created", "turn":', False),
        ('[{"type": "agent.session.turn.created", "turn":', False),
        ('{"ts": 1, "event"', True),  # cut before anything says what it is
        ("  12:01 ready", False),
        ('12:01 sent {"type"', True),
    ],
)
def test_what_is_left_of_a_torn_record_tells_whether_it_may_have_been_a_snapshot(line: str, maybe: bool) -> None:
    whole = lines([snapshot("idle")])
    (trouble,) = [one for one in read(f"{whole}{line}\n{whole}".encode()) if type(one).__name__ == "TroubleSeen"]
    assert trouble.snapshot is maybe


def test_a_torn_frame_of_sse() -> None:
    whole = f"data: {json.dumps(snapshot('idle'))}\n\n"
    (trouble,) = [one for one in read(f"{whole}data: {{'type\n\n{whole}".encode()) if type(one).__name__ == "TroubleSeen"]
    assert trouble.snapshot


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ({"type": "agent.session.turn.rewound", "event_id": "x"}, "event"),
        ({"type": "agent.unheard", "x": 1}, "event"),
        ({"type": "agent.session.turn.input.revised", "event_id": "x"}, "event"),
        ({"object": "thread", "id": "x"}, "object"),
        ({"hello": 1}, "value"),
        ([], "value"),
    ],
)
def test_strangers_are_named_by_what_they_are(value: Any, what: str) -> None:
    (one,) = facts(value)
    assert (one.group, one.what) == ("unknown", what)


@pytest.mark.parametrize("number", [12345678901234567890123, 2**64, -(2**63) - 1])
def test_a_long_whole_number_keeps_its_digits(number: int) -> None:
    doubt, one = facts({"id": "item_1", "turn_id": TURN, **CALLED, "arguments": {"id": number}})
    assert one.value["arguments"] == {"id": str(number)}
    assert (doubt.code, doubt.doubt, "too large for 64 bits" in doubt.message) == ("TL001", True, True)


@pytest.mark.parametrize("value", [2**64 - 1, -(2**63), 0.12345678901234567890123, 1e300, "12345678901234567890123"])
def test_what_is_read_as_it_is_is_told_by_nobody(value: Any) -> None:
    one = fact({"id": "item_1", "turn_id": TURN, **CALLED, "arguments": {"id": value}})
    assert one.value["arguments"] == {"id": value}


@pytest.mark.parametrize("event", [added, done])
def test_a_long_whole_number_in_an_event_does_too(event: Any) -> None:
    number = 12345678901234567890123
    doubt, one = facts({"event_id": "ev_1", **event(call(arguments={"id": number}))})
    assert one.value["arguments"] == {"id": str(number)}
    assert doubt.doubt


CALLED = {"type": "function_call", "status": "completed", "call_id": "c", "name": "f"}


def test_pages_are_counted_once_where_a_text_is_read_twice() -> None:
    listed = page(call(arguments={"id": 10**25}))
    first, second = (one for one in facts(listed, listed) if type(one).__name__ == "PageSeen")
    assert (first.number, second.number) == (0, 1)
