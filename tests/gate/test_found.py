"""Faults that fresh eyes found in the gate, each held off with its input."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOUND = Path(__file__).parent / "found"


def gate(name: str, *more: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tracelink", "gate", str(FOUND / name), "--format", "json", *more],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return json.loads(done.stdout)


def repaired(name: str, folder: Path) -> str:
    out = folder / "out.json"
    gate(name, "--repair", str(out))
    return out.read_text()


def test_an_output_that_fits_two_calls_is_given_to_neither(tmp_path: Path) -> None:
    items = json.loads(repaired("f1b_shared_item_id.json", tmp_path))
    outputs = [item for item in items if item.get("type") == "function_call_output"]
    assert [item["call_id"] for item in outputs] in ([], ["fc_same"])


@pytest.mark.parametrize("name", ["f2_torn.jsonl", "f2b_has_more.json"])
def test_an_output_beside_a_gap_is_kept(name: str, tmp_path: Path) -> None:
    assert "function_call_output" in repaired(name, tmp_path)


def test_a_completed_call_of_a_program() -> None:
    assert "program_owned" in {one["reason"] for one in gate("f4_program_done.json")["reasons"]}


def test_two_outputs_under_an_item_id_conflict() -> None:
    assert "duplicate_output" in {one["reason"] for one in gate("f6_itemid_conflict.json")["reasons"]}
