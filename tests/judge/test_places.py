"""Where the evidence of a stall and of a verdict stands, and what is proposed in words that the API takes."""

from typing import Any

import pytest

from tests.rules.cases import (
    AGENT,
    START,
    TURN,
    Json,
    action,
    added,
    approval,
    call,
    computer,
    connection,
    create,
    decided,
    done,
    ending,
    opening,
    post,
    snapshot,
    subagent,
    told,
    turn,
    waiting,
    wrapped,
)
from tracelink.model.run import SessionReport


def only(*rows: Json, **more: Any) -> SessionReport:
    (one,) = told(*rows, **more).sessions
    return one


def unanswered(key: str) -> str:
    return (
        f"The recording holds no answer to {key} and cannot show whether one was sent and lost or never sent: look first into the app's "
        "own log of posts to …/agents/sessions/sess_tide1/events."
    )


def lines_of(one: SessionReport) -> list[int | None]:
    return [place.line for place in one.stall.evidence]


GULL = "sub_gull1"


def wait(sender: str, recipient: str, turn_id: str = TURN) -> Json:
    item = {"type": "wait_for_subagents_call", "id": f"item_{sender}", "turn_id": turn_id, "status": "in_progress"}
    return added({**item, "sender_agent_id": sender, "recipient_agent_ids": [recipient]})


def team() -> list[Json]:
    child = [turn(kind, "turn_gull1", subagent_id=GULL) for kind in ("created", "in_progress")]
    return [*opening(), added(create()), done(create()), subagent(), *child]


@pytest.mark.parametrize(
    ("rows", "kind", "places"),
    [
        (waiting(call()), "needs_tool_result", [6]),
        ([*waiting(call()), post(turn_id="turn_far1")], "result_misaddressed", [6, 7]),
        ([*waiting(call()), post()], "result_unapplied", [6, 7]),
        ([*team(), wait(AGENT, GULL)], "waiting_on_subagent", [10]),
        (opening(), "recording_ended", [4]),
        ([snapshot("in_progress")], "recording_ended", [1]),
        ([*opening(), *ending()], "not_stalled", [6]),
        ([*opening(), turn("failed"), snapshot("idle", at=25)], "ended_badly", [5]),
        ([*opening(), snapshot("failed", error="gone")], "ended_badly", [5]),
        (opening(call()), "recording_ended", [3]),
        ([*opening(), snapshot("requires_action")], "contradictory", [5]),
        ([turn("created"), turn("in_progress")], "recording_ended", []),
    ],
)
def test_the_stall_shows_its_evidence(rows: list[Json], kind: str, places: list[int]) -> None:
    one = only(*rows)
    assert (one.stall.kind, lines_of(one)) == (kind, places)
    assert bool(one.stall.path) == (kind == "waiting_on_subagent")
    assert one.stall.expected == EXPECTED[kind]


EXPECTED = {
    "needs_tool_result": "yes",
    "not_stalled": "yes",
    "result_misaddressed": "no",
    "ended_badly": "no",
    "result_unapplied": "unclear",
    "recording_ended": "unclear",
    "contradictory": "unclear",
    "waiting_on_subagent": "unclear",
}


def test_a_ring_of_waits_shows_the_last_record() -> None:
    assert lines_of(only(*team(), wait(AGENT, GULL), wait(GULL, AGENT, "turn_gull1"))) == [11]


def test_silence_shows_the_last_record() -> None:
    one = only(*(wrapped(n, row) for n, row in enumerate(opening())), as_of=START + 400.0)
    assert (one.stall.kind, lines_of(one)) == ("silent_in_progress", [4])


def test_a_ring_of_waits_is_no_business_as_usual() -> None:
    ring = only(*team(), wait(AGENT, GULL), wait(GULL, AGENT, "turn_gull1")).stall
    chain = only(*team(), wait(AGENT, GULL)).stall
    assert (ring.expected, ring.blame, ring.path) == ("no", "subagent", (AGENT, GULL, AGENT))
    assert (chain.expected, chain.path, chain.ids) == ("unclear", (AGENT, GULL), {"turn_id": TURN, "agent_id": GULL})
    assert f"{AGENT} → {GULL} → {AGENT}" in ring.because
    assert f"ends at {GULL}, which has not finished" in chain.because


# The verdict where nothing is listed


def test_a_turn_that_began_after_an_idle_snapshot_is_told() -> None:
    one = only(*opening(), *ending(), turn("created", "turn_tide2"))
    assert one.verdict.awaits == "not_awaiting"
    assert "turn turn_tide2 has begun since (<bytes>:7)" in one.verdict.reason


