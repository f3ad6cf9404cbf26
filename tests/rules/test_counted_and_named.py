"""What a message counts and names: one is one and two are two, each is named once, and no more is said than was seen."""

import json

import pytest

import tracelink
from tests.rules.cases import (
    SESSION,
    TURN,
    Json,
    action,
    added,
    approval,
    call,
    decided,
    ending,
    lines,
    of,
    opening,
    output,
    page,
    post,
    refusal,
    session,
    snapshot,
    told,
    turn,
    waiting,
)
from tracelink.model.finding import Finding


def one(code: str, *rows: Json) -> Finding:
    (finding,) = of(told(*rows), code)
    return finding


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "holds 1 line of text that is no JSON, first at <bytes>:2: skipped, no record was in it."),
        (2, "holds 2 lines of text that are no JSON, first at <bytes>:2: skipped, no record was in them."),
    ],
)
def test_lines_of_text(count: int, said: str) -> None:
    text = lines([snapshot("idle")]) + "12:01 ready\n" * count + lines([snapshot("idle", at=12)])
    (finding,) = of(tracelink.report(text.encode()), "TL001")
    assert finding.message.endswith(said)
    assert len(finding.locations) == count


@pytest.mark.parametrize(
    ("numbers", "said", "named"),
    [
        ([1], "1 record was delivered again", "(r1)"),
        ([1, 1], "2 records were delivered again", "(r1)"),
        ([1, 2, 3], "3 records were delivered again", "(r1, r2, r3)"),
        ([1, 2, 3, 4], "4 records were delivered again", "(r1, r2, r3, …)"),
    ],
)
def test_records_that_came_again(numbers: list[int], said: str, named: str) -> None:
    first = {number: {**turn("in_progress"), "event_id": f"r{number}"} for number in sorted(set(numbers))}
    finding = one("TL005", *opening(), *first.values(), *(first[number] for number in numbers))
    assert finding.message.startswith(
        f"{said}, as the same content under the same event_id shows {named}, the first at <bytes>:"
    )
    assert finding.ids == {"event_id": "r1"}


def test_a_post_that_came_again_has_no_id_to_name() -> None:
    sent = {"ts": 1_791_000_011, "body": post()}
    message = one("TL005", *waiting(call()), sent, sent).message
    assert message.startswith(
        "1 record was delivered again, as the same content under the same receive time shows, the first at"
    )


@pytest.mark.parametrize(("count", "said"), [(1, ""), (3, " (3 such places in all)")])
def test_places_out_of_order(count: int, said: str) -> None:
    again = [turn("in_progress", event_id=f"again_{number}") for number in range(count)]
    finding = one("TL008", *opening(), turn("completed"), *again)
    assert finding.message.endswith(
        f"stands after <bytes>:5, which contradicts their order in time{said}: the final state was used."
    )


# TL307


SAID = "No such pending call."


@pytest.mark.parametrize(
    ("posts", "what"),
    [
        ([post()], "the answer to call_ebb1"),
        ([post(), post("call_fog7")], "the answer to call_ebb1, call_fog7"),
        ([post(f"call_e{n}") for n in range(6)], "the answer to call_e0, call_e1, call_e2, call_e3, call_e4, …"),
        ([decided()], "the answer to mcpr_reef1"),
        ([post(), decided()], "the answer to call_ebb1, mcpr_reef1"),
        ([{"type": "agent.session.input.cancel"}], "an input"),
    ],
    ids=["call", "two", "many", "approval", "both", "cancel"],
)
def test_a_refusal_names_what_was_refused(posts: list[Json], what: str) -> None:
    """By its call_id or its request_id; a cancel and a message have neither."""
    path = f"/v1/agents/sessions/{SESSION}/events"
    entry = {"request": {"url": path, "body": {"events": posts}}, "response": {"status": 400, "body": refusal(SAID)}}
    calls = [call(), call("call_fog7"), *(call(f"call_e{n}") for n in range(6))]
    finding = one("TL307", *waiting(*calls, also=(approval(),)), entry)
    assert finding.message.startswith(f"The server refused {what} (posted at ")
    assert f"(HTTP 400, {SAID.rstrip('.')})" in finding.message


# TL503


