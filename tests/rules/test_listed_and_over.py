"""Actions that a snapshot lists after their turn ended, and answers to a call whose call_id is open in another turn."""

import pytest

from tests.rules.cases import (
    TURN,
    Json,
    action,
    added,
    approval,
    call,
    codes,
    done,
    ending,
    of,
    opening,
    output,
    post,
    snapshot,
    told,
    turn,
    waiting,
)
from tracelink.model.run import Report

NEXT = "turn_tide2"


def awaits(report: Report) -> str:
    return report.sessions[0].verdict.awaits


@pytest.mark.parametrize("kind", ["failed", "cancelled"])
def test_a_call_listed_after_its_turn_ended(kind: str) -> None:
    """Else one finding says that the call is not pending, and another one that the session awaits it."""
    report = told(*waiting(call()), turn(kind), snapshot("requires_action", action(call()), at=30))
    (finding,) = of(report, "TL504")
    assert f"but its turn {TURN} is recorded as {kind} at" in finding.message
    assert [one.line for one in finding.locations] == [8, 7]
    assert not {"TL101", "TL303", "TL501"} & set(codes(report))
    assert awaits(report) == "unknown"


def test_an_approval_listed_after_its_turn_ended() -> None:
    report = told(*opening(), turn("cancelled"), snapshot("requires_action", approval(), at=30))
    assert "TL504" in codes(report)
    assert "TL501" not in codes(report)


def test_a_call_listed_before_its_turn_ended_only() -> None:
    report = told(*waiting(call()), *ending("cancelled"))
    assert not {"TL501", "TL504"} & set(codes(report))


def test_a_call_of_the_next_turn_is_awaited() -> None:
    """The one turn's end says nothing of the other's calls."""
    second = call("call_ebb2", NEXT)
    rows = [*waiting(call()), post(), added(output()), *ending(), turn("created", NEXT), done(second)]
    report = told(*rows, snapshot("requires_action", action(second), at=40))
    assert "TL501" in codes(report)
    assert "TL504" not in codes(report)


def test_an_idle_session_that_lists_a_call_of_an_ended_turn_is_told_once() -> None:
    report = told(*waiting(call()), turn("cancelled"), snapshot("idle", action(call()), at=30))
    assert "TL303" in codes(report)
    assert "TL504" not in codes(report)


def again(value: str, *, listed: bool = True) -> Report:
    """The first turn's call is answered twice, the second time while the next turn awaits a call of the same call_id."""
    second = call(turn_id=NEXT, item_id="item_ebb2")
    rows: list[Json] = [*waiting(call()), post(), added(output()), *ending(), turn("created", NEXT)]
    if listed:
        rows += [done(second), snapshot("requires_action", action(second), at=40)]
    return told(*rows, post(value=value))


@pytest.mark.parametrize(("value", "code"), [("2.31 m", "TL107"), ("1.90 m", "TL106")])
def test_an_answer_that_an_open_call_of_the_same_call_id_may_have_been_meant_for(value: str, code: str) -> None:
    (finding,) = of(again(value), code)
    assert finding.hint == f"call_ebb1 of turn {NEXT} is open: if that one was meant, post the result with that turn_id."
    assert "harmless" not in finding.message


@pytest.mark.parametrize(("value", "code"), [("2.31 m", "TL107"), ("1.90 m", "TL106")])
def test_an_answer_that_no_open_call_was_meant_for(value: str, code: str) -> None:
    (finding,) = of(again(value, listed=False), code)
    assert "was meant" not in finding.hint
