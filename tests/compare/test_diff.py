"""What two sessions differ in: each kind of difference fires, and stays quiet where nothing is different or nothing is known."""

from pathlib import Path
from typing import Any

import pytest

import tracelink
from tests.compare.sides import compared, found, renamed, story
from tests.rules.cases import (
    added,
    approval,
    call,
    create,
    decided,
    done,
    ending,
    function,
    opening,
    output,
    post,
    refusal,
    said,
    snapshot,
    subagent,
    turn,
    user,
)  # fmt: skip
from tests.story.conftest import FIXTURES, recordings
from tracelink.compare import diff
from tracelink.compare.values import ENDS
from tracelink.judge import stall, verdict
from tracelink.model.run import SessionReport

TWO = (call("call_a1"), call("call_b2", name="read_wind"))


@pytest.mark.parametrize(
    "path", [*recordings(), *sorted(FIXTURES.glob("rules/*/quiet*"))], ids=lambda path: "/".join(path.parts[-2:])
)
def test_a_recording_is_the_same_as_itself(path: Path) -> None:
    run = tracelink.trace(path)
    for one in run.traces:
        answer = verdict(one, run.as_of)
        report = SessionReport(one, answer, stall(one, answer, run.until(one), 300.0))
        for only in (None, "ids", "calls", "results"):
            told = diff(report, report, only)
            assert (told.differences, told.untold, told.parting) == ((), (), None)


SHAPES = ("stream.jsonl", "stream.sse", "bundle.json", "wrapped.log")


@pytest.mark.parametrize("name", ["clean", "awaiting", "subagents"])
@pytest.mark.parametrize("one", SHAPES)
@pytest.mark.parametrize("other", SHAPES)
def test_one_session_in_two_shapes_is_the_same(name: str, one: str, other: str) -> None:
    told = compared(FIXTURES / name / one, FIXTURES / name / other)
    assert told.differences == ()
    assert told.by == "id"


def test_what_a_shape_cannot_show_is_untold() -> None:
    told = compared(FIXTURES / "clean/stream.jsonl", FIXTURES / "clean/wrapped.log")
    assert {(one.kind, one.field, one.side) for one in told.untold} == {("result", "success", "b")}
    told = compared(FIXTURES / "subagents/bundle.json", FIXTURES / "subagents/stream.jsonl")
    assert [(one.field, one.side, one.ids) for one in told.untold if one.field == "turns"] == [
        ("turns", "a", {"subagent_id": name}) for name in ("sub_p4Flights", "sub_r7Hotels", "sub_z1Reviews")
    ]


def test_two_sessions_with_ids_of_their_own() -> None:
    a = story(*TWO)
    told = compared(a, renamed(a))
    assert (told.by, told.differences) == ("structure", ())
    assert {name: (one.a, one.b, one.matched) for name, one in told.tallies.items()} == {
        "agents": (1, 1, 1), "turns": (1, 1, 1), "calls": (2, 2, 2),
    }  # fmt: skip
    ids = found(a, renamed(a), "ids")
    assert ("call", "changed", "call_id", "call_a1", "call_oa1") in ids
    assert {one[2] for one in ids} == {"session_id", "agent_id", "turn_id", "call_id", "item_id"}


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (story(call(arguments={"gauge": "east"})), story(), [("call", "changed", "arguments", "east", "north pier")]),
        (story(*TWO), story(TWO[0]), [("call", "only_in_a", "", {"gauge": "north pier"}, None)]),
        (story(), story(said="2.4 m"), [("result", "changed", "output", "2.31 m", "2.4 m")]),
        (story(said='{"m": 2, "at": "9:00"}'), story(said='{"at": "9:00", "m": 3}'), [("result", "changed", "output", 2, 3)]),
        (story(), story(asked="And the wind?"), [("turn", "changed", "asked", "How high is the tide?", "And the wind?")]),
        (story(), [*story()[:-2], *ending("failed")], [
            ("turn", "changed", "status", "completed", "failed"), ("turn", "changed", "error_code", None, "server_error"),
            ("turn", "changed", "error_message", None, "The turn failed."), ("verdict", "changed", "stall", "not_stalled", "ended_badly"),
        ]),
    ],
)  # fmt: skip
def test_each_kind_of_difference(a: list[Any], b: list[Any], expected: list[tuple[Any, ...]]) -> None:
    for other in (b, renamed(b)):
        assert sorted(found(a, other)) == sorted(expected)


