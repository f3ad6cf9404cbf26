"""`tracelink check` as a user runs it: exit codes, selection, baselines, and what goes to which stream."""

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

SCHEMA = json.loads((files("tracelink.render") / "check.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)


def found(program: Any, *arguments: str) -> tuple[int, Any]:
    done = program("check", *arguments, "--format", "json")
    return done.returncode, json.loads(done.stdout)


def codes(shown: Any) -> list[str]:
    return sorted(one["code"] for one in shown["findings"])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["clean.jsonl"], 0),
        (["stalled.log"], 1),
        (["warning.jsonl"], 0),
        (["warning.jsonl", "--fail-on", "warning"], 1),
        (["one.jsonl", "--fail-on", "warning"], 0),
        (["one.jsonl", "--fail-on", "note"], 1),
        (["stalled.log", "--fail-on", "never"], 0),
        (["stalled.log", "--ignore", "TL1,TL3"], 0),
        (["stalled.log", "--ignore", "TL1"], 1),
        (["stalled.log", "--min-confidence", "high", "--ignore", "answer-refused"], 0),
        (["missing.jsonl"], 3),
        (["missing.jsonl", "clean.jsonl"], 3),
        (["missing.jsonl", "stalled.log"], 1),
        (["missing.jsonl", "stalled.log", "--fail-on", "never"], 3),
    ],
)
def test_exit_codes(program: Any, arguments: list[str], code: int) -> None:
    assert program("check", *arguments).returncode == code


def test_a_folder_may_hold_other_files(program: Any) -> None:
    """A file that nobody named and that holds no recording is told, and does not fail the run."""
    (program.folder / "logs").mkdir()
    program.write("logs/notes.txt", "hello\n")
    program.write("logs/clean.jsonl", (program.folder / "clean.jsonl").read_text())
    done = program("check", "logs", "--ignore", "unreadable-record")
    assert done.returncode == 0
    assert done.stderr.startswith("tracelink: logs/notes.txt: ")
    assert program("check", "logs/notes.txt", "clean.jsonl", "--ignore", "unreadable-record").returncode == 3


def test_text_is_grouped_and_ends_with_what_to_do_next(program: Any) -> None:
    done = program("check", "stalled.log", "warning.jsonl")
    lines = done.stdout.splitlines()
    assert done.stderr == ""
    assert "sess_8Vt3mWarehouse  2 errors, 2 notes" in lines
    assert "sess_tide1  1 warning" in lines
    assert any(line.startswith("5 findings (2 errors, 1 warning, 2 notes) in 2 sessions, ") for line in lines)
    assert "failed: 2 findings of severity error" in lines
    assert lines[-1].startswith("next: tracelink rule TL307 ")
    assert all(len(line) <= 80 for line in lines)


def test_nothing_found_says_what_was_looked_at(program: Any) -> None:
    lines = program("check", "clean.jsonl").stdout.splitlines()
    assert lines[0].startswith("0 findings in 1 session, 3 calls, ") or lines[0].startswith("0 findings in 1 session, ")
    assert lines[0].endswith(" records")
    assert lines[-1].startswith("next: tracelink awaits clean.jsonl")
    aside = program("check", "stalled.log", "--select", "TL2").stdout.splitlines()
    assert aside[:2] == ["0 findings in 1 session, 2 calls, 23 records", "  set aside: 4 not selected or ignored"]


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ([], ["TL105", "TL307", "TL501", "TL502"]),
        (["--select", "TL5"], ["TL501", "TL502"]),
        (["--select", "TL5xx", "--select", "answer-refused", "--ignore", "TL502"], ["TL307", "TL501"]),
        (["--ignore", "TL5", "--select", "TL501,TL3"], ["TL307", "TL501"]),
        (["--min-confidence", "high"], ["TL307", "TL501", "TL502"]),
    ],
)
def test_selection(program: Any, arguments: list[str], kept: list[str]) -> None:
    _, shown = found(program, "stalled.log", *arguments)
    assert codes(shown) == kept
    assert len(kept) + sum(shown["suppressed"].values()) == 4


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--select", "TL1O5"], "TL105"),
        (["--select", ""], "it names no rule; leave it out to select all of them"),
        (["--select", " , "], "it names no rule"),
        (["--ignore", "near-miss-callid"], "Did you mean 'near-miss-call-id'"),
        (["--fail-on", "eror"], "Did you mean 'error'?"),
        (["--min-confidence", "hi"], "none of high, medium, low"),
        (["--format", "sarf"], "Did you mean 'sarif'?"),
        (["--baseline", "none.json"], "the baseline none.json is not there"),
        (["--baseline", "stalled.log"], "stalled.log is no baseline"),
        (["--silence", "-3"], "no length of time"),
        (["--silence", "long"], "'--silence'"),
        (["--config", "none.toml"], "it cannot be read: No such file or directory"),
        (["--config", "x.toml", "--isolated"], "--isolated wants none"),
        (["-o", "stalled.log"], "inputs are never overwritten"),
        (["--write-baseline", "stalled.log"], "inputs are never overwritten"),
        (["-o", "no/such/x.txt"], "cannot be written"),
    ],
)
def test_errors_of_use(program: Any, arguments: list[str], told: str) -> None:
    before = (program.folder / "stalled.log").read_bytes()
    done = program("check", "stalled.log", *arguments)
    assert done.returncode == 2
    assert told in done.stderr.splitlines()[0]
    assert done.stdout == ""
    assert (program.folder / "stalled.log").read_bytes() == before


