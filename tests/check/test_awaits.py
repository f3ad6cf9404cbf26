"""`tracelink awaits`: one line a session, the exit codes, and bodies that can be posted as they are."""

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.check.conftest import FIXTURES
from tests.cli.conftest import events, jsonl

SCHEMA = json.loads((files("tracelink.render") / "awaits.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)


def unapplied() -> str:
    """The session of one.jsonl, after the app posted the result and before anything confirmed it."""
    post = {
        "type": "agent.session.input.tool_result",
        "turn_id": "turn_a1",
        "call_id": "call_a1",
        "success": True,
        "output": "7",
    }
    return jsonl(events()) + json.dumps({"direction": "out", "body": {"events": [post]}, "session_id": "sess_a1"}) + "\n"


@pytest.fixture
def awaits(program: Any) -> Any:
    program.write("unapplied.jsonl", unapplied())
    program.write("blind.jsonl", jsonl([row for row in events("b") if "session" not in row]))
    return program


@pytest.mark.parametrize(
    ("files", "code", "words"),
    [
        (["one.jsonl"], 0, ["awaiting"]),
        (["clean.jsonl"], 1, ["not_awaiting"]),
        (["clean.jsonl", "one.jsonl"], 0, ["not_awaiting", "awaiting"]),
        (["unapplied.jsonl"], 4, ["answered_unapplied"]),
        (["clean.jsonl", "unapplied.jsonl"], 4, ["not_awaiting", "answered_unapplied"]),
        (["blind.jsonl"], 4, ["unknown"]),
        (["missing.jsonl"], 3, []),
        (["missing.jsonl", "one.jsonl"], 0, ["awaiting"]),
        (["two.jsonl", "--session", "sess_b"], 0, ["awaiting"]),
        (["clean.jsonl", "one.jsonl", "--session", "sess_7"], 1, ["not_awaiting"]),
    ],
)
def test_one_line_a_session_and_the_exit_code(awaits: Any, files: list[str], code: int, words: list[str]) -> None:
    done = awaits("awaits", *files)
    assert done.returncode == code
    rows = [line.split("  ", 2) for line in done.stdout.splitlines()]
    assert [row[1] for row in rows] == words
    assert all(row[2] for row in rows)


def test_no_session_at_all_is_unclear() -> None:
    from tracelink.cli.awaits import UNCLEAR, _code

    assert _code(set()) == UNCLEAR


def test_an_unknown_session_is_an_error_of_use(awaits: Any) -> None:
    done = awaits("awaits", "two.jsonl", "--session", "sess_c1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean" in done.stderr


@pytest.mark.parametrize("arguments", [["one.jsonl"], ["unapplied.jsonl", "two.jsonl"], ["blind.jsonl"], ["missing.jsonl"]])
def test_json_fits_its_schema(awaits: Any, arguments: list[str]) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    shown = json.loads(awaits("awaits", *arguments, "--format", "json").stdout)
    assert [error.message for error in VALIDATOR.iter_errors(shown)] == []


def test_payload_is_bodies_and_nothing_else(awaits: Any) -> None:
    done = awaits("awaits", "two.jsonl", "--emit", "payload")
    bodies = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [list(body) for body in bodies] == [["events"], ["events"]]
    assert [body["events"][0]["call_id"] for body in bodies] == ["call_a1", "call_b1"]
    told = done.stderr.splitlines()
    assert [line.split(": ")[1] for line in told[:-1]] == ["line 1, session sess_a1", "line 2, session sess_b1"]


def test_payload_says_what_is_to_be_filled_in(awaits: Any) -> None:
    told = awaits("awaits", "two.jsonl", "--emit", "payload").stderr.splitlines()
    assert told[0].endswith("Fill in /events/0/output.")
    assert told[-1] == "tracelink: 2 of 2 bodies hold a placeholder (<…>) that must be replaced before it is posted."
    one = awaits("awaits", "one.jsonl", "--emit", "payload").stderr.splitlines()
    assert one[-1].startswith("tracelink: 1 body holds a placeholder")
    mixed = awaits("awaits", "one.jsonl", "stalled.log", "--emit", "payload").stderr.splitlines()
    assert mixed[-1].startswith("tracelink: 1 of 2 bodies holds a placeholder")
    assert "placeholder" not in awaits("awaits", "stalled.log", "--emit", "payload").stderr
    shown = json.loads(awaits("awaits", "one.jsonl", "--format", "json").stdout)
    assert shown["sessions"][0]["next_actions"][0]["placeholders"] == ["/events/0/output"]


def test_payload_has_one_form(awaits: Any) -> None:
    done = awaits("awaits", "one.jsonl", "--emit", "payload", "--format", "json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "one JSON object a line" in done.stderr
    assert awaits("awaits", "one.jsonl", "--emit", "payload", "--format", "text").returncode == 0


def test_a_named_file_that_cannot_be_used(awaits: Any) -> None:
    """It may hold the session that waits, so nobody says that none does; in a folder other files may lie."""
    awaits.write("notes.txt", "Call the harbour.\n")
    assert awaits("awaits", "clean.jsonl", "notes.txt").returncode == 3
    assert awaits("awaits", "clean.jsonl", "missing.jsonl").returncode == 3
    awaits.folder.joinpath("logs").mkdir()
    awaits.write("logs/clean.jsonl", (awaits.folder / "clean.jsonl").read_text())
    awaits.write("logs/notes.txt", "Call the harbour.\n")
    assert awaits("awaits", "logs").returncode == 1


def test_payload_with_its_session(awaits: Any) -> None:
    done = awaits("awaits", "two.jsonl", "--emit", "payload", "--with-session")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["session_id"] for row in rows] == ["sess_a1", "sess_b1"]
    assert [row["placeholders"] for row in rows] == [["/events/0/output"]] * 2
    assert all(list(row["body"]) == ["events"] for row in rows)
    assert awaits("awaits", "two.jsonl", "--with-session").returncode == 2


def test_the_output_that_went_astray_is_in_the_body(awaits: Any) -> None:
    done = awaits("awaits", "stalled.log", "--emit", "payload")
    (event,) = json.loads(done.stdout)["events"]
    assert (event["turn_id"], event["call_id"]) == ("turn_c5Hn2bReserve", "call_q7Hd0vTn2XsB")
    assert json.loads(event["output"])["booking"] == "CR-88120"


def test_what_was_posted_already_is_not_emitted_again(awaits: Any) -> None:
    done = awaits("awaits", "unapplied.jsonl", "--emit", "payload")
    assert (done.returncode, done.stdout) == (4, "")
    assert "nothing to post, session sess_a1: Read the session again" in done.stderr


def test_a_wait_for_an_approval(awaits: Any) -> None:
    done = awaits("awaits", str(FIXTURES / "awaiting" / "mcp_approval.jsonl"), "--emit", "payload")
    assert done.returncode == 0
    assert json.loads(done.stdout)["events"][0]["type"] == "agent.session.input.mcp_approval_request_result"


def test_recorded_text_stays_on_its_line(awaits: Any) -> None:
    rows = jsonl(events()).replace("count_stock", "x\\n::error::y\\u001b[31m")
    awaits.write("hostile.jsonl", rows)
    for arguments in ([], ["--emit", "payload"], ["--format", "json"]):
        done = awaits("awaits", "hostile.jsonl", *arguments)
        assert "\x1b" not in done.stdout + done.stderr
        assert not any(line.lstrip().startswith("::") for line in done.stdout.splitlines())
