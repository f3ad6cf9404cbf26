"""The DOT text, which is written as a stream, is byte for byte what pydot makes of one object a node and edge; and it is the same
whether cleared actions, which it does not show, are in the graph or not."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import tracelink
from tests.export import by_pydot
from tests.export.test_hostile import traces
from tests.graph import samples
from tests.world import trial
from tracelink.export import pieces, render
from tracelink.graph import build, marks_of
from tracelink.model.run import Report
from tracelink.model.trace import Trace

ROOT = Path(__file__).parents[2]
FIXTURES = sorted(path for path in (ROOT / "fixtures").rglob("*") if path.is_file())


def written(sessions: list[tuple[Trace, dict[str, tuple[str, str]]]], detail: str, agent: str | None = None) -> str:
    """The text of all ways, which is one."""
    full, lean = (
        [
            (trace, build(trace, detail=detail, agent=agent, marks=marks, cleared=cleared))
            for trace, marks in sessions
            if agent is None or agent in trace.agents
        ]
        for cleared in (True, False)
    )
    text = render("dot", full)
    assert isinstance(text, str)
    assert text == by_pydot.render(full)
    assert text == "".join(str(piece) for piece in pieces("dot", lean))
    return text


def every_way(report: Report) -> None:
    sessions = [(one.trace, marks_of(one.trace, [*report.findings, *one.findings])) for one in report.sessions]
    for detail in ("calls", "items", "all"):
        written(sessions, detail)
    for agent in sorted({name for trace, _ in sessions for name in trace.agents})[:6]:
        written(sessions, "items", agent)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: str(path.relative_to(ROOT)))
def test_fixtures(path: Path) -> None:
    every_way(tracelink.report(str(path)))


@pytest.mark.parametrize("seed", range(8))
def test_world(seed: int) -> None:
    _, session = trial.session(seed)
    for view in trial.VIEWS:
        every_way(tracelink.report(trial.recorded(session, view, len(session.log), seed)[0]))


def test_several_sessions() -> None:
    several = [(make(), {}) for make in (*samples.ALL, *samples.ALL)]
    for detail in ("calls", "items", "all"):
        assert "cluster_9_0" in written(several, detail)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(traces(), traces())
def test_hostile_names(one: Trace, other: Trace) -> None:
    written([(one, {}), (other, {})], "all")
    written([(one, {})], "items", next(iter(one.agents)))