@pytest.mark.parametrize(
    ("then", "said", "places"),
    [
        ([], "the recording neither confirms nor refuses it: the call may still be pending.", [7, 5]),
        (
            [snapshot("requires_action", action(call()), at=14)],
            "a later snapshot (<bytes>:8) still lists the call: the call may still be pending.",
            [7, 8],
        ),
    ],
    ids=["nothing", "listed again"],
)
def test_what_became_of_a_post(then: list[Json], said: str, places: list[int]) -> None:
    finding = one("TL503", *waiting(call()), post(), *then)
    assert finding.message == f"The result for call_ebb1 (read_gauge) was posted at <bytes>:7, and {said}"
    assert [at.line for at in finding.locations] == places


# TL303


def test_an_answer_that_came_too_late_or_in_another_form_is_told_by_its_own_rule() -> None:
    """The result is in the recording, so nothing says that the turn completed without one."""
    for code, rows in {
        "TL110": [*ending(), post()],
        "TL010": [{**post(), "type": "agent.session.input.function_call_output"}, *ending()],
    }.items():
        report = told(*waiting(call()), *rows)
        assert (len(of(report, code)), of(report, "TL303")) == (1, [])
    assert len(of(told(*waiting(call()), *ending()), "TL303")) == 1
    assert len(of(told(*waiting(call()), post(), refusal("No."), *ending()), "TL303")) == 1


def test_whole_pages_show_what_a_torn_stream_may_hide() -> None:
    begun = [snapshot("in_progress", at=1), turn("in_progress"), added(call()), snapshot("requires_action", action(call()))]
    torn = lines(begun) + '{"type": "agent.session.turn.item\n'
    end = lines([{"event_id": f"late_{n}", **row} for n, row in enumerate(ending())])

    def found(text: str) -> int:
        return len(of(tracelink.report(text.encode()), "TL303"))

    assert found(torn + end) == 0  # the result may be what could not be read
    assert found(torn + end + json.dumps(page(call())) + "\n") == 1
    assert found(torn + end + json.dumps(page(call(), more=True)) + "\n") == 0
    assert found(torn + end + json.dumps(page(call(), output())) + "\n") == 0


# TL502


def test_calls_that_were_required_one_after_the_other_in_two_files() -> None:
    """The second is listed in the stream and in a session that was retrieved: they never waited together for all that."""
    fog = call("call_fog7")
    rows = [*waiting(call()), added(output()), snapshot("in_progress", at=12), added(fog)]
    stream = lines([*rows, snapshot("requires_action", action(fog), at=14)]).encode()
    later = lines([session("requires_action", action(fog), at=15)]).encode()
    assert of(tracelink.report(stream), "TL502") == []
    assert of(tracelink.report(stream, later), "TL502") == []
    together = lines([*waiting(call(), fog), added(output())]).encode()
    assert len(of(tracelink.report(together, later), "TL502")) == 1


# TL306


def environment(kind: str, error: str | None = None) -> Json:
    state = {
        "id": "env_reef1",
        "type": "self_hosted",
        "status": kind,
        "error": {"code": "x", "message": error} if error else None,
    }
    row = {"type": f"agent.session.environment.{kind}", "session_id": SESSION, "turn_id": TURN}
    return row | ({"environment_id": "env_reef1", "reset_count": 1} if kind == "reset" else {"environment": state})


LOST, BACK, KEPT = (
    "commands of the turn may be lost with it",
    "it was connected again later",
    "the conversation is kept, its files and processes are lost",
)


@pytest.mark.parametrize(
    ("kinds", "said", "after"),
    [
        (["disconnected"], "was disconnected at <bytes>:5", LOST),
        (["disconnected", "connected"], "was disconnected at <bytes>:5", BACK),
        (["connected", "disconnected"], "was disconnected at <bytes>:6", LOST),
        (["disconnected", "connected", "disconnected"], "was disconnected at <bytes>:5, 2 times", LOST),
        (["disconnected", "disconnected", "connected"], "was disconnected at <bytes>:5, 2 times", BACK),
        (["expired"], "expired at <bytes>:5", LOST),
        (["failed"], "failed (No route) at <bytes>:5", LOST),
        (["failed", "connected"], "failed (No route) at <bytes>:5", LOST),
        (["reset"], "was replaced at <bytes>:5", KEPT),
        (["reset", "reset", "connected"], "was replaced at <bytes>:5", KEPT),
    ],
)
def test_what_became_of_an_environment(kinds: list[str], said: str, after: str) -> None:
    rows = [environment(kind, "No route." if kind == "failed" else None) for kind in kinds]
    assert one("TL306", *opening(), *rows).message == f"Environment env_reef1 {said} while turn {TURN} ran: {after}."
