"""More faults that fresh eyes found in the gate: what may be called sendable, what may be dropped, and what is said of it."""

import json
import os
import subprocess
import sys
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


def test_the_pair_of_a_call_id_given_twice_is_not_provable(tmp_path: Path) -> None:
    found = gate("h3_call_id_given_twice.json", "--repair", str(tmp_path / "out.json"))
    pairs = {one["reason"]: one["detail"] for one in found["reasons"] if one["reason"] in ("missing_output", "orphan_output")}
    assert pairs == {"missing_output": "given_twice", "orphan_output": "given_twice"}
    assert {one["change"] for one in found["repair"]["changes"]} == {"replace"}
    written = (tmp_path / "out.json").read_text()
    assert '"call_id": "a",\n    "call_id": "b"' in written


def test_a_pair_beside_an_id_given_twice_is_judged_as_ever(tmp_path: Path) -> None:
    text = (FOUND / "h3_call_id_given_twice.json").read_text().rstrip().removesuffix("]")
    (tmp_path / "in.json").write_text(f"{text},{json.dumps(out('gone'))}]")
    assert "gone" not in repaired(str(tmp_path / "in.json"), tmp_path)


def test_state_elsewhere_is_unclear_at_home_only() -> None:
    (own,) = gate("h7_previous_response.json", "--profile", "own")["reasons"]
    (other,) = gate("h7_previous_response.json")["reasons"]
    assert "unclear" in own["message"]
    assert "unclear" not in other["message"]


def test_a_type_that_is_no_string_is_called_so() -> None:
    (one,) = [one for one in gate("h12_types.json")["reasons"] if one["reason"] == "type_missing"]
    assert one["items"] == [6]
    assert "type is no string" in one["message"]
    assert "--repair does." not in one["remedy"]
    assert "(type is no string)" in told("gate", str(FOUND / "h12_types.json"))


def test_an_item_without_any_type_is_called_so() -> None:
    (one,) = judge(history_of([{"id": "q", "x": 1}])).reasons
    assert "it has no type" in one.message


@pytest.mark.parametrize("name", ["b1_page_with_more.json", "b1b_torn.json", "b1c_torn_rollout.jsonl"])
def test_a_remedy_promises_no_repair_of_what_is_not_provable(name: str) -> None:
    half = [one for one in gate(name)["reasons"] if one["detail"] == "not_provable"]
    assert half
    assert all("until then --repair leaves this as it is" in one["remedy"] for one in half)


def test_a_remedy_promises_the_repair_of_what_is_proven() -> None:
    (one,) = judge(history_of([USER, out("gone")])).reasons
    assert "--repair drops it" in one.remedy


def test_the_list_of_changes_shows_numbers_as_they_were_written() -> None:
    text = told("gate", str(FOUND / "b5_exact_numbers.json"), "--repair", os.devnull, "--format", "json")
    before = text.split('"repair": {')[1]
    for raw in ("1E400", "-1E400", "0.10000000000000000555", "12345678901234567890.5", '"k": 1,', '"k": 2'):
        assert raw in before.split('"left": ')[0]
    shown = told("gate", str(FOUND / "b5_exact_numbers.json"), "--repair", os.devnull)
    assert "1E400" in shown
    assert "Infinity" not in shown


def test_ids_and_a_jsonpath_do_not_go_together() -> None:
    done = program("query", "$..call_id", str(FOUND / "h4_output_of_an_extension.json"), "--ids")
    assert done.returncode == 2
    assert "with --ids give no JSONPath" in " ".join(done.stderr.replace("│", " ").split())
    assert program("query", str(FOUND / "h4_output_of_an_extension.json"), "--ids").returncode == 0


def program(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "tracelink", *words], capture_output=True, text=True, timeout=60, check=False)


def told(*words: str) -> str:
    return program(*words).stdout
