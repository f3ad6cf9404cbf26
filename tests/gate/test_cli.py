"""`tracelink gate` as a user runs it: exit codes, formats, files, and that nothing recorded is obeyed by a terminal."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import tracelink.render
from tests.check.test_formats import SARIF
from tests.gate.examples import EXAMPLES, LONG_ID, TOOLS, USER, call, out
from tests.gate.make_fixtures import FOLDER, files
from tracelink.cli.gate import PROFILES
from tracelink.gate import COLUMNS, REASONS

CLEAN = json.dumps([USER, call(), out()])
OPEN = json.dumps([USER, call(), USER])
SCHEMA = json.loads((Path(tracelink.render.__file__).parent / "gate.schema.json").read_text())
VALID = Draft202012Validator(SCHEMA)


def test_exit_codes(program: Any) -> None:
    program.write("clean.json", CLEAN)
    program.write("open.json", OPEN)
    program.write("other.json", '{"a": 1}')
    program.write("error.json", '{"error": {"message": "m", "code": "insufficient_quota"}}')
    assert program("gate", "clean.json").returncode == 0
    assert program("gate", "open.json").returncode == 1
    assert program("gate", "gone.json").returncode == 3
    assert program("gate", "other.json").returncode == 3
    refused = program("gate", "error.json")
    assert (refused.returncode, refused.stdout) == (3, "")
    assert "insufficient_quota" in refused.stderr
    assert program("gate", "clean.json", "gone.json").returncode == 3
    assert program("gate").returncode == 2
    assert program("gate", "clean.json", "--synthesize").returncode == 2
    assert "Did you mean 'openai'" in program("gate", "clean.json", "--profile", "opnai").stderr
    assert program("gate", "-", stdin=CLEAN).returncode == 0


def test_help_states_the_exit_codes(program: Any) -> None:
    for command in ("gate", "diff-items", "query"):
        done = program(command, "--help")
        assert done.returncode == 0
        assert "Exit codes: 0" in " ".join(done.stdout.split())
        assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_table_names_index_type_ids_verdict_and_reason(program: Any) -> None:
    program.write("open.json", OPEN)
    lines = program("gate", "open.json").stdout.splitlines()
    assert lines[0] == "not sendable to openresponses: 3 items, 1 block"
    assert lines[2].split() == ["#", "type", "id", "call_id", "verdict", "reason"]
    assert lines[4].split() == ["1", "function_call", "call_1", "ok", "missing_output"]
    assert lines[-2].startswith("next: tracelink rule missing_output")


@pytest.mark.parametrize("path", [path for path in files() if "fires" in path])
def test_json_keeps_to_its_schema(program: Any, path: str) -> None:
    done = program("gate", str(FOLDER / path), "--format", "json", "--repair", "new.json", "--synthesize")
    shown = json.loads(done.stdout)
    assert list(VALID.iter_errors(shown)) == []
    assert {"schema", "sendable", "profile", "items", "reasons"} <= set(shown)
    assert shown["sendable"] is not any(one["severity"] == "block" for one in shown["reasons"])
    assert done.returncode == (0 if shown["repair"]["sendable"] else 1)
    again = json.loads(program("gate", "new.json", "--format", "json", "--repair", "newer.json", "--synthesize").stdout or "{}")
    if again:  # a file without any item is no input any more
        assert (program.folder / "newer.json").read_bytes() == (program.folder / "new.json").read_bytes()
        assert [one["reason"] for one in again["repair"]["left"]] == [one["reason"] for one in shown["repair"]["left"]]


def test_fixtures_are_the_examples() -> None:
    assert {str(path.relative_to(FOLDER)): path.read_bytes() for path in FOLDER.rglob("*.json*")} == files()


def test_sarif_is_valid_and_names_every_reason(program: Any) -> None:
    given = [str(FOLDER / f"{row.replace('/', '-')}/fires.json") for row in EXAMPLES if isinstance(EXAMPLES[row][0], list)]
    done = program("gate", *(path for path in given if Path(path).exists()), "--format", "sarif")
    shown = json.loads(done.stdout)
    SARIF.validate(shown)
    rules = shown["runs"][0]["tool"]["driver"]["rules"]
    assert [one["id"] for one in rules] == [one.code for one in REASONS.values()]
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in shown["runs"][0]["results"])


def test_github_and_jsonl(program: Any) -> None:
    program.write("open.json", OPEN)
    line = program("gate", "open.json", "--format", "github").stdout
    assert line.startswith("::error file=open.json,line=1,title=TL630 missing_output::The call f has no")
    assert [json.loads(one)["reason"] for one in program("gate", "open.json", "--format", "jsonl").stdout.splitlines()] == [
        "missing_output"
    ]
    program.write("clean.json", CLEAN)
    assert program("gate", "clean.json", "--format", "github").stdout.startswith("::notice")


@pytest.mark.parametrize("form", ["text", "github"])
def test_nothing_recorded_reaches_the_terminal_as_a_command(program: Any, form: str) -> None:
    evil = "\x1b[31m\u202e::error::\n"
    program.write(
        "evil.json",
        json.dumps([{"type": evil, "id": evil, "status": evil, "call_id": evil}, call(evil, name=evil), {"type": "a:" + evil}]),
    )
    shown = program("gate", "evil.json", "--format", form, "--repair", "new.json").stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert not any(line.startswith("::error::") for line in shown.splitlines())


def test_repair_never_writes_over_a_source(program: Any) -> None:
    program.write("open.json", OPEN)
    program.write("tools.json", json.dumps(TOOLS))
    (program.folder / "link.json").symlink_to("open.json")
    for target in ("open.json", "./open.json", "link.json"):
        done = program("gate", "open.json", "--repair", target)
        assert done.returncode == 2
        assert "inputs are never overwritten" in done.stderr
    assert program("gate", "open.json", "--tools", "tools.json", "--repair", "tools.json").returncode == 2
    assert (program.folder / "open.json").read_text() == OPEN


def test_repair_writes_whole_files_or_nothing(program: Any) -> None:
    program.write("open.json", OPEN)
    assert program("gate", "open.json", "--repair", "no/such/folder.json").returncode == 2
    assert program("gate", "gone.json", "--repair", "new.json").returncode == 3
    assert not (program.folder / "new.json").exists()
    done = program("gate", "open.json", "--repair", "-", "--synthesize")
    assert [item["type"] for item in json.loads(done.stdout)] == ["message", "function_call", "function_call_output", "message"]
    assert done.returncode == 0


def test_repair_lists_every_change(program: Any) -> None:
    program.write("long.json", json.dumps([call(LONG_ID), out(LONG_ID), out("gone")]))
    done = program("gate", "long.json", "--repair", "new.json")
    assert "repaired: 2 changes; the new history may be sent, in new.json" in done.stdout
    assert program("gate", "new.json").returncode == 0


@pytest.mark.parametrize(
    "tools",
    [
        TOOLS,
        {"model": "m", "tools": TOOLS},
        {"f": TOOLS[0]["parameters"]},
        [{"type": "function", "function": TOOLS[0]}],
        {"type": "function", "name": "f", "parameters": TOOLS[0]["parameters"]},
    ],
    ids=["list", "request", "schema a name", "Chat Completions", "one tool"],
)
def test_tools_in_every_form(program: Any, tools: Any) -> None:
    program.write("clean.json", CLEAN)
    program.write("tools.json", json.dumps(tools))
    shown = json.loads(program("gate", "clean.json", "--tools", "tools.json", "--format", "json").stdout)
    assert shown["items"][1]["verdict"] == "arguments_schema"


def test_tools_that_are_none(program: Any) -> None:
    program.write("clean.json", CLEAN)
    program.write("tools.json", "3")
    for name in ("tools.json", "gone.json"):
        done = program("gate", "clean.json", "--tools", name)
        assert (done.returncode, done.stdout) == (2, "")


def test_reasons_are_rules_with_pages(program: Any) -> None:
    for name, one in REASONS.items():
        for wanted in (name, one.code) if name in ("status", "arguments_schema") else ():
            shown = program("rule", wanted)
            assert shown.returncode == 0
            assert shown.stdout.startswith(f"{one.code} {name}")
    assert program("rule", "TL6").stdout.count("\n  TL6") == len(REASONS)
    assert "Did you mean 'arguments_schema'" in program("rule", "argument_schema").stderr


def test_profiles_are_printed_with_their_unknown_cells(program: Any) -> None:
    shown = program("gate", "--profiles").stdout
    assert shown.splitlines()[0].split()[:2] == ["openre", "openai"]
    assert "?" in shown
    assert PROFILES == COLUMNS


def test_the_same_input_gives_the_same_bytes(program: Any) -> None:
    program.write("open.json", OPEN)
    assert program("gate", "open.json", "--format", "json").stdout == program("gate", "open.json", "--format", "json").stdout
