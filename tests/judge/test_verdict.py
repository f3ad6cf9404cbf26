"""The verdict and the stall: the four kinds of action by the four ways of answering them, and where nothing can be told."""

import json
from pathlib import Path

import pytest

import tracelink
from tests.rules.cases import (
    AGENT,
    SESSION,
    START,
    TURN,
    Json,
    action,
    added,
    approval,
    call,
    computer,
    connection,
    create,
    decided,
    ending,
    function,
    lines,
    numbered,
    opening,
    output,
    page,
    post,
    refusal,
    session,
    signed_in,
    snapshot,
    subagent,
    told,
    turn,
    user,
    waiting,
    wrapped,
)
from tracelink.model.run import Report, SessionReport
from tracelink.model.verdict import CONTRADICTION, ENDED


def only(report: Report) -> SessionReport:
    (found,) = report.sessions
    return found


def judged(*rows: Json) -> tuple[str, str, str]:
    """(awaits, stall kind, expected)."""
    one = only(told(*rows))
    return one.verdict.awaits, one.stall.kind, one.stall.expected


def connected(environment_id: str = "env_reef1") -> Json:
    environment = {"id": environment_id, "type": "self_hosted", "status": "connected", "error": None}
    event = {"type": "agent.session.environment.connected", "session_id": SESSION, "turn_id": None}
    return {**event, "environment": environment}


REQUIRED = {
    "function_call": action(call()),
    "mcp_approval_request": approval(),
    "computer_use_approval_request": computer(),
    "environment_connection": connection(),
}
RIGHT = {"function_call": post(), "mcp_approval_request": decided(), "computer_use_approval_request": signed_in()}
WRONG = {
    "function_call": post(turn_id="turn_elsewhere"),
    "mcp_approval_request": post("mcpr_reef1"),
    "computer_use_approval_request": decided("cuar_reef1"),
}
NEEDS = {
    "function_call": "needs_tool_result",
    "mcp_approval_request": "needs_mcp_approval",
    "computer_use_approval_request": "needs_computer_approval",
    "environment_connection": "needs_environment",
}


def paused(kind: str) -> list[Json]:
    return [*opening(call()), snapshot("requires_action", REQUIRED[kind])]


@pytest.mark.parametrize("kind", REQUIRED)
def test_unanswered(kind: str) -> None:
    one = only(told(*paused(kind)))
    assert (one.verdict.awaits, one.stall.kind, one.stall.expected) == ("awaiting", NEEDS[kind], "yes")
    (open_action,) = one.verdict.actions
    assert (open_action.answered, open_action.position, open_action.of, open_action.clock) == ("no", 1, 1, "server")
    assert open_action.since == START + 10
    assert one.verdict.evidence is not None
    assert one.verdict.evidence.location is not None
    assert one.verdict.evidence.location.line == 6
    assert one.verdict.evidence.location.event_id == "ev_6"
    assert one.verdict.changes_if


@pytest.mark.parametrize("kind", RIGHT)
def test_unapplied(kind: str) -> None:
    one = only(told(*paused(kind), RIGHT[kind]))
    assert (one.verdict.awaits, one.stall.kind, one.stall.expected) == ("answered_unapplied", "result_unapplied", "unclear")
    (open_action,) = one.verdict.actions
    assert open_action.answered == "unapplied"
    assert open_action.evidence is not None
    assert open_action.evidence.line == 7


@pytest.mark.parametrize("kind", RIGHT)
def test_misaddressed(kind: str) -> None:
    one = only(told(*paused(kind), WRONG[kind]))
    assert (one.verdict.awaits, one.stall.kind, one.stall.expected) == ("awaiting", "result_misaddressed", "no")
    assert one.stall.blame == "app"
    assert one.verdict.actions[0].answered == "misaddressed"


@pytest.mark.parametrize("kind", RIGHT)
def test_refused(kind: str) -> None:
    one = only(told(*paused(kind), RIGHT[kind], refusal("It was refused.")))
    assert (one.verdict.awaits, one.stall.kind, one.stall.expected) == ("awaiting", "result_refused", "no")
    assert one.verdict.actions[0].answered == "refused"


