"""`tracelink why`: any id, or the beginning of one; several are listed, an unknown one suggests."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import tracelink
from tests.story.conftest import recordings, report
from tracelink.render import why_json, why_text
from tracelink.story import find, why
from tracelink.story.known import known

VALIDATOR = Draft202012Validator(json.loads((files("tracelink.render") / "why.schema.json").read_text()))


@pytest.mark.parametrize(
    ("wanted", "file", "words"),
    [
        (
            "call_q7Hd0vTn2XsB",
            "stalled.log",
            ["function_call of book_courier", "the server refused it with HTTP 400", "still required"],
        ),
        ("call_q7HdO", "stalled.log", ["answers no call", "may be meant for call_q7Hd0vTn2XsB"]),
        ("turn_c5", "stalled.log", ["turn of agent_6PzQ41stockdesk", "2 calls: 1 answered, 1 required", "no end of it"]),
        ("item_r5Kd74", "stalled.log", ["result of reserve_stock, answering call call_m3Lw8RzKf5Ya"]),
        ("item_f3Kd72", "stalled.log", ["function_call of reserve_stock"]),
        ("sub_z1", "children.log", ["subagent Review reader", "created by item_c4Tp53: inferred, high confidence"]),
        (
            "item_c4Tp53",
            "children.log",
            ["create of a subagent", "subagent sub_z1Reviews: inferred", "because the only create call"],
        ),
        ("item_w5Tp54", "children.log", ["wait of a subagent"]),
        ("mcpr_t6", "approval.jsonl", ["mcp_approval_request of refund_payment", "still required; Decide"]),
        ("evt_stalled_0017", "stalled.log", ["session requires the result of reserve_stock"]),
        ("evt_stalled_0014", "stalled.log", ["function_call call_m3Lw8RzKf5Ya in turn turn_c5Hn2bReserve, told again or done"]),
        ("sess_8V", "stalled.log", ["session, requires_action", "awaiting: book_courier"]),
        ("agent_6P", "stalled.log", ["root agent Stock desk"]),
        ("turn:turn_c5Hn2bReserve", "stalled.log", ["turn of agent_6PzQ41stockdesk"]),
        ("turn_c5Hn2bReserve/call_m3", "stalled.log", ["function_call of reserve_stock"]),
    ],
)
def test_what_it_says(program: Any, wanted: str, file: str, words: list[str]) -> None:
    done = program("why", wanted, file)
    assert (done.returncode, done.stderr) == (0, "")
    shown = " ".join(done.stdout.split())
    assert [word for word in words if word not in shown] == []


def test_several_are_listed(program: Any) -> None:
    done = program("why", "call_q", "stalled.log")
    assert (done.returncode, done.stdout) == (2, "")
    assert "may be any of 2" in done.stderr
    for line in done.stderr.splitlines()[1:]:
        assert program("why", line.split()[2], "stalled.log").returncode == 0


def test_the_same_id_in_two_sessions(program: Any) -> None:
    program.write("same.jsonl", (program.folder / "two.jsonl").read_text().replace("turn_b1", "turn_a1"))
    done = program("why", "turn_a1", "same.jsonl")
    assert done.returncode == 2
    assert "--session sess_b1" in done.stderr
    assert program("why", "turn_a1", "same.jsonl", "--session", "sess_b1").returncode == 0


def test_unknown_ones_suggest(program: Any) -> None:
    done = program("why", "cal_q7Hd0vTn2XsB", "stalled.log")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean 'call_q7Hd" in done.stderr
    assert (
        "Of 10 deltas" in program("why", "zzz", "stalled.log").stderr
        or "deltas only" in program("why", "zzz", "stalled.log").stderr
    )
    for nothing in ("", " "):
        done = program("why", nothing, "stalled.log")
        assert done.returncode == 2
        assert "an empty text is no id" in done.stderr
    program.write("notes.txt", "nothing\n")
    assert program("why", "x", "notes.txt").returncode == 3


@pytest.mark.parametrize("path", recordings(), ids=lambda path: "/".join(path.parts[-2:]))
def test_every_id_of_every_fixture(path: Path) -> None:
    whole = tracelink.report(path)
    for one in known([session.trace for session in whole.sessions]):
        answer = why(whole.sessions[one.session], one)
        shown = json.loads(why_json.render(whole, answer))
        assert [error.message for error in VALIDATOR.iter_errors(shown)] == []
        assert shown["seen"] or one.kind in ("agent", "subagent", "item", "environment", "session", "turn"), one
        assert shown["before"] or one.kind in ("agent", "session")
        assert shown["after"]
        text = why_text.render(whole, answer, width=80, color=False)
        assert text.startswith(one.kind)
        assert one in find([session.trace for session in whole.sessions], one.full)


def test_every_event_of_a_stream_is_known() -> None:
    (session,) = report("stalled/stream.jsonl").sessions
    ids = {one.id for one in known([session.trace]) if one.kind == "event"}
    missing = session.trace.counts["records"] - len(ids)
    assert missing == sum(max(burst.count - 2, 0) for burst in session.trace.bursts)


def test_the_schema_is_strict() -> None:
    Draft202012Validator.check_schema(VALIDATOR.schema)
    whole = report("stalled/wrapped.log")
    (one,) = find([whole.sessions[0].trace], "turn_c5")
    shown = json.loads(why_json.render(whole, why(whole.sessions[0], one)))
    assert VALIDATOR.is_valid(shown)
    assert not VALIDATOR.is_valid(shown | {"mood": "calm"})
