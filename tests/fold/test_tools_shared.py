"""Equal lists of tools are held once, in whatever session they stand; lists that only look equal stay apart."""

import json
from typing import Any

import tracelink
from tests.rules.cases import Json, function, snapshot
from tracelink.fold import fold
from tracelink.model.facts import SnapshotSeen


def tools(*lists: Any) -> list[Any]:
    """What is kept of these lists, each of a session of its own."""
    rows: list[Json] = [
        snapshot("created", session_id=f"sess_{number}", tools=one, at=number) for number, one in enumerate(lists)
    ]
    for number, row in enumerate(rows):
        row["session"]["agent"]["id"] = f"agent_{number}"
    facts: list[Any] = fold(tracelink.read("".join(json.dumps(row) + "\n" for row in rows).encode())).facts
    return [fact.body.tools for fact in facts if isinstance(fact, SnapshotSeen)]


def test_equal_lists_are_one() -> None:
    one, other, third = tools([function()], [function()], [function("read_tide")])
    assert one is other
    assert one is not third
    assert third[0]["name"] == "read_tide"


def test_what_only_looks_equal_stays_as_it_was() -> None:
    values = [[{"default": one}] for one in (1, 1.0, True, 0.0, -0.0, None, "1", [], {})]
    kept = tools(*values, *values)
    assert [repr(one) for one in kept] == [repr(one) for one in values] * 2


def test_what_is_no_list_is_kept() -> None:
    assert tools({"type": "function"}, "all", 7, [], [5]) == [{"type": "function"}, "all", 7, [], [5]]