@pytest.mark.parametrize("kind", RIGHT)
def test_misaddressed_beats_its_refusal(kind: str) -> None:
    """A wrong pair is refused because it is wrong; sent again as it stands it would be refused again."""
    one = only(told(*paused(kind), WRONG[kind], refusal("It was refused.")))
    assert one.verdict.actions[0].answered == "misaddressed"


@pytest.mark.parametrize("kind", RIGHT)
def test_a_right_answer_after_a_wrong_one_counts(kind: str) -> None:
    one = only(told(*paused(kind), WRONG[kind], refusal("It was refused."), RIGHT[kind]))
    assert one.verdict.awaits == "answered_unapplied"


@pytest.mark.parametrize("kind", RIGHT)
@pytest.mark.parametrize("after", [snapshot("in_progress", at=12), snapshot("idle", at=12), session("in_progress", at=12)])
def test_a_later_snapshot_settles_it(kind: str, after: Json) -> None:
    assert judged(*paused(kind), RIGHT[kind], after)[0] == "not_awaiting"


def test_a_connection_settles_an_environment() -> None:
    assert judged(*paused("environment_connection"), connected())[0] == "not_awaiting"
    assert judged(*paused("environment_connection"), connected("env_other"))[0] == "awaiting"


def test_a_recorded_output_settles_its_own_call_only() -> None:
    story = waiting(call(), call("call_fog7"))
    one = only(told(*story, added(output())))
    assert [open_action.action.call_id for open_action in one.verdict.actions] == ["call_fog7"]
    assert judged(*story, added(output()), added(output("call_fog7")))[0] == "not_awaiting"


@pytest.mark.parametrize("kind", ["completed", "failed", "cancelled"])
def test_the_end_of_the_turn_settles_its_actions(kind: str) -> None:
    assert judged(*waiting(call()), turn(kind))[0] == "not_awaiting"
    other = turn(kind, "turn_kid1", subagent_id="sub_gull1")
    assert judged(*waiting(call()), subagent(), other)[0] == "awaiting", "the end of a child's turn does not"


def test_several_actions_of_which_one_is_answered() -> None:
    one = only(told(*waiting(call(), call("call_fog7"), also=(approval(),)), post()))
    assert one.verdict.awaits == "awaiting"
    assert [open_action.answered for open_action in one.verdict.actions] == ["unapplied", "no", "no"]
    assert [open_action.position for open_action in one.verdict.actions] == [1, 2, 3]
    assert {open_action.of for open_action in one.verdict.actions} == {3}
    assert "guess" in one.stall.because


def test_an_action_in_many_snapshots_is_one_action_since_the_first() -> None:
    """A repeated snapshot is no new call (D.3.6)."""
    one = only(told(*waiting(call()), *[snapshot("requires_action", action(call()), at=10 + n) for n in range(1, 4)]))
    (open_action,) = one.verdict.actions
    assert open_action.since == START + 10


# What nobody can tell


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([turn("created"), added(call())], "recording_ended"),
        (opening(call()), "recording_ended"),
        ([*opening(), snapshot("requires_action")], "contradictory"),
        ([*waiting(call()), snapshot("idle", action(call()), at=12)], "contradictory"),
        ([*waiting(call()), snapshot("in_progress", action(call()), at=12)], "contradictory"),
        ([snapshot("idle", at=30), snapshot("requires_action", action(call()), at=10)], "contradictory"),
        ([page(user(), call(), output()), session("requires_action", action(call()))], "contradictory"),
        ([page(user(), call())], "recording_ended"),
    ],
    ids=[
        "no snapshot",
        "call after it",
        "no actions",
        "idle",
        "in_progress",
        "clock goes back",
        "already answered",
        "page alone",
    ],
)
def test_unknown(rows: list[Json], kind: str) -> None:
    one = only(told(*rows))
    assert (one.verdict.awaits, one.stall.kind, one.stall.expected) == ("unknown", kind, "unclear")
    assert one.verdict.unclear == {"recording_ended": ENDED, "contradictory": CONTRADICTION}[kind]
    assert one.verdict.reason
    assert one.verdict.changes_if


