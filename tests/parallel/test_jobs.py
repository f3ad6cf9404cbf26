"""The report does not depend on how many processes read, wherever the cuts fall."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tracelink
from tests.properties.worlds import some
from tests.read.ways import answered, called, delta, ended, line, said, snapshot
from tests.world import record
from tests.world.dice import dice
from tracelink.model.limits import Limits
from tracelink.parallel import forked, read_and_fold, together
from tracelink.parallel.parts import cut
from tracelink.read.source import expand
from tracelink.render import json as render

HERE = Path(__file__).parents[2]
FOLDERS = [folder for folder in (HERE / "fixtures", HERE.parent / "shared" / "cases") if folder.is_dir()]


@pytest.fixture
def cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is worth cutting."""
    monkeypatch.setattr("tracelink.parallel.parts.WORTH", 1)
    monkeypatch.setattr("tracelink.parallel.parts._ONE_FILE", 1)
    monkeypatch.setattr("tracelink.parallel.parts._FILE_COST", 1)


def same(*names: Path, jobs: tuple[int, ...] = (2, 3, 5)) -> None:
    sources = [str(name) for name in names]
    plain = read_and_fold(sources, None, Limits(), 1)
    for number in jobs:
        assert read_and_fold(sources, None, Limits(), number) == plain, number


def was_cut(path: Path, jobs: int = 3) -> bool:
    found = cut(list(expand([str(path)], Limits())), jobs, Limits())
    return found is not None and any(piece.start for part in found for piece in part)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_folders(folder: Path, cuts: None) -> None:
    same(folder)
    one, other = (render.render(tracelink.report(tracelink.trace(str(folder), jobs=jobs))) for jobs in (1, 4))
    assert one == other


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("frame", ["jsonl", *range(len(record.SSE_FRAMES))])
def test_one_file_in_every_framing(seed: int, frame: Any, tmp_path: Path, cuts: None) -> None:
    events = [entry.value for entry in record.stream(some(seed))]
    make = record.jsonl if frame == "jsonl" else record.SSE_FRAMES[frame]
    path = tmp_path / "one"
    path.write_bytes(make(events, dice(seed)))
    same(path)
    path.write_bytes(gzip.compress(path.read_bytes()))
    same(path)


def test_a_file_is_cut_where_it_is_worth_it(tmp_path: Path, cuts: None) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(b"".join(line(snapshot(n) if n % 9 == 0 else delta(n)) + b"\n" for n in range(90)))
    assert was_cut(path)
    infos, recordings = read_and_fold([str(path)], None, Limits(), 4)
    assert [info.records for info in infos] == [90]
    assert [fact.at.line for fact in recordings.facts] == list(range(1, 91, 9))
    assert [fact.at.seq for fact in recordings.facts] == list(range(0, 90, 9))


def test_events_built_alike_come_whole_from_every_process(tmp_path: Path, cuts: None) -> None:
    """They are sent as they were read, and made into facts by the first process; among them what has no such form."""
    path = tmp_path / "one.jsonl"
    values = []
    for n in range(40):
        turn = f"turn_{n}"
        values += [
            said(n, turn),
            snapshot(n),
            called(n, turn),
            called(n + 1, turn, status=None),
            delta(n, turn),
            answered(n, turn),
            ended(n, turn),
        ]
        values += [
            answered(n, turn, output=[n]),
            called(n, turn, note=n),
            {"some": "value"},
            snapshot(n, required_actions=[{"type": "x"}]),
        ]
    path.write_bytes(b"".join(line(value) + b"\n" for value in values) + b"{torn")
    assert was_cut(path)
    same(path)
    one, other = (render.render(tracelink.report(tracelink.trace(str(path), jobs=jobs))) for jobs in (1, 4))
    assert one == other


