"""The quick ways through stories that nobody wrote by hand: the records of a plain turn, left out, doubled, moved and spoilt.

What the plain lane makes, what it marks as plain, and so what the rules pass over, is what comes out without it.
"""

import json
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tracelink
from tests.link.test_plain import said
from tests.rules.cases import (
    TURN,
    Json,
    action,
    added,
    approval,
    call,
    done,
    ending,
    function,
    lines,
    opening,
    output,
    page,
    post,
    snapshot,
    turn,
    wrapped,
)
from tracelink.link import plain

OTHER_TOOLS = [function(parameters={"type": "object", "properties": {"gauge": {"type": "integer"}}, "required": ["gauge"]})]
ONE, TWO = call(), call("call_ebb2", arguments={"gauge": "south pier"})
ODD: list[Json] = [
    call(status="in_progress"),
    call(arguments={"gauge": 3}),
    call(arguments={"gauge": None}),
    call(arguments='{"gauge": "north pier"}'),
    call(arguments='{"gauge": "nor'),
    call(arguments={"gauge": "north pier", "metres": 1}),
    call(arguments={"gauge": "north pier", "metres": True}),
    call(arguments={"gauge": "north pier", "metres": 1.0}),
    call(name="open_lock"),
    call(item_id="item_again"),
    call(turn_id="turn_tide2"),
]
OUTPUTS: list[Json] = [
    output(),
    output("call_ebb2"),
    output(value={"metres": 2}),
    output(value=None, error="no such gauge"),
    output(status="failed"),
    output(value="3 m", id="item_other"),
    output("call_ebb3"),
    output(turn_id="turn_tide2"),
    output(turn_id=None),
]
LISTS = [
    [],
    [action(ONE)],
    [action(ONE), action(TWO)],
    [action(ONE) | {"arguments": json.dumps(ONE["arguments"])}],
    [action(ONE) | {"turn_id": None}],
    [action(ONE) | {"request_id": "mcpr_reef1"}, approval()],
    *([action(item)] for item in ODD),
]


def spoilt() -> st.SearchStrategy[Json]:
    """A record that may stand anywhere."""
    items = st.sampled_from([ONE, TWO, *ODD, *OUTPUTS])
    status = st.sampled_from(["requires_action", "in_progress", "idle", "failed"])
    return st.one_of(
        items.map(added),
        items.map(done),
        items.map(page),
        st.sampled_from([post(), post("call_ebb2"), post(value={"metres": 2}), post(success=False), post(turn_id=None)]),
        st.builds(
            lambda kind, listed, tools: snapshot(kind, *listed, tools=tools),
            status,
            st.sampled_from(LISTS),
            st.sampled_from([None, OTHER_TOOLS]),
        ),
        st.sampled_from(["created", "completed", "failed", "cancelled"]).map(turn),
        st.just(turn("created", "turn_tide2")),
        st.just(
            done(output() | {"type": "computer_use_approval_request_result", "id": "item_in1", "request_id": "mcpr_reef1"})
        ),
        st.just(turn("created", subagent_id="sub_gull1")),
    )


PLAIN = [
    *opening(),
    added(call(status="in_progress")),
    done(ONE),
    added(TWO),
    done(TWO),
    snapshot("requires_action", action(ONE), action(TWO)),
    added(output("call_ebb2")),
    added(output()),
    snapshot("in_progress", at=20),
    *ending(),
]


@st.composite
def stories(draw: st.DrawFn) -> list[Json]:
    rows = list(PLAIN)
    for _ in range(draw(st.integers(0, 3))):
        del rows[draw(st.integers(0, len(rows) - 1))]
    for _ in range(draw(st.integers(0, 3))):
        rows.insert(draw(st.integers(0, len(rows))), draw(spoilt()))
    if draw(st.booleans()):
        place = draw(st.integers(0, len(rows) - 1))
        rows.insert(draw(st.integers(0, len(rows) - 1)), rows.pop(place))
    if draw(st.booleans()):
        rows = [wrapped(number * draw(st.sampled_from([1, 400])), row) for number, row in enumerate(rows)]
    return rows


@settings(max_examples=300, deadline=None)
@given(stories(), st.integers(0, 12))
def test_both_ways_come_out_the_same(rows: list[Json], cut: int) -> None:
    data = lines(rows).encode()
    at = sum(len(line) for line in data.splitlines(keepends=True)[:cut])
    for sources in ((data,), (data[:at], data[at:])):
        quick = said(*sources)
        with patch.object(plain, "PLAIN", new=False):
            assert said(*sources) == quick


def plain_calls(*rows: Any) -> list[str]:
    (trace,) = tracelink.trace(lines(list(rows)).encode())
    return [one.call_id for one in trace.calls.values() if one.plain]


def test_the_plain_story_is_plain() -> None:
    """Or the test above would compare a thing with itself."""
    assert plain_calls(*PLAIN) == ["call_ebb1", "call_ebb2"]
    assert plain_calls(*PLAIN[:10]) == []  # answered, and nothing after it


@pytest.mark.parametrize("spoilt", [one for one in ODD[1:] if one["turn_id"] == ONE["turn_id"]])
def test_what_is_to_be_asked_about_is_not_plain(spoilt: Json) -> None:
    rows = [done(spoilt) if row == done(ONE) else row for row in PLAIN]
    assert plain_calls(*rows) == ["call_ebb2"]


def test_a_subagents_call_is_not_plain() -> None:
    """Though it is listed, answered and dropped together with one of the root's."""
    child = call("call_gull1", "turn_gull1")
    rows = [
        *opening(),
        turn("created", "turn_gull1", subagent_id="sub_gull1"),
        done(ONE),
        done(child),
        snapshot("requires_action", action(ONE), action(child)),
        added(output()),
        added(output("call_gull1", "turn_gull1")),
        snapshot("in_progress", at=20),
    ]
    assert plain_calls(*rows) == ["call_ebb1"]


def test_an_action_is_what_it_was_listed_as_last() -> None:
    """One that names a request too, when it is listed again, is cleared by the answer to that as well."""
    answer = {"type": "computer_use_approval_request_result", "id": "item_in1", "turn_id": TURN, "request_id": "cuar_reef1"}
    rows = [
        *opening(),
        done(ONE),
        snapshot("requires_action", action(ONE)),
        snapshot("requires_action", action(ONE) | {"request_id": "cuar_reef1"}, at=11),
        done(answer | {"status": "completed", "response": {}}),
        added(output()),
        snapshot("in_progress", at=20),
    ]
    (trace,) = tracelink.trace(lines(rows).encode())
    (one,) = trace.actions
    assert one.cleared is not None
    assert one.cleared.line == 8
