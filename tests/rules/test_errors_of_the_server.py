"""An HTTP error in the log entry of a post: a refusal, unless the server itself failed, which tells nothing of the post."""

import pytest

from tests.rules.cases import (
    SESSION,
    Json,
    added,
    approval,
    call,
    codes,
    decided,
    ending,
    of,
    opening,
    output,
    post,
    refusal,
    snapshot,
    told,
    waiting,
)
from tracelink.model.run import Report

PATH = f"/v1/agents/sessions/{SESSION}/events"
TAKEN = (added(output()), snapshot("in_progress", at=12))


def sent(row: Json, status: int, message: str = "Not now.", code: str = "some_error") -> Json:
    return {"method": "POST", "path": PATH, "body": {"events": [row]}, "status": status, "response": refusal(message, code)}


def awaits(report: Report) -> str:
    (one,) = report.sessions
    return one.verdict.awaits


@pytest.mark.parametrize("status", [408, 500, 503])
def test_a_server_that_failed_refused_nothing(status: int) -> None:
    report = told(*waiting(call()), sent(post(), status))
    assert codes(report) == ["TL503"]
    (finding,) = of(report, "TL503")
    assert (
        f"the reply in the same log entry is an HTTP error (HTTP {status}, Not now), which does not tell whether it was taken"
        in finding.message
    )
    assert awaits(report) == "answered_unapplied"
    assert "TL307" not in codes(told(*opening(), snapshot("requires_action", approval()), sent(decided(), status)))


def test_what_it_took_before_it_failed_was_answered() -> None:
    assert codes(told(*waiting(call()), sent(post(), 500), *TAKEN)) == []


def test_a_failure_that_names_the_call_refuses_it_as_little() -> None:
    error = refusal("Failed on call_ebb1.", "internal_error")
    assert "TL307" not in codes(told(*waiting(call()), post(), error))
    assert "TL307" in codes(told(*waiting(call()), post(), refusal("Failed on call_ebb1.")))


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (400, "Compare turn_id"),
        (401, "Mend the key"),
        (403, "Mend the key"),
        (404, "the session's id"),
        (429, "Wait, and post"),
    ],
)
def test_a_refusal_says_what_to_mend(status: int, hint: str) -> None:
    report = told(*waiting(call()), sent(post(), status))
    (finding,) = of(report, "TL307")
    assert hint in (finding.hint or "")
    assert awaits(report) == "awaiting"


def test_a_refusal_of_a_call_that_is_over_asks_for_no_post() -> None:
    (finding,) = of(told(*waiting(call()), sent(post(), 429), *ending("cancelled")), "TL307")
    assert (finding.hint or "").startswith("Do not post it now")
    (finding,) = of(told(*waiting(call()), sent(post("CALL_EBB1"), 429)), "TL307")
    assert "Compare turn_id" in (finding.hint or ""), "the ids were wrong all the same"


@pytest.mark.parametrize(("code", "read_first"), [("conflict_error", True), ("invalid_request_error", False)])
def test_after_a_conflict_the_session_is_read_first(code: str, read_first: bool) -> None:
    for rows in ((*waiting(call()), post()), (*opening(), snapshot("requires_action", approval()), decided())):
        (one,) = told(*rows, refusal("Not pending.", code)).sessions
        (step,) = one.next_actions
        assert ("read the session, and if it still lists" in step.text) is read_first


def test_the_post_that_is_unconfirmed_is_the_one_that_was_not_refused() -> None:
    refused = sent(post(value="another"), 409, "Another result was taken.", "conflict_error")
    report = told(*waiting(call()), post(), refused)
    (finding,) = of(report, "TL503")
    assert (
        "was posted at <bytes>:7, and the recording neither confirms nor refuses it: the call may still be pending"
        in finding.message
    )
    assert len(of(report, "TL307")) == 1
    (finding,) = of(told(*waiting(call()), post(), post(value="another")), "TL503")
    assert "was posted at <bytes>:8" in finding.message
