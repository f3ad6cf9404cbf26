"""Direct look-ups are what jsonpath-ng finds, and the user's rows come first."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonpath_ng import parse

from tests.read.samples import EVENTS
from tests.read.test_framing import jsonl, read
from tracelink.model.record import Ids, Kind
from tracelink.read import FieldError, FieldTable, Reading
from tracelink.read.fields import ENVIRONMENT_WEBHOOK, NAMES, TABLE, Row, compile_row, keys_of

ROOT = Path(__file__).parents[2]
ROWS = [*TABLE.values(), ENVIRONMENT_WEBHOOK]
PARSED = {expression: parse(expression) for row in ROWS for cell in row.values() for expression in cell}


def text(value: Any) -> str | None:
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def by_jsonpath(row: Row, value: Any) -> Ids:
    def first(name: str) -> str | None:
        for expression in row.get(name, ()):
            for match in PARSED[expression].find(value):
                if text(match.value) is not None:
                    return text(match.value)
        return None

    return Ids(*map(first, NAMES))


def test_every_expression_of_the_table_is_plain() -> None:
    assert all(keys_of(expression) for expression in PARSED)


@pytest.mark.parametrize(
    "folder", [ROOT.parent / "shared" / "cases", ROOT.parent / "shared" / "real", ROOT / "fixtures"], ids=str
)
def test_direct_look_ups_equal_jsonpath_on_recordings(folder: Path) -> None:
    if not folder.is_dir():
        pytest.skip("not here")
    table = FieldTable()
    checked = 0
    for record in Reading([folder]):
        if isinstance(record.value, dict) and checked < 4000:
            assert table.row(record.kind)(record.value) == by_jsonpath(TABLE[record.kind], record.value)
            checked += 1
    assert checked


_NAMES = sorted({key for expression in PARSED for key in keys_of(expression) or ()})
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "b"]),
    lambda inner: st.dictionaries(st.sampled_from(_NAMES), inner, max_size=5) | st.lists(inner, max_size=2),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(_NAMES), _VALUES, max_size=6))
@settings(max_examples=100, deadline=None)
def test_direct_look_ups_equal_jsonpath_on_anything(value: dict[str, Any]) -> None:
    for row in ROWS:
        assert compile_row(row)(value) == by_jsonpath(row, value)


def ids(value: Any, **extra: Any) -> Ids:
    (record,) = read(jsonl([value]), fields=FieldTable(extra))
    return record.ids


def test_the_users_rows_come_first_on_the_outermost_value() -> None:
    wrapped = {"meta": {"sid": "mine", "n": 7}, "event": EVENTS[2]}
    assert ids(wrapped, session_id=["$.meta.sid"]).session_id == "mine"
    assert ids(wrapped, request_id=["$.meta.n"]).request_id == "7"
    assert ids(wrapped, session_id=["$.meta.none"]).session_id == "sess_1"


def test_the_users_rows_are_tried_on_the_record_too() -> None:
    assert ids({"event": EVENTS[2]}, item_id=["$.turn.id"]).item_id == "turn_1"


def test_any_jsonpath_is_taken() -> None:
    assert (
        ids({"x": [{"k": "a", "v": "1"}, {"k": "b", "v": "2"}], "e": EVENTS[2]}, call_id=["$.x[?(@.k == 'b')].v"]).call_id
        == "2"
    )
    assert ids({"x": {"deep": {"callId": "c"}}, "e": EVENTS[2]}, call_id=["$..callId"]).call_id == "c"


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ({"call": ["$.a"]}, ["'call'", "call_id", "turn_id"]),
        ({"call_id": ["$.[["]}, ["$.[[", "JSONPath"]),
        ({"call_id": [""]}, ["''", "empty"]),
    ],
)
def test_a_row_that_cannot_be_used(extra: dict[str, list[str]], words: list[str]) -> None:
    with pytest.raises(FieldError) as error:
        FieldTable(extra)
    assert all(word in str(error.value) for word in words)


def test_every_kind_has_a_row() -> None:
    assert set(TABLE) == set(Kind)
    json.dumps({kind: dict(row) for kind, row in TABLE.items()})
