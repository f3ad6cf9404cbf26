"""The configuration: which file is read, what its keys take, and where `tracelink config` says each value came from."""

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

SCHEMA = Draft202012Validator(json.loads((files("tracelink.render") / "config.schema.json").read_text()))
WHOLE = """
[project]
name = "app"

[tool.tracelink]
select = ["TL1", "answer-refused"]
ignore = [
  "TL108",  # on purpose
]
fail-on = "warning"
min-confidence = "medium"
silence = 60
max-record = "10MB"

[tool.tracelink.per-file-ignores]
"old/" = ["TL1"]

[tool.tracelink.per-session-ignores]
"sess_test*" = "TL"

[tool.tracelink.fields]
call_id = "$.payload.callId"
"""


def shown(program: Any, *arguments: str) -> dict[str, tuple[Any, str]]:
    done = program("config", *arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    assert [error.message for error in SCHEMA.iter_errors(value)] == []
    return {key: (row["value"], row["from"]) for key, row in value["settings"].items()}


def test_defaults(program: Any) -> None:
    rows = shown(program)
    assert {origin for _, origin in rows.values()} == {"default"}
    assert (rows["fail-on"][0], rows["min-confidence"][0], rows["silence"][0]) == ("error", "low", 300.0)


def test_every_value_says_where_it_came_from(program: Any) -> None:
    program.write("pyproject.toml", WHOLE)
    rows = shown(program, "--fail-on", "note", "--field", "turn_id=$.t")
    assert rows["select"] == (["TL1", "answer-refused"], "pyproject.toml:6")
    assert rows["ignore"] == (["TL108"], "pyproject.toml:7")
    assert rows["fail-on"] == ("note", "--fail-on")
    assert rows["silence"] == (60.0, "pyproject.toml:12")
    assert rows["per-file-ignores"] == ({"old/": ["TL1"]}, "pyproject.toml:15")
    assert rows["per-session-ignores"] == ({"sess_test*": ["TL"]}, "pyproject.toml:18")
    assert rows["fields"] == ({"turn_id": ["$.t"], "call_id": ["$.payload.callId"]}, "--field, pyproject.toml:21")
    assert rows["baseline"] == (None, "default")
    text = program("config").stdout
    assert 'fail-on              "warning"   (pyproject.toml:10)' in text
    assert text.startswith("configuration: ")


def test_lines_are_not_fooled_by_texts_and_other_tables(program: Any) -> None:
    program.write("tracelink.toml", 'baseline = """\nsilence = 3\n"""\nsilence = 4\n[fields]\ncall_id = "$.ignore"\n')
    assert shown(program)["silence"] == (4.0, "tracelink.toml:4")
    program.write("pyproject.toml", "[tool.other]\nsilence = 9\n[tool.tracelink]\nsilence = 5\n")
    (program.folder / "tracelink.toml").unlink()
    assert shown(program)["silence"] == (5.0, "pyproject.toml:4")


def test_which_file(program: Any) -> None:
    program.write("pyproject.toml", "[tool.tracelink]\nsilence = 1\n")
    inner = program.folder / "inner"
    inner.mkdir()
    program.folder = inner
    assert shown(program)["silence"][0] == 1
    program.write("pyproject.toml", "[project]\nname = 'x'\n")  # has nothing of ours: the search goes on
    assert shown(program)["silence"][0] == 1
    program.write("pyproject.toml", "[tool.tracelink]\nsilence = 2\n")
    assert shown(program)["silence"] == (2, "pyproject.toml:2")
    program.write("tracelink.toml", "silence = 3\n")
    assert shown(program)["silence"] == (3, "tracelink.toml:1")
    program.write("other.toml", "silence = 4\n")
    assert shown(program, "--config", "other.toml")["silence"] == (4, "other.toml:1")
    assert shown(program, "--config", "pyproject.toml")["silence"] == (2, "pyproject.toml:2")
    assert shown(program, "--isolated")["silence"] == (300, "default")
    assert shown(program, "--silence", "5")["silence"] == (5, "--silence")


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("fail_on = 'error'", "no key is called 'fail_on'. Did you mean 'fail-on'?"),
        ("colour = 1", "no key is called 'colour'. The keys are select, "),
        ("select = 3", "select is no list of codes, prefixes or names"),
        ("select = [3]", "select is no list of codes, prefixes or names"),
        ("select = ['TL1O3']", "no rule has the code, prefix or name 'TL1O3'."),
        ("fail-on = 'eror'", "fail-on is 'eror', which is none of error, warning, note, never. Did you mean 'error'?"),
        ("fail-on = true", "fail-on is True, which is none of"),
        ("silence = 'long'", "silence is 'long', which is no number of seconds above 0."),
        ("silence = true", "silence is True, which is no number"),
        ("silence = nan", "silence is nan, which is no number"),
        ("silence = -1", "silence is -1, which is no number"),
        ("max-record = 'big'", "max-record is 'big', which is no size"),
        ("max-record = 0", "max-record is 0, which is no size"),
        ("baseline = 3", "baseline is no path."),
        ("fields = 3", "[fields] is no table."),
        ("[fields]\ncall_id = 3", "[fields] call_id is neither a JSONPath nor a list of them."),
        ("per-file-ignores = []", "[per-file-ignores] is no table."),
        ("[per-file-ignores]\n'*' = 3", "[per-file-ignores] '*' is no list of codes"),
        ("[per-file-ignores]\n'*' = 'TL999'", "[per-file-ignores]: no rule has"),
        ("a = ", "it cannot be read: "),
    ],
)
def test_what_is_wrong_is_one_sentence(program: Any, toml: str, told: str) -> None:
    program.write("tracelink.toml", toml)
    for command in (["config"], ["check", "clean.jsonl"]):
        done = program(*command)
        assert (done.returncode, done.stdout) == (2, "")
        first = done.stderr.splitlines()[0]
        assert told in first
        assert "tracelink.toml'" in first


