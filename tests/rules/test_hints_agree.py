"""One cause has one voice, and no hint of a report asks for what another finding of it says cannot be."""

import random
import string

import pytest

from tests.rules.cases import (
    SESSION,
    START,
    TURN,
    Json,
    added,
    call,
    codes,
    ending,
    numbered,
    of,
    opening,
    output,
    page,
    post,
    refusal,
    session,
    snapshot,
    told,
    turn,
    waiting,
    wrapped,
)
from tracelink.rules import by_code

KEY = "sk-proj-" + "".join(random.Random(8).choices(string.ascii_letters + string.digits, k=64))  # noqa: S311
KEY_PLACE = "a posted tool_result for call_ebb1 at <bytes>:{}"
APPLIED = (snapshot("in_progress"), *ending())
OFFLINE = {"value": None, "success": False, "error": "offline"}


# TL106 and TL207


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ((post(), post(**OFFLINE)), "<bytes>:7 and <bytes>:8, of which the one at <bytes>:8 says that the function failed: "),
        (
            (post(**OFFLINE), post(**OFFLINE | {"error": "no such gauge"})),
            "<bytes>:7 and <bytes>:8, each of which says that the function failed: ",
        ),
        (
            (post(), post(**OFFLINE), added(output(value=None, error="offline", status="failed"))),
            "the one at <bytes>:8 says that the function failed: only the one recorded at <bytes>:9 is known",
        ),
        ((post(), post(value="2.94 m")), "<bytes>:7 and <bytes>:8: the server"),
    ],
)
def test_results_that_differ_are_told_once_and_with_which_failed(results: tuple[Json, ...], said: str) -> None:
    report = told(*waiting(call()), *results, *APPLIED)
    (finding,) = of(report, "TL106")
    assert said in finding.message
    assert "TL207" not in codes(report)


def test_a_failure_that_was_sent_again_or_in_place_of_a_refused_result_is_told() -> None:
    twice = told(*waiting(call()), post(**OFFLINE), post(**OFFLINE), *APPLIED)
    assert len(of(twice, "TL207")) == 1
    other = told(*waiting(call()), post(), refusal("Unknown pending tool call: call_ebb1"), post(**OFFLINE), *APPLIED)
    assert (len(of(other, "TL207")), len(of(other, "TL106"))) == (1, 0)


# TL107, TL005: which record is which, and what is counted


def test_a_result_that_was_recorded_again_names_both_items() -> None:
    rows = [*waiting(call()), post(), added(output()), added(output(id="item_out_again")), *APPLIED]
    (finding,) = of(told(*rows), "TL107")
    assert "was first recorded at <bytes>:8, and again, unchanged, at <bytes>:9: " in finding.message
    assert [one.line for one in finding.locations] == [9, 8]


def test_only_what_can_be_shown_to_come_again_is_counted() -> None:
    story = [wrapped(at, row) for at, row in enumerate(numbered([*waiting(call()), post(), *APPLIED]))]
    bare = {name: value for name, value in turn("in_progress").items() if name != "event_id"} | {"event_id": None}
    (events,) = of(told(*story[:6], story[4], *story[6:]), "TL005")
    assert events.message.startswith("1 record was delivered again, as the same content under the same event_id shows (ev_5), ")
    (both,) = of(told(*story[:6], story[4], story[6], story[6], *story[7:]), "TL005")
    assert both.message.startswith(
        "2 records were delivered again, as the same content under the same event_id or receive time"
    )
    assert "TL005" not in codes(told(*opening(), bare, bare))
    assert "event without an event_id" in by_code()["TL005"].cannot


# TL306, TL301, resends


def lost(kind: str) -> Json:
    event: Json = {"type": f"agent.session.environment.{kind}", "session_id": SESSION, "turn_id": TURN}
    if kind == "reset":
        return {**event, "environment_id": "env_reef1", "reset_count": 1}
    return {**event, "environment": {"id": "env_reef1", "type": "self_hosted", "status": kind, "error": None}}


FAILED = [turn("failed"), snapshot("idle", at=25)]


@pytest.mark.parametrize("kind", ["disconnected", "expired", "failed", "reset"])
@pytest.mark.parametrize(
    ("back", "after", "wanted", "unwanted"),
    [
        (False, [], "read", "this one is over"),
        (False, ending(), "in a new turn", "goes on"),
        (False, FAILED, "in a new turn", "goes on"),
        (True, FAILED, "in a new turn: this one is over", "executor"),
        (False, [snapshot("failed", at=25)], "in a new session", "executor"),
    ],
    ids=["open", "completed", "failed", "failed, and back", "session failed"],
)
def test_what_to_do_about_an_environment_that_was_lost(
    kind: str, back: bool, after: list[Json], wanted: str, unwanted: str
) -> None:
    if back and kind not in ("disconnected", "reset"):
        return
    (finding,) = of(told(*opening(), lost(kind), *[lost("connected")] * back, *after), "TL306")
    wanted = "goes on by itself" if wanted == "read" and kind == "reset" else wanted
    assert wanted in finding.hint
    assert unwanted not in finding.hint
    if kind == "reset":
        assert "executor" not in finding.hint