def test_small_recordings_are_read_by_one_process(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(line(delta(1)))
    assert cut(list(expand([str(path)], Limits())), 8, Limits()) is None


def test_standard_input_is_read_by_one_process() -> None:
    assert cut(list(expand([b"{}" * 9_000_000], Limits())), 8, Limits()) is None


AWKWARD = {
    "crlf": lambda lines: b"\r\n".join(lines),
    "lone cr": lambda lines: b"\r".join(lines),
    "a document over lines": lambda lines: b"\n".join(json.dumps(json.loads(one), indent=1).encode() for one in lines),
    "torn in the middle": lambda lines: b"\n".join([*lines[:9], lines[9][:30], *lines[10:]]),
    "a document left open": lambda lines: b"\n".join([*lines[:9], b'{"a": [', *lines[10:]]),
    "one array": lambda lines: b"[\n" + b",\n".join(lines) + b"\n]",
    "ids in the stream": lambda lines: b"".join(b"id: %d\ndata: " % (n // 3) + one + b"\n\n" for n, one in enumerate(lines)),
    "frames of several lines": lambda lines: b"".join(b"data: " + one.replace(b", ", b",\ndata: ") + b"\n\n" for one in lines),
    "text before": lambda lines: b"connected\n" * 40 + b"\n".join(lines),
    "text only": lambda lines: b"connected\n{not json\n" * 40,
    "text between": lambda lines: b"\nconnected\n".join(lines),
    "pages": lambda lines: b"\n".join(
        b'{"object": "list", "data": [], "has_more": false, "first_id": null, "last_id": null}' for _ in lines
    ),
    "a byte order mark": lambda lines: b"\xef\xbb\xbf" + b"\n".join(lines),
    "UTF-16": lambda lines: b"\n".join(lines).decode().encode("utf-16"),
    "wrapped": lambda lines: b"\n".join(b'{"ts": 17900000%02d, "event": %b}' % (n, one) for n, one in enumerate(lines)),
    "nothing": lambda lines: b"\n" * 300,
}


@pytest.mark.parametrize("name", AWKWARD)
def test_where_a_cut_may_hurt(name: str, tmp_path: Path, cuts: None) -> None:
    lines = [line(snapshot(n) if n % 9 == 0 else delta(n)) for n in range(40)]
    path = tmp_path / "one"
    path.write_bytes(AWKWARD[name](lines))
    same(path, jobs=(2, 3, 7))
    more = tmp_path / "two.jsonl"
    more.write_bytes(b"\n".join(lines))
    same(more, path, tmp_path / "missing", jobs=(2, 4))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False), st.booleans(), st.integers(2, 5))
def test_any_damage(tmp_path: Path, cuts: None, rng: random.Random, sse: bool, jobs: int) -> None:
    makers = [delta, delta, snapshot, called, answered, said, ended]
    lines = [bytearray(line(rng.choice(makers)(n))) for n in range(rng.randrange(40))]
    for one in lines:
        if rng.random() < 0.1:
            one[rng.randrange(len(one))] = rng.choice(b'"{}[]\n\r ')
    path = tmp_path / "one"
    path.write_bytes(b"".join(b"data: " + one + b"\n\n" if sse else bytes(one) + b"\n" for one in lines))
    same(path, jobs=(jobs,))


def test_stopped_it_says_how_far_it_came(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(b"".join(line(snapshot(n)) + b"\n" for n in range(3000)))
    asked = iter([False, False, *[True] * 9])
    run = tracelink.trace(str(path), stop=lambda: next(asked))
    (trouble,) = run.troubles
    assert (trouble.code, trouble.at.byte) == ("TL011", run.sources[0].bytes)
    assert "because it was stopped" in trouble.message
    assert 2**20 < run.sources[0].bytes < path.stat().st_size
    assert path.read_bytes()[: run.sources[0].bytes].endswith(b"}\n")  # no line is torn by it
    assert run.traces[0].lost is not None  # so nobody takes the last snapshot read for the last there is


def test_all_processes_stop(tmp_path: Path, cuts: None) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(b"".join(line(snapshot(n)) + b"\n" for n in range(3000)))
    run = tracelink.trace(str(path), str(tmp_path / "none"), jobs=2, stop=lambda: True)
    assert run.sources[0].bytes < path.stat().st_size
    assert [source.name for source in run.sources] == [str(path), str(tmp_path / "none")]
    assert any(trouble.code == "TL011" and "stopped" in trouble.message for trouble in run.troubles)


def test_progress_is_of_all_sources_together(tmp_path: Path, cuts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / f"{n}.jsonl" for n in range(4)]
    for path in paths:
        path.write_bytes(b"".join(line(snapshot(n)) + b"\n" for n in range(500)))
    monkeypatch.setattr(forked, "_TICK", 0.001)
    for jobs in (1, 2):
        told: list[tuple[int, int]] = []
        tracelink.trace(*map(str, paths), jobs=jobs, progress=lambda taken, seen, told=told: told.append((taken, seen)))  # type: ignore[misc]
        assert told == sorted(told)
        assert told[-1][0] == sum(path.stat().st_size for path in paths)


def test_a_process_that_dies_costs_time_only(tmp_path: Path, cuts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(b"".join(line(snapshot(n)) + b"\n" for n in range(90)))
    plain = read_and_fold([str(path)], None, Limits(), 1)
    monkeypatch.setattr(together, "pack", lambda recordings: 1 / 0)
    assert read_and_fold([str(path)], None, Limits(), 2) == plain