def test_a_path_in_a_file_is_relative_to_that_file(program: Any) -> None:
    program("check", "stalled.log", "--write-baseline", "known.json")
    program.write("tracelink.toml", "baseline = 'known.json'\n[per-file-ignores]\n'inner/*' = ['TL301']\n")
    inner = program.folder / "inner"
    inner.mkdir()
    (inner / "warning.jsonl").write_bytes((program.folder / "warning.jsonl").read_bytes())
    program.folder = inner
    assert program("check", "../stalled.log").returncode == 0
    done = json.loads(program("check", "warning.jsonl", "--format", "json").stdout)
    assert (done["findings"], done["suppressed"]["ignored"]) == ([], 1)
    assert json.loads(program("check", "warning.jsonl", "--isolated", "--format", "json").stdout)["findings"] != []


def test_options_go_before_the_file(program: Any) -> None:
    program.write("tracelink.toml", "select = ['TL2']\nfail-on = 'never'\n")
    assert program("check", "stalled.log").returncode == 0
    assert program("check", "stalled.log", "--fail-on", "error").returncode == 0
    assert program("check", "stalled.log", "--fail-on", "error", "--select", "TL3").returncode == 1


def test_sessions_can_be_ignored(program: Any) -> None:
    program.write("tracelink.toml", "[per-session-ignores]\n'sess_8*' = ['TL']\n")
    assert program("check", "stalled.log").returncode == 0
    assert program("check", "stalled.log", "--isolated").returncode == 1


@pytest.mark.parametrize("value", ["[]", '""', '[" "]'])
def test_a_selection_of_nothing_is_an_error(program: Any, value: str) -> None:
    program.write("tracelink.toml", f"select = {value}\n")
    done = program("check", "clean.jsonl")
    assert done.returncode == 2
    assert "select names no rule" in done.stderr
