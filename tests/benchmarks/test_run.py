"""The command that measures: it runs, tells what it is meant to tell, and notices what goes wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import process, run, steps
from benchmarks.contenders import FULL, LOOP, QUARTER, US
from benchmarks.make import Recording
from benchmarks.results import Results, Row
from benchmarks.targets import TARGETS

MB = 1_000_000
ROOT = Path(run.__file__).parent.parent


def test_a_tiny_run_gives_a_table_and_all_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table, figures = tmp_path / "table.md", tmp_path / "all.json"
    asked = f"run --only near --scale 0.001 --repeat 1 --out {table} --out {figures}".split()
    monkeypatch.setattr(sys, "argv", asked)
    monkeypatch.setattr(run, "SHORT_ROUNDS", 1)
    assert run.main() == 0
    told = capsys.readouterr().out
    assert table.read_text() == told.removesuffix("\n")
    assert "| (g) near, " in told
    assert "Machine: " in told
    held = json.loads(figures.read_text())
    rows = {(row["recording"], row["part"], row["contender"]): row for row in held["rows"]}
    assert {("near", QUARTER, US), ("near", FULL, US), ("near", FULL, LOOP), ("short", FULL, US)} <= set(rows)
    assert all(row["seconds"] and row["median"] > 0 and row["peak"] > MB and not row["problem"] for row in rows.values())
    assert len(held["targets"]) == len(TARGETS)


def test_an_unknown_recording_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["run", "--only", "nothing"])
    with pytest.raises(SystemExit):
        run.main()
    assert "no recording is called nothing" in capsys.readouterr().err


def test_steps_give_their_two_lines(tmp_path: Path) -> None:
    lines = steps.rows("cycle", tmp_path, 0.005, 1)
    assert [len(line) for line in lines] == [len(steps.HEAD)] * 2


def test_a_process_that_fails_says_so_and_is_not_timed() -> None:
    row = Row("x", FULL, US)
    run._note(row, process.run([sys.executable, "-c", "raise SystemExit('no such thing')"], ROOT))
    assert row.problem == "ended with 1: no such thing"
    assert row.seconds == []


PROBE = """
import sys
from pathlib import Path
from benchmarks import process
hold = "import time; block = bytearray(b'x') * 60_000_000; time.sleep(1)"
spawn = f"import subprocess, sys; [p.wait() for p in [subprocess.Popen([sys.executable, '-c', {hold!r}]) for _ in range(2)]]"
for watch in (False, True):
    print(process.run([sys.executable, "-c", spawn], Path.cwd(), watch=watch).peak)
"""


def test_the_memory_of_workers_that_live_at_once_adds_up() -> None:
    """In a process of its own: a child's peak begins at what its parent uses, and the test runner uses a lot."""
    told = subprocess.run([sys.executable, "-c", PROBE], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    largest, together = (int(line) for line in told.split())
    assert 60 * MB < largest < 100 * MB
    assert 120 * MB < together < 180 * MB


def results(times: dict[str, float], peaks: dict[str, int]) -> Results:
    """A short session, and one recording in two sizes, four times as large."""
    made = Results()
    for name, part, events in (("short", FULL, 12), ("calls", QUARTER, 1000), ("calls", FULL, 4000)):
        made.recordings[name, part] = Recording(name, "c", "", "jsonl", 1.0, events, 1, 1, "", ())
        made.rows.append(
            Row(name, part, US, [times[part if name == "calls" else name]], [], peaks[part if name == "calls" else name])
        )
    return made


@pytest.mark.parametrize(
    ("seconds", "megabytes", "time", "memory"),
    [
        ((0.5, 1.5, 4.5), (40, 60, 120), 1.0, 1.0),
        ((0.5, 1.5, 16.5), (40, 41, 41), 2.0, 0.0),
        ((0.5, 0.51, 0.52), (40, 50, 60), None, 0.5),
    ],
    ids=["linear", "quadratic time", "too short to tell"],
)
def test_growth_is_what_lies_above_start_up(
    seconds: tuple[float, ...], megabytes: tuple[int, ...], time: float | None, memory: float
) -> None:
    keys = ("short", QUARTER, FULL)
    made = results(dict(zip(keys, seconds, strict=True)), {key: mb * MB for key, mb in zip(keys, megabytes, strict=True)})
    assert made.growth("calls") == (time if time is None else pytest.approx(time))
    assert made.growth("calls", memory=True) == pytest.approx(memory)
