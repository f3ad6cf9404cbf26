"""What tracelink says of sessions that nobody wrote by hand, held against the truth that the world knows.

TRACELINK_WORLD_SEEDS: how many seeds (default 140). `python -m tests.world.score` prints the same as a table.
"""

import os
from dataclasses import replace

import pytest

import tracelink
from tests.world import app, check, known, record, trial
from tests.world.check import Tally
from tests.world.faults import FAULTS
from tests.world.spoil import SPOILS
from tracelink.rules.registry import by_code

SEEDS = int(os.environ.get("TRACELINK_WORLD_SEEDS", "140"))
CHUNK = 20


@pytest.mark.parametrize("start", range(0, SEEDS, CHUNK))
def test_sessions(start: int) -> None:
    """Verdict, open actions, counts, agent tree exact; each fault found, nothing else said."""
    tally = Tally()
    assert [problem for seed in range(start, min(SEEDS, start + CHUNK)) for problem in trial.trial(seed, tally)] == []


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_in_each_shape(name: str) -> None:
    problems, tally = [], Tally()
    for seed in (7, 8):
        s = app.faulty(seed, [FAULTS[name]])
        problems += [problem for view in trial.VIEWS for problem in trial.judge(s, view, seed, tally)]
    assert problems == []


@pytest.mark.parametrize("name", SPOILS)
def test_each_spoiled_recording(name: str) -> None:
    assert [problem for seed in (3, 4, 5) for problem in trial.spoiled(SPOILS[name](seed), Tally())] == []


@pytest.mark.parametrize("seed", range(0, 12))
def test_a_clean_session_is_clean(seed: int) -> None:
    """Not even a note but of what is pending, failed tools (which are no fault of the chain) and reused ids."""
    s = app.clean(seed)
    for view in trial.VIEWS:
        found = {one.code for one in tracelink.report(trial.recorded(s, view, len(s.log), seed)[0]).all_findings()}
        assert found <= {"TL108", "TL207"}


def test_every_rule_has_its_fault() -> None:
    faults = {name[:5] for name in (*FAULTS, *SPOILS)} | {"TL501"}  # TL501: every session that waits
    assert {code for code in by_code() if code < "TL6" or code.startswith("TL7")} - faults == set()


def test_the_oracle_sees_a_wrong_answer() -> None:
    """Held against a truth that is off by one thing each, the right report is wrong."""
    s = app.faulty(1, [FAULTS["TL502 ends partly"]])
    report = tracelink.report(record.jsonl([record.wrapped(entry, s) for entry in s.log], s.rng))
    truth, one = s.log[-1].state, check.session(report, s)
    assert check.state(one, truth, "log", Tally()) == []
    for wrong in (
        replace(truth, awaits=frozenset(("unknown",))),
        replace(truth, open=()),
        replace(truth, turns=truth.turns + 1),
        replace(truth, parents={"sub_x": s.agent_id}),
    ):
        assert check.state(one, wrong, "log", Tally()) != []
    expected = [check.Expected("TL301", ("turn_x",))]
    assert len(check.findings(report, expected, len(s.log), "log", Tally())) == 1


def test_open_bugs_are_few() -> None:
    """The world steps around open bugs; each of them has its case."""
    assert sum(known.is_open(path.name.removesuffix(".expect.json")) for path in known.FOUND.glob("*.expect.json")) <= 9