def test_a_turn_that_began_before_it_is_not() -> None:
    """Its end is not recorded, and the session is idle: that is another fault (TL304)."""
    one = only(*opening(), snapshot("idle", at=25))
    assert one.verdict.reason == "the session is idle and requires nothing; idle says nothing of success"


def test_a_session_at_work_says_so() -> None:
    assert only(*opening()).verdict.reason == "the session is working on a turn and requires nothing of the app"


def test_another_status_is_named() -> None:
    one = only(snapshot("idle", status="resting"))
    assert one.verdict.reason == "the latest snapshot (status resting) lists no required action"


# What to post


def body(one: SessionReport) -> Json:
    (step,) = one.next_actions
    assert step.body is not None
    (event,) = step.body["events"]
    return event


def test_a_sign_in_is_asked_for_field_by_field() -> None:
    response = body(only(snapshot("requires_action", computer())))["response"]
    assert response == {
        "type": "browser_authentication",
        "action": "submit",
        "fields": [{"field_id": "user", "value": "<value from the user>"}],
    }
    ways = computer()
    ways["request"] |= {"options": [{"id": "o1", "field_ids": ["user"], "label": "Sign in"}], "fields": ["odd", {"id": "pin"}]}
    response = body(only(snapshot("requires_action", ways)))["response"]
    assert response["fields"] == [{"field_id": "pin", "value": "<value from the user>"}]
    assert response["selected_option"] == "<id of the chosen option>"


def test_the_opening_of_an_origin_is_a_decision() -> None:
    asked = computer() | {"request": {"type": "browser_origin_access", "origin": "https://harbour.example"}}
    one = only(snapshot("requires_action", asked))
    assert body(one)["response"] == {"type": "browser_origin_access", "decision": "<approve, deny or cancel>"}
    assert "whether the browser may open https://harbour.example" in one.next_actions[0].text


def test_an_approval_names_tool_and_server() -> None:
    one = only(snapshot("requires_action", approval()))
    assert one.next_actions[0].text == (
        f"Decide whether open_lock of harbour may run and post the decision for mcpr_reef1. {unanswered('mcpr_reef1')}"
    )
    assert body(one) == {
        "type": "agent.session.input.mcp_approval_request_result",
        "request_id": "mcpr_reef1",
        "response": {"type": "mcp_tool_call", "decision": "<approve, deny or cancel>"},
    }


@pytest.mark.parametrize(
    ("posted", "said"),
    [
        ({"value": "2.31 m"}, {"success": True, "output": "2.31 m"}),
        ({"value": {"height": 2.31}}, {"success": True, "output": '{"height":2.31}'}),
        ({"value": [{"type": "input_text", "text": "x"}]}, {"success": True, "output": [{"type": "input_text", "text": "x"}]}),
        ({"value": ["x"]}, {"success": True, "output": '["x"]'}),
        ({"value": [{"type": "text"}, 5]}, {"success": True, "output": '[{"type":"text"},5]'}),
        ({"value": None}, {"success": True, "output": "<output of read_gauge as text>"}),
        ({"value": None, "success": False, "error": "stuck"}, {"success": False, "error": "stuck"}),
        ({"value": "x", "success": False, "error": {"code": 5}}, {"success": False, "output": "x", "error": '{"code":5}'}),
        ({"success": "yes"}, {"success": "<true or false>", "output": "2.31 m"}),
    ],
)
def test_a_result_that_went_astray_is_said_again_as_the_api_takes_it(posted: Json, said: Json) -> None:
    event = body(only(*waiting(call()), post(turn_id="turn_far1", **posted)))
    pair = {"type": "agent.session.input.tool_result", "turn_id": TURN, "call_id": "call_ebb1"}
    assert event == {**pair, **said}


def test_what_was_never_answered_is_asked_for_with_a_placeholder() -> None:
    event = body(only(*waiting(call())))
    assert (event["success"], event["output"]) == ("<true or false>", "<output of read_gauge as text>") or event[
        "success"
    ] is True


def test_a_call_whose_arguments_are_cut_off_is_not_to_be_run() -> None:
    torn = call(arguments='{"gauge": "nor')
    one = only(*opening(torn), snapshot("requires_action", action(torn)))
    (step,) = one.next_actions
    assert step.text == (
        "The arguments of call_ebb1 are no complete JSON: do not guess what they were to be, answer that read_gauge could not be run. "
        + unanswered("call_ebb1")
    )
    pair = {"type": "agent.session.input.tool_result", "turn_id": TURN, "call_id": "call_ebb1"}
    assert body(one) == {**pair, "success": False, "error": "The arguments were no complete JSON."}


