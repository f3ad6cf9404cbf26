"""What to send: every body is what the `openai` package itself would let be sent, once its placeholders are filled."""

import json
import re
from typing import Any

import pytest
from pydantic import TypeAdapter

from tests.rules.cases import (
    SESSION,
    TURN,
    Json,
    approval,
    call,
    computer,
    connection,
    decided,
    opening,
    post,
    refusal,
    signed_in,
    snapshot,
    told,
    waiting,
)
from tracelink.model.verdict import NextAction

pytest.importorskip("openai.types.beta.agent_session_input_param", reason="the openai package is too old for the Agents API")

from openai.types.beta.agent_session_input_param import AgentSessionInputParam
from openai.types.beta.agents.sessions.event_create_params import EventCreateParams

INPUT: TypeAdapter[Any] = TypeAdapter(AgentSessionInputParam)
PLACEHOLDER = re.compile(r"<[^<>]+>")


def steps(*rows: Json) -> tuple[NextAction, ...]:
    (one,) = told(*rows).sessions
    return one.next_actions


def step(*rows: Json) -> NextAction:
    (found,) = steps(*rows)
    return found


def event(found: NextAction) -> Json:
    assert found.body is not None
    (one,) = found.body["events"]
    assert isinstance(one, dict)
    return one


def filled(value: Any) -> Any:
    """Placeholders as a person would fill them: a decision where one is asked for, else some text."""
    if isinstance(value, dict):
        return {name: filled(member) for name, member in value.items()}
    if isinstance(value, list):
        return [filled(member) for member in value]
    if isinstance(value, str) and PLACEHOLDER.fullmatch(value):
        return True if value == "<true or false>" else "approve" if "approve" in value else "some text"
    return value


ORIGIN = {
    "type": "computer_use_approval_request",
    "turn_id": TURN,
    "request_id": "cuar_reef1",
    "request": {"type": "browser_origin_access", "origin": "https://harbour.example", "reason": None},
}
OPTIONS = computer()
OPTIONS["request"]["options"] = [{"id": "opt_1", "field_ids": ["user"], "label": "As a pilot"}]

STORIES: dict[str, list[Json]] = {
    "call": waiting(call()),
    "call, unapplied": [*waiting(call()), post()],
    "call, wrong turn": [*waiting(call()), post(turn_id="turn_elsewhere")],
    "call, near miss": [*waiting(call()), post("call_ebb")],
    "call, refused": [*waiting(call()), post(), refusal("Unknown pending tool call: call_ebb1")],
    "call, failed": [*waiting(call()), post("call_ebb", success=False, value=None, error="Tool handler failed.")],
    "call, object": [*waiting(call()), post("call_ebb", value={"metres": 2.31})],
    "call, number": [*waiting(call()), post("call_ebb", value=2.31)],
    "call, parts": [*waiting(call()), post("call_ebb", value=[{"type": "input_text", "text": "2.31 m"}])],
    "call, other parts": [*waiting(call()), post("call_ebb", value=[{"type": "text", "text": "2.31 m"}])],
    "call, null": [*waiting(call()), post("call_ebb", value=None)],
    "call, text success": [*waiting(call()), post("call_ebb", success="yes")],
    "call, unofficial": [*waiting(call()), {**post(), "type": "agent.session.input.function_call_output"}],
    "two calls": waiting(call(), call("call_fog7")),
    "mcp": [*opening(), snapshot("requires_action", approval())],
    "mcp, as tool result": [*opening(), snapshot("requires_action", approval()), post("mcpr_reef1")],
    "mcp, unapplied": [*opening(), snapshot("requires_action", approval()), decided(decision="deny")],
    "mcp, refused": [*opening(), snapshot("requires_action", approval()), decided(), refusal("No request mcpr_reef1.")],
    "sign-in": [*opening(), snapshot("requires_action", computer())],
    "sign-in with options": [*opening(), snapshot("requires_action", OPTIONS)],
    "sign-in, unapplied": [*opening(), snapshot("requires_action", computer()), signed_in()],
    "origin": [*opening(), snapshot("requires_action", ORIGIN)],
}


@pytest.mark.parametrize("name", STORIES)
def test_every_body_is_a_valid_input(name: str) -> None:
    for found in steps(*STORIES[name]):
        assert found.text.endswith(".")
        assert found.body is not None
        ready = filled(found.body)
        assert not PLACEHOLDER.search(json.dumps(ready))
        TypeAdapter(EventCreateParams).validate_python(ready)
        for one in ready["events"]:
            INPUT.validate_json(json.dumps(one), strict=True)


def test_ids_are_copied_and_the_output_is_an_obvious_placeholder() -> None:
    found = step(*waiting(call()))
    assert event(found) == {**post(), "output": "<output of read_gauge as text>"}
    assert "side effects" in found.text or "effects" in found.text


@pytest.mark.parametrize(
    "posted",
    [post(turn_id="turn_elsewhere"), post("call_ebb"), post("item_call_ebb1"), post(turn_id=None), post(call_id=None)],
    ids=["turn", "near", "item id", "no turn", "no call"],
)
def test_a_misaddressed_result_is_sent_again_under_the_right_pair(posted: Json) -> None:
    found = step(*waiting(call()), posted)
    assert event(found) == post()
    assert "do not run read_gauge again" in found.text


