"""What linking says of a result that it could not tie: what was meant and why that is thought, or why it cannot be told, and where."""

from typing import Any

import pytest

import tracelink
from tests.rules.cases import SESSION, TURN, Json, action, approval, call, lines, output, post, snapshot, turn, waiting
from tracelink.model.trace import Trace

WHAT = "which call a result answers"


def traced(*rows: Any) -> Trace:
    (trace,) = tracelink.trace(lines(list(rows)).encode())
    return trace


@pytest.mark.parametrize(
    ("rows", "posted", "problem", "reason", "detail"),
    [
        ([], post(turn_id=None), "TL111", "missing-id", f"call_ebb1 of turn {TURN} is the only open call it fits"),
        (
            [snapshot("requires_action", approval())],
            post("mcpr_reef1"),
            "TL116",
            "approval",
            "mcpr_reef1 is the request_id of an mcp_approval_request",
        ),
        ([], post(turn_id="turn_far1"), "TL103", "other-turn", f"the call is in turn {TURN}"),
        ([], post("item_call_ebb1"), "TL104", "item-id", "item_call_ebb1 is the call's item id"),
        ([], post("CALL_EBB1"), "TL105", "case", "call_ebb1 differs only by case"),
        ([], post("ebb1"), "TL105", "prefix", "call_ebb1 differs only by its prefix"),
        ([], post("call_ebb2"), "TL105", "edits-1", "call_ebb1 differs by one character"),
    ],
    ids=["no id", "approval", "other turn", "item id", "case", "prefix", "one edit"],
)
def test_what_was_meant_and_why(rows: list[Json], posted: Json, problem: str, reason: str, detail: str) -> None:
    result = traced(*waiting(call()), *rows, posted).results[-1]
    assert result.meant is not None
    assert (result.problem, result.meant.reason, result.meant.detail) == (problem, reason, detail)


def named(session_id: str) -> list[Json]:
    """A session that requires the same pair."""
    return [{"event_id": f"ev_{session_id}", **snapshot("requires_action", action(call()), session_id=session_id)}]


def test_a_pair_of_another_session_names_it() -> None:
    rows = [*named("sess_ebb1"), {"event_id": "ev_x", **snapshot("idle", session_id="sess_ebb2")}]
    run = tracelink.trace(lines([*rows, {"session_id": "sess_ebb2", "body": post()}]).encode())
    (meant,) = [one.meant for trace in run for one in trace.results]
    assert meant is not None
    assert (meant.reason, meant.detail, meant.session_id) == (
        "other-session",
        "the call belongs to session sess_ebb1",
        "sess_ebb1",
    )


# What cannot be told


def untold(*rows: Any, session_id: str | None = SESSION) -> list[tuple[str, dict[str, str], int | None]]:
    """(why, ids, line) of each result of the session of which it cannot be told what it answers."""
    run = tracelink.trace(lines(list(rows)).encode())
    (trace,) = [one for one in run if one.session_id == session_id]
    return [(one.why, one.ids, one.at.line if one.at else None) for one in trace.unlinkable if one.what == WHAT]


PAIR = {"turn_id": TURN, "call_id": "call_ebb1"}


def test_a_call_that_may_lie_before_the_start() -> None:
    said = "its turn's beginning is not in the recording, so its call may lie before the start"
    assert untold(snapshot("in_progress"), turn("in_progress"), post()) == [(said, PAIR, 3)]


def test_a_post_that_fits_two_sessions_and_names_none() -> None:
    """Both are told of it; where records without a session make one of their own, that one is too."""
    rows = [*named("sess_ebb1"), *named("sess_ebb2"), post(), post("call_elsewhere9", "turn_elsewhere")]
    said = "the post names no session, and more than one session of this run has a call of this pair"
    assert (said, PAIR, 3) in untold(*rows, session_id=None)


def test_a_call_id_that_comes_twice_without_a_turn() -> None:
    """The simplified shape: whether these are one call or two is not shown (fact sheet K)."""
    bare = [
        {name: value for name, value in one.items() if name not in ("id", "turn_id", "status")} for one in (call(), output())
    ]
    said = "the recording has this call_id more than once and names no turn, so that it may be several calls"
    ids = {"call_id": "call_ebb1"}
    assert untold({"data": [bare[0], bare[0], bare[1]]}, session_id=None) == [(said, ids, 1)]
    assert untold({"data": bare}, session_id=None) == []