@pytest.mark.parametrize("arguments", [{"gauge": "north"}, '{"gauge": "north"}', "null", None])
def test_a_call_with_whole_arguments_is_to_be_run(arguments: Any) -> None:
    whole = call(arguments=arguments)
    (step,) = only(*opening(whole), snapshot("requires_action", action(whole))).next_actions
    assert step.text.startswith("Run read_gauge and post its result for call_ebb1; ")


@pytest.mark.parametrize(
    ("count", "named"),
    [
        (1, "read_gauge (call_e1) is required"),
        (3, "read_gauge (call_e1), read_gauge (call_e2), read_gauge (call_e3) are required"),
        (4, "read_gauge (call_e1), read_gauge (call_e2), read_gauge (call_e3) and one more action are required"),
        (6, "read_gauge (call_e1), read_gauge (call_e2), read_gauge (call_e3) and 3 more actions are required"),
    ],
)
def test_the_reason_names_at_most_three(count: int, named: str) -> None:
    one = only(*waiting(*(call(f"call_e{n}") for n in range(1, count + 1))))
    assert one.verdict.reason.startswith(named)
    guess = f"; {count} actions are open, so which of them holds the turn up is a guess"
    assert one.stall.because.endswith(guess if count > 1 else "does not hold")


def test_the_stall_names_the_ids_of_its_action() -> None:
    assert only(*waiting(call())).stall.ids == {"turn_id": TURN, "call_id": "call_ebb1"}
    assert only(snapshot("requires_action", approval())).stall.ids == {"turn_id": TURN, "request_id": "mcpr_reef1"}
    assert only(snapshot("requires_action", connection())).stall.ids == {"environment_id": "env_reef1"}


def test_the_reason_tells_silence_from_wrong_answers() -> None:
    def reason(*posts: Json) -> str:
        return only(*waiting(call(), call("call_ebb2")), *posts).verdict.reason

    both = "read_gauge (call_ebb1), read_gauge (call_ebb2) are"
    assert reason() == f"{both} required by the latest snapshot, and the recording holds no answer to them"
    assert reason(post(turn_id="turn_far1")) == f"{both} required by the latest snapshot, and no post has rightly answered them"
    assert (
        reason(post()) == "read_gauge (call_ebb2) is required by the latest snapshot, and the recording holds no answer to it"
    )
    assert reason(post(), post("call_ebb2")) == f"{both} answered by a post that nothing in the recording confirms or refuses"


@pytest.mark.parametrize(
    ("required", "named"),
    [
        (approval(), "open_lock (mcpr_reef1)"),
        ({**approval(), "request": None}, "an MCP approval (mcpr_reef1)"),
        (computer(), "a computer-use approval (cuar_reef1)"),
        (connection(), "the connection of an environment (env_reef1)"),
        ({**action(call()), "name": None}, "a function call (call_ebb1)"),
        ({"type": "retina_scan", "request_id": "scan_reef1"}, "retina_scan (scan_reef1)"),
        ({"type": "retina_scan"}, "retina_scan (no id)"),
    ],
)
def test_an_action_is_named_by_its_tool_else_by_its_kind(required: Json, named: str) -> None:
    one = only(*opening(), snapshot("requires_action", required))
    assert one.verdict.reason.startswith(f"{named} is required by the latest snapshot, and ")


def test_an_environment_is_not_answered_but_connected() -> None:
    one = only(*opening(), snapshot("requires_action", connection()))
    assert one.verdict.reason.endswith("and nothing shows it connected")
    one = only(*opening(), snapshot("requires_action", connection(), connection("env_reef2")))
    assert one.verdict.reason.endswith("and nothing shows them connected")
    one = only(*opening(), snapshot("requires_action", connection(), approval()))
    assert one.verdict.reason.endswith("and the recording holds no answer to them")


@pytest.mark.parametrize(("count", "said"), [(1, "one required action"), (3, "3 required actions")])
def test_a_list_under_another_status_is_counted(count: int, said: str) -> None:
    one = only(*opening(), snapshot("idle", *(approval(f"mcpr_{n}") for n in range(count)), at=12))
    assert one.verdict.reason == f"the session lists {said} but its status is idle"


@pytest.mark.parametrize(
    ("posted", "lines"),
    [
        (decided("cuar_reef1"), [None, None]),  # of the wrong kind: it answers nothing, but it is known what it was for
        (decided("mcpr_reef2"), [None, None]),  # nearly that of the one, so it is no riddle for the other
        (decided("apvl_elsewhere9"), [6, 6]),
    ],
    ids=["wrong kind", "near", "fits nothing"],
)
def test_only_an_answer_that_fits_nothing_may_have_been_meant_for_any(posted: Json, lines: list[int | None]) -> None:
    actions = only(*opening(), snapshot("requires_action", approval(), computer()), posted).verdict.actions
    assert [one.astray.at.line if one.astray is not None else None for one in actions] == lines
