"""`tracelink build` on real files: what goes to which stream, and with which exit code."""

import json
from typing import Any

import pytest


def test_text_says_whom_the_session_awaits(program: Any) -> None:
    done = program("build", "one.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("sess_a1  requires_action\n")
    assert "\nAWAITING: " in done.stdout
    assert "count_stock  call_a1  required" in done.stdout
    assert "\x1b" not in done.stdout


def test_json(program: Any) -> None:
    done = program("build", "one.jsonl", "--format", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    (session,) = report["sessions"]
    assert session["verdict"]["awaits"] == "awaiting"
    assert [action["call_id"] for action in session["verdict"]["actions"]] == ["call_a1"]
    assert report["sources"][0]["counts"]["used"] == 7
    assert program("build", "one.jsonl", "--format", "json").stdout == done.stdout


def test_json_fits_the_schema(program: Any) -> None:
    from importlib.resources import files

    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(json.loads((files("tracelink.render") / "report.schema.json").read_text()))
    program.write("torn.jsonl", (program.folder / "one.jsonl").read_text()[:-200])
    for arguments in (["one.jsonl"], ["two.jsonl"], ["torn.jsonl"], ["nothing.jsonl"], ["one.jsonl", "torn.jsonl"]):
        shown = json.loads(program("build", *arguments, "--format", "json").stdout)
        assert [error.message for error in validator.iter_errors(shown)] == []


def test_standard_input(program: Any) -> None:
    text = (program.folder / "one.jsonl").read_text()
    done = program("build", "-", "--format", "json", stdin=text)
    assert json.loads(done.stdout)["sources"][0]["name"] == "-"
    assert done.returncode == 0


def test_session_by_prefix(program: Any) -> None:
    done = program("build", "two.jsonl", "--session", "sess_b", "--format", "json")
    assert [session["session_id"] for session in json.loads(done.stdout)["sessions"]] == ["sess_b1"]


@pytest.mark.parametrize("time", ["1790003605", "2026-09-21T15:13:25Z", "2026-09-21T17:13:25+02:00", "2026-09-21 15:13:25"])
def test_ages_are_counted_to_as_of(program: Any, time: str) -> None:
    report = json.loads(program("build", "one.jsonl", "--format", "json", "--as-of", time).stdout)
    assert report["as_of"] == 1790003605
    assert report["sessions"][0]["verdict"]["evidence"]["age"] == 3600


def test_a_field_of_ones_own(program: Any) -> None:
    rows = [json.loads(line) for line in (program.folder / "one.jsonl").read_text().splitlines()]
    lines = [json.dumps({"where": {"sess": "sess_mine"}, "event": row}) for row in rows if "item" in row]
    program.write("wrapped.jsonl", "\n".join(lines).replace('"session_id": "sess_a1", ', ""))
    done = program("build", "wrapped.jsonl", "--format", "json", "--field", "session_id=$.where.sess")
    assert [session["session_id"] for session in json.loads(done.stdout)["sessions"]] == ["sess_mine"]
    program.write("pyproject.toml", "[tool.tracelink.fields]\nsession_id = '$.where.sess'\n")
    configured = program("build", "wrapped.jsonl", "--format", "json")
    assert configured.stdout == done.stdout


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("[tool", "it cannot be read"),
        ("[tool.tracelink]\nfields = 3\n", "is no table"),
        ("[tool.tracelink.fields]\ncall_id = 3\n", "neither a JSONPath nor a list"),
    ],
)
def test_a_broken_configuration_is_one_sentence(program: Any, toml: str, told: str) -> None:
    program.write("pyproject.toml", toml)
    done = program("build", "one.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr.splitlines()[0]
    assert "pyproject.toml" in done.stderr.splitlines()[0]


def test_every_unusable_source_is_named_with_its_reason(program: Any) -> None:
    program.write("notes.txt", "hello\nyou\n")
    program.write("empty.jsonl", "")
    done = program("build", "missing.jsonl", "notes.txt", "empty.jsonl")
    assert done.returncode == 3
    for name in ("missing.jsonl", "notes.txt", "empty.jsonl"):
        assert any(line.startswith(f"tracelink: {name}: ") for line in done.stderr.splitlines())
    assert done.stdout.startswith("No session in 3 sources")


def test_one_usable_source_is_enough(program: Any) -> None:
    done = program("build", "missing.jsonl", "one.jsonl")
    assert done.returncode == 0
    assert done.stderr.startswith("tracelink: missing.jsonl: ")
    assert len(done.stderr.splitlines()) == 1


def test_json_of_another_api_is_unusable(program: Any) -> None:
    program.write("chat.json", json.dumps({"object": "chat.completion", "choices": [{"message": {"tool_calls": []}}]}))
    done = program("build", "chat.json")
    assert done.returncode == 3
    assert "chat.json" in done.stderr


def test_a_record_over_the_limit_is_told(program: Any) -> None:
    done = program("build", "one.jsonl", "--max-record", "450", "--format", "json")
    assert "TL011" in done.stdout


@pytest.mark.parametrize("awkward", ["it's one.jsonl", "-dash.jsonl", "späß.jsonl", "new\nline.jsonl"])
def test_awkward_names(program: Any, awkward: str) -> None:
    program.write(awkward, (program.folder / "one.jsonl").read_text())
    done = program("build", "--", awkward)
    assert done.returncode == 0
    assert "call_a1" in done.stdout