def test_a_failure_stays_a_failure() -> None:
    again = event(step(*STORIES["call, failed"]))
    assert (again["success"], again["error"]) == (False, "Tool handler failed.")
    assert "output" not in again


def test_other_json_becomes_text() -> None:
    """Fact sheet B.3: the API takes text or content parts, never a bare object."""
    assert event(step(*STORIES["call, object"]))["output"] == '{"metres":2.31}'
    assert event(step(*STORIES["call, number"]))["output"] == "2.31"
    assert event(step(*STORIES["call, parts"]))["output"] == [{"type": "input_text", "text": "2.31 m"}]
    assert event(step(*STORIES["call, other parts"]))["output"] == '[{"type":"text","text":"2.31 m"}]'


def test_an_answer_that_was_given_is_not_decided_anew() -> None:
    """Somebody denied it: the same answer is sent again, not asked for again."""
    found = step(*STORIES["mcp, unapplied"])
    assert event(found) == decided(decision="deny")
    assert "Decide" not in found.text
    assert event(step(*STORIES["sign-in, unapplied"])) == signed_in()


def test_a_result_in_an_unofficial_form_is_sent_in_the_official_one() -> None:
    found = step(*STORIES["call, unofficial"])
    assert event(found) == post()
    assert "right pair" not in found.text, "the pair was right"


def test_an_environment_is_connected_and_nothing_posted() -> None:
    found = step(*opening()[:1], snapshot("requires_action", connection()))
    assert found.body is None
    assert "env_reef1" in found.text


@pytest.mark.parametrize(
    "required",
    [
        {"type": "function_call", "turn_id": TURN, "name": "read_gauge"},
        {**approval(), "request_id": None},
        {"type": "retina_scan"},
    ],
    ids=["no call_id", "no request_id", "unknown kind"],
)
def test_no_body_is_made_up(required: Json) -> None:
    assert step(*opening(), snapshot("requires_action", required)).body is None


def test_ambiguous_results_are_not_put_under_any_pair() -> None:
    found = steps(*waiting(call("call_abcd11"), call("call_abcd12")), post("call_abcd1"))
    assert [event(one)["output"] for one in found] == ["<output of read_gauge as text>"] * 2


def test_where_nothing_is_known_the_session_is_to_be_read() -> None:
    found = step(*opening(call()))
    assert found.body is None
    assert SESSION in found.text


def test_where_nobody_is_awaited_there_is_nothing_to_do() -> None:
    assert steps(*waiting(call()), snapshot("in_progress", at=12)) == ()


BAD = call(arguments={"pier": "north"})


def test_arguments_against_their_schema_are_told_to_the_model() -> None:
    """TL204: the page asks for an answer that says what is wrong, and so does the body."""
    found = step(*waiting(BAD))
    assert "(TL204)" in found.text
    sent = event(found)
    assert (sent["success"], "output" in sent) == (False, False)
    assert "lacks gauge (required)" in sent["error"]
    assert found.placeholders == ()
    INPUT.validate_json(json.dumps(sent), strict=True)


def test_a_function_that_nobody_declares_is_answered_so() -> None:
    found = step(*waiting(call(name="sound_horn")))
    assert "(TL205)" in found.text
    assert event(found)["error"] == "There is no function sound_horn."
    assert event(found)["success"] is False


def test_a_call_that_fits_is_run() -> None:
    assert "TL20" not in step(*waiting(call())).text
    posted = step(*waiting(BAD), post(turn_id="turn_elsewhere"))
    assert event(posted)["output"] == "2.31 m", "what was computed all the same is sent"


@pytest.mark.parametrize(
    ("name", "pointers"),
    [
        ("call", ["/events/0/output"]),
        ("call, wrong turn", []),
        ("call, null", ["/events/0/output"]),
        ("call, text success", ["/events/0/success"]),
        ("mcp", ["/events/0/response/decision"]),
        ("mcp, unapplied", []),
        ("sign-in", ["/events/0/response/fields/0/value"]),
        ("sign-in with options", ["/events/0/response/fields/0/value", "/events/0/response/selected_option"]),
        ("origin", ["/events/0/response/decision"]),
    ],
)
def test_the_places_to_fill_in_are_listed(name: str, pointers: list[str]) -> None:
    (found,) = steps(*STORIES[name])
    assert list(found.placeholders) == pointers


def test_recorded_text_is_no_placeholder_whatever_it_looks_like() -> None:
    found = step(*waiting(call()), post(turn_id="turn_elsewhere", value="<output of read_gauge as text>"))
    assert event(found)["output"] == "<output of read_gauge as text>"
    assert found.placeholders == ()


def test_an_answer_to_nearly_this_request_is_carried_over() -> None:
    found = step(*opening(), snapshot("requires_action", approval()), decided("mcpr_reef2", "deny"))
    assert event(found) == decided(decision="deny")
    assert "mcpr_reef2" in found.text
    two = [decided("mcpr_reef2", "deny"), decided("mcpr_reef3", "approve")]
    unsure = step(*opening(), snapshot("requires_action", approval()), *two)
    assert unsure.placeholders == ("/events/0/response/decision",)


def test_what_answered_nothing_may_have_been_meant() -> None:
    found = step(*waiting(call()), post("call_elsewhere9"))
    assert found.text.startswith("If what was posted at <bytes>:7 was meant for call_ebb1, post that result again")
    assert event(found) == {**post(), "output": "<output of read_gauge as text>"}
    assert found.placeholders == ("/events/0/output",)
