"""The gate says of a redacted history what it says of the original: of every fixture of its own and of every history that was found to be hard."""

import json
from pathlib import Path

import pytest

from tests.gate.examples import call
from tests.gate.test_damaged import CASES
from tests.redact.compare import redacted
from tracelink.gate import COLUMNS, judge, read_history
from tracelink.read import Values
from tracelink.redact import RedactedValues, Redactor
from tracelink.rules.tl2_payloads.bounded import Checker

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("fixtures/gate", "tests/gate/found")


def said(data: bytes) -> dict[str, list[tuple[str, str, int, tuple[int, ...]]]]:
    """Profile → (name, severity, how many ids, positions) of each reason."""
    history, checker = read_history(Values([data])), Checker(10)
    return {
        profile: [(one.reason, one.severity, len(one.ids), one.items) for one in judge(history, profile, checker).reasons]
        for profile in COLUMNS
    }


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_reasons_are_the_same(folder: str) -> None:
    for path in sorted((ROOT / folder).rglob("*.*")):
        data = path.read_bytes()
        before = said(data)
        for ids in (False, True):
            after = said(redacted(data, ids=ids))
            assert after == before, (path, ids)


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_reasons_of_a_damaged_history_are_the_same(name: str) -> None:
    data = CASES[name].data
    for ids in (False, True):
        assert said(redacted(data, ids=ids)) == said(data), ids


def places(values: Values) -> list[tuple[str, list[tuple[int, int]]]]:
    """Each reason with the lines and bytes that it names."""
    judged = judge(read_history(values), checker=Checker(10))
    return [(one.reason, [(place.line, place.byte) for place in one.locations]) for one in judged.reasons]


@pytest.mark.parametrize("folder", FOLDERS)
def test_redacted_while_it_is_read_it_says_the_same_of_the_same_places(folder: str) -> None:
    for path in sorted((ROOT / folder).rglob("*.*")):
        assert places(RedactedValues([str(path)], Redactor())) == places(Values([str(path)])), path


def test_there_is_something_to_compare() -> None:
    assert len(list((ROOT / "fixtures/gate").rglob("*.json*"))) > 140
    assert all(any((ROOT / folder).iterdir()) for folder in FOLDERS)


@pytest.mark.parametrize(
    "given",
    [
        b'[{"role":"user","content":"a secret"},{"role":"a secret","content":"b"}]',
        b'{"input":[{"role":"user","content":"a secret","phase":"a secret"},"a secret",7]}',
        b'[{"type":"function_call","call_id":"a secret","name":"(a secret)","arguments":"{\\"secret word\\":1}","caller":{"type":"a secret"}}]',
    ],
)
def test_what_stays_for_the_gate_tells_nothing(given: bytes) -> None:
    assert b"secret" not in redacted(given)
    assert b"secret" not in redacted(given, ids=True)


@pytest.mark.parametrize(("text", "fails"), [("an id", "call_id_charset"), ("an id " * 20, "call_id_length")])
def test_a_token_for_what_is_no_id_is_none_either(text: str, fails: str) -> None:
    item = json.dumps(call(text.strip()))
    shown = redacted(f"[{item}]".encode())
    assert text.strip().encode() not in shown
    assert fails in [one for one, *_ in said(shown)["openresponses"]]