def test_a_turn_that_failed_with_its_session_is_not_to_be_tried_again_there() -> None:
    rows = [*waiting(call()), turn("failed"), snapshot("failed", at=25), post()]
    report = told(*rows)
    (failed,) = of(report, "TL301")
    assert "in a new one" in failed.hint
    assert all("in a new turn" not in one.hint and "send the message again" not in one.hint for one in report.all_findings())
    (alive,) = of(told(*waiting(call()), *FAILED), "TL301")
    assert "send the message again" in alive.hint


def test_a_result_that_went_astray_is_not_to_be_posted_to_a_failed_session() -> None:
    astray = post("CALL_EBB1")
    (finding,) = of(told(*waiting(call()), astray, snapshot("failed", at=25)), "TL105")
    assert "failed and takes no more input" in finding.hint
    (finding,) = of(told(*waiting(call()), astray), "TL105")
    assert "post the same result again" in finding.hint


def test_a_late_result_has_no_new_turn_in_a_failed_session() -> None:
    rows = [*waiting(call()), turn("cancelled"), post()]
    (finding,) = of(told(*rows, snapshot("failed", at=25)), "TL110")
    assert "new session" in finding.hint
    (finding,) = of(told(*rows, snapshot("idle", at=25)), "TL110")
    assert "Start a new turn" in finding.hint


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "whether the turn got to know of it is not recorded"),
        ((added(output(value=None, error="offline", status="failed")),), "this failure is what the turn got of it"),
        ((snapshot("in_progress"),), "this failure is what the turn got of it"),
    ],
    ids=["posted", "recorded", "cleared"],
)
def test_a_failure_that_nothing_confirms_is_not_said_to_have_arrived(more: tuple[Json, ...], said: str) -> None:
    (finding,) = of(told(*waiting(call()), post(**OFFLINE), *more), "TL207")
    assert said in finding.message


# TL505


def timed(rows: list[Json], *times: float) -> list[Json]:
    return [wrapped(at, row) for at, row in zip(times, numbered(rows), strict=True)]


CANCEL: Json = {"type": "agent.session.input.cancel"}


def test_silence_after_a_post_claims_no_more_than_the_records_before() -> None:
    (finding,) = of(told(*timed([*opening(), CANCEL], 0, 1, 2, 3, 9), as_of=START + 1000), "TL505")
    assert "991 s between <bytes>:5 and the end" in finding.message
    assert f"while, by the records before, turn {TURN} was open and awaited nobody" in finding.message
    assert "what was posted at <bytes>:5 got no reply in that time" in finding.message
    assert "cancel it" not in finding.hint
    (plain,) = of(told(*timed(opening(), 0, 1, 2, 3), as_of=START + 1000), "TL505")
    assert f"while turn {TURN} was open and awaited nobody: " in plain.message
    assert "cancel it" in plain.hint


@pytest.mark.parametrize(
    ("more", "open_"),
    [
        ([], True),
        ([post()], True),
        ([added(output())], False),
        ([snapshot("in_progress")], False),
        ([snapshot("in_progress"), added(call("call_fog7"))], True),
    ],
    ids=["a call", "posted, not confirmed", "recorded", "a snapshot after the call", "another call after it"],
)
def test_silence_over_a_call_that_no_snapshot_could_list(more: list[Json], open_: bool) -> None:
    rows = [*opening(call()), *more]
    (finding,) = of(told(*timed(rows, *range(len(rows))), as_of=START + 1000), "TL505")
    assert ("whether it awaited the result of call_" in finding.message) is open_
    assert ("awaited nobody" in finding.message) is not open_


def test_silence_is_told_of_each_gap_by_what_stood_open_then() -> None:
    rows = [*opening(), added(call()), added(output()), added(call("call_fog7"))]
    first, second, third = of(told(*timed(rows, 0, 1, 2, 3, 500, 1000, 1500), as_of=START + 1600), "TL505")
    assert "awaited nobody" in first.message
    assert "result of call_ebb1, called at <bytes>:5" in second.message
    assert "awaited nobody" in third.message


def test_an_items_page_and_a_session_object_have_no_receive_time() -> None:
    report = told(session("in_progress"), page(call()), as_of=START + 5000)
    assert "TL505" not in codes(report)


def test_one_more_place_of_a_credential_is_one_place() -> None:
    for times, said in ((1, f"{KEY_PLACE}: "), (2, f"{KEY_PLACE} and 1 more place: "), (3, f"{KEY_PLACE} and 2 more places: ")):
        posts = [post(f"call_ebb{n}", value=KEY) for n in range(1, times + 1)]
        (finding,) = of(told(*waiting(*(call(f"call_ebb{n}") for n in range(1, times + 1))), *posts), "TL701")
        line = 4 + times + 2
        assert said.format(line) in finding.message


def test_a_webhook_tells_that_the_session_failed() -> None:
    hook: Json = {
        "object": "event",
        "id": "evt_hook1",
        "type": "agent.session.failed",
        "created_at": START + 30,
        "data": {"id": SESSION},
    }
    report = told(*waiting(call()), *FAILED, hook)
    assert {"TL301", "TL302"} <= set(codes(report))
    (finding,) = of(report, "TL301")
    assert "in a new one" in finding.hint
