"""Long recordings at the command line: processes, bounds, progress, and Ctrl-C."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import events
from tracelink.cli import progress

ROW = json.dumps(events()[2]) + "\n"


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "tracelink", *words]


@pytest.fixture
def pipe(tmp_path: Path) -> Any:
    """A recording that does not end until we let it: what the reader has not got, it waits for."""
    path = tmp_path / "live.jsonl"
    os.mkfifo(path)
    return path


def started(pipe: Path, *words: str) -> tuple[subprocess.Popen[bytes], int]:
    reader = subprocess.Popen(command(*words, str(pipe)), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = os.open(pipe, os.O_WRONLY)
    for row in events():
        os.write(end, json.dumps(row).encode() + b"\n")
    time.sleep(1.5)
    return reader, end


def test_ctrl_c_ends_at_once(pipe: Path) -> None:
    reader, end = started(pipe, "build")
    reader.send_signal(signal.SIGINT)
    out, err = reader.communicate(timeout=20)
    os.close(end)
    assert (reader.returncode, out) == (130, b"")
    assert b"Traceback" not in err


def test_ctrl_c_with_partial_tells_what_was_found(pipe: Path) -> None:
    reader, end = started(pipe, "build", "--partial", "--format", "json")
    reader.send_signal(signal.SIGINT)
    time.sleep(0.3)
    os.write(
        end, b'{"type": "agent.session.idle", "session": {"id": "sess_a1", "status": "idle", "required_actions": []}}\n' * 3
    )
    os.close(end)
    out, err = reader.communicate(timeout=20)
    assert reader.returncode == 130
    assert b"stopped on request" in err
    report = json.loads(out)
    assert report["sessions"][0]["counts"]["calls"] == 1
    assert any(finding["code"] == "TL011" and "stopped" in finding["message"] for finding in report["findings"])
    assert report["sessions"][0]["verdict"]["awaits"] == "unknown"  # what was not read may have answered


def test_the_answer_is_the_same_for_any_number_of_processes(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    rows = (ROW.replace("evt_a3", f"evt_{number:06d}") for number in range(20_000))
    path.write_text("".join(json.dumps(row) + "\n" for row in events()) + "".join(rows))
    assert path.stat().st_size > 8 * 2**20
    one, two = (
        subprocess.run(command("build", "-j", jobs, "--format", "json", str(path)), capture_output=True).stdout for jobs in "12"
    )
    assert one == two
    assert json.loads(one)["sessions"][0]["counts"]["snapshots"] > 20_000


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("depth=3", "nested deeper than the limit of 3 levels"),
        ("total=2000", "was read up to the limit of 2000 bytes"),
        ("sessions=1", "more than 1 session"),
    ],
)
def test_a_bound_that_bites_is_told(program: Any, tmp_path: Path, limit: str, message: str) -> None:
    rows = [*events("a"), *events("b")]
    (tmp_path / "two.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = program("build", "two.jsonl", "--limit", limit, "--format", "json")
    report = json.loads(done.stdout)
    told = [finding["message"] for finding in report["findings"] if finding["code"] == "TL011"]
    assert any(message in one for one in told), told
    hints = [finding["hint"] for finding in report["findings"] if finding["code"] == "TL011"]
    assert all(f"--limit {limit.partition('=')[0]}=" in one for one in hints), hints
    counts = [source["counts"] for source in report["sources"]]
    assert sum(counts[0].values()) == report["sources"][0]["records"]  # each record is still counted
    assert not [
        one
        for one in json.loads(program("build", "two.jsonl", "--format", "json").stdout)["findings"]
        if one["code"] == "TL011"
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("size=3", "there is no limit 'size'"),
        ("dept=3", "Did you mean 'depth'?"),
        ("depth", "not of the form NAME=N"),
        ("depth=x", "which is no number of levels"),
        ("total=0", "which is no number of bytes"),
        ("ratio=2GiB", "which is no number of times"),
    ],
)
def test_a_bound_that_means_nothing(program: Any, given: str, message: str) -> None:
    done = program("build", "x.jsonl", "--limit", given)
    assert done.returncode == 2
    assert message in done.stderr


def test_limits_of_the_configuration(program: Any, tmp_path: Path) -> None:
    (tmp_path / "tracelink.toml").write_text('jobs = 3\n[limits]\ntotal = "1GiB"\nsessions = 7\n')
    shown = json.loads(program("config", "--format", "json", "--limit", "depth=9").stdout)["settings"]
    assert shown["limits"]["value"] == {"total": 2**30, "sessions": 7, "depth": 9}
    assert shown["jobs"]["value"] == 3
    (tmp_path / "tracelink.toml").write_text("[limits]\ntotl = 3\n")
    assert "has no limit 'totl'" in program("config").stderr


def on_a_terminal(*words: str) -> bytes:
    """What the program writes to standard error, a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        command(*words), stdout=subprocess.DEVNULL, stderr=theirs, env=os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:
            break
        if not more:
            break
        seen += more
    done.wait()
    os.close(ours)
    return seen


def test_progress_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text(ROW.replace("evt_", "evt-") + "[1, 2]\n" * 150_000)  # slow to read for its size
    seen = on_a_terminal("build", "-j1", str(path))
    assert b"reading" in seen
    assert b"records/s" in seen
    assert b"\x1b[2K" in seen  # and it was taken away


def test_no_progress_where_it_is_quick_or_nobody_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "short.jsonl"
    path.write_text(ROW)
    assert on_a_terminal("build", str(path)) == b""
    monkeypatch.setenv("TERM", "dumb")
    assert not progress.wanted()
