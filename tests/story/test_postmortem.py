"""`tracelink postmortem`: the right turn, the right cause, the right body; and what it does not know it says."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import tracelink
from tests.story.conftest import FIXTURES, recordings, report
from tracelink.render import postmortem_json, postmortem_text
from tracelink.render.escape import width_of
from tracelink.story import pick_session, pick_turn, tell

SCHEMA = json.loads((files("tracelink.render") / "postmortem.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)
REPORT = json.loads((files("tracelink.render") / "report.schema.json").read_text())


def test_a_newcomer_reads_cause_and_body_on_the_first_screen(program: Any) -> None:
    done = program("postmortem", "stalled.log")
    assert (done.returncode, done.stderr) == (0, "")
    screen = "\n".join(done.stdout.split("\n")[:40])
    assert "AWAITING: book_courier (call_q7Hd0vTn2XsB)" in screen
    assert "RESULT MISADDRESSED" in screen
    assert "call_q7HdOvTn2XsB, which no call" in " ".join(screen.split())
    body = json.loads(screen[screen.index("    {") : screen.index("    }\n  each body") + 5])
    assert body["events"][0]["call_id"] == "call_q7Hd0vTn2XsB"
    assert json.loads(body["events"][0]["output"])["booking"] == "CR-88120"
    assert "Reserve 40 units of BX-214" in done.stdout


def test_the_body_is_that_of_awaits(program: Any) -> None:
    wanted = json.loads(program("awaits", "stalled.log", "--emit", "payload").stdout)
    told = json.loads(program("postmortem", "stalled.log", "--format", "json").stdout)
    page = program("postmortem", "stalled.log", "--format", "markdown").stdout
    assert told["next_actions"][0]["body"] == wanted
    assert json.loads(re.search(r"```json\n(.*?)\n```", page, re.DOTALL)[1]) == wanted  # type: ignore[index]


def test_where_progress_stopped(program: Any) -> None:
    told = json.loads(program("postmortem", "stalled.log", "--format", "json").stdout)
    last = told["moments"][told["stopped"]]
    assert (last["kind"], last["location"]["line"], last["clock"]) == ("recorded", 20, "receiver")
    after = [one["kind"] for one in told["moments"][told["stopped"] + 1 :]]
    assert after == ["required", "posted", "refused"]
    (open_wait,) = [one for one in told["waits"] if one["ended"] is None]
    assert open_wait["whom"] == ["call_q7Hd0vTn2XsB"]
    stray = next(one["strays"] for one in told["calls"] if one["strays"])
    assert [(one["call_id"], one["refused"]["line"]) for one in stray] == [("call_q7HdOvTn2XsB", 23)]


def test_without_times_none_is_claimed(program: Any) -> None:
    told = json.loads(program("postmortem", "order.jsonl", "--format", "json").stdout)
    assert told["clock"] is None
    assert {one["clock"] for one in told["moments"]} <= {None, "server"}
    assert all(call["seconds"] is None for call in told["calls"])
    assert any("only the order is known" in text for text in told["cannot_tell"])
    assert any("What the app posted is not recorded" in text for text in told["cannot_tell"])


def test_what_was_retrieved_has_no_receive_time(program: Any) -> None:
    told = json.loads(program("postmortem", "children.log", "--format", "json").stdout)
    child = [one for one in told["moments"] if one["turn_id"] == "turn_s2Hotel"]
    assert {one["clock"] for one in child} == {"server", None}
    kinds = [one["kind"] for one in child]
    assert (kinds[0], kinds[-1]) == ("turn_began", "turn_ended")
    assert any("list pages" in text for text in told["cannot_tell"])


@pytest.mark.parametrize("path", recordings(), ids=lambda path: "/".join(path.parts[-2:]))
def test_every_fixture_fits_the_schema_and_the_width(path: Path) -> None:
    whole = tracelink.report(path)
    at = pick_session(whole.sessions)
    if at is None:
        return
    session = whole.sessions[at]
    for turn_id in [None, *session.trace.turns]:
        story = tell(session, turn_id)
        shown = json.loads(postmortem_json.render(whole, session, story))
        assert [error.message for error in VALIDATOR.iter_errors(shown)] == []
        text = postmortem_text.render(whole, session, story, width=80, color=False)
        # Only a line that one id, path, body or command fills may be longer.
        for line in text.split("\n"):
            words = line.split()
            assert width_of(line) <= 80 or len(words) <= 2 or line.startswith(("next:", "    ", "  [")), line


def test_the_schema_is_strict_and_shares_the_reports_words() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    shared = SCHEMA["$defs"].keys() & REPORT["$defs"].keys()
    assert {"verdict", "stall", "finding", "location"} <= shared
    assert {name: SCHEMA["$defs"][name] for name in shared} == {name: REPORT["$defs"][name] for name in shared}
    shown = json.loads(postmortem_json.render(one := report("stalled/wrapped.log"), one.sessions[0], tell(one.sessions[0])))
    shown["moments"][0]["mood"] = "calm"
    assert not VALIDATOR.is_valid(shown)


def test_the_choice_of_session_and_turn() -> None:
    whole = report("clean/stream.jsonl", "stalled/wrapped.log", "subagents/bundle.json")
    at = pick_session(whole.sessions)
    assert at is not None
    assert whole.sessions[at].trace.session_id == "sess_8Vt3mWarehouse"
    assert pick_turn(whole.sessions[at])[1] == "the turn that the stall is about"
    clean = next(one for one in whole.sessions if one.verdict.awaits == "not_awaiting" and len(one.trace.turns) == 2)
    turn, why = pick_turn(clean)
    assert turn is not None
    assert (turn.id, why) == (list(clean.trace.turns)[-1], "the last turn of the root agent")


def test_turns_by_prefix_and_session(program: Any) -> None:
    assert "post-mortem of turn_s2Hotel" in program("postmortem", "children.log", "--turn", "turn_s2").stdout
    wrong = program("postmortem", "children.log", "--turn", "turn_s3Hotel")
    assert wrong.returncode == 2
    assert "Did you mean 'turn_s2Hotel'" in wrong.stderr
    assert "begins" in program("postmortem", "children.log", "--turn", "turn_").stderr
    both = program("postmortem", "two.jsonl")
    assert "1 other session in these files stands still too" in " ".join(both.stdout.split())
    assert "sess_b1" in program("postmortem", "two.jsonl", "--session", "sess_b1").stdout


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_unusable_inputs_and_empty_ones(program: Any, form: str) -> None:
    program.write("notes.txt", "nothing\n")
    done = program("postmortem", "notes.txt", "--format", form)
    assert (done.returncode, done.stdout) == (3, "")
    assert program("postmortem", "stalled.log", "--format", "htm").returncode == 2


def test_the_same_input_gives_the_same_bytes(program: Any) -> None:
    first, again = (program("postmortem", "children.json", "--format", "markdown", PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first.stdout == again.stdout


def test_a_long_turn_is_folded_in_text_and_whole_in_json(program: Any) -> None:
    program.write("long.jsonl", long_turn(500))
    text = program("postmortem", "long.jsonl").stdout
    assert len(text.split("\n")) < 200
    assert re.search(r"… [\d,]+ moments: \d+ calls", text)
    assert "call_499" in text
    assert len(program("postmortem", "long.jsonl", "--full").stdout.split("\n")) > 1500
    told = json.loads(program("postmortem", "long.jsonl", "--format", "json").stdout)
    assert len(told["calls"]) == 500


def long_turn(count: int) -> str:
    """A turn of `count` calls one after the other, the last one open."""
    rows = [json.loads(line) for line in (FIXTURES / "stalled" / "stream.jsonl").read_text().splitlines()]
    head = rows[:5]
    made = next(row for row in rows if row.get("item", {}).get("type") == "function_call")
    needed = next(row for row in rows if row["type"] == "agent.session.requires_action")
    output = next(row for row in rows if row.get("item", {}).get("type") == "function_call_output")
    lines = list(head)
    for number in range(count):
        ids = {"call_id": f"call_{number}"}
        lines.append(made | {"event_id": f"a{number}", "item": made["item"] | ids | {"id": f"fc_{number}"}})
        action = needed["session"]["required_actions"][0] | ids
        lines.append(needed | {"event_id": f"b{number}", "session": needed["session"] | {"required_actions": [action]}})
        if number < count - 1:
            lines.append(output | {"event_id": f"c{number}", "item": output["item"] | ids | {"id": f"r_{number}"}})
    return "".join(json.dumps(line) + "\n" for line in lines)
