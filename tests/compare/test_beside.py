"""`diff --call`: a call beside its result, and the pending action beside the posted answer, id by id."""

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.rules.cases import added as seen
from tests.rules.cases import (
    approval,
    call,
    decided,
    ending,
    lines,
    opening,
    output,
    post,
    refusal,
    snapshot,
    turn,
    user,
    waiting,
)
from tests.story.conftest import FIXTURES

SCHEMA = Draft202012Validator(json.loads((files("tracelink.render") / "diff_call.schema.json").read_text()))


@pytest.fixture
def told(inside: Any) -> Any:
    """(rows, id) → exit code, standard output, and the JSON, which fits its schema."""

    def run(rows: list[Any], wanted: str, *more: str) -> tuple[int, str, Any]:
        inside.write("x.jsonl", lines(rows))
        text, found = (inside("diff", "--call", wanted, "x.jsonl", *more, "--format", form) for form in ("text", "json"))
        assert text.returncode == found.returncode
        assert (text.stderr, found.stderr) == ("", "")
        value = json.loads(found.stdout)
        assert [error.message for error in SCHEMA.iter_errors(value)] == []
        assert value["same"] == (found.returncode == 0)
        return text.returncode, text.stdout, value

    return run


def states(pair: Any) -> dict[str, str]:
    return {one["id"]: one["state"] for one in pair["ids"]}


def test_a_matched_call(told: Any) -> None:
    rows = [*waiting(call()), post(), seen(output()), snapshot("in_progress"), *ending()]
    code, text, value = told(rows, "call_ebb1")
    assert code == 0
    assert [(one["left"]["what"], one["right"]["what"], one["same"]) for one in value["pairs"]] == [
        ("pending action", "posted result", True),
        ("call", "recorded result", True),
    ]
    assert states(value["pairs"][1]) == {"session_id": "same", "turn_id": "same", "call_id": "same"}
    assert "All ids are the same in 2 comparisons." in text
    assert "^" not in text


def test_a_drifted_character_has_a_caret_under_it(told: Any) -> None:
    code, text, value = told([*waiting(call("call_9fK0Tq")), post("call_9fKOTq")], "call_9fK0")
    assert code == 1
    rows = text.splitlines()
    at = next(number for number, row in enumerate(rows) if row.strip() == "^")
    column = rows[at].index("^")
    assert (rows[at - 2][column], rows[at - 1][column]) == ("0", "O")
    assert "character 9: 0 (U+0030 DIGIT ZERO) became O (U+004F LATIN CAPITAL LETTER O)" in text
    (pair,) = value["pairs"]
    assert [one["edits"] for one in pair["ids"] if one["id"] == "call_id"] == [
        [{"kind": "replace", "left": [8, 9], "right": [8, 9]}]
    ]
    assert value["pairs"][0]["meant"]["reason"] == "edits-1"
    assert "awaits x.jsonl --emit payload" in text


@pytest.mark.parametrize(
    ("posted", "shown"),
    [
        ("call_\u0435bb1", "\\u{0435}"),  # a Cyrillic letter that looks like e
        ("call_ebb1\u200b", "\\u{200B}"),
        ("call_ebb1 ", "\\x20"),
        ("call_\u202eebb1", "\\u{202E}"),
    ],
)
def test_what_the_eye_overlooks_is_shown_as_its_code(told: Any, posted: str, shown: str) -> None:
    code, text, _ = told([*waiting(call()), post(posted)], "call_ebb1")
    assert code == 1
    assert shown in text
    rows = text.splitlines()
    carets = next(row for row in rows if set(row.strip()) == {"^"})
    assert carets.count("^") == len(shown)
    assert text.isascii() or set(text) - set(map(chr, range(128))) <= set("·…")


def test_a_character_more(told: Any) -> None:
    _, text, _ = told([*waiting(call()), post("call_eebb1")], "call_ebb1")
    assert "call_·ebb1" in text or "call_e·bb1" in text
    assert "e (U+0065 LATIN SMALL LETTER E) was put in" in text


def test_another_turn(told: Any) -> None:
    code, text, value = told([*waiting(call()), post(turn_id="turn_tidel")], "call_ebb1")
    assert code == 1
    assert states(value["pairs"][0]) == {"session_id": "only_left", "turn_id": "differs", "call_id": "same"}
    assert "the call is in turn turn_tide1" in " ".join(text.split())


def test_an_item_id_is_another_id_altogether(told: Any) -> None:
    _, text, _ = told([*waiting(call(item_id="fc_93")), post("fc_93")], "call_ebb1")
    assert "another id altogether" in text
    assert "^" not in text


