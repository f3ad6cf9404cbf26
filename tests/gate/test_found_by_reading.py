"""More faults that fresh eyes found in the gate: what may be called sendable, what may be dropped, and what is said of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.gate.examples import USER, call, out
from tests.gate.test_found import FOUND, gate, repaired
from tests.gate.test_repair import repaired as repaired_items
from tests.gate.test_repair import values
from tracelink.gate import history_of, judge


def left(name: str, folder: Path, *more: str) -> list[Any]:
    """The items of the file that a repair writes."""
    target = folder / "out.json"
    gate(name, "--repair", str(target), *more)
    found = json.loads(target.read_text())
    return found if isinstance(found, list) else found.get("data", found.get("input"))


def read(name: str) -> list[Any]:
    return json.loads((FOUND / name).read_text())


def blocks(found: dict[str, Any]) -> list[tuple[str, list[int]]]:
    return [(one["reason"], one["items"]) for one in found["reasons"] if one["severity"] == "block"]


def test_a_null_status_on_reasoning_is_refused_by_openai_and_dropped(tmp_path: Path) -> None:
    name = "h1_reasoning_null_status.json"
    found = gate(name, "--profile", "openai")
    assert not found["sendable"]
    assert blocks(found) == [("unknown_field", [1])]
    written = left(name, tmp_path, "--profile", "openai")
    before = read(name)
    del before[1]["status"]
    assert written == before


def test_reasoning_without_a_status_is_no_matter() -> None:
    items = read("h1_reasoning_null_status.json")
    del items[1]["status"]
    assert judge(history_of(items), "openai").sendable


def test_a_second_output_of_another_type_is_never_dropped(tmp_path: Path) -> None:
    name = "h2_second_output_of_another_type.json"
    assert blocks(gate(name, "--profile", "own")) == [("output_type_mismatch", [3, 1])]
    assert left(name, tmp_path, "--profile", "own") == read(name)


def test_an_output_of_another_type_before_its_call_is_no_orphan() -> None:
    shot = {"type": "computer_call_output", "call_id": "call_1", "output": {"type": "computer_screenshot"}}
    reasons = judge(history_of([USER, shot, call()]), "own").reasons
    assert [(one.reason, one.items) for one in reasons if one.severity == "block"] == [("output_type_mismatch", (1, 2))]


def test_two_right_outputs_are_no_mismatch() -> None:
    reasons = judge(history_of([USER, call(), out(), out()])).reasons
    assert [one.reason for one in reasons] == ["duplicate_output"]


def test_an_output_stays_while_an_extension_bears_its_call_id(tmp_path: Path) -> None:
    name = "h4_output_of_an_extension.json"
    assert left(name, tmp_path) == read(name)
    found = gate(name, "--repair", str(tmp_path / "again.json"))
    assert ("orphan_output", [2, 1]) in [(one["reason"], one["items"]) for one in found["repair"]["left"]]


def test_an_output_that_no_extension_claims_is_dropped() -> None:
    extension = {"type": "acme:search", "id": "s1", "call_id": "other", "status": "completed"}
    assert values(repaired_items([USER, extension, out("k")])) == [USER, extension]


@pytest.mark.parametrize("name", ["h5_two_equal_calls.json", "h5b_two_equal_calls_apart.json"])
def test_equal_calls_without_an_item_id_stay(name: str, tmp_path: Path) -> None:
    assert [reason for reason, _ in blocks(gate(name))] == ["duplicate_call_id"]
    assert left(name, tmp_path) == read(name)


def test_a_call_that_stands_there_twice_with_its_item_id_is_dropped_once() -> None:
    one = call() | {"id": "fc_1"}
    assert values(repaired_items([USER, one, one, out()])) == [USER, one, out()]
