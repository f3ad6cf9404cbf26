"""Events that contradict themselves, and turns that end twice: TL303, each once, and in place of what would follow from it."""

import pytest

from tests.rules.cases import (
    Json,
    action,
    added,
    call,
    codes,
    ending,
    lines,
    of,
    opening,
    output,
    post,
    session,
    snapshot,
    told,
    turn,
    waiting,
)
from tracelink.model.finding import Severity

ANSWERED = (*waiting(call()), post(), added(output()), snapshot("in_progress", at=12))
IDLE = snapshot("idle", at=25)


@pytest.mark.parametrize(
    ("first", "second"), [("failed", "completed"), ("completed", "failed"), ("completed", "cancelled"), ("cancelled", "failed")]
)
def test_a_turn_that_ends_twice(first: str, second: str) -> None:
    report = told(*ANSWERED, turn(first), turn(second), IDLE)
    (finding,) = of(report, "TL303")
    assert (
        f"is recorded as {first} at <bytes>:10 and as {second} at <bytes>:11: a turn ends once; {first} was used"
        in finding.message
    )
    assert finding.severity is Severity.ERROR
    assert set(codes(report)) - {"TL303"} == ({"TL301"} if first == "failed" else set())


def test_a_turn_that_is_retrieved_with_another_end() -> None:
    page: Json = {"object": "list", "data": [turn("failed")["turn"]], "has_more": False}
    (finding,) = of(told(*ANSWERED, *ending(), page), "TL303")
    assert "as completed at <bytes>:10 and as failed at <bytes>:12" in finding.message


@pytest.mark.parametrize("kind", ["completed", "failed", "cancelled"])
def test_the_same_end_told_again_is_none(kind: str) -> None:
    page: Json = {"object": "list", "data": [turn(kind)["turn"]], "has_more": False}
    assert "TL303" not in codes(told(*ANSWERED, turn(kind), turn(kind), IDLE, page))


def test_an_ended_turn_that_is_told_as_running_later_is_out_of_order_only() -> None:
    assert codes(told(*ANSWERED, turn("completed"), turn("in_progress"), IDLE)) == ["TL008"]


@pytest.mark.parametrize(("kind", "status"), [("completed", "in_progress"), ("cancelled", "waiting"), ("failed", "completed")])
def test_a_turn_event_whose_turn_denies_its_name(kind: str, status: str) -> None:
    report = told(*ANSWERED, turn(kind, status=status), IDLE)
    assert codes(report) == ["TL303"], "one cause, one finding: no TL304"
    (finding,) = of(report, "TL303")
    assert (
        f"<bytes>:10 is agent.session.turn.{kind}, but the turn that it carries has the status {status}, which was used"
        in finding.message
    )
    assert finding.severity is Severity.WARNING
    assert finding.ids == {"turn_id": "turn_tide1"}


@pytest.mark.parametrize(("kind", "status"), [("completed", "rewound"), ("created", "in_progress"), ("in_progress", "waiting")])
def test_a_turn_event_whose_turn_may_be_so(kind: str, status: str) -> None:
    assert "TL303" not in codes(told(*ANSWERED, turn(kind, status=status), *([] if kind == "completed" else ending())))


def test_a_turn_without_an_end_is_still_told_where_no_event_says_that_it_ended() -> None:
    assert codes(told(*ANSWERED, IDLE)) == ["TL304"]


@pytest.mark.parametrize(("kind", "status"), [("idle", "in_progress"), ("in_progress", "idle"), ("failed", "idle")])
def test_a_session_event_whose_session_denies_its_name(kind: str, status: str) -> None:
    report = told(*ANSWERED, turn("completed"), snapshot(kind, status=status, at=25))
    (finding,) = of(report, "TL303")
    assert f"is agent.session.{kind}, but the session that it carries has the status {status}" in finding.message
    assert finding.severity is Severity.WARNING


@pytest.mark.parametrize(("kind", "status"), [("created", "in_progress"), ("budget_reached", "idle"), ("idle", "hibernating")])
def test_a_session_event_whose_session_may_be_so(kind: str, status: str) -> None:
    assert "TL303" not in codes(told(*ANSWERED, turn("completed"), snapshot(kind, status=status, at=25)))


def test_a_wait_that_its_own_session_denies_is_not_known() -> None:
    rows = [*opening(call()), snapshot("requires_action", status="idle")]
    report = told(*rows)
    assert codes(report) == ["TL303"], "no TL304: that the session is idle is in doubt"
    (one,) = report.sessions
    assert one.verdict.awaits == "unknown"
    assert one.verdict.reason == "the latest event says requires_action, but its session is idle and lists no action"
    (calm,) = told(*opening(), snapshot("idle")).sessions
    assert calm.verdict.awaits == "not_awaiting"


def test_a_list_that_fits_no_status_is_told_by_the_list_alone() -> None:
    (finding,) = of(told(*opening(call()), snapshot("requires_action", action(call()), status="idle")), "TL303")
    assert "lists call_ebb1 as required" in finding.message
    (finding,) = of(told(*opening(call()), snapshot("idle", status="requires_action")), "TL303")
    assert "lists no action" in finding.message
    (finding,) = of(told(*opening(call()), snapshot("idle", action(call()), status="requires_action")), "TL303")
    assert "is agent.session.idle, but the session that it carries has the status requires_action" in finding.message


@pytest.mark.parametrize(
    ("more", "said"),
    [({}, "lists no action"), ({"required_actions": None}, "holds no list"), ({"drop": True}, "holds no list")],
)
def test_a_list_that_is_not_there_is_not_called_empty(more: Json, said: str) -> None:
    body = session("requires_action", **{name: value for name, value in more.items() if name != "drop"})
    if "drop" in more:
        del body["required_actions"]
    (one,) = told(body).sessions
    assert one.verdict.awaits == "unknown"
    assert said in one.verdict.reason


def test_what_a_turn_completed_over_is_looked_for_in_its_items() -> None:
    (finding,) = of(told(*waiting(call()), *ending()), "TL303")
    assert "/items) and add them to this run" in (finding.hint or "")
    assert "do not post now" in (finding.hint or "")


def test_events_that_say_the_same_are_told_together() -> None:
    rows = [*ANSWERED, turn("completed"), *(snapshot("idle", status="in_progress", at=25 + n) for n in range(3))]
    assert lines(rows).count('"agent.session.idle"') == 3
    (finding,) = of(told(*rows), "TL303")
    assert ", and so do 2 more: one of the two is wrong" in finding.message
