"""`gate --redact` and `diff-items --redact`: the same answer, and nothing of what was said."""

import json
from typing import Any

import pytest

from tests.gate.examples import call, lines, out, request

SAID = "Quandt hoards turnips"
SCHEMA = {"type": "object", "properties": {"where": {"enum": [SAID]}}, "required": ["where"]}
HISTORY = request(
    input=[
        {"role": "user", "content": SAID},
        call(arguments=json.dumps({"where": SAID}), note=SAID),
        out(output={SAID: SAID}),
        call("call_2", arguments=json.dumps({"where": f"not {SAID}"})),
        call("call_3", arguments="{" + SAID),
        call("call_4", name="g", status=SAID),
        {"type": f"acme:{SAID}", "text": SAID},
        {"type": SAID, "id": "x_1", "status": SAID},
    ],
    tools=[{"type": "function", "name": "f", "parameters": SCHEMA}],
    instructions=SAID,
)


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "sarif", "github"])
def test_no_format_shows_what_was_said(program: Any, form: str) -> None:
    program.write("history.json", HISTORY.decode())
    hidden = program("gate", "history.json", "--format", form, "--redact", "--full")
    shown = program("gate", "history.json", "--format", form, "--full")
    assert "Quandt" in shown.stdout
    for word in SAID.split():
        assert word not in hidden.stdout + hidden.stderr
    assert hidden.returncode == shown.returncode == 1
    assert "--redact: texts of the recording are shown as tokens" in hidden.stderr


def test_the_answer_is_the_same(program: Any) -> None:
    program.write("history.json", HISTORY.decode())
    shown, hidden = (
        json.loads(program("gate", "history.json", "--format", "json", *more).stdout) for more in ((), ("--redact",))
    )
    for told in (shown, hidden):
        for one in told["reasons"]:
            one["ids"] = sorted(one["ids"])
    kept = ("reason", "severity", "basis", "items", "ids", "locations")
    assert [[one[name] for name in kept] for one in hidden["reasons"]] == [
        [one[name] for name in kept] for one in shown["reasons"]
    ]
    assert [one["verdict"] for one in hidden["items"]] == [one["verdict"] for one in shown["items"]]


@pytest.mark.parametrize("tools", [{"f": SCHEMA}, [{"type": "function", "name": "f", "parameters": SCHEMA}]])
def test_a_schema_of_a_file_of_its_own_holds_as_before(program: Any, tools: Any) -> None:
    program.write("tools.json", json.dumps(tools))
    program.write("history.json", json.dumps([call(arguments=json.dumps({"where": SAID})), out()]))
    assert program("gate", "history.json", "--tools", "tools.json", "--redact").returncode == 0
    program.write("history.json", json.dumps([call(arguments=json.dumps({"where": "there"})), out()]))
    done = program("gate", "history.json", "--tools", "tools.json", "--redact")
    assert "arguments_schema" in done.stdout
    assert SAID not in done.stdout


def test_a_history_of_tokens_is_not_written(program: Any) -> None:
    program.write("history.json", HISTORY.decode())
    assert program("gate", "history.json", "--redact", "--repair", "new.json").returncode == 2
    assert not (program.folder / "new.json").exists()


def test_two_histories_differ_in_the_same_way(program: Any) -> None:
    program.write("a.jsonl", lines(call(arguments=json.dumps({"to": SAID})), out(output=SAID)).decode())
    program.write("b.jsonl", lines(call(arguments=json.dumps({"to": SAID}) + " "), out(output=f"{SAID}!")).decode())
    for command in (("diff-items", "a.jsonl", "b.jsonl"), ("gate", "a.jsonl", "--against", "b.jsonl")):
        done = program(*command, "--redact")
        assert done.returncode == 1
        assert done.stdout.count("value_changed output") == 1
        assert "arguments" not in done.stdout
        assert "Quandt" not in done.stdout
        assert SAID in program(*command).stdout
