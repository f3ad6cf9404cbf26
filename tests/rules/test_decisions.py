"""Answers to approvals: two that differ, two that are alike, late ones, those that went to another session, those without an id."""

from typing import Any

import pytest

import tracelink
from tests.rules.cases import (
    SESSION,
    TURN,
    Json,
    approval,
    codes,
    computer,
    decided,
    ending,
    lines,
    of,
    opening,
    refusal,
    signed_in,
    snapshot,
    told,
    turn,
    wrapped,
)

ASKED = (*opening(), snapshot("requires_action", approval(), computer()))
GOES_ON = snapshot("in_progress", at=12)


def test_two_answers_that_differ() -> None:
    (finding,) = of(told(*ASKED, decided(), decided(decision="deny"), GOES_ON), "TL106")
    assert finding.ids == {"request_id": "mcpr_reef1"}
    assert [at.line for at in finding.locations] == [7, 6, 5]


def test_two_answers_that_differ_and_wait() -> None:
    report = told(*ASKED, decided(), decided(decision="deny"))
    (waits,) = of(report, "TL503")
    assert waits.locations[0].line == 7
    assert "post neither" in str(waits.hint)
    assert len(of(report, "TL106")) == 1


@pytest.mark.parametrize(
    "rows",
    [
        (decided(), decided()),
        (decided(decision="deny"), refusal("Invalid approval mcpr_reef1."), decided()),
        (decided(), signed_in()),
        (decided(), decided("mcpr_other", "deny")),
    ],
)
def test_answers_that_do_not_contradict_each_other(rows: tuple[Json, ...]) -> None:
    assert "TL106" not in codes(told(*ASKED, *rows, GOES_ON))


def test_the_same_answer_twice_waits_once() -> None:
    (finding,) = of(told(*ASKED, decided(), decided()), "TL503")
    assert "an identical resend is accepted" in str(finding.hint)


@pytest.mark.parametrize("kind", ["completed", "failed", "cancelled"])
@pytest.mark.parametrize(("answer", "request_id"), [(decided(), "mcpr_reef1"), (signed_in(), "cuar_reef1")])
def test_an_answer_after_its_turn(kind: str, answer: Json, request_id: str) -> None:
    report = told(*ASKED, *ending(kind), answer)
    (finding,) = of(report, "TL110")
    assert finding.ids == {"request_id": request_id, "turn_id": TURN}
    assert [at.line for at in finding.locations] == [8, 6]
    assert f"turn {TURN} {'was ' if kind == 'cancelled' else ''}{kind} at <bytes>:6" in finding.message


@pytest.mark.parametrize(
    "rows",
    [
        (decided(), GOES_ON, *ending()),
        (decided(), GOES_ON, *ending(), decided()),
        (*ending(), decided("mcpr_other")),
        (*ending(), decided(), refusal("Unknown approval mcpr_reef1.")),
    ],
)
def test_an_answer_in_time_a_resend_and_one_that_was_refused(rows: tuple[Json, ...]) -> None:
    assert "TL110" not in codes(told(*ASKED, *rows))


def sent_to(session_id: str, **more: Any) -> Json:
    path = f"/v1/agents/sessions/{session_id}/events"
    return {"ts": 1_791_000_040, "dir": "out", "method": "POST", "path": path, "body": {"events": [decided(**more)]}}


def test_an_answer_to_the_request_of_another_session() -> None:
    other = [snapshot("created", session_id="sess_marsh2", at=0), snapshot("idle", session_id="sess_marsh2", at=3)]
    busy = [*other, snapshot("requires_action", approval("mcpr_dyke2", "turn_marsh2"), session_id="sess_marsh2")]
    for rows in (other, busy):
        report = told(*ASKED, *rows, sent_to("sess_marsh2"))
        (finding,) = of(report, "TL112")
        assert finding.ids == {"request_id": "mcpr_reef1", "meant_session_id": SESSION}
        assert "TL116" not in codes(report)
    assert not {"TL112", "TL116"} & set(codes(told(*ASKED, *other, sent_to(SESSION))))
    unknown = told(*ASKED, *busy, sent_to("sess_marsh2", request_id="mcpr_nobody"))
    assert "TL116" in codes(unknown)
    assert "TL112" not in codes(unknown)


def test_an_answer_without_a_request_id() -> None:
    row = decided()
    del row["request_id"]
    (finding,) = of(told(*ASKED, row), "TL116")
    assert finding.message == "The mcp_approval_request_result at <bytes>:6 has no request_id: nothing was answered by it."


def test_a_log_that_runs_newest_first_makes_no_answer_late() -> None:
    rows = [wrapped(number, row) for number, row in enumerate([*ASKED, decided(), GOES_ON, turn("completed")])]
    report = tracelink.report(lines(rows[::-1]).encode())
    assert report.sessions
    assert "TL110" not in codes(report)


def test_a_decision_that_nobody_documents_is_not_to_be_posted_again() -> None:
    for decision, again in (("approve", True), ("deny", True), ("cancel", True), ("perhaps", False)):
        (finding,) = of(told(*ASKED, decided(decision=decision)), "TL503")
        assert ("post the same answer again" in (finding.hint or "")) is again
        assert ("which this post does not have" in (finding.hint or "")) is not again
