"""The last moment a recording knows of, from which ages are counted, and the words that count from it."""

from typing import Any

import pytest

import tracelink
from tests.rules.cases import (
    SESSION,
    START,
    TURN,
    Json,
    added,
    call,
    create,
    ending,
    lines,
    opening,
    output,
    page,
    post,
    refusal,
    subagent,
    told,
    turn,
    user,
    wrapped,
)
from tests.rules.cases import session as session_object
from tracelink.judge.times import last_moment
from tracelink.model.run import SessionReport


def only(*rows: Json, **more: Any) -> SessionReport:
    (one,) = told(*rows, **more).sessions
    return one


def last(*rows: Json) -> float | None:
    return last_moment(tracelink.trace(lines(list(rows)).encode()))


EARLY = session_object("in_progress", at=5)


def later(**times: int | None) -> Json:
    """A turn object whose times are given, seconds after START."""
    known = {name: START + at if at is not None else None for name, at in times.items()}
    value: Json = turn("in_progress", **{"created_at": START + 1, "started_at": None, "completed_at": None, **known})["turn"]
    return value


def child(**times: int | None) -> Json:
    value: Json = subagent(**{name: START + at if at is not None else None for name, at in times.items()})["subagent"]
    return value


def others(number: int, at: int) -> list[Json]:
    """Another turn, result and subagent, each with one time."""
    other = later(created_at=at) | {"id": f"turn_{number}"}
    return [
        other,
        wrapped(at, {"events": [post(f"call_{number}")]}),
        child(opened_at=at, closed_at=None) | {"id": f"sub_{number}"},
    ]


@pytest.mark.parametrize("early_last", [False, True])
@pytest.mark.parametrize(
    "row",
    [
        session_object("in_progress", at=90),
        wrapped(90, session_object("in_progress", at=0)),
        later(created_at=90),
        later(started_at=90),
        later(completed_at=90),
        wrapped(90, later()),
        wrapped(90, {"events": [post()]}),
        wrapped(90, {"event_id": "ev_9", **added(output())}),
        child(opened_at=90, closed_at=None),
        child(opened_at=2, closed_at=90),
    ],
    ids=["active", "received", "created", "started", "completed", "turn", "post", "output", "opened", "closed"],
)
def test_every_time_counts_wherever_it_stands(row: Json, early_last: bool) -> None:
    """What is told after it, of a turn, a result or a subagent, takes nothing back."""
    before, after = ([EARLY, *others(number, number)] for number in (4, 7))
    rows = [*after, row, *before] if early_last else [*before, row, *after]
    assert last(*rows) == START + 90


def test_a_recording_without_times_has_no_last_moment() -> None:
    assert last({"type": "agent.session.turn.created", "turn_id": TURN, "turn": {"id": TURN}}) is None


HOOK = {"object": "event", "id": "wh_1", "type": "agent.session.action_required", "data": {"id": SESSION}}
LOST = {"type": "agent.session.environment.disconnected", "session_id": SESSION, "turn_id": None}
DELTA = {"type": "agent.session.turn.output_text.delta", "session_id": SESSION, "turn_id": TURN, "item_id": "item_said1"}


@pytest.mark.parametrize(
    "row",
    [
        added(call()),
        added(user()),
        added(create()),
        {"events": [{"type": "agent.session.input.cancel", "session_id": SESSION}]},
        {**LOST, "environment": {"id": "env_1", "status": "disconnected", "error": None}},
        {"type": "error", "session_id": SESSION, "error": {"code": "x", "type": "y", "message": "Busy.", "param": None}},
        {"status": 400, "path": f"/v1/agents/sessions/{SESSION}/events", "body": refusal("No.")},
        {**HOOK, "created_at": START},
        {**DELTA, "output_index": 0, "content_index": 0, "delta": "2"},
        subagent(opened=0),
        added(output()),
        added(output("call_fog7", id="item_out_again")),
        post(),
        page() | {"session_id": SESSION},
        {"type": "agent.session.rewound", "session_id": SESSION},
        {**turn("created"), "event_id": "ev_1"},
    ],
    ids=[
        "call",
        "message",
        "create",
        "cancel",
        "environment",
        "error",
        "refusal",
        "webhook",
        "delta",
        "subagent",
        "output",
        "output again",
        "post",
        "page",
        "unknown",
        "again",
    ],
)
@pytest.mark.parametrize("then", [(), (EARLY,)], ids=["last", "not last"])
def test_the_time_at_which_any_record_was_received_counts(row: Json, then: tuple[Json, ...]) -> None:
    """Be it followed by one that no recorder gave a time, as a session that was retrieved and put beside the log."""
    begun = ({**turn("created"), "event_id": "ev_1"}, {**added(output("call_fog7")), "event_id": "ev_2"})
    assert (
        last(EARLY, *begun, {"ts": START + 90, "body": {"event_id": "ev_9", **row} if "events" not in row else row}, *then)
        == START + 90
    )


def test_an_item_that_is_told_again_counts_as_the_last_record() -> None:
    first, again = ({"ts": START + at, "body": {"event_id": f"ev_{at}", **added(output())}} for at in (6, 90))
    assert last(EARLY, turn("created"), first, again) == START + 90


def test_a_webhook_tells_when_it_was_made() -> None:
    assert last(EARLY, {**HOOK, "created_at": START + 90}, EARLY) == START + 90


@pytest.mark.parametrize(("seconds", "age"), [(10, 0), (11, 1), (9, None)])
def test_the_last_record_is_no_seconds_old(seconds: int, age: float | None) -> None:
    """Before its own moment a snapshot has no age."""
    evidence = only(*opening(call()), session_object("idle"), as_of=START + seconds).verdict.evidence
    assert evidence is not None
    assert evidence.age == age


def test_silence_is_counted_from_the_last_record() -> None:
    rows = [wrapped(n, row) for n, row in enumerate(opening())]
    stall = only(*rows, as_of=START + 403.0).stall
    assert (stall.kind, "for 400 s" in stall.because) == ("silent_in_progress", True)
    assert only(*rows, as_of=START + 303.0).stall.kind == "recording_ended"
    assert only(*rows, *[wrapped(5, row) for row in ending()], as_of=START + 403.0).stall.kind == "not_stalled"