@pytest.mark.parametrize("arguments", [["stalled.log"], ["clean.jsonl"], ["missing.jsonl"], ["two.jsonl", "warning.jsonl"]])
def test_json_fits_its_schema(program: Any, arguments: list[str]) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    _, shown = found(program, *arguments)
    assert [error.message for error in VALIDATOR.iter_errors(shown)] == []
    assert sum(shown["counts"].values()) == len(shown["findings"])


def test_jsonl_is_the_findings_of_the_json(program: Any) -> None:
    _, shown = found(program, "stalled.log")
    done = program("check", "stalled.log", "--format", "jsonl")
    assert [json.loads(line) for line in done.stdout.splitlines()] == shown["findings"]
    assert program("check", "clean.jsonl", "--format", "jsonl").stdout == ""


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "sarif", "github", "junit"])
def test_to_a_file_and_to_the_pipe_it_is_the_same(program: Any, form: str) -> None:
    shown = program("check", "stalled.log", "--format", form)
    kept = program("check", "stalled.log", "--format", form, "-o", "out.txt")
    assert (shown.returncode, kept.returncode, kept.stdout) == (1, 1, "")
    assert (program.folder / "out.txt").read_text("utf-8") == shown.stdout
    assert program("check", "stalled.log", "--format", form).stdout == shown.stdout


def test_nothing_that_could_be_read_has_no_next_command(program: Any) -> None:
    done = program("check", "missing.jsonl")
    assert (done.returncode, done.stdout) == (3, "0 findings in 0 sessions, 0 calls, 0 records\n")
    assert "does not exist" in done.stderr
    assert "next: tracelink awaits clean.jsonl" in program("check", "clean.jsonl").stdout


# --- baseline


def test_a_baseline_holds_what_is_known(program: Any) -> None:
    written = program("check", "stalled.log", "--write-baseline", "known.json")
    assert written.returncode == 0
    assert written.stderr == "tracelink: known.json: baseline of 4 findings written.\n"
    code, shown = found(program, "stalled.log", "--baseline", "known.json")
    assert (code, shown["findings"], shown["suppressed"]["baseline"]) == (0, [], 4)
    assert shown["baseline"] == {"file": "known.json", "stale": []}
    text = program("check", "stalled.log", "--baseline", "known.json").stdout
    assert "  set aside: 4 in the baseline\n" in text
    again = (program.folder / "known.json").read_bytes()
    program("check", "stalled.log", "--baseline", "known.json", "--write-baseline", "known.json")
    assert (program.folder / "known.json").read_bytes() == again