def test_a_bundle_has_no_order() -> None:
    """Session and items retrieved at an unknown time each: nothing says which is older."""
    bundle = {"session": session("requires_action", action(call())), "items": page(user(), call(), output())}
    report = tracelink.report(json.dumps(bundle).encode())
    assert only(report).verdict.awaits == "unknown"
    bundle["items"] = page(user(), call())
    assert only(tracelink.report(json.dumps(bundle).encode())).verdict.awaits == "awaiting"


def test_a_recorded_approval_makes_the_snapshot_stale_too() -> None:
    """As the recorded output of a call does, in the same place."""
    response = {"type": "browser_authentication", "action": "submit", "selected_option": None}
    item = {"type": "computer_use_approval_request_result", "id": "item_r", "turn_id": TURN, "request_id": "cuar_reef1"}
    assert judged(page({**item, "response": response}), session("requires_action", computer()))[0] == "unknown"


@pytest.mark.parametrize(("action", "said"), [({"type": "function_call"}, "function_call"), ({}, "of unknown type")])
def test_a_webhook_tells_only_that_something_was_required(action: Json, said: str) -> None:
    data = {"id": SESSION, "required_action": action}
    hook = {"object": "event", "id": "wh_1", "created_at": START, "type": "agent.session.action_required", "data": data}
    one = only(told(hook))
    assert one.verdict.awaits == "unknown"
    assert f"a webhook tells that an action ({said}) was required" in one.verdict.reason
    assert one.verdict.evidence is not None
    assert one.verdict.actions == ()


def test_async_functions_may_be_open_while_the_turn_goes_on() -> None:
    tools = [function(**{"async": True})]
    story = [
        snapshot("created", tools=tools),
        turn("created"),
        added(call()),
        snapshot("in_progress", action(call()), tools=tools),
    ]
    assert judged(*story)[0] == "awaiting"


# Ends


def test_a_failed_session_awaits_nobody() -> None:
    error = {
        "type": "error",
        "session_id": SESSION,
        "error": {"code": "sandbox_error", "type": "server_error", "message": "Lost."},
    }
    one = only(
        told(*waiting(call()), {**error, "error": error["error"] | {"param": None}}, snapshot("failed", action(call()), at=12))
    )
    assert (one.verdict.awaits, one.stall.kind) == ("not_awaiting", "ended_badly")
    assert one.stall.ids == {"error_code": "sandbox_error"}
    assert one.next_actions == ()


@pytest.mark.parametrize("actions", [(), (action(call()),)], ids=["nothing pending", "one pending"])
def test_budget_reached(actions: tuple[Json, ...]) -> None:
    """It may come with or without pending actions (L.2.17)."""
    assert judged(*waiting(call()), snapshot("budget_reached", *actions, at=12))[0] == (
        "awaiting" if actions else "not_awaiting"
    )


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ([*opening(), *ending()], ("not_awaiting", "not_stalled", "yes")),
        ([*opening(), *ending("cancelled")], ("not_awaiting", "not_stalled", "yes")),
        ([*opening(), *ending("failed")], ("not_awaiting", "ended_badly", "no")),
        (opening(), ("not_awaiting", "recording_ended", "unclear")),
        ([session("idle")], ("not_awaiting", "not_stalled", "yes")),
        ([snapshot("idle"), *opening()[1:]], ("not_awaiting", "recording_ended", "unclear")),
    ],
    ids=["completed", "cancelled", "failed", "at work", "session alone", "idle before the turn"],
)
def test_nobody_is_awaited(rows: list[Json], wanted: tuple[str, str, str]) -> None:
    assert judged(*rows) == wanted


