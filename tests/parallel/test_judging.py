"""The report does not depend on how many processes judge, nor on which sessions were judged before."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tracelink
from tests.rules.cases import call, done, function, lines, snapshot, turn
from tracelink.model.run import Report, Run
from tracelink.model.trace import Trace
from tracelink.parallel import judging
from tracelink.parallel.judging import slices
from tracelink.render import json as render
from tracelink.render import text

HERE = Path(__file__).parents[2]
FOLDERS = [folder for folder in (HERE / "fixtures", HERE.parent / "shared" / "cases") if folder.is_dir()]


@pytest.fixture
def worth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is worth judging in several processes, whatever was loaded before."""
    monkeypatch.setattr(judging, "WORTH", 1)
    monkeypatch.setattr(judging, "loaded", lambda: False)


@pytest.fixture(scope="module")
def run() -> Run:
    return tracelink.trace(*map(str, FOLDERS))


def shown(report: Report) -> tuple[bytes, str]:
    """JSON says which texts of a body are placeholders, which equality does not."""
    return render.render(report), text.render(report, width=80, color=False, full=True, cut=False, agent=None)


@pytest.mark.parametrize("jobs", [2, 3, 7, 1000])
def test_any_number_of_processes(jobs: int, run: Run, worth: None) -> None:
    plain, several = (tracelink.report(run, jobs=number) for number in (1, jobs))
    assert several == plain
    assert shown(several) == shown(plain)


def test_they_really_are_several(run: Run, worth: None, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    forked = judging.Forked

    def counted(pieces: Any) -> Any:
        sent.append(len(pieces))
        return forked(pieces)

    monkeypatch.setattr(judging, "Forked", counted)
    tracelink.report(run, jobs=3)
    assert sent == [2]


def test_sessions_leave_nothing_to_each_other(run: Run) -> None:
    """What is known of tools and schemas by then saves work, and changes nothing."""
    together = tracelink.report(run).sessions
    backwards = Run(**{name: getattr(run, name) for name in Run.__slots__} | {"traces": run.traces[::-1]})
    assert tracelink.report(backwards).sessions[::-1] == together
    for one in together:
        alone = judging.Checking(run, as_of=run.as_of)
        assert alone.session(one.trace, one.verdict) == (one.findings, one.unchecked)


KEY = "sk-proj-" + "Ab3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z" * 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_wrong_with_a_list_of_tools_is_told_of_every_session(jobs: int, worth: None) -> None:
    """Three sessions declare equal tools: a description holds a key, and a call does not keep to the schema."""
    strict = {"type": "object", "properties": {"gauge": {"type": "integer"}}, "required": ["gauge"]}
    rows = []
    for name in ("ebb", "flow", "slack"):
        opened = snapshot("created", session_id=f"sess_{name}", tools=[function(description=KEY, parameters=strict)])
        called = [call(f"call_{number}", f"turn_{name}", arguments={"gauge": 4}) for number in range(2)]
        called[1]["arguments"] = {"gauge": "4"}
        rows += [opened, turn("created", f"turn_{name}", session_id=f"sess_{name}")]
        rows += [done(one, session_id=f"sess_{name}") for one in called]
    report = tracelink.report(lines(rows).encode(), jobs=jobs)
    assert len(report.sessions) == 3
    for one in report.sessions:
        found = [finding.code for finding in one.findings]
        assert (found.count("TL701"), found.count("TL204")) == (1, 1)


def test_a_process_that_dies_costs_time_only(run: Run, worth: None, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = tracelink.report(run)
    monkeypatch.setattr(judging, "_plain", lambda finding: 1 / 0)
    assert tracelink.report(run, jobs=3) == plain


def test_a_library_with_threads_is_not_forked(run: Run, worth: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "loaded", lambda: True)
    monkeypatch.setattr(judging, "Forked", None)
    assert tracelink.report(run, jobs=2).sessions


def test_few_sessions_are_judged_by_one_process(run: Run) -> None:
    assert slices(run.traces[:2], 8) == [run.traces[:2]]
    assert tracelink.report(b"", jobs=8).sessions == ()


@given(st.lists(st.integers(0, 40_000), max_size=40), st.integers(1, 9))
def test_slices_are_all_traces_in_order(calls: list[int], jobs: int) -> None:
    traces = [Trace(str(number), counts={"calls": count, "items": count}) for number, count in enumerate(calls)]
    found = slices(traces, jobs)
    assert [one for part in found for one in part] == traces
    assert len(found) <= max(jobs, 1)
    assert all(found) or not traces