def test_writing_a_baseline_fails_no_run_and_does_not_say_so(program: Any) -> None:
    done = program("check", "stalled.log", "--write-baseline", "known.json")
    assert done.returncode == 0
    assert "failed" not in done.stdout
    assert "to the baseline: all 4 findings, so none of them fails this run\n" in done.stdout
    shown = json.loads(program("check", "stalled.log", "--write-baseline", "known.json", "--format", "json").stdout)
    assert (shown["failed"], len(shown["findings"])) == (False, 4)
    assert "failed: 2 findings" in program("check", "stalled.log").stdout
    assert "to the baseline: nothing\n" in program("check", "clean.jsonl", "--write-baseline", "none.json").stdout


def test_the_same_wrong_post_once_more_is_new(program: Any) -> None:
    """One finding tells of all of them, and the baseline counts them."""
    program("check", "stalled.log", "--write-baseline", "known.json")
    lines = (program.folder / "stalled.log").read_text().splitlines(keepends=True)
    (wrong,) = [line for line in lines if "input.tool_result" in line and "q7HdOv" in line]
    later = wrong.replace("T08:14:", "T08:19:")  # another time, so no delivery of the same line
    program.write("longer.log", "".join([*lines, later]))
    code, shown = found(program, "longer.log", "--baseline", "known.json")
    assert (code, codes(shown)) == (1, ["TL105"])
    program("check", "longer.log", "--write-baseline", "known.json")
    assert found(program, "longer.log", "--baseline", "known.json")[1]["findings"] == []
    done = program("check", "stalled.log", "--baseline", "known.json")
    assert "1 entry of the baseline found no more: TL105" in done.stdout


def test_a_moved_and_longer_recording_keeps_its_fingerprints(program: Any) -> None:
    program("check", "stalled.log", "--write-baseline", "known.json")
    text = (program.folder / "stalled.log").read_text()
    program.write("elsewhere.log", "\n\n" + text)
    code, shown = found(program, "elsewhere.log", "--baseline", "known.json")
    assert (code, shown["findings"]) == (0, [])


def test_what_is_new_beside_a_baseline_fails(program: Any) -> None:
    program("check", "stalled.log", "--ignore", "TL307", "--write-baseline", "known.json")
    code, shown = found(program, "stalled.log", "--baseline", "known.json")
    assert (code, codes(shown)) == (1, ["TL307"])


def test_what_the_baseline_holds_for_nothing_is_told(program: Any) -> None:
    program("check", "stalled.log", "--write-baseline", "known.json")
    lines = (program.folder / "stalled.log").read_text().splitlines(keepends=True)
    program.write("stalled.log", "".join(lines[:-1]))  # without the refusal
    done = program("check", "stalled.log", "--baseline", "known.json")
    assert "1 entry of the baseline found no more: TL307 of sess_8Vt3mWarehouse" in done.stdout


def test_writing_keeps_what_was_not_looked_at(program: Any) -> None:
    program("check", "stalled.log", "one.jsonl", "--write-baseline", "known.json")
    done = program("check", "one.jsonl", "--baseline", "known.json", "--write-baseline", "known.json")
    assert "4 of what was not looked at are kept" in done.stderr
    assert found(program, "stalled.log", "one.jsonl", "--baseline", "known.json")[1]["findings"] == []


def test_a_baseline_of_the_configuration_need_not_exist_to_be_written(program: Any) -> None:
    program.write("tracelink.toml", 'baseline = "known.json"\n')
    assert program("check", "stalled.log").returncode == 2
    assert program("check", "stalled.log", "--write-baseline", "known.json").returncode == 0
    assert program("check", "stalled.log").returncode == 0


def test_silence_is_a_setting(program: Any) -> None:
    from tests.check.conftest import FIXTURES

    fires = str(FIXTURES / "rules" / "silence" / "fires.jsonl")
    assert "TL505" in codes(found(program, fires)[1])
    assert "TL505" not in codes(found(program, fires, "--silence", "1000000")[1])
    program.write("tracelink.toml", "silence = 1_000_000\n")
    assert "TL505" not in codes(found(program, fires)[1])


def test_a_closed_pipe_ends_quietly(program: Any) -> None:
    import subprocess

    child = subprocess.Popen(
        program.command("check", "stalled.log", "--format", "sarif"),
        cwd=program.folder,
        env=program.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    child.wait(timeout=60)
