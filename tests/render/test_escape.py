"""What a recording may not do to the terminal, and how wide text is."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tracelink.render import escape as rules
from tracelink.render.escape import escape, ident, json_text, shielded, short, width_of

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault

HOSTILE = [
    "\x1b[31m",
    "\x07",
    "\x9b2J",
    "\u202e",
    "\u200b",
    "\u2028",
    "\x7f",
    "\ud800",
    "\ufeff",
    "\U000e0041",
    "\u2066",
    "\xa0",
    "\ufe0f",
]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\x00b", "a\\x00b"),
        ("one\ntwo\ttab\r", "one\\ntwo\\ttab\\r"),
        ("\u202eabc", "\\u{202E}abc"),
        ("zero\u200bwidth", "zero\\u{200B}width"),
        ("half \ud83d", "half \\u{D83D}"),
        ("line\u2028", "line\\u{2028}"),
        ("\x9b2J", "\\x9b2J"),
        ("grüße 日本 😀 é", "grüße 日本 😀 é"),
        ("back\\slash", "back\\slash"),
    ],
)
def test_escape(text: str, shown: str) -> None:
    assert escape(text) == shown


@patient
@given(st.text(st.one_of(st.characters(), st.sampled_from("".join(HOSTILE)))))
def test_nothing_hostile_is_left_and_escaping_twice_changes_nothing(text: str) -> None:
    shown = escape(text)
    assert not any(char in shown for char in "".join(HOSTILE) if char not in "[31m2J")
    assert escape(shown) == shown


@patient
@given(st.text(st.one_of(st.characters(), st.sampled_from("日😀e\u0301\x1b"))), st.integers(1, 40))
def test_short_keeps_to_its_columns(text: str, width: int) -> None:
    cut = short(text, width)
    assert width_of(cut) <= width
    assert cut == escape(text) or cut.endswith("…")


def test_wide_characters_take_two_columns_and_marks_none() -> None:
    assert (width_of("日本"), width_of("e\u0301"), width_of("ab")) == (4, 1, 2)
    assert short("日本語", 5) == "日本…"


def test_a_pile_of_marks_does_not_climb() -> None:
    assert "\\u{0301}" in escape("e" + "\u0301" * 50)
    assert escape("e\u0301\u0302") == "e\u0301\u0302"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("call_1", "call_1"),
        ("call_1 ", "'call_1 '"),
        ("", "''"),
        (None, "(no id)"),
        ("a\u200b", "'a\\u{200B}'"),
        ("(root)", "(root)"),
    ],
)
def test_ids_that_mislead_the_eye_stand_in_quotes(text: str | None, shown: str) -> None:
    assert ident(text) == shown


@patient
@given(st.dictionaries(st.text(), st.one_of(st.none(), st.integers(), st.text(), st.lists(st.text(), max_size=3)), max_size=4))
def test_shown_json_is_still_the_same_json(value: object) -> None:
    assert json.loads(json_text(value)) == value
    assert escape(json_text(value)) == json_text(value)


def test_json_that_cannot_be_shown_says_so() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert "cannot be shown" in json_text(deep)
    assert "cannot be shown" in json_text(10**5000)


@patient
@given(st.dictionaries(st.text(), st.text(st.one_of(st.characters(), st.sampled_from("".join(HOSTILE)))), max_size=4))
def test_written_json_is_the_same_value_and_shows_nothing_hostile(value: object) -> None:
    from tracelink.render.json import dump, line

    for data in (dump(value), line(value)):
        assert json.loads(data) == value
        assert all(escape(row) == row for row in data.decode().split("\n"))


@patient
@given(st.lists(st.text(st.sampled_from("aé\u0301\u200b\x7f\x85\u2028…#[\n")) | st.text(), max_size=6))
def test_a_document_is_shielded_line_by_line_as_in_one(texts: list[str]) -> None:
    plain = json.dumps(texts, ensure_ascii=False, indent=2)
    whole = plain.replace("##[", "#\\u0023[")
    whole = rules._UNSAFE.sub(lambda match: match[0] if match[0] == "\n" else rules._json_escape(match[0]), whole)
    whole = rules._PILE.sub(lambda match: match[0][:4] + rules._json_escape(match[0][4:]), whole)
    found = shielded(plain.encode())
    assert found == whole.encode()
    assert json.loads(found) == texts