def test_silence_in_an_open_turn() -> None:
    story = [wrapped(number, row) for number, row in enumerate(numbered(opening()))]
    assert only(told(*story)).stall.kind == "recording_ended"
    assert only(told(*story, as_of=START + 1000)).stall.kind == "silent_in_progress"
    assert only(told(*story, as_of=START + 1000, silence=2000)).stall.kind == "recording_ended"


# Waiting for subagents


def wait(sender: str, *recipients: str, turn_id: str = TURN, status: str = "in_progress") -> Json:
    base = {"type": "wait_for_subagents_call", "id": f"item_wait_{sender}", "turn_id": turn_id, "sender_agent_id": sender}
    return added({**base, "recipient_agent_ids": list(recipients), "status": status})


def kid(subagent_id: str, parent: str = AGENT) -> list[Json]:
    return [
        subagent("created", subagent_id, parent_agent_id=parent),
        turn("created", f"turn_{subagent_id}", subagent_id=subagent_id),
    ]


def test_waiting_on_a_subagent_names_the_one_that_blocks() -> None:
    story = [*opening(create()), *kid("sub_a"), *kid("sub_b", "sub_a"), wait(AGENT, "sub_a")]
    one = only(told(*story, wait("sub_a", "sub_b", turn_id="turn_sub_a")))
    assert (one.stall.kind, one.stall.expected) == ("waiting_on_subagent", "unclear")
    assert one.stall.path == (AGENT, "sub_a", "sub_b")
    assert one.stall.ids["agent_id"] == "sub_b"


def test_a_cycle_of_waits() -> None:
    story = [
        *opening(),
        *kid("sub_a"),
        *kid("sub_b", "sub_a"),
        wait(AGENT, "sub_a"),
        wait("sub_a", "sub_b", turn_id="turn_sub_a"),
    ]
    one = only(told(*story, wait("sub_b", "sub_a", turn_id="turn_sub_b")))
    assert (one.stall.kind, one.stall.expected) == ("waiting_on_subagent", "no")
    assert one.stall.path[0] == one.stall.path[-1]
    assert set(one.stall.path) == {"sub_a", "sub_b"}


def test_of_several_the_one_still_at_work_blocks() -> None:
    over = turn("completed", "turn_sub_a", subagent_id="sub_a")
    one = only(told(*opening(), *kid("sub_a"), *kid("sub_b"), over, wait(AGENT, "sub_a", "sub_b")))
    assert one.stall.path == (AGENT, "sub_b")


def test_a_wait_that_returned_blocks_nobody() -> None:
    assert judged(*opening(), *kid("sub_a"), wait(AGENT, "sub_a", status="completed"))[1] == "recording_ended"


# Two files


def two(folder: Path, first: list[Json], second: list[Json]) -> SessionReport:
    paths = [folder / "a.jsonl", folder / "b.jsonl"]
    for path, story in zip(paths, (first, second), strict=True):
        path.write_text(lines(story))
    return only(tracelink.report(*paths))


@pytest.mark.parametrize(
    ("other", "awaits"),
    [
        ([session("idle", at=50)], "not_awaiting"),
        ([session("idle", at=5)], "awaiting"),
        ([session("idle", at=10)], "unknown"),
        ([session("requires_action", action(call()), at=10)], "awaiting"),
        ([post()], "answered_unapplied"),
        ([post(turn_id="turn_elsewhere")], "awaiting"),
        ([post(), refusal("Unknown pending tool call: call_ebb1")], "awaiting"),
    ],
    ids=["later", "earlier", "equal", "equal and the same", "the app's log", "its wrong log", "its refused log"],
)
def test_two_files(tmp_path: Path, other: list[Json], awaits: str) -> None:
    assert two(tmp_path, waiting(call()), other).verdict.awaits == awaits
    assert two(tmp_path, other, waiting(call())).verdict.awaits == awaits, "the order of the files does not matter"


def test_times_of_a_wrapper_decide_between_files(tmp_path: Path) -> None:
    stream = [wrapped(number, row) for number, row in enumerate(numbered(waiting(call())))]
    assert two(tmp_path, stream, [wrapped(100, session("idle", at=10))]).verdict.awaits == "not_awaiting"
    assert two(tmp_path, stream, [wrapped(0.5, session("idle", at=10))]).verdict.awaits == "awaiting"