def test_a_missing_id(told: Any) -> None:
    code, text, value = told([*waiting(call()), post(turn_id=None)], "call_ebb1")
    assert code == 1
    assert states(value["pairs"][0])["turn_id"] == "only_left"
    assert "MISSING" in text


def test_several_posts(told: Any) -> None:
    rows = [
        *waiting(call()),
        post("call_ebbl"),
        refusal("Unknown pending tool call: call_ebbl"),
        post(),
        post(),
        post(value="9 m"),
    ]
    code, text, value = told(rows, "call_ebb1")
    assert code == 1
    assert [(one["same"], len(one["again"])) for one in value["pairs"]] == [(False, 0), (True, 1), (True, 0)]
    assert value["pairs"][0]["refused"]["message"] == "Unknown pending tool call: call_ebbl"
    assert "1 of 3 comparisons does not fit: call_id" in text


def test_no_post(told: Any) -> None:
    code, text, value = told(waiting(call()), "call_ebb1")
    assert (code, value["pairs"]) == (0, [])
    assert "Nothing was posted or recorded for it" in text
    _, text, value = told([*waiting(call()), post("call_moonrise42")], "call_ebb1")
    assert (value["stray_count"], value["strays"][0]["id"]) == (1, "call_moonrise42")
    assert "near no call: call_moonrise42 (x.jsonl:7)" in text


def test_a_result_of_no_call(told: Any) -> None:
    code, text, value = told([*waiting(call()), post("call_moonrise42")], "call_moon")
    assert (code, value["kind"]) == (1, "result")
    assert "nothing" in text


def test_the_id_of_a_result_leads_to_its_call(told: Any) -> None:
    for wanted in ("call_ebbl", "item_call_ebb1", "turn_tide1/call_ebb1"):
        assert told([*waiting(call()), post("call_ebbl")], wanted)[2]["id"] == "call_ebb1"


def test_approvals(told: Any) -> None:
    pause = [*opening(user()), snapshot("requires_action", approval())]
    code, _, value = told([*pause, decided()], "mcpr_reef1")
    assert (code, states(value["pairs"][0])["request_id"]) == (0, "same")
    code, text, value = told([*pause, post("mcpr_reef1")], "mcpr_reef1")
    assert (code, value["pairs"][0]["wrong_kind"]) == (1, True)
    assert "an approval takes no tool result" in text
    code, text, value = told([*waiting(call()), decided("call_ebb1")], "turn_tide1/call_ebb1")
    assert (code, value["pairs"][0]["wrong_kind"]) == (1, True)
    code, text, value = told([*pause, decided("mcpr_reef2")], "mcpr_reef1")
    assert (value["pairs"], value["strays"][0]["id"]) == ([], "mcpr_reef2")


def test_two_sessions_of_one_call(told: Any) -> None:
    text = (FIXTURES / "rules/other-session-result/fires.jsonl").read_text()
    code, shown, value = told([json.loads(line) for line in text.splitlines()], "call_ebb1")
    assert (code, states(value["pairs"][0])["session_id"]) == (1, "differs")
    assert "sess_marsh2" in shown


def test_ids_that_are_none_or_many(inside: Any) -> None:
    done = inside("diff", "--call", "cal_q7Hd0vTn2XsB", "stalled.log")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean 'call_q7Hd" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    done = inside("diff", "--call", "call_", "stalled.log")
    assert (done.returncode, done.stdout) == (2, "")
    assert "may be any of 2" in done.stderr
    for line in done.stderr.splitlines()[1:]:
        assert inside("diff", "--call", line.split()[2], "stalled.log").returncode in (0, 1)
    done = inside("diff", "--call", "turn_c5", "stalled.log")
    assert done.returncode == 2
    assert "Its calls: call_m3Lw8RzKf5Ya, call_q7Hd0vTn2XsB." in done.stderr
    assert inside("diff", "--call", "", "stalled.log").returncode == 2


def test_one_id_in_two_turns_is_asked_for(inside: Any) -> None:
    rows = [
        *waiting(call()),
        post(),
        seen(output()),
        *ending(),
        turn("created", "turn_two"),
        seen(call(turn_id="turn_two", item_id="i2")),
    ]
    inside.write("x.jsonl", lines(rows))
    done = inside("diff", "--call", "call_ebb1", "x.jsonl")
    assert done.returncode == 2
    assert "turn_two/call_ebb1" in done.stderr
    assert inside("diff", "--call", "turn_two/call_ebb1", "x.jsonl").returncode == 0
