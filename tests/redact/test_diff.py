"""`diff --redact`: nothing planted is shown, and what differs is what differs without it."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("openai.types.beta.agent_session_event", reason="the openai package is too old for the Agents API")

from tests.redact.planted import story
from tests.redact.test_planted import MARKS, left
from tests.story.conftest import FIXTURES
from tracelink.cli.app import application

PAIRS = [
    ("rules/failed-tool/quiet.jsonl", "rules/failed-tool/fires.jsonl"),
    ("stalled/wrapped.log", "stalled/stream.jsonl"),
    ("awaiting/stream.jsonl", "awaiting/wrapped.log"),
    ("awaiting/bundle.json", "awaiting/bundle.json"),
]


def told(*arguments: str) -> tuple[int, bytes]:
    done = CliRunner().invoke(application(), ["diff", *arguments])
    assert done.exit_code in (0, 1), done.output[-500:]
    return done.exit_code, done.stdout_bytes


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three stories of one session that differ in nothing but their texts."""
    folder = tmp_path_factory.mktemp("planted")
    for name, mark in MARKS.items():
        (folder / f"{name}.jsonl").write_bytes(story(mark))
    return [str(path) for path in sorted(folder.iterdir())]


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("more", [[], ["--only", "calls"], ["--only", "results"], ["--only", "ids"]], ids=" ".join)
def test_no_mark_is_left(planted: list[str], form: str, more: list[str]) -> None:
    for one, other in pairwise(planted):
        code, shown = told(one, other, "--redact", "--full", "--format", form, *more)
        assert left(shown) == []
        assert len(shown) > 20
        assert code == told(one, other, *more)[0]


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_mark_is_left_beside_a_call(planted: list[str], form: str) -> None:
    assert left(told("--call", "call_p1", planted[0], "--redact", "--format", form)[1]) == []


def test_the_marks_are_shown_without_it(planted: list[str]) -> None:
    assert left(told(planted[0], planted[1], "--full")[1])


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_the_same_differs(one: str, other: str) -> None:
    both = [str(FIXTURES / one), str(FIXTURES / other)]
    (code, plain), (again, hidden) = told(*both, "--format", "json"), told(*both, "--format", "json", "--redact")
    assert code == again
    seen, masked = json.loads(plain), json.loads(hidden)
    assert seen.keys() == masked.keys()
    assert shape(seen) == shape(masked)


def shape(value: object) -> object:
    """Where there is what: the members and lists, with texts and payload left out."""
    if isinstance(value, dict):
        return {name: shape(one) for name, one in value.items() if name not in ("a", "b", "path", "arguments")}
    return [shape(one) for one in value] if isinstance(value, list) else type(value).__name__


def test_what_is_the_same_text_on_both_sides_is_the_same_token(tmp_path: Path) -> None:
    data = (FIXTURES / "stalled/wrapped.log").read_bytes()
    (tmp_path / "a.log").write_bytes(data)
    (tmp_path / "b.log").write_bytes(data)
    code, shown = told(str(tmp_path / "a.log"), str(tmp_path / "b.log"), "--redact")
    assert (code, b"no difference" in shown) == (0, True)
