"""Files that are none, files that change while they are read, and outputs that take nothing: the real program, from outside."""

import gzip
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tracelink
from tests.cli.conftest import events, jsonl
from tests.fuzz.run import run
from tracelink.model.limits import Limits

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files of POSIX")
SECONDS = 60
MEMORY = 600 * 1024 * 1024
COMMANDS = (
    ["build"], ["build", "--format", "json"], ["build", "--to", "dot"], ["check"], ["check", "--format", "sarif"], ["awaits"],
    ["awaits", "--emit", "payload"], ["gate"], ["query", "$.type"], ["query", "--ids"], ["postmortem"], ["timeline"],
    ["why", "call_a1"],
)  # fmt: skip
GOOD = jsonl(events()).encode()


def bound() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY * 2, MEMORY * 2))


def program(arguments: list[str], folder: Path, **more: Any) -> "subprocess.CompletedProcess[bytes]":
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stdin", subprocess.DEVNULL)
    command = [sys.executable, "-m", "tracelink", *arguments]
    return subprocess.run(command, cwd=folder, stderr=subprocess.PIPE, timeout=SECONDS, check=False, preexec_fn=bound, **more)


def one_sentence(done: "subprocess.CompletedProcess[bytes]", code: int, *words: str) -> None:
    told = done.stderr.decode()
    assert (done.returncode, "Traceback" in told) == (code, False), told
    for word in words:
        assert word in told


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.jsonl").write_bytes(GOOD)
    return tmp_path


def test_a_loop_of_links(folder: Path) -> None:
    (folder / "loop.jsonl").symlink_to("pool.jsonl")
    (folder / "pool.jsonl").symlink_to("loop.jsonl")
    (folder / "up").symlink_to(".", target_is_directory=True)
    one_sentence(program(["build", "loop.jsonl"], folder), 3, "loop.jsonl")
    done = program(["build", ".", "--format", "json"], folder)
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["sessions"]) == 1
    whole = json.loads(done.stdout)
    assert sum(one["records"] for one in whole["sources"]) == len(
        GOOD.splitlines()
    )  # `up` was not walked into, round and round


def test_a_fifo_named_is_read_and_in_a_folder_is_left(folder: Path) -> None:
    os.mkfifo(folder / "pipe")

    def feed() -> None:
        (folder / "pipe").write_bytes(GOOD)

    writer = threading.Thread(target=feed, daemon=True)
    writer.start()
    assert b"AWAITING" in program(["build", "pipe"], folder).stdout
    writer.join(10)
    assert program(["build", "."], folder).returncode == 0  # nobody writes to it: reading it would hang


def test_devices(folder: Path) -> None:
    one_sentence(program(["build", "/dev/null"], folder), 3, "/dev/null")
    started = time.monotonic()
    done = program(["build", "/dev/zero", "--max-record", "1MB"], folder)
    one_sentence(done, 3, "/dev/zero")
    assert time.monotonic() - started < 30


def test_a_device_without_end_in_a_folder_is_left(folder: Path) -> None:
    (folder / "zero.jsonl").symlink_to("/dev/zero")
    done = program(["build", "."], folder)
    assert done.returncode in (0, 3)
    assert b"Traceback" not in done.stderr


class Shifting:
    """A file that somebody writes, shortens or takes away while it is read: after the first block something happens."""

    def __init__(self, path: Path, happens: Callable[[Path], None]) -> None:
        self.file = path.open("rb", buffering=0)
        self.path, self.happens, self.read_before = path, happens, False

    def read(self, size: int) -> bytes:
        if self.read_before:
            self.happens(self.path)
        self.read_before = True
        return self.file.read(min(size, 5000))


def _grow(path: Path) -> None:
    if path.stat().st_size < 400_000:
        with path.open("ab") as file:
            file.write(GOOD)


def _shrink(path: Path) -> None:
    os.truncate(path, 3000)


def _vanish(path: Path) -> None:
    path.unlink(missing_ok=True)


def _rewrite(path: Path) -> None:
    path.write_bytes(b"\x00" * 20_000)


def _fail(path: Path) -> None:
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize("happens", [_grow, _shrink, _vanish, _rewrite, _fail])
def test_a_file_that_changes_while_it_is_read(folder: Path, happens: Callable[[Path], None]) -> None:
    path = folder / "many.jsonl"
    path.write_bytes(GOOD * 20)
    shifting: Any = Shifting(path, happens)
    report = tracelink.report(shifting)
    shifting.file.close()
    (source,) = report.run.sources
    assert sum(report.run.counts[0].values()) == source.records
    assert report.sessions[0].trace.session_id == "sess_a1"
    if happens is _fail:
        assert "Input/output" in "".join(one.message for one in report.all_findings())