def test_the_path_within_a_payload() -> None:
    (one,) = compared(
        story(call(arguments={"at": ["east", "west"]})), story(call(arguments={"at": ["east", "south"]}))
    ).differences
    assert (one.path_a, one.a, one.b) == ("$.at[1]", "west", "south")
    assert one.at_a is not None
    assert (one.at_a.line, one.ids_a["call_id"]) == (6, "call_ebb1")


def test_settings() -> None:
    a, b = story(), story()
    for row in b:
        if "session" in row:
            row["session"]["agent"] |= {"model": "gpt-6-nova", "tools": [function(), function("read_wind")]}
    assert [(one.kind, one.what, one.field, one.path_b) for one in compared(a, b).differences] == [
        ("session", "only_in_b", "tools", "$.read_wind"),
        ("agent", "changed", "model", None),
    ]
    swapped = story()
    for row, twin in zip(b, swapped, strict=True):
        if "session" in row:
            twin["session"]["agent"] = row["session"]["agent"] | {"tools": row["session"]["agent"]["tools"][::-1]}
    assert found(b, swapped) == []


def test_a_turn_more() -> None:
    more = [turn("created", "turn_ebb2"), added(user("Again?", "turn_ebb2", "item_user2")), turn("completed", "turn_ebb2")]
    for rows in (story(also=more), renamed(story(also=more))):
        told = compared(story(), rows)
        assert [(one.kind, one.what, one.b) for one in told.differences] == [("turn", "only_in_b", "Again?")]
        assert told.parting is not None
        assert told.parting.a.what == ENDS


def test_subagents_by_name() -> None:
    made = [subagent(subagent_id="sub_gull1", name="gull"), subagent(subagent_id="sub_tern2", name="tern")]
    a = [*opening(create("item_c1"), create("item_c2")), *made, *ending()]
    b = [*opening(create("item_c1"), create("item_c2")), made[1], *ending()]
    assert [(one.kind, one.what, one.name) for one in compared(a, b).differences if one.kind == "agent"] == [
        ("agent", "only_in_a", "gull")
    ]
    assert [(one.kind, one.what, one.name) for one in compared(a, renamed(b)).differences if one.kind == "agent"] == [
        ("agent", "only_in_a", "gull")
    ]


def test_verdicts() -> None:
    waiting = story()[:-3]
    assert found(story(), waiting) == [
        ("result", "only_in_a", "", "2.31 m", None),
        ("turn", "changed", "status", "completed", "in_progress"),
        ("call", "changed", "state", "answered", "required"),
        ("verdict", "changed", "status", "idle", "requires_action"),
        ("verdict", "changed", "awaits", "not_awaiting", "awaiting"),
        ("verdict", "changed", "stall", "not_stalled", "needs_tool_result"),
        ("verdict", "only_in_b", "", None, {"gauge": "north pier"}),
    ]


def test_a_post_that_went_astray() -> None:
    pause = story()[:-3]
    a, b = [*pause, post()], [*pause, post("call_ebbl"), refusal("Unknown pending tool call: call_ebbl")]
    told = found(a, b)
    assert ("result", "only_in_a", "", "2.31 m", None) in told
    assert ("result", "only_in_b", "", None, "2.31 m") in told
    assert ("call", "changed", "state", "unapplied", "required") in told
    assert ("verdict", "changed", "stall", "result_unapplied", "result_misaddressed") in told
    quiet = compared(pause, b)  # a stream without the app's posts says nothing of them
    assert [one.kind for one in quiet.differences] == ["verdict", "verdict"]
    assert ("result", "post", "b") in [(one.kind, one.field, one.side) for one in quiet.untold]


