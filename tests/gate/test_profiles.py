"""Every cell of the profile table: what it says is what runs, or it is marked unknown; and every reason has its page and its examples."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from tests.gate.cells import LETTERS, stated
from tests.gate.examples import EXAMPLES, NEVER, Items
from tracelink.gate import COLUMNS, DEFAULT, REASONS, judge, read_history
from tracelink.gate.item import History
from tracelink.gate.judge import Judged
from tracelink.gate.profiles import ABOUT, cell, table, unknown
from tracelink.read import Values
from tracelink.rules.tl2_payloads.bounded import Checker

FACTS = Path(__file__).resolve().parents[3] / "shared" / "open-responses.md"


def history(given: Items | bytes) -> History:
    return read_history(Values([given if isinstance(given, bytes) else json.dumps(given).encode()]))


@cache
def judged(row: str, which: int, profile: str) -> Judged:
    return judge(history(EXAMPLES[row][which]), profile, Checker(10))


def found(row: str, which: int, profile: str) -> set[tuple[str, str]]:
    """(severity, basis) of every reason that this row decides."""
    return {(one.severity, one.basis) for one in judged(row, which, profile).reasons if one.row == row}


@pytest.mark.parametrize("row", [row for row in table() if row not in NEVER])
def test_each_cell_is_what_runs(row: str) -> None:
    for profile in COLUMNS:
        wanted = cell(profile, row)
        assert found(row, 0, profile) == ({(wanted.severity, wanted.basis)} if wanted.severity is not None else set()), profile


@pytest.mark.parametrize("row", [row for row in table() if row not in NEVER])
def test_what_is_near_it_is_not_it(row: str) -> None:
    assert not any(found(row, 1, profile) for profile in COLUMNS)


@pytest.mark.parametrize("row", [row for row in table() if row not in NEVER])
def test_an_unknown_cell_has_the_severity_of_the_specification(row: str) -> None:
    for profile in COLUMNS:
        one = cell(profile, row)
        if one.basis in ("unknown", "upstream"):
            assert one.severity == cell(DEFAULT, row).severity
            assert row in unknown(profile)


@pytest.mark.parametrize("row", list(table()))
def test_each_cell_is_stated_or_said_to_be_unknown(row: str) -> None:
    """Every reason at every provider, held against a second account of the fact sheet."""
    severities = {"B": "block", "W": "warn", "N": "note", ".": None}
    marks = stated()[row]
    for profile in COLUMNS:
        mark, one = marks[profile], cell(profile, row)
        like = marks["openai"] if mark == "=" else mark
        if like in "?u":
            like = marks[DEFAULT]
        assert one.severity == severities[like.upper().replace("-", ".")], profile
        basis = {"?": "unknown", "u": "upstream"}.get(mark, "assumed" if mark in "=bwn-" else "stated")
        assert one.basis == basis, profile


def test_the_second_account_is_complete() -> None:
    assert set(stated()) == set(table())
    assert set(LETTERS.values()) == set(COLUMNS)


def test_every_row_has_examples_and_every_reason_a_row() -> None:
    assert set(EXAMPLES) == set(table()) - set(NEVER)
    assert {row.partition("/")[0] for row in table()} == set(REASONS)
    assert set(ABOUT) == set(COLUMNS)


@pytest.mark.parametrize("reason", [name for name in REASONS if name not in NEVER])
def test_each_reason_has_a_page_of_its_own(reason: str) -> None:
    one = REASONS[reason]
    assert re.fullmatch(r"TL6\d\d", one.code)
    for part in (one.summary, one.proves, one.cannot, one.quiet, one.remedy):
        assert part[:1].isupper() or part[:1] in "{\"'"
        assert part.endswith(".")
    assert one.example


def test_codes_are_never_given_twice() -> None:
    assert len({one.code for one in REASONS.values()}) == len(REASONS)


@pytest.mark.skipif(not FACTS.exists(), reason="the fact sheet is not part of the package")
def test_every_reason_of_the_fact_sheet_is_there() -> None:
    sheet = FACTS.read_text()
    section = sheet[sheet.index("### I.2") : sheet.index("Order of history checks")]
    named = {
        name for line in section.splitlines() if line.startswith("| `") for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    assert named - set(REASONS) == set()
