"""What the recording cannot tell: exactly that, and nothing that it does tell."""

import tracelink
from tests.rules.cases import (
    Json,
    action,
    added,
    call,
    decided,
    done,
    ending,
    lines,
    opening,
    page,
    post,
    snapshot,
    told,
    turn,
    user,
    waiting,
)  # fmt: skip
from tracelink.story import tell


def untold(*rows: Json) -> str:
    (one,) = told(*rows).sessions
    return "\n".join(tell(one).untold)


def test_a_beginning_that_is_not_recorded_beside_a_message_that_is() -> None:
    told_of = untold(added(user()), done(user()), snapshot("in_progress"))
    assert "The beginning of" not in told_of
    assert (
        "The event that began turn_tide1 (agent.session.turn.created) is not recorded; the first message recorded of it is at"
        in told_of
    )
    assert "whether another came before that is not known." in told_of


def test_a_beginning_without_a_message() -> None:
    told_of = untold(added(call()), done(call()), snapshot("in_progress"))
    assert "is not recorded; nor is a message that it began with." in told_of


def test_a_turn_of_which_only_the_object_is_there() -> None:
    held = turn("completed")["turn"]
    told_of = untold(held, page(user()), snapshot("idle"))
    assert "is not recorded, only the turn's own object, which says when it was created; the first message" in told_of


def test_a_beginning_that_is_recorded_is_not_missed() -> None:
    assert "began" not in untold(*opening(), *ending())


def test_no_post_at_all() -> None:
    told_of = untold(*waiting(call()))
    assert (
        "What the app posted is not recorded: whether an answer to call_ebb1 was sent and lost, refused, or never sent"
        in told_of
    )
    assert "the app's own log of posts to …/agents/sessions/sess_tide1/events is where to look." in told_of


def test_posts_of_other_things() -> None:
    told_of = untold(*waiting(call("call_e1"), call("call_e2")), post("call_e1"))
    assert (
        "Posts of the app are recorded, and none of them answers call_e2: whether one was sent and lost, or never sent"
        in told_of
    )
    assert "Whether the app ran read_gauge is not recorded: only what it posted is." in told_of


def test_what_was_answered_is_not_looked_for() -> None:
    told_of = untold(*waiting(call()), post())
    assert "log of posts" not in told_of


def test_many_are_counted() -> None:
    assert "answer to call_e0, call_e1, call_e2 and 2 more was sent" in untold(
        *waiting(*(call(f"call_e{n}") for n in range(5)))
    )


def test_a_decision_is_a_post() -> None:
    told_of = untold(*waiting(call()), decided("mcpr_elsewhere"))
    assert "What the app posted is not recorded" not in told_of


def _with_run(data: bytes) -> str:
    told_of = tracelink.report(data)
    return "\n".join(tell(told_of.sessions[0], None, told_of.findings).untold)


def test_a_record_that_is_cut_off_is_not_passed_over() -> None:
    whole = lines(waiting(call())).encode()
    assert "The last record of the recording at" in _with_run(whole + b'{"type": "agent.session.turn.item.do')
    assert "could not be read (not JSON" in _with_run(
        whole + b'{"type" agent}\n' + lines([snapshot("requires_action", action(call()))]).encode()
    )


def test_what_was_read_whole_is_not_called_damaged() -> None:
    told_of = _with_run(lines(waiting(call())).encode() + b'{"type": "agent.session.brand_new"}\n')
    assert "could not be read" not in told_of
    assert "not whole" not in told_of
    assert "documented" not in told_of


def test_many_records_that_cannot_be_read_are_counted() -> None:
    told_of = _with_run(lines(waiting(call())).encode() + b'{"a" 1 xx}\n' * 5 + lines([snapshot("requires_action")]).encode())
    assert told_of.count("could not be read (not JSON") == 3
    assert "2 more records or sources could not be read: tracelink check names them." in told_of
