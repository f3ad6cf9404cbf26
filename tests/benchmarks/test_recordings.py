"""The recordings that figures are measured on: the same for the same seed, official shapes, and read without a surprise."""

import gzip
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import tracelink
from benchmarks import generate
from benchmarks.make import KINDS, Recording, make
from benchmarks.verify import problems
from tracelink.render import json as report_json

SCALE = {"snapshots": 0.001, "deltas-1gb": 0.000_5, "giant": 0.000_1}
NAMES = [pytest.param(name, id=name) for name in KINDS]


def small(name: str, folder: Path, seed: int = 0) -> Recording:
    """The recording at a size that takes no time."""
    return make(name, folder, SCALE.get(name, 0.002), seed)


def held(made: Recording) -> dict[str, bytes]:
    """File name → bytes."""
    path = Path(made.path)
    return {file.name: file.read_bytes() for file in ([path] if path.is_file() else sorted(path.iterdir()))}


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(name: str, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    one, two = small(name, tmp_path / "one"), small(name, tmp_path / "two")
    assert held(one) == held(two)
    other = small(name, tmp_path / "one", seed=1)
    assert list(held(other).values()) != list(held(one).values())


@pytest.mark.parametrize("name", NAMES)
def test_all_of_it_is_read_and_only_what_is_meant_is_found(name: str, tmp_path: Path) -> None:
    made = small(name, tmp_path)
    report = json.loads(report_json.render(tracelink.report(made.path)))
    assert list(problems(json.loads(json.dumps(asdict(made))), report)) == []


def test_a_report_that_lacks_something_is_told(tmp_path: Path) -> None:
    made = small("calls", tmp_path)
    path = Path(made.path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-5]))
    report = json.loads(report_json.render(tracelink.report(made.path)))
    assert len(list(problems(asdict(made), report))) > 0


EVENTS: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
    "deltas": lambda: generate.deltas(3_000),
    "snapshots": lambda: generate.snapshots(500_000),
    "calls": lambda: generate.calls(15),
    "short": generate.short_session,
    "subagents": lambda: generate.subagents(4),
    "cycle": lambda: generate.wait_cycle(4),
    "near": lambda: generate.near_misses(4),
    "near-alike": lambda: generate.near_alike(4),
}


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_is_one_of_the_official_types(name: str) -> None:
    pytest.importorskip("openai.types.beta.agent_session_event", reason="the openai package is too old for the Agents API")
    from openai.types.beta.agent_session_event import AgentSessionEvent
    from openai.types.beta.agent_session_input_param import AgentSessionInputParam
    from pydantic import TypeAdapter

    event, post = TypeAdapter(AgentSessionEvent), TypeAdapter(AgentSessionInputParam)
    for one in EVENTS[name]():
        if one["type"].startswith("agent.session.input."):
            assert post.validate_python(one) == one
        else:
            built = event.validate_python(one, strict=True)
            assert event.dump_python(built, mode="json", by_alias=True, exclude_unset=True) == one
            assert undeclared(built) == []


def undeclared(value: Any) -> list[str]:
    """Members that the package does not know: it keeps them, and says nothing."""
    from pydantic import BaseModel

    if isinstance(value, list):
        return [name for one in value for name in undeclared(one)]
    if isinstance(value, BaseModel):
        return [*(value.model_extra or {}), *(name for _, one in value for name in undeclared(one))]
    return []


def test_the_recordings_are_what_their_names_say() -> None:
    kinds = [event["type"] for event in generate.deltas(20_000)]
    assert sum(kind.endswith(".delta") for kind in kinds) > 0.97 * len(kinds)
    assert {kind for kind in kinds if kind.endswith(".delta")} == {
        "agent.session.turn.output_text.delta",
        "agent.session.turn.reasoning_summary_text.delta",
        "agent.output.command_execution_output.delta",
    }
    events = list(generate.snapshots(2_000_000))
    sessions = [json.dumps(event["session"]) for event in events if "session" in event]
    assert sum(map(len, sessions)) > 1_800_000
    assert 2 < len(set(sessions)) < len(sessions) / 2
    assert len(list(generate.short_session())) == 12


def test_forms_hold_the_same_events(tmp_path: Path) -> None:
    plain, sdk, sse, packed = (small(name, tmp_path) for name in ("deltas", "deltas-sdk", "sse", "gzip"))
    lines = Path(plain.path).read_bytes()
    events = [json.loads(line) for line in lines.splitlines()]
    assert [json.loads(line) for line in Path(sdk.path).read_bytes().splitlines()] == events
    data = [line for line in io.BytesIO(Path(sse.path).read_bytes()) if line.startswith(b"data: ")]
    assert [json.loads(line[6:]) for line in data] == events
    assert gzip.decompress(Path(packed.path).read_bytes()) == lines


def test_interleaved_sessions_are_those_of_the_files(tmp_path: Path) -> None:
    files, one = small("files", tmp_path), small("interleaved", tmp_path)
    lines = Path(one.path).read_bytes().splitlines()
    assert sorted(lines) == sorted(line for held in held(files).values() for line in held.splitlines())
    begins = [n for n, line in enumerate(lines) if b'"agent.session.created"' in line]
    assert begins == list(range(files.size))
