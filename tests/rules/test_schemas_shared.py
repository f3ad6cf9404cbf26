"""What is known of schemas is shared by all traces of a run: it saves work, and no outcome hangs on it."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tracelink.rules.tl2_payloads import bounded
from tracelink.rules.tl2_payloads.bounded import SLOW, TOO_MUCH, Checker, Schemas

FEW: list[Any] = [
    {"type": "object", "properties": {"gauge": {"type": "string"}}, "required": ["gauge"]},
    {"type": "object", "properties": {"gauge": {"type": "string"}}, "required": ["gauge"]},  # equal, and another
    {"type": "object", "properties": {"gauge": {"type": "string", "enum": ["north", "south"]}}},
    {"type": "object", "properties": {"gauge": {"pattern": "^n"}}},
    {"type": "object", "properties": {"count": {"minimum": 3}}, "additionalProperties": {"type": "integer"}},
    {"anyOf": [{"type": "object", "required": ["gauge"]}, {"type": "object", "required": ["count"]}]},
    {"uniqueItems": True, "type": ["array", "object"]},
    {"type": "strange"},
    5,
    True,
]
VALUES = st.recursive(
    st.sampled_from(["north", "south", "", 1, 3.0, 4.5, None, True]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["gauge", "count"]), inner, max_size=2),
    max_leaves=6,
)
TRACES = st.lists(st.lists(st.tuples(st.integers(0, len(FEW) - 1), VALUES), max_size=8), max_size=5)


@pytest.mark.parametrize(("steps", "kept"), [(20_000, 1_000), (12, 1_000), (3, 2)])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(TRACES)
def test_no_outcome_hangs_on_other_traces(monkeypatch: pytest.MonkeyPatch, steps: int, kept: int, traces: Any) -> None:
    """With steps for all of it or for a part, and with room for all schemas or for few."""
    with monkeypatch.context() as patch:
        patch.setattr(bounded, "STEPS_IN_ALL", steps)
        patch.setattr(bounded, "STEPS_A_CALL", max(steps // 3, 1))
        patch.setattr(bounded, "SCHEMAS", kept)
        shared = Schemas()
        for trace in traces:
            one, alone = Checker(0, shared), Checker(0)
            for number, value in trace:
                assert one.check(FEW[number], value) == alone.check(FEW[number], value)
                if one.known(FEW[number], value):
                    assert Checker().check(FEW[number], value) == bounded.FITS


def test_a_schema_that_took_too_long_is_slow_in_its_own_trace_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "STEPS_A_CALL", 20)
    schema, shared = {"uniqueItems": True}, Schemas()
    one = Checker(0, shared)
    assert one.check(schema, list(range(50))).unchecked == SLOW
    assert one.check(schema, [1, 2]).unchecked == SLOW
    assert Checker(0, shared).check(schema, [1, 2]) == bounded.FITS


def test_a_budget_that_one_trace_used_up_is_whole_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "STEPS_IN_ALL", 10)
    schema, shared = {"minimum": 1}, Schemas()
    one = Checker(0, shared)
    assert [one.check(schema, 5 + number).unchecked for number in range(40)][-1] == TOO_MUCH
    assert Checker(0, shared).check(schema, 7) == bounded.FITS


def test_a_schema_is_prepared_once_for_all_traces(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    prepared = bounded.prepared
    monkeypatch.setattr(bounded, "prepared", lambda schema: made.append(schema) or prepared(schema))
    shared = Schemas()
    for schema in ({"minimum": 3}, {"minimum": 3}):
        for _ in range(3):
            assert Checker(1, shared).check(schema, 2).problems
    assert made == [{"minimum": 3}]
