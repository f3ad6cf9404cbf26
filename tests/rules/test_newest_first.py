"""A log that was exported newest first: what its own objects say of their time is believed before their place."""

from tests.rules.cases import Json, action, added, call, codes, ending, of, opening, output, snapshot, told, turn, waiting
from tracelink.model.run import Report


def awaits(report: Report) -> str:
    (one,) = report.sessions
    return one.verdict.awaits


def test_an_older_snapshot_below_it_does_not_clear_a_wait() -> None:
    rows = waiting(call())
    assert awaits(told(*rows)) == "awaiting"
    report = told(*rows[::-1])
    assert awaits(report) == "unknown"
    assert codes(report) == ["TL008"], "no TL304: the session that is idle at the end of the file is the oldest"
    (finding,) = of(report, "TL008")
    assert (finding.hint or "").startswith("Turn a log round")


def test_a_later_snapshot_and_one_of_the_same_second_clear_it() -> None:
    for at in (10, 11):
        report = told(*waiting(call()), snapshot("in_progress", at=at))
        assert awaits(report) == "not_awaiting"


def test_a_wait_that_is_repeated_unchanged_has_the_time_of_its_last_snapshot() -> None:
    again: list[Json] = [snapshot("requires_action", action(call()), at=at) for at in (10, 14)]
    report = told(*opening(call()), *again, snapshot("in_progress", at=12))
    assert awaits(report) == "unknown"
    assert awaits(told(*opening(call()), *again, snapshot("in_progress", at=14))) == "not_awaiting"


def test_what_is_over_is_over_in_either_order() -> None:
    rows = [*waiting(call()), added(output()), snapshot("in_progress", at=12), *ending()]
    assert awaits(told(*rows[::-1])) == "not_awaiting"
    assert codes(told(*rows[::-1])) == ["TL008"]


def test_an_idle_that_is_the_newest_still_shows_a_turn_without_an_end() -> None:
    assert codes(told(*opening(), snapshot("idle", at=25))) == ["TL304"]
    assert codes(told(*opening(), turn("completed"), snapshot("idle", at=25))) == []