def test_ages_come_from_as_of_alone() -> None:
    report = told(*waiting(call()), as_of=START + 70)
    evidence = only(report).verdict.evidence
    assert evidence is not None
    assert (evidence.age, evidence.clock) == (60, "server")
    assert told(*waiting(call())).sessions[0].verdict.evidence == told(*waiting(call())).sessions[0].verdict.evidence


STATUSES = ("in_progress", "completed", "incomplete", "failed")


@pytest.mark.parametrize("status", STATUSES)
def test_a_history_call_is_never_pending(status: str) -> None:
    """DESIGN 5.2: whatever its status says."""
    assert judged(page(user(), call(status=status)), session("idle"))[0] == "not_awaiting"


@pytest.mark.parametrize("status", STATUSES)
def test_nor_when_the_history_was_read_after_the_session(status: str) -> None:
    """The recovery of fact sheet D.3.4: GET the session, then its items. A listed item has no time of its own."""
    assert judged(session("idle"), page(user(), call(status=status)))[0] == "not_awaiting"


def test_a_resent_post_records_nothing() -> None:
    """The output was recorded before the snapshot that still lists the call: a resend after it is the app's word, not the server's."""
    rows = (*waiting(call()), post(), added(output()), snapshot("requires_action", action(call())), post())
    assert judged(*rows)[0] == "unknown"
    again = added(output(id="item_again"))
    assert judged(*rows, again)[0] == "not_awaiting"


def test_a_cancel_after_the_snapshot_leaves_it_open() -> None:
    """A cancel acts on the active turn (D.3.10); what became of it is not recorded, so neither answer is."""
    cancel = {"type": "agent.session.input.cancel"}
    assert judged(*waiting(call()), cancel)[:2] == ("unknown", "recording_ended")
    assert judged(*waiting(call()), cancel, refusal("There is no active turn."))[0] == "awaiting"
    assert judged(cancel, *waiting(call()))[0] == "awaiting"


def test_a_torn_record_after_the_snapshot_may_require_something() -> None:
    """TL002: what that record said is not known; an approval, say, is announced by nothing else."""
    whole = lines([*waiting(call()), added(output()), snapshot("in_progress")]).encode()
    torn = whole + b'{"type": "agent.session.requires_action", "event_id": "ev_9'
    assert tracelink.report(whole).sessions[0].verdict.awaits == "not_awaiting"
    assert tracelink.report(torn).sessions[0].verdict.awaits == "unknown"
    chatter = whole + b"INFO shutting down\n"
    assert tracelink.report(chatter).sessions[0].verdict.awaits == "not_awaiting"


def test_no_success_is_made_up() -> None:
    """Neither for a success that was no boolean nor for one that was missing (D.2); and of two different results none is picked."""
    wrong = {"call_id": "call_ebb9"}
    for success in ("false", None):
        step = only(told(*waiting(call()), {**post(**wrong), "success": success})).next_actions[0]
        assert step.body is not None
        assert step.body["events"][0]["success"] == "<true or false>"
    two = only(told(*waiting(call()), post(**wrong), {**post(**wrong), "output": "another"})).next_actions[0]
    assert two.body is not None
    assert two.body["events"][0]["output"].startswith("<")


def test_ages_are_never_negative() -> None:
    """`--as-of` before the snapshot: its age at that moment is nothing that can be told."""
    evidence = only(told(*waiting(call()), as_of=START - 70)).verdict.evidence
    assert evidence is not None
    assert evidence.age is None


def of_session(rows: list[Json], name: str) -> list[Json]:
    """The same story of another session, whose turns and calls have the same ids, as ids may."""
    text = json.dumps(numbered(rows)).replace(SESSION, name).replace('"ev_', f'"ev_{name}_')
    found: list[Json] = json.loads(text)
    return found


BOTH = [*of_session(waiting(call()), "sess_ebb1"), *of_session(waiting(call()), "sess_ebb2")]
CANCEL = {"type": "agent.session.input.cancel"}


