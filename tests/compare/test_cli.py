"""`tracelink diff`: its arguments, exit codes, forms, and what it looks like."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import tracelink
from tests.compare.sides import data, renamed, side, story
from tests.rules.cases import call, lines
from tests.story.conftest import FIXTURES, recordings
from tests.story.hostile import NASTY
from tracelink.compare import diff
from tracelink.render import diff_json, diff_text
from tracelink.render.page import Page

SCHEMA = Draft202012Validator(json.loads((files("tracelink.render") / "diff.schema.json").read_text()))


def outcome(a: Any, b: Any, only: str | None = None) -> diff_json.Outcome:
    runs = [tracelink.trace(data(one) if isinstance(one, list) else one) for one in (a, b)]
    return diff_json.Outcome(runs[0], runs[1], only, (diff(side(a), side(b), only),))


def test_exit_codes(inside: Any) -> None:
    inside.write("b.jsonl", lines(story()))
    inside.write("c.jsonl", lines(story(said="9 m")))
    inside.write("notes.txt", "nothing\n")
    inside.write("empty.jsonl", "")
    assert inside("diff", "b.jsonl", "b.jsonl").returncode == 0
    assert inside("diff", "b.jsonl", "c.jsonl").returncode == 1
    assert inside("diff", "b.jsonl", "c.jsonl", "--only", "calls").returncode == 0
    for bad in ("notes.txt", "empty.jsonl", "missing.jsonl"):
        for pair in (("b.jsonl", bad), (bad, "b.jsonl")):
            done = inside("diff", *pair)
            assert (done.returncode, done.stdout) == (3, "")
            assert bad in done.stderr
    for wrong in (["b.jsonl"], ["b.jsonl", "c.jsonl", "b.jsonl"], ["-", "-"], ["b.jsonl", "c.jsonl", "--only", "turns"]):
        done = inside("diff", *wrong)
        assert (done.returncode, done.stdout) == (2, "")
    assert "--only" in inside("diff", "--call", "x", "b.jsonl", "--only", "ids").stderr


def test_sides_may_be_a_folder_or_standard_input(program: Any) -> None:
    (program.folder / "day").mkdir()
    program.write("day/1.jsonl", lines(story()))
    program.write("c.jsonl", lines(story()))
    assert program("diff", "day", "-", stdin=lines(story())).returncode == 0
    assert program("diff", "-", "c.jsonl", stdin=lines(story(said="x"))).returncode == 1


def test_several_sessions(inside: Any) -> None:
    a, b = story(), renamed(story(said="9 m"))
    inside.write("both.jsonl", lines(a) + lines(b))
    inside.write("a.jsonl", lines(a))
    inside.write("third.jsonl", lines(renamed(story(), "sess_third")))
    done = inside("diff", "both.jsonl", "both.jsonl", "--format", "json")
    assert (done.returncode, len(json.loads(done.stdout)["sessions"])) == (0, 2)
    done = inside("diff", "both.jsonl", "a.jsonl")
    assert done.returncode == 1
    assert "session sess_other only in A" in done.stdout
    done = inside("diff", "both.jsonl", "third.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no session is in both" in done.stderr
    assert "sess_tide1, sess_other" in done.stderr
    assert inside("diff", "both.jsonl", "third.jsonl", "--session", "sess_tide").returncode == 0
    assert inside("diff", "both.jsonl", "third.jsonl", "--session", "sess_other").returncode == 1
    done = inside("diff", "both.jsonl", "both.jsonl", "--session", "sess_tide1", "--session", "sess_o")
    assert done.returncode == 1
    assert "two sessions, matched by structure" in done.stdout
    done = inside("diff", "both.jsonl", "third.jsonl", "--session", "sess_tode1")
    assert done.returncode == 2
    assert "Did you mean 'sess_tide1'" in done.stderr


@pytest.mark.parametrize("path", recordings(), ids=lambda path: "/".join(path.parts[-2:]))
def test_every_fixture_against_another(inside: Any, path: Path) -> None:
    """No traceback, a valid form, and nothing wider than the page but ids, places and the command to run next."""
    a = tracelink.trace(FIXTURES / "clean/wrapped.log")
    b = tracelink.trace(path)
    if len(b.traces) != 1:
        return
    for only in (None, "ids"):
        found = diff_json.Outcome(a, b, only, (diff(side(FIXTURES / "clean/wrapped.log"), side(path), only),))
        assert [error.message for error in SCHEMA.iter_errors(json.loads(diff_json.render(found)))] == []
        text = diff_text.render(found, Page(80, cut=True))
        wide = [line for line in text.splitlines() if len(line) > 80]
        assert [line for line in wide if not re.search(r"next: |/fixtures/|sess_|turn_|call_|item_|agent_|sub_", line)] == []
        assert "\x1b" not in text


def test_color_only_where_somebody_looks(program: Any) -> None:
    program.write("a.jsonl", lines(story()))
    program.write("b.jsonl", lines(story(said="9 m")))
    assert "\x1b" not in program("diff", "a.jsonl", "b.jsonl").stdout
    assert "\x1b[31m" in program("diff", "a.jsonl", "b.jsonl", "--color", "always").stdout
    assert "\x1b[31m" in program("diff", "a.jsonl", "b.jsonl", FORCE_COLOR="1").stdout
    assert "\x1b" not in program("diff", "a.jsonl", "b.jsonl", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_what_it_says(inside: Any) -> None:
    inside.write("a.jsonl", lines(story(call(arguments={"gauge": "east", "limit": 2}))))
    inside.write("b.jsonl", lines(story(call(arguments={"gauge": "north pier", "limit": 2}), said="2.4 m")))
    shown = inside("diff", "a.jsonl", "b.jsonl").stdout
    for words in (
        "they part where the arguments of read_gauge differ",
        "A  a.jsonl:6 (ev_6)",
        'arguments $.gauge  "east" → "north pier"',
        'output  "2.31 m" → "2.4 m"',
        "call read_gauge call_ebb1  a.jsonl:6 | b.jsonl:6",
        "2 differences: calls 1, results 1",
        "next: tracelink why turn_tide1/call_ebb1 b.jsonl",
    ):
        assert words in shown
    assert inside("diff", "a.jsonl", "a.jsonl").stdout.endswith("no difference in 1 session, 1 turn, 1 call\n")


def test_long_texts_are_shown_from_where_they_differ() -> None:
    long = "The tide is high and the harbour is full of ships from everywhere. " * 3
    text = diff_text.render(outcome(story(said=long + "Ebb."), story(said=long + "Flood.")), Page(80, cut=True))
    assert re.search(r'A  "…[^"]*Ebb\."', text)
    assert re.search(r'B  "…[^"]*Flood\."', text)


def test_a_drifted_id_has_carets(inside: Any) -> None:
    inside.write("a.jsonl", lines(story(call("call_q7Hd0v"))))
    inside.write("b.jsonl", lines(story(call("call_q7HdOv"))))
    shown = inside("diff", "a.jsonl", "b.jsonl").stdout
    assert re.search(r"A  call_q7Hd0v\n +B  call_q7HdOv\n {18}\^", shown)


@pytest.mark.parametrize("nasty", [one for one in NASTY if one.strip()])
def test_recorded_text_is_escaped(nasty: str) -> None:
    a = story(call(f"call_{nasty}1", name=nasty, arguments={nasty: nasty}), said=nasty, asked=nasty)
    b = story(call(f"call_{nasty}2", name=nasty, arguments={nasty: nasty + "!"}), said=[nasty], asked=nasty + "?")
    for only in (None, "ids"):
        found = outcome(a, b, only)
        text = diff_text.render(found, Page(80, full=True))
        raw = [
            char
            for char in text
            if char != "\n" and (ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or char in "\u202e\u2066\u200b\ufeff\ud800")
        ]
        assert raw == []
        assert "##[" not in text
        assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]
        assert [error.message for error in SCHEMA.iter_errors(json.loads(diff_json.render(found)))] == []


def test_many_differences_are_folded(inside: Any) -> None:
    many = [call(f"call_n{number}", arguments={"gauge": number}) for number in range(60)]
    other = [call(f"call_n{number}", arguments={"gauge": -number - 1}) for number in range(60)]
    inside.write("a.jsonl", lines(story(*many)))
    inside.write("b.jsonl", lines(story(*other)))
    shown = inside("diff", "a.jsonl", "b.jsonl").stdout
    assert "… 36 more (--full shows all)" in shown
    assert "60 differences: calls 60" in shown
    assert inside("diff", "a.jsonl", "b.jsonl", "--full").stdout.count("arguments $.gauge") == 60


def test_the_same_bytes_each_time(program: Any) -> None:
    for form in ("text", "json"):
        runs = {
            program("diff", "stalled.log", "children.log", "--format", form, PYTHONHASHSEED=str(seed)).stdout
            for seed in range(3)
        }
        assert len(runs) == 1


def test_the_schemas_are_strict() -> None:
    Draft202012Validator.check_schema(SCHEMA.schema)
    shown = json.loads(diff_json.render(outcome(story(), story(said="x"))))
    assert SCHEMA.is_valid(shown)
    assert not SCHEMA.is_valid(shown | {"mood": "calm"})
    shown["sessions"][0]["differences"][0]["what"] = "worse"
    assert not SCHEMA.is_valid(shown)