def test_a_file_that_is_gone_before_it_is_opened(folder: Path) -> None:
    """A folder is listed, then its files are opened: one may be gone by then."""
    (folder / "gone.jsonl").write_bytes(GOOD)
    reading = tracelink.read(folder)
    records: Iterator[Any] = iter(reading)
    next(records)
    (folder / "gone.jsonl").unlink(missing_ok=True)
    (folder / "one.jsonl").unlink(missing_ok=True)
    list(records)
    assert any(source.problem for source in reading.sources) or len(reading.sources) == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_full_disk(folder: Path, arguments: list[str]) -> None:
    done = run(*arguments, str(folder / "one.jsonl"), stdout_to=os.open("/dev/full", os.O_WRONLY))
    assert done.code == 2, done
    assert "standard output cannot be written: No space left on device" in done.err
    assert "Traceback" not in done.err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_at_o(folder: Path) -> None:
    one_sentence(program(["build", "one.jsonl", "-o", "/dev/full", "--to", "dot"], folder), 2, "/dev/full cannot be written")


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_closed_pipe(folder: Path, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = run(*arguments, str(folder / "one.jsonl"), stdout_to=writer)
    assert done.code == 0, done
    assert "Traceback" not in done.err


def peak(data: bytes, **limits: int) -> tuple[int, Any]:
    """Memory that reading took at most, of the readers alone, and the report."""
    import tracemalloc

    tracemalloc.start()
    report = tracelink.report(data, limits=Limits(**limits))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most, report


@pytest.mark.parametrize("inside", [b" ", b"[", b'{"a":', b"data: 1\n", b'"', b"1,", b"\n"])
def test_a_compression_bomb(inside: bytes) -> None:
    bomb = gzip.compress(inside * (1_500_000 // len(inside)), 9)
    assert len(bomb) < 60_000
    most, report = peak(bomb, record_bytes=40_000, total_bytes=100_000)
    assert "TL011" in {one.code for one in report.all_findings()}
    assert most < 30_000_000


def test_a_bomb_in_a_bomb_is_not_unpacked_twice() -> None:
    inner = gzip.compress(b" " * 3_000_000)
    most, report = peak(gzip.compress(inner))
    assert not report.sessions
    assert most < 20_000_000


@pytest.mark.parametrize("shape", ["[%s]", '{"a":%s}', '{"payload":{"x":[%s]}}', '[{"item":%s}]'])
@pytest.mark.parametrize("depth", [150, 250, 50_000])
def test_deep_nesting(shape: str, depth: int) -> None:
    before, after = shape.split("%s")
    data = (before * depth + "1" + after * depth).encode() + b"\n" + GOOD
    most, report = peak(data)
    assert [one.trace.session_id for one in report.sessions] == ["sess_a1"]
    assert most < 60_000_000


@pytest.mark.parametrize("depth", [90, 190])
@pytest.mark.parametrize(
    "form", [["build"], ["check"], ["postmortem", "--full"], ["why", "call_a1"], ["query", "$..sku"], ["awaits"]]
)
def test_deep_arguments_are_shown_or_cut(folder: Path, depth: int, form: list[str]) -> None:
    rows = list(GOOD.decode().splitlines())
    deep = '{"a":' * depth + "1" + "}" * depth
    (folder / "deep.jsonl").write_text("\n".join(row.replace('{"sku": "A-1"}', deep) for row in rows))
    done = run(*form, str(folder / "deep.jsonl"))
    assert done.code in (0, 1), done
    assert "Traceback" not in done.err


def test_a_read_that_fails_is_one_fault_with_a_place(folder: Path) -> None:
    """It is no record that was cut off: the disk failed, at a byte after the last line that was read."""
    path = folder / "many.jsonl"
    path.write_bytes(GOOD * 20)
    shifting: Any = Shifting(path, _fail)
    report = tracelink.report(shifting)
    shifting.file.close()
    (told,) = [one for one in report.all_findings() if one.code in ("TL001", "TL002")]
    assert "Input/output" in told.message
    assert "record (<stream>:0)" not in told.message
    assert told.locations[0].line > 0
    assert told.locations[0].byte == 5000
