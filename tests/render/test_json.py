"""The JSON report: its form, its schema, and values that JSON writers choke on."""

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tracelink.render import json as render_json

SCHEMA = json.loads((files("tracelink.render") / "report.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_schema_is_a_schema_and_strict() -> None:
    Draft202012Validator.check_schema(SCHEMA)

    def objects(part: Any) -> list[dict[str, Any]]:
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
        here = [part] if isinstance(part, dict) and part.get("type") == "object" else []
        return here + [found for one in inner for found in objects(one)]

    assert all("additionalProperties" in one for one in objects(SCHEMA))


@pytest.mark.parametrize("name", ["awaiting", "nothing"])
def test_a_report_fits_the_schema(make: Any, name: str) -> None:
    shown = json.loads(render_json.render(getattr(make, name)()))
    assert [error.message for error in VALIDATOR.iter_errors(shown)] == []


def test_the_schema_refuses_what_it_does_not_name(make: Any) -> None:
    shown = json.loads(render_json.render(make.awaiting()))
    shown["sessions"][0]["verdict"]["mood"] = "calm"
    assert not VALIDATOR.is_valid(shown)


def test_the_agreed_form(make: Any) -> None:
    shown = json.loads(render_json.render(make.awaiting()))
    session = shown["sessions"][0]
    (action,) = session["verdict"]["actions"]
    assert shown["schema"] == "tracelink.report/1"
    assert shown["sources"][0]["counts"] == {"used": 29, "repeated": 1, "unknown": 0, "unreadable": 1, "foreign": 0}
    assert (session["session_id"], session["status"], session["agent"]["agent_id"]) == (
        "sess_7",
        "requires_action",
        "agent_root",
    )
    assert (action["call_id"], action["answered"], action["evidence"]["line"]) == ("call_ab12", "misaddressed", 30)
    assert "request_id" not in action
    assert session["agents"][1]["spawned_by"] == {"item_id": "item_c", "rule": "unique", "confidence": "high", "inferred": True}
    assert session["unlinkable"][0]["location"]["line"] == 23
    assert session["findings"][0]["locations"] == []
    assert [finding["code"] for finding in shown["findings"]] == ["TL002"]


def test_the_same_report_gives_the_same_bytes(make: Any) -> None:
    assert render_json.render(make.awaiting()) == render_json.render(make.awaiting())


@pytest.mark.parametrize(
    ("value", "read_back"),
    [
        (2**70, 2**70),
        ("half \ud83d", "half \ud83d"),
        ({"n": float("nan")}, {"n": None}),
        ([2**70, {"e": [], "o": {}}], [2**70, {"e": [], "o": {}}]),
        pytest.param(10**5000, hex(10**5000), id="5001 digits"),
    ],
)
def test_values_that_orjson_refuses(make: Any, value: Any, read_back: Any) -> None:
    shown = json.loads(render_json.render(make.awaiting(value)))
    assert shown["sessions"][0]["verdict"]["actions"][0]["arguments"] == read_back
    assert VALIDATOR.is_valid(shown)


def test_both_writers_write_the_same(make: Any) -> None:
    plain = render_json.render(make.awaiting({"n": 5}))
    other = render_json.render(make.awaiting({"n": 2**70}))
    assert other.replace(str(2**70).encode(), b"5") == plain


def test_arguments_nested_beyond_any_writer(make: Any) -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    assert b"nested too deeply" in render_json.render(make.awaiting(deep))