def test_approvals() -> None:
    pause = [*opening(user()), snapshot("requires_action", approval())]
    a, b = ([*pause, decided(decision=word), snapshot("in_progress"), *ending()] for word in ("approve", "deny"))
    assert found(a, b) == [("result", "changed", "response", "approve", "deny")]
    assert found(a, a) == []
    without = [row for row in a if ".input." not in row["type"]]
    assert found(a, without) == []
    assert ("approval", "only_in_a") in [one[:2] for one in found(a, [*opening(user()), snapshot("in_progress"), *ending()])]


def test_an_id_that_drifted_between_two_recordings_of_one_session() -> None:
    other = story(call("call_ebbl"))
    other[-3] = added(output("call_ebbl") | {"id": "item_out_call_ebb1"})
    told = [one for one in found(story(), other) if one[2] == "call_id"]
    assert told == [
        ("call", "changed", "call_id", "call_ebb1", "call_ebbl"),
        ("result", "changed", "call_id", "call_ebb1", "call_ebbl"),
    ]


def test_calls_in_another_order() -> None:
    a, b = story(*TWO), renamed(story(*TWO[::-1]))
    assert [(one[0], one[1]) for one in found(a, b)] == [("call", "moved")]
    assert found(a, story(*TWO[::-1])) == []  # of one session in two recordings, order of arrival is the recorder's


def test_one_call_put_in_front() -> None:
    many = [call(f"call_n{number}", arguments={"gauge": str(number % 3)}) for number in range(9)]
    told = found(story(*many), renamed(story(call("call_new", name="read_wind"), *many)))
    assert [one[:2] for one in told] == [("call", "only_in_b")]


def test_only() -> None:
    a, b = story(call(arguments={"gauge": "east"}), said="1 m"), story(said="2 m")
    assert [one[0] for one in found(a, b, "calls")] == ["call"]
    assert [one[0] for one in found(a, b, "results")] == ["result"]
    assert found(a, b, "ids") == []


def test_where_they_part() -> None:
    first, second = call("call_a1"), call("call_b2", name="read_wind")
    rows = [
        *opening(user()),
        added(first),
        added(output("call_a1")),
        added(second),
        added(output("call_b2", value="north")),
        *ending(),
    ]
    other = [*rows[:6], added(output("call_a1", value="9 m")), added(call("call_c3", name="ring_bell")), *ending()]
    told = compared(rows, renamed(other)).parting
    assert told is not None
    assert told.after is not None
    lines_of = [[one.at.line if one.at else None for one in pair] for pair in ((told.a, told.b), told.after)]
    assert lines_of == [[7, 7], [6, 6]]  # the result differs first, before another function is called
    assert [(one.kind, one.field) for one in told.first] == [("result", "output")]
    swapped = [*rows[:7], added(call("call_c3", name="ring_bell")), *ending()]
    told = compared(rows, renamed(swapped)).parting
    assert told is not None
    assert (told.a.what, told.b.what) == ("read_wind called (call_b2)", "ring_bell called (call_oc3)")
    assert [one.what for one in told.first] == ["only_in_a", "only_in_b"]


def test_where_they_part_when_the_orders_cross() -> None:
    told = compared(FIXTURES / "rules/late-result/quiet.jsonl", FIXTURES / "rules/late-result/fires.jsonl").parting
    assert told is not None
    assert (told.a.what, told.b.what) == ("result for read_gauge (call_ebb1) posted", "turn cancelled")


def test_a_shorter_recording_ends() -> None:
    told = compared(story()[:7], story()).parting
    assert told is not None
    assert (told.a.what, told.b.what) == (ENDS, "result for read_gauge (call_ebb1) recorded")


def test_a_recording_that_ends_in_deltas_or_in_an_unfinished_message_ends_there() -> None:
    begin, words = opening(), said()
    delta = {"type": "agent.session.turn.text.delta", "turn_id": "turn_tide1", "item_id": "item_said1", "delta": "2"}
    whole = [*begin, added(words), delta, done(words), added(call()), done(call())]
    for cut in (len(begin) + 1, len(begin) + 2, len(begin) + 3):
        parting = compared(whole, whole[:cut]).parting
        assert parting is not None
        assert parting.b.what == ENDS, cut


def test_another_message_is_still_what_stands_instead() -> None:
    begin = opening()
    parting = compared([*begin, added(call())], [*begin, added(said())]).parting
    assert parting is not None
    assert parting.b.what == "the agent said"
