"""TL3xx: turns, the session, items, the environment, refusals. The files are in `fixtures/rules/<name>/`."""

from typing import Any

import pytest

import tracelink
from tests.rules.cases import (
    SESSION,
    TURN,
    Case,
    action,
    added,
    approval,
    assert_fires,
    assert_quiet,
    call,
    codes,
    done,
    ending,
    function,
    lines,
    of,
    opening,
    output,
    page,
    post,
    refusal,
    said,
    session,
    snapshot,
    told,
    turn,
    user,
    waiting,
)
from tests.rules.cases import Json as Row
from tracelink.model.finding import Severity

TURN2 = "turn_tide2"

CASES = (
    Case("TL301", "turn-failed", {"turn_id": TURN}, 5, "turn.failed with a code", "an error event and a cancelled turn"),
    Case(
        "TL302", "session-failed", {"error_code": "sandbox_error"}, 4, "session.failed", "an error event alone settles nothing"
    ),
    Case(
        "TL303",
        "contradictory-state",
        {"call_id": "call_ebb1", "turn_id": TURN},
        7,
        "completed while the call is listed as required",
        "budget_reached may leave actions (L.2.17)",
    ),
    Case(
        "TL304", "turn-never-ended", {"turn_id": TURN}, 2, "the next root turn began", "idle inside the turn, then more of it"
    ),
    Case(
        "TL305",
        "item-never-done",
        {"item_id": "item_cmd1"},
        5,
        "announced in progress, and the turn completed",
        "a user's message, an output and an answered call never need item.done",
    ),
    Case(
        "TL306",
        "environment-lost",
        {"environment_id": "env_reef1", "turn_id": TURN},
        5,
        "reset while the turn ran, told twice with one count: one finding",
        "suspended and expired between turns",
    ),
    Case(
        "TL307",
        "answer-refused",
        {"call_id": "call_ebb2"},
        8,
        "the server refused the post",
        "a 404 of something else",
        others=("TL105",),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_fires(case: Case) -> None:
    assert_fires(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_quiet(case: Case) -> None:
    assert_quiet(case)


def command(status: str = "in_progress") -> Row:
    base = {"type": "command_execution", "id": "item_cmd1", "turn_id": TURN, "status": status, "command": "ls"}
    return {**base, "cwd": "/", "duration_ms": None, "exit_code": None, "output": None}


def environment(kind: str, turn_id: str | None = TURN, **more: Any) -> Row:
    row = {"type": f"agent.session.environment.{kind}", "session_id": SESSION, "turn_id": turn_id}
    if kind == "reset":
        return {**row, "environment_id": "env_reef1", "reset_count": 1, **more}
    return {**row, "environment": {"id": "env_reef1", "error": None, "status": kind, "type": "openai_hosted"}, **more}


# A.3, A.4: the order of a turn, the life of a stream


def test_trap_A3_user_item_before_in_progress() -> None:
    # The user's item is announced before the turn runs and never done: no fault.
    rows = [snapshot("created", at=0), turn("created"), added(user()), snapshot("in_progress"), turn("in_progress"), *ending()]
    assert codes(told(*rows)) == []


def test_trap_A3_environment_failure_at_start_is_told_as_the_session_that_failed() -> None:
    error = {
        "type": "error",
        "session_id": SESSION,
        "error": {"type": "x", "code": "sandbox_error", "message": "m", "param": None},
    }
    report = told(snapshot("created", at=0), environment("failed", None), error, snapshot("failed", error="m"))
    assert codes(report) == ["TL302"]


def test_trap_A3_answer_before_the_call_is_registered() -> None:
    # Answering on item.added races the server; the same answer is accepted later: told, but healed.
    item = call()
    early = [post(), refusal("Unknown pending tool call: call_ebb1"), refusal("Unknown pending tool call: call_ebb1")]
    rows = [*opening(item), done(item), *early, snapshot("requires_action", action(item)), post(), added(output())]
    (found,) = of(told(*rows, snapshot("in_progress"), *ending()), "TL307")
    assert (found.severity, found.ids["call_id"]) == ("note", "call_ebb1")


def test_trap_A4_reconnect_replays_an_earlier_turn() -> None:
    # The stream is delivered again between two turns; the end of the first may have been lost meanwhile.
    first = lines([*opening(), turn("created", TURN2)]).splitlines()
    again = first[:3]
    assert of(tracelink.report("\n".join([*first[:4], *again, *first[4:]]).encode()), "TL304") == []


def test_trap_A4_failed_session_told_again_after_a_reconnect() -> None:
    rows = [snapshot("created", at=0), snapshot("failed", error="Gone."), snapshot("failed", error="Gone.", at=40)]
    assert codes(told(*rows)).count("TL302") == 1


def test_trap_A4_stream_that_is_cut_inside_a_turn() -> None:
    for cut in range(1, 6):
        assert not {"TL303", "TL304", "TL305"} & set(codes(told(*waiting(call())[:cut])))


# B.4, B.5: what lists show


def test_trap_B5_unfinished_items_of_failed_and_cancelled_turns() -> None:
    for kind in ("failed", "cancelled"):
        assert of(told(*opening(command()), *ending(kind)), "TL305") == []


def test_trap_B5_a_page_shows_the_item_final() -> None:
    assert of(told(*opening(command()), *ending(), page(command("completed"))), "TL305") == []


def test_trap_B5_items_of_a_page_alone_are_never_announced() -> None:
    assert of(told(session("idle"), page(command("in_progress"))), "TL305") == []


# H: limits and gotchas


def test_trap_H3_idle_before_the_first_turn_and_between_turns() -> None:
    rows = [*opening(), *ending(), turn("created", TURN2), turn("completed", TURN2), snapshot("idle", at=30)]
    assert codes(told(*rows)) == []


def test_trap_H3_idle_that_stays_tells_of_a_turn_without_an_end() -> None:
    (found,) = of(told(*opening(), snapshot("idle")), "TL304")
    assert found.ids == {"turn_id": TURN}
    # With an item in progress the idle may stand inside the turn: less sure.
    (found,) = of(told(*opening(command()), snapshot("idle")), "TL304")
    assert found.confidence == "low"


def test_trap_H3_two_sources_without_order() -> None:
    # The other source may have begun when the first had long ended: nothing is known of what lies between.
    first, second = lines(opening()).encode(), lines([turn("created", TURN2), turn("in_progress", TURN2)]).encode()
    assert of(tracelink.report(first, second), "TL304") == []


def test_trap_H3_unreadable_record_in_between() -> None:
    rows = lines(opening()) + "{broken\n" + lines([turn("created", TURN2, event_id="x")])
    assert of(tracelink.report(rows.encode()), "TL304") == []


def test_trap_H4_message_that_steers_a_turn() -> None:
    rows = [*opening(user()), added(user("And now?", item_id="item_user2")), *ending()]
    assert codes(told(*rows)) == []


def test_trap_H14_suspended_while_idle() -> None:
    assert of(told(*opening(), *ending(), environment("suspended", None)), "TL306") == []


def test_environment_that_comes_back_is_a_note() -> None:
    (found,) = of(told(*opening(), environment("disconnected"), environment("connected"), *ending()), "TL306")
    assert found.severity == "note"
    assert found.hint.startswith("Nothing, unless")
    (found,) = of(told(*opening(), environment("disconnected", None), *ending()), "TL306")
    assert (found.severity, found.ids["turn_id"]) == ("warning", TURN)
    assert found.hint.startswith("Check what")


# L.2: what must be tolerated


def test_trap_L2_1_unknown_statuses_and_turn_events() -> None:
    strange = {"type": "agent.session.turn.expired", "session_id": SESSION, "turn_id": TURN}
    assert of(told(*opening(), strange, turn("created", TURN2)), "TL304") == []
    assert of(told(session("napping", action(call()))), "TL303") == []


def test_trap_L2_4_recording_that_begins_inside_a_turn() -> None:
    rows = [turn("in_progress"), added(command()), turn("created", TURN2), turn("completed", TURN2), snapshot("idle")]
    assert of(told(*rows), "TL304") == []


def test_trap_L2_10_required_action_without_an_item() -> None:
    # The stream begins at the pause, and shows the turn complete over it.
    rows = [snapshot("requires_action", action(call())), *ending()]
    assert [one.ids["call_id"] for one in of(told(*rows), "TL303")] == ["call_ebb1"]


def test_trap_L2_11_result_recorded_only_as_input_or_only_as_item() -> None:
    for answer in (post(), added(output())):
        assert of(told(*waiting(call()), answer, *ending()), "TL303") == []


def test_trap_L2_12_async_function_is_answered_after_its_turn() -> None:
    tools = [function() | {"async": True}]
    rows = [
        *opening(call()),
        snapshot("in_progress", action(call()), tools=tools),
        turn("completed"),
        snapshot("idle", tools=tools),
    ]
    assert of(told(*rows), "TL303") == []


def test_an_async_function_stays_one_when_a_later_snapshot_lacks_it() -> None:
    """The declaration that held at the call counts: for TL303, TL101 and the verdict."""
    tools = [function() | {"async": True}]
    begin = [
        row | {"session": {**row["session"], "agent": {**row["session"]["agent"], "tools": tools}}} if "session" in row else row
        for row in waiting(call(), tools=tools)
    ]
    report = told(*begin, turn("completed"), snapshot("idle", tools=[function("sound_horn")]))
    assert not {"TL303", "TL101"} & set(codes(report))
    report = told(*begin, snapshot("in_progress", action(call()), tools=[function("sound_horn")]))
    assert "TL303" not in codes(report)
    assert report.sessions[0].verdict.awaits == "awaiting"
    plain = [*waiting(call()), turn("completed"), snapshot("idle", tools=[function("sound_horn")])]
    assert "TL303" in codes(told(*plain))


def test_trap_L2_16_status_against_list() -> None:
    assert [one.severity for one in of(told(session("idle", action(call()))), "TL303")] == ["error"]
    assert [one.severity for one in of(told(session("requires_action")), "TL303")] == ["error"]
    assert [one.ids["request_id"] for one in of(told(session("in_progress", approval())), "TL303")] == ["mcpr_reef1"]
    # A lag that the next snapshot corrected is a note; a failed session is told as TL302.
    rows = [
        *waiting(call()),
        post(),
        snapshot("in_progress", action(call())),
        added(output()),
        snapshot("in_progress"),
        *ending(),
    ]
    assert [one.severity for one in of(told(*rows), "TL303")] == ["note"]
    assert of(told(session("failed", action(call()))), "TL303") == []


def test_trap_L2_17_budget_reached_with_actions() -> None:
    assert of(told(session("budget_reached", action(call()))), "TL303") == []


def test_trap_L2_18_session_without_required_actions() -> None:
    body = session("requires_action")
    del body["required_actions"]
    assert of(told(body), "TL303") == []


def test_failed_turn_that_was_required_is_abandoned_not_contradictory() -> None:
    assert "TL303" not in codes(told(*waiting(call()), *ending("failed")))


def test_refusals_of_something_else() -> None:
    rows = [*waiting(call()), post(), added(output()), snapshot("in_progress")]
    for code, words in (("not_found_error", "No such item."), ("unauthorized", "Bad key."), ("invalid_beta", "Beta header?")):
        assert of(told(*rows, refusal(words, code)), "TL307") == []


def test_refusal_without_its_post() -> None:
    (found,) = of(told(*waiting(call()), refusal("Unknown pending tool call: call_zz")), "TL307")
    assert found.ids["call_id"] == "call_zz"
    (found,) = of(told(*waiting(call()), refusal("A session initial input is still pending.", "conflict_error")), "TL307")
    assert found.confidence == "medium"


def test_refusal_of_a_different_second_result() -> None:
    rows = [
        *waiting(call()),
        post(),
        added(output()),
        post(value="3 m"),
        refusal("A different result exists.", "conflict_error"),
    ]
    (found,) = of(told(*rows), "TL307")
    assert (found.severity, found.ids["call_id"]) == ("error", "call_ebb1")


def test_assistant_message_is_done() -> None:
    late = said() | {"status": "in_progress", "content": []}
    assert [one.ids["item_id"] for one in of(told(*opening(late), *ending()), "TL305")] == ["item_said1"]
    assert of(told(*opening(late), done(said()), *ending()), "TL305") == []


def test_a_contradiction_that_still_holds_is_an_error_whatever_became_of_the_tools() -> None:
    rows = [snapshot("requires_action", tools=[function()]), snapshot("requires_action", tools=[function("other")])]
    assert [one.severity for one in of(told(*rows), "TL303")] == [Severity.ERROR]
    assert [one.severity for one in of(told(*rows, snapshot("idle")), "TL303")] == [Severity.NOTE]
