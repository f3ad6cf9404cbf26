"""Where the output goes: files whole or not at all, pipes that close, terminals, colours."""

import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="file modes and terminals of POSIX")


def test_o_writes_the_graph_and_the_text_still_comes(program: Any) -> None:
    done = program("build", "one.jsonl", "-o", "chain.json", "-o", "chain.dot")
    assert done.returncode == 0
    assert "AWAITING" in done.stdout
    graph = json.loads((program.folder / "chain.json").read_text())
    assert "function_call:turn_a1/call_a1" in [node["id"] for node in graph["nodes"]]
    assert (program.folder / "chain.dot").read_text().startswith("digraph")


def test_to_without_o_prints_the_export_alone(program: Any) -> None:
    done = program("build", "one.jsonl", "--to", "dot")
    assert done.stdout.startswith("digraph")
    assert "AWAITING:" not in done.stdout


def test_to_links_is_the_flat_chain(program: Any) -> None:
    links = json.loads(program("build", "one.jsonl", "--to", "links").stdout)
    assert links["session_id"] == "sess_a1"
    assert [link["object"] for link in links["links"]][:3] == ["agent", "turn", "function_call"]


def test_o_dash_is_standard_output(program: Any) -> None:
    done = program("build", "one.jsonl", "-o", "-", "--to", "json")
    assert json.loads(done.stdout)["nodes"]


def test_to_beats_the_ending(program: Any) -> None:
    program("build", "one.jsonl", "-o", "chain.txt", "--to", "dot")
    assert (program.folder / "chain.txt").read_text().startswith("digraph")


@needs_posix
@pytest.mark.parametrize("kind", ["same", "dots", "symlink", "hardlink", "link to a missing place"])
def test_an_input_is_never_overwritten(program: Any, kind: str) -> None:
    source = program.folder / "one.jsonl"
    before = source.read_bytes()
    target = program.folder / "chain.json"
    given = "one.jsonl"
    if kind == "symlink":
        target.symlink_to(source)
    elif kind == "hardlink":
        os.link(source, target)
    elif kind == "link to a missing place":
        target.symlink_to("gone.jsonl")
        given = "gone.jsonl"
    else:
        target = source if kind == "same" else program.folder / "." / ".." / program.folder.name / "one.jsonl"
    done = program("build", given, "-o", str(target), "--to", "json")
    assert done.returncode == 2
    assert "never overwritten" in done.stderr
    assert source.read_bytes() == before
    assert not (program.folder / "gone.jsonl").exists()


@needs_posix
def test_a_member_of_a_folder_that_is_read_is_an_input_too(program: Any) -> None:
    done = program("build", ".", "-o", "./two.jsonl", "--to", "json")
    assert done.returncode == 2
    assert "never overwritten" in done.stderr


@needs_posix
def test_a_written_file_has_the_usual_mode_and_an_old_one_keeps_its_own(program: Any) -> None:
    old = program.write("old.json", "{}")
    old.chmod(0o640)
    program("build", "one.jsonl", "-o", "old.json", "-o", "new.json")
    mask = os.umask(0)
    os.umask(mask)
    assert old.stat().st_mode & 0o777 == 0o640
    assert (program.folder / "new.json").stat().st_mode & 0o777 == 0o666 & ~mask
    assert json.loads(old.read_text())["nodes"]


def test_nothing_is_left_behind_where_writing_fails(program: Any) -> None:
    (program.folder / "taken.json").mkdir()
    done = program("build", "one.jsonl", "-o", "taken.json")
    assert done.returncode == 2
    assert re.fullmatch(r"tracelink: taken\.json cannot be written: .*\n", done.stderr)
    assert sorted(path.name for path in program.folder.iterdir()) == ["one.jsonl", "taken.json", "two.jsonl"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_one_sentence(program: Any) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            program.command("build", "one.jsonl"),
            cwd=program.folder,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, "tracelink: standard output cannot be written: No space left on device.\n")


@needs_posix
@pytest.mark.parametrize(
    "arguments", [["build", "one.jsonl"], ["build", "one.jsonl", "--format", "json"], ["--help"], ["--version"]]
)
def test_a_broken_pipe_ends_quietly(program: Any, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(program.command(*arguments), cwd=program.folder, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@needs_posix
def test_closed_standard_streams(program: Any) -> None:
    line = " ".join(program.command("build", "one.jsonl")) + " >&- 2>&-"
    done = subprocess.run(["sh", "-c", line], cwd=program.folder, check=False)
    assert done.returncode == 0


def test_colours_are_asked_for_in_three_ways(program: Any) -> None:
    def colored(*arguments: str, **environment: str) -> bool:
        return "\x1b[" in program("build", "one.jsonl", *arguments, **environment).stdout

    assert not colored()
    assert colored("--color", "always")
    assert colored(FORCE_COLOR="1")
    assert not colored(FORCE_COLOR="1", NO_COLOR="1")
    assert not colored("--color", "never", FORCE_COLOR="1")
    assert colored("--color", "always", NO_COLOR="1")


def test_an_encoding_without_lines_gets_ascii(program: Any) -> None:
    done = program("build", "one.jsonl", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "`- count_stock  call_a1" in done.stdout


@needs_posix
def test_on_a_terminal_lines_keep_to_its_width_and_have_colours(program: Any) -> None:
    import pty

    main, side = pty.openpty()
    environment = program.environment(TERM="xterm", COLUMNS="60")
    process = subprocess.Popen(
        program.command("build", "one.jsonl"), cwd=program.folder, stdout=side, stderr=side, stdin=side, env=environment
    )
    os.close(side)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # how Linux says that the other side is closed
            break
        if not part:
            break
        shown += part
    os.close(main)
    assert process.wait() == 0
    assert b"\x1b[1;33mAWAITING" in shown
    plain = re.sub("\x1b\\[[0-9;]*m", "", shown.decode()).splitlines()
    assert max(len(line) for line in plain if "next:" not in line and '"type":' not in line) <= 64


def test_standard_input_from_a_file_is_not_overwritten(program: Any) -> None:
    """`build - -o s.json < s.json`: the shell hides the name, the file is the input all the same."""
    path = program.folder / "s.jsonl"
    path.write_bytes((program.folder / "one.jsonl").read_bytes())
    before = path.read_bytes()
    with path.open("rb") as stdin:
        words = program.command("build", "-", "--to", "json", "-o", "s.jsonl")
        done = subprocess.run(
            words, cwd=program.folder, env=program.environment(), stdin=stdin, capture_output=True, check=False
        )
    assert done.returncode == 2
    assert path.read_bytes() == before