@pytest.mark.parametrize("loose", [post(), CANCEL], ids=["result", "cancel"])
def test_a_post_that_fits_two_sessions_leaves_both_open(loose: Json) -> None:
    """It names no session, and nobody can tell whose it is; no session is made up for it, and both are told of it."""
    report = told(*BOTH, loose)
    assert [one.trace.session_id for one in report.sessions] == ["sess_ebb1", "sess_ebb2"]
    for one, other in zip(report.sessions, ("sess_ebb2", "sess_ebb1"), strict=True):
        assert one.verdict.awaits == "unknown"
        assert other in one.verdict.reason
        assert "<bytes>:13" in one.verdict.reason
        assert [row.at.line for row in one.not_checked if row.at is not None and other in row.why] == [13]
        assert all(step.body is None for step in one.next_actions)


def test_an_approval_that_fits_two_sessions_leaves_both_open() -> None:
    rows = [*opening(), snapshot("requires_action", approval())]
    report = told(*of_session(rows, "sess_ebb1"), *of_session(rows, "sess_ebb2"), decided())
    assert [(one.trace.session_id, one.verdict.awaits) for one in report.sessions] == [
        ("sess_ebb1", "unknown"),
        ("sess_ebb2", "unknown"),
    ]


def test_a_cancel_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(wrapped(n, row)) + "\n" for n, row in enumerate(BOTH)))
    (tmp_path / "posts.jsonl").write_text(json.dumps(wrapped(50, CANCEL)) + "\n")
    report = tracelink.report(tmp_path / "a.jsonl", tmp_path / "posts.jsonl")
    assert [(one.trace.session_id, one.verdict.awaits) for one in report.sessions] == [
        ("sess_ebb1", "unknown"),
        ("sess_ebb2", "unknown"),
    ]


def test_what_such_a_post_cannot_have_answered_is_awaited_still() -> None:
    second = of_session(waiting(call(), call("call_fog7")), "sess_ebb2")
    first, other = told(*of_session(waiting(call()), "sess_ebb1"), *second, post()).sessions
    assert (first.verdict.awaits, other.verdict.awaits) == ("unknown", "awaiting")
    assert other.verdict.reason.startswith("read_gauge (call_fog7) is required")


@pytest.mark.parametrize(
    ("rows", "sessions", "awaits"),
    [
        ([*BOTH, post(), refusal("Unknown pending tool call: call_ebb1")], 2, "awaiting"),
        ([*BOTH[:6], CANCEL, *BOTH[6:]], 2, "unknown"),
        ([CANCEL, *BOTH], 2, "awaiting"),
        ([*BOTH, post("call_elsewhere9")], 3, "awaiting"),
        ([*BOTH, {**wrapped(1, {"events": [post()]}), "session_id": "sess_ebb2"}], 2, "awaiting"),
        ([*of_session(waiting(call()), "sess_ebb1"), post()], 1, "answered_unapplied"),
    ],
    ids=["refused", "cancel after the first", "cancel before both", "fits none", "names its session", "one session"],
)
def test_a_post_without_a_session_otherwise(rows: list[Json], sessions: int, awaits: str) -> None:
    report = told(*rows)
    assert len(report.sessions) == sessions
    assert report.sessions[0].verdict.awaits == awaits


def test_awaits_and_build_tell_the_same_stall(tmp_path: Path) -> None:
    """Times of another file say nothing of this one's silence, whichever command looks."""
    from tracelink.cli.judging import verdicts

    (tmp_path / "a.jsonl").write_text(lines([wrapped(n, row) for n, row in enumerate(numbered(opening()))]))
    later = [wrapped(5000 + n, row) for n, row in enumerate(of_session(opening(), "sess_later"))]
    (tmp_path / "b.jsonl").write_text(lines(later))
    run = tracelink.trace(tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert [one.stall for one in verdicts(run, 300.0).sessions] == [one.stall for one in tracelink.report(run).sessions]
