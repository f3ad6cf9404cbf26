"""Which functions the session declares: a snapshot that shows no list says nothing, neither for nor against."""

from typing import Any

import pytest

import tracelink
from tests.rules.cases import Json, added, call, function, lines, snapshot
from tracelink.judge.declared import Declarations


def held(*rows: Json) -> list[list[str]]:
    """The names that the session declared when each call was made."""
    (trace,) = tracelink.trace(lines(list(rows)).encode())
    declarations = Declarations(trace)
    lists = [declarations.at(one.first) for one in trace.calls.values()]
    return [list(one.functions) if one is not None else [] for one in lists]


def seen(kind: str, *names: str, at: int) -> Json:
    return snapshot(kind, tools=[function(name) for name in names], at=at)


@pytest.mark.parametrize("tools", [{}, "read_gauge", 5])
def test_a_snapshot_without_a_list_hides_none(tools: Any) -> None:
    first, second = seen("in_progress", "read_gauge", at=1), seen("in_progress", "open_lock", at=3)
    nothing = snapshot("in_progress", tools=tools, at=2)
    one, two = added(call()), added(call("call_ebb2"))
    assert held(nothing, first, one, second, two) == [["read_gauge"], ["open_lock"]]
    assert held(first, nothing, one, second, two) == [["read_gauge"], ["open_lock"]]
    assert held(nothing, one) == [[]]
