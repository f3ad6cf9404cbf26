"""Usage: help, version, and errors that say in one sentence what is wrong and exit with 2."""

from typing import Any

import pytest


def test_version(program: Any) -> None:
    done = program("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, "tracelink 0.1.0 (Agents API facts of 2026-11-17)\n", "")


def test_no_arguments_is_help_and_2(program: Any) -> None:
    done = program()
    assert (done.returncode, done.stdout) == (2, "")
    assert "Usage: tracelink" in done.stderr


@pytest.mark.parametrize("command", [[], ["build"]])
def test_help_states_the_exit_codes_within_80_columns(program: Any, command: list[str]) -> None:
    done = program(*command, "--help")
    told = " ".join(done.stdout.split())
    assert done.returncode == 0
    for code in ("0 read", "2 usage", "3 an input that cannot be used", "70 a fault of ours"):
        assert code in told
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["bild", "one.jsonl"], "no such command 'bild'. Did you mean 'build'?"),
        (["build", "one.jsonl", "--fromat", "json"], "no such option '--fromat'. Did you mean '--format'?"),
        (["build", "one.jsonl", "--format", "jsn"], "Did you mean 'json'?"),
        (["build", "one.jsonl", "--detail", "item"], "Did you mean 'items'?"),
        (["build", "one.jsonl", "--color", "red"], "none of auto, always, never"),
        (["build", "one.jsonl", "--to", "mermaidd"], "Did you mean 'mermaid'?"),
        (["build"], "missing argument 'FILE'"),
        (["build", "one.jsonl", "--as-of", "yesterday"], "'yesterday' is no time"),
        (["build", "one.jsonl", "--max-record", "big"], "'big' is no size"),
        (["build", "one.jsonl", "--field", "call_id"], "not of the form NAME=JSONPATH"),
        (["build", "one.jsonl", "--field", "call_id=$.["], "$.["),
        (["build", "one.jsonl", "--field", "colour=$.a"], "colour"),
        (["build", "one.jsonl", "--session", "sess_a2"], "Did you mean 'sess_a1'?"),
        (["build", "two.jsonl", "--session", "sess_"], "begins 2 ids: sess_a1, sess_b1"),
        (["build", "one.jsonl", "--agent", "agent_rot"], "Did you mean 'agent_root'?"),
        (["build", "one.jsonl", "-o", "chain.pgn"], "names no form; say --to"),
        (["build", "one.jsonl", "-o", "-"], "standard output has no ending"),
        (["build", "one.jsonl", "-o", "no/such/folder/x.json"], "cannot be written: No such file or directory"),
        (["build", "one.jsonl", "-o", "one.jsonl", "--to", "json"], "inputs are never overwritten"),
    ],
)
def test_errors_of_use(program: Any, arguments: list[str], told: str) -> None:
    done = program(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    first = done.stderr.splitlines()[0]
    assert first.startswith("tracelink: ")
    assert told in first
    assert "Traceback" not in done.stderr


def test_an_internal_error_is_one_sentence_and_70(program: Any) -> None:
    program.write(
        "sitecustomize.py",
        "import tracelink.cli.reading as r\ndef read(choice): raise ZeroDivisionError('odd\\x1b[31m')\nr.read = read\n",
    )
    quiet = program("build", "one.jsonl", PYTHONPATH=f"{program.folder}:{program.environment().get('PYTHONPATH', '')}")
    assert quiet.returncode == 70
    assert quiet.stdout == ""
    (line,) = quiet.stderr.splitlines()
    assert line.startswith("tracelink: internal error (ZeroDivisionError: odd")
    assert "\x1b" not in line
    debug = program(
        "build", "one.jsonl", TRACELINK_DEBUG="1", PYTHONPATH=f"{program.folder}:{program.environment().get('PYTHONPATH', '')}"
    )
    assert "Traceback" in debug.stderr


def test_completion_is_there(program: Any) -> None:
    done = program(_TRACELINK_COMPLETE="complete_bash", COMP_WORDS="tracelink bu", COMP_CWORD="1")
    assert done.stdout.split() == ["build"]
