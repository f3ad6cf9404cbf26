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
