"""TL1xx: calls, results and the pairs of ids that tie them. The files are in `fixtures/rules/<name>/`."""

import json
from pathlib import Path
from typing import Any

import pytest

import tracelink
from tests.rules.cases import (
    SESSION,
    TURN,
    Case,
    Json,
    action,
    added,
    approval,
    assert_fires,
    assert_quiet,
    call,
    codes,
    computer,
    decided,
    done,
    ending,
    function,
    loud,
    numbered,
    of,
    opening,
    output,
    page,
    post,
    refusal,
    said,
    session,
    signed_in,
    snapshot,
    told,
    turn,
    user,
    waiting,
)

PAIR = {"call_id": "call_ebb1", "turn_id": TURN}

CASES = (
    Case("TL101", "unanswered-call", PAIR, 5, "called, never answered, the turn completed", "the turn's end is not recorded"),
    Case(
        "TL102",
        "orphan-result",
        {"call_id": "call_moonrise42", "turn_id": TURN},
        7,
        "the turn is recorded from its beginning, and has no such call",
        "the recording starts inside the turn, so the call may lie before it",
    ),
    Case(
        "TL103",
        "wrong-turn-result",
        {"call_id": "call_flow2", "turn_id": TURN, "meant_turn_id": "turn_tide2"},
        15,
        "the second turn's call under the first turn's id",
        "one call_id in two turns, each answered under its own",
    ),
    Case(
        "TL104",
        "item-id-as-call-id",
        {**PAIR, "posted_call_id": "item_9Qx2"},
        7,
        "the item's id where its call_id belongs",
        "here item id and call_id are the same",
    ),
    Case(
        "TL105",
        "near-miss-call-id",
        {"call_id": "call_9fK2aTqZ", "turn_id": TURN, "posted_call_id": "call_9fk2aTqZ"},
        7,
        "K became k",
        "two calls one digit apart, each answered under its own id",
    ),
    Case(
        "TL106",
        "conflicting-results",
        PAIR,
        8,
        "two posts that differ, none refused",
        "the second one was refused, and not because it differs",
    ),
    Case(
        "TL107",
        "repeated-result",
        PAIR,
        8,
        "the same post again",
        "the first post was refused, as in the race of fact sheet A.3",
    ),
    Case(
        "TL108",
        "reused-call-id",
        {"call_id": "call_ebb1", "turn_id": TURN, "other_turn_id": "turn_tide2"},
        5,
        "one call_id in two turns",
        "one call in two events, two snapshots and a page",
    ),
    Case(
        "TL109",
        "ambiguous-call",
        PAIR,
        5,
        "read_gauge and open_lock under one pair",
        "announced without arguments, done with them as text, required with them as an object",
    ),
    Case(
        "TL110",
        "late-result",
        PAIR,
        9,
        "posted after the cancel, and refused",
        "a resend of what was recorded in time",
        others=("TL114", "TL307"),
    ),
    Case("TL111", "missing-id", PAIR, 7, "a post without turn_id", "the event's turn_id is null, the item's is not"),
    Case(
        "TL112",
        "other-session-result",
        {**PAIR, "meant_session_id": SESSION},
        9,
        "posted to the URL of another session of this log",
        "the post does not say to which session it went",
    ),
    Case(
        "TL113",
        "result-not-recorded",
        PAIR,
        7,
        "required, then not required, and nobody was seen answering",
        "no item event at all: such a recording holds no results",
    ),
    Case(
        "TL114",
        "abandoned-call",
        PAIR,
        5,
        "the turn failed over the call",
        "answered before the turn failed",
        others=("TL301",),
        quiet_others=("TL301",),
    ),
    Case(
        "TL115",
        "item-id-changed",
        {**PAIR, "item_id": "item_call_ebb1", "other_item_id": "item_renamed"},
        5,
        "one call under two item ids",
        "one call, one item id, in added, done and a page",
    ),
    Case(
        "TL116",
        "wrong-kind-of-answer",
        {"request_id": "mcpr_reef1", "turn_id": TURN},
        6,
        "an MCP approval answered by a tool_result",
        "the answer to a request from before the recording began",
    ),
)

MISADDRESSED = {"TL102", "TL103", "TL104", "TL105", "TL111", "TL112", "TL116"}
"""Of these only one speaks for one posted result (DESIGN 7)."""

APPLIED = [snapshot("in_progress", at=12), *ending()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_fires(case: Case) -> None:
    assert_fires(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_quiet(case: Case) -> None:
    assert_quiet(case)


# One result, one voice


@pytest.mark.parametrize(
    ("posted", "code"),
    [
        (post("call_moonrise42"), "TL102"),
        (post(turn_id="turn_elsewhere"), "TL103"),
        (post("item_call_ebb1"), "TL104"),
        (post("item_call_ebb1", "turn_elsewhere"), "TL104"),
        (post("call_ebb1 "), "TL105"),
        (post("ebb1"), "TL105"),
        (post("CALL_EBB1", "turn_elsewhere"), "TL105"),
        (post(turn_id=None), "TL111"),
        (post(turn_id=""), "TL111"),
        (post(call_id=None), "TL111"),
        (post("mcpr_reef1"), "TL116"),
        (post("mcpr_reef1", "turn_elsewhere"), "TL116"),
    ],
)
@pytest.mark.parametrize("refused", [False, True], ids=["", "refused"])
def test_one_posted_result_is_spoken_of_once(posted: Json, code: str, refused: bool) -> None:
    """The most specific code, and beside it at most the refusal (TL307) and the open actions."""
    answer = [refusal(f"Unknown pending tool call: {posted['call_id']}")] if refused else []
    report = told(*waiting(call(), also=(approval(),)), posted, *answer)
    assert set(codes(report)) & MISADDRESSED == {code}
    assert len(of(report, code)) == 1
    assert loud(report) <= {code, "TL307"}
    assert of(report, code)[0].locations[0].line == 7
    assert report.sessions[0].verdict.awaits == "awaiting"


def test_another_sessions_pair_is_no_orphan_here() -> None:
    other = waiting(call(turn_id="turn_marsh2"))
    for row in other:
        row.get("session", row).update({"id": "sess_marsh2"} if "session" in row else {"session_id": "sess_marsh2"})
        if "turn" in row:
            row["turn_id"] = "turn_marsh2"
            row["turn"].update(id="turn_marsh2", session_id="sess_marsh2")
    sent = {
        "url": f"https://api.example.com/v1/agents/sessions/{SESSION}/events",
        "body": {"events": [post(turn_id="turn_marsh2")]},
    }
    rows = [{**row, "event_id": f"ev_b{number}"} for number, row in enumerate(other)]
    report = told(*waiting(call("call_fog7")), *rows, sent)
    assert set(codes(report)) & MISADDRESSED == {"TL112"}
    assert of(report, "TL112")[0].ids["meant_session_id"] == "sess_marsh2"


def test_the_advice_changes_once_the_call_is_answered() -> None:
    """Posting again what was put right since would be the next fault."""
    for wrong in (post(turn_id="turn_elsewhere"), post("item_call_ebb1"), post("call_eb1")):
        report = told(*waiting(call()), wrong, refusal("Unknown pending tool call."), post(), added(output()), *APPLIED)
        (finding,) = [one for one in report.all_findings() if one.code in MISADDRESSED]
        assert finding.hint.startswith("Do not post it again"), finding.code


def test_a_near_miss_of_an_answered_call_is_an_orphan() -> None:
    report = told(*waiting(call()), post(), added(output()), snapshot("in_progress", at=12), post("call_ebb9"), *ending())
    assert set(codes(report)) & MISADDRESSED == {"TL102"}
    assert "open call" in of(report, "TL102")[0].message


def test_equally_near_calls_are_all_named_and_none_is_sure() -> None:
    report = told(*waiting(call("call_abcd11"), call("call_abcd12")), post("call_abcd1"))
    (finding,) = of(report, "TL105")
    assert finding.confidence.value == "low"
    assert "1 more open call fits as well" in finding.message
    assert [one.answered for one in report.sessions[0].verdict.actions] == ["no", "no"]


# Absent by design


@pytest.mark.parametrize(
    "rows",
    [
        [snapshot("requires_action", action(call())), post("call_moonrise42"), snapshot("in_progress", at=12), *ending()],
        [page(output("call_moonrise42"), said(), more=True)],
        [page(call(), output("call_moonrise42"), said(), more=True), session("idle", at=25)],
        [session("idle", at=25), page(output("call_moonrise42"), said())],
        [turn("in_progress"), added(output("call_moonrise42")), turn("completed")],
        [*waiting(call())[:4], post("call_moonrise42")][3:],
    ],
    ids=["mid-session", "page gap", "page gap, other call", "whole page, no turn", "output first", "in_progress first"],
)
def test_a_result_whose_call_may_lie_outside_is_no_orphan(rows: list[Json]) -> None:
    report = told(*rows)
    assert set(codes(report)) & MISADDRESSED == set()
    assert [one.what for one in report.sessions[0].trace.unlinkable] == ["which call a result answers"], "never a silence"


@pytest.mark.parametrize(
    "rows",
    [
        [*opening(call())],
        [*waiting(call())],
        [snapshot("requires_action", action(call())), *ending()],
        [session("idle", at=25), page(user(), call(), said(), more=True)],
        [session("idle", at=25), page(user(), call(), said())],
        [page(user(), call(), said())],
        [*waiting(call()), snapshot("in_progress", at=12), *ending()],
        [*waiting(call()), *ending("cancelled")],
        [*waiting(call()), *ending("failed")],
    ],
    ids=["open", "required", "mid-session", "gap", "no turn", "page alone", "cleared", "cancelled", "failed"],
)
def test_a_call_without_a_result_is_not_always_unanswered(rows: list[Json]) -> None:
    assert of(told(*rows), "TL101") == []


def test_a_call_missing_its_result_on_a_whole_page_of_a_finished_turn() -> None:
    """The items page was read to its end, and the turn is over."""
    report = told(session("idle", at=25), turn("completed")["turn"], page(user(), call(), said()))
    (finding,) = of(report, "TL101")
    assert finding.locations[0].line == 3
    assert "pages" in finding.message


def test_a_call_still_required_after_its_turn_is_pending_and_not_unanswered() -> None:
    """Whether a turn can end before its calls are answered is not documented (D.4); the advice may not contradict itself."""
    report = told(*waiting(call()), turn("completed"), snapshot("requires_action", action(call()), at=30))
    assert "TL501" in codes(report)
    assert "TL101" not in codes(report)


def test_an_items_page_from_before_the_end_of_the_turn_proves_nothing() -> None:
    report = told(page(user(), call()), session("idle", at=25), turn("completed")["turn"])
    assert of(report, "TL101") == []


def test_an_async_function_may_be_answered_late() -> None:
    tools = [function(**{"async": True})]
    story = [
        snapshot("created", tools=tools),
        turn("created"),
        added(call()),
        turn("completed"),
        snapshot("idle", tools=tools, at=30),
    ]
    assert codes(told(*story)) == []
    assert set(codes(told(*story, post()))) <= {"TL503"}
    assert codes(told(*story, post(), added(output()))) == []


def test_model_dump_says_async_with_an_underscore() -> None:
    tools = [function(async_=True)]
    story = [
        snapshot("created", tools=tools),
        turn("created"),
        added(call()),
        turn("completed"),
        snapshot("idle", tools=tools, at=30),
    ]
    assert codes(told(*story)) == []


# Retries, repetitions, conflicts


def test_a_retry_after_a_refusal_repeats_nothing() -> None:
    """Also if what is sent the second time differs: the first was never taken."""
    unknown = refusal("Unknown pending tool call: call_ebb1")
    for value in ("2.31 m", "2.94 m"):
        report = told(*waiting(call()), post(), unknown, post(value=value), added(output(value=value)), *APPLIED)
        assert not {"TL106", "TL107"} & set(codes(report))


@pytest.mark.parametrize(
    "rows",
    [
        [post(), added(output())],
        [post()],
        [added(output())],
        [post(value={"m": 2.31}), added(output(value='{"m":2.31}'))],
        [
            post(success=False, value=None, error="Tool handler failed."),
            added(output(value=None, error="Tool handler failed.")),
        ],
        [post(value='{"a":1,"b":2}'), added(output(value='{"b": 2, "a": 1}'))],
    ],
    ids=["both", "only posted", "only the item", "object and text", "failed", "order of members"],
)
def test_one_result_however_it_is_recorded(rows: list[Json]) -> None:
    report = told(*waiting(call()), *rows, *APPLIED)
    trace = report.sessions[0].trace
    assert [one.state for one in trace.calls.values()] == ["answered"]
    assert len(trace.results) == 1
    assert not {"TL101", "TL106", "TL107", "TL113"} & set(codes(report))


def test_a_list_may_show_null_for_a_failed_output() -> None:
    """Fact sheet B.5: the event carried the text, the page has `output: null`."""
    failed = output(value="The gauge is out of reach.", status="failed")
    listed = output(value=None, status="failed")
    report = told(*waiting(call()), added(failed), *APPLIED, page(user(), call(), listed))
    assert not {"TL106", "TL107"} & set(codes(report))
    assert len(report.sessions[0].trace.results) == 1


def test_overlapping_pages_repeat_nothing(tmp_path: Path) -> None:
    files = [tmp_path / "1.json", tmp_path / "2.json", tmp_path / "3.json"]
    pages = [page(output(), said(), more=True), page(call(), output(), more=True), page(user(), call())]
    for one, content in zip(files, pages, strict=True):
        one.write_text(json.dumps(content))
    for order in (files, files[::-1]):
        report = tracelink.report(*order)
        assert codes(report) == []
        assert len(report.sessions[0].trace.results) == 1


@pytest.mark.parametrize("newest_first", [True, False])
def test_a_page_reads_the_same_both_ways(newest_first: bool) -> None:
    items = [user(), call(), output(), call("call_fog7"), output("call_fog7"), said()]
    report = told(session("idle", at=25), turn("completed")["turn"], page(*items, newest_first=newest_first))
    assert codes(report) == []
    assert [one.call_id for one in report.sessions[0].trace.calls.values()] == ["call_ebb1", "call_fog7"]


def test_a_reconnect_repeats_no_result() -> None:
    story = numbered([*waiting(call()), post(), added(output()), *APPLIED])
    again = [row for row in story if "event_id" in row][4:]
    report = told(*story[:8], *again[:4], *story[8:])
    assert codes(report) == ["TL005"]


def test_identical_results_count_once_each() -> None:
    twice = [post(), post(), added(output()), added(output(id="item_out_again"))]
    (finding,) = of(told(*waiting(call()), *twice, *APPLIED), "TL107")
    assert "was first posted at <bytes>:7, and again, unchanged, at <bytes>:8:" in finding.message
    (finding,) = of(told(*waiting(call()), post(), *twice, *APPLIED), "TL107")
    assert "was first posted at <bytes>:7, and unchanged 2 more times, the first time at <bytes>:8:" in finding.message


def test_a_conflict_and_a_repetition_are_both_told() -> None:
    report = told(*waiting(call()), post(), post(), post(value="2.94 m"), *APPLIED)
    assert {"TL106", "TL107"} <= set(codes(report))


def test_a_refused_conflict_is_a_conflict() -> None:
    """Two workers answered: that the server took one of them does not mend the app (D.5)."""
    refused = refusal("The call was answered with another result.", code="conflict_error")
    found = codes(told(*waiting(call()), post(), post(output="other"), refused, *APPLIED))
    assert {"TL106", "TL307"} <= set(found)


def test_success_and_failure_are_not_identical() -> None:
    report = told(*waiting(call()), post(success=True), post(success=False), *APPLIED)
    assert "TL107" not in codes(report)


def test_one_call_id_in_two_turns_is_two_calls() -> None:
    """Each with its own result: no conflict, no repetition, nothing ambiguous, although output and arguments differ."""
    second = call(turn_id="turn_tide2", item_id="item_b", arguments={"gauge": "mole"})
    later = [turn("created", "turn_tide2"), added(second), snapshot("requires_action", action(second), at=31)]
    later += [added(output(turn_id="turn_tide2", value="0.4 m", id="item_out_b")), snapshot("in_progress", at=33)]
    report = told(*waiting(call()), added(output()), *APPLIED, *later, turn("completed", "turn_tide2"))
    assert codes(report) == ["TL108"]
    assert [one.state for one in report.sessions[0].trace.calls.values()] == ["answered", "answered"]


def test_an_item_announced_without_its_arguments_is_not_ambiguous() -> None:
    for empty in (None, {}, ""):
        report = told(
            *opening(call(arguments=empty, status="in_progress")), done(call()), snapshot("requires_action", action(call()))
        )
        assert of(report, "TL109") == []


@pytest.mark.parametrize("empty", [{}, ""])
def test_an_item_only_announced_without_its_arguments_is_not_ambiguous(empty: Any) -> None:
    report = told(*opening(call(arguments=empty, status="in_progress")), snapshot("requires_action", action(call())))
    assert of(report, "TL109") == []


# Over


@pytest.mark.parametrize("kind", ["cancelled", "failed"])
def test_a_turn_that_ends_badly_abandons_its_open_calls(kind: str) -> None:
    report = told(*waiting(call(), call("call_fog7")), post(), added(output()), *ending(kind))
    assert [finding.ids["call_id"] for finding in of(report, "TL114")] == ["call_fog7"]
    assert not {"TL101", "TL113", "TL501", "TL502"} & set(codes(report))
    assert ("was cancelled" in of(report, "TL114")[0].message) is (kind == "cancelled")


@pytest.mark.parametrize("rest", [[], [snapshot("idle", at=30)]], ids=["cut", "idle"])
def test_a_late_result_is_one_warning_and_not_unapplied(rest: list[Json]) -> None:
    """After the end nothing is pending: to post it again would be bad advice."""
    report = told(*waiting(call()), turn("cancelled"), *rest, post())
    assert "TL110" in codes(report)
    assert "TL503" not in codes(report)
    assert "was cancelled" in of(report, "TL110")[0].message
    assert report.sessions[0].verdict.awaits == "not_awaiting"


def test_a_cancelled_turn_confirms_no_post() -> None:
    """The cancel cleared the action, not the result: no item records it."""
    report = told(*waiting(call()), post(), *ending("cancelled"))
    assert [one.state for one in report.sessions[0].trace.calls.values()] == ["abandoned"]
    assert "TL114" in codes(report)


def test_a_late_post_does_not_take_an_abandoned_call_back() -> None:
    report = told(*waiting(call()), turn("cancelled"), post())
    assert [one.state for one in report.sessions[0].trace.calls.values()] == ["abandoned"]


def test_a_late_result_that_was_recorded_says_so() -> None:
    (finding,) = of(told(*opening(call()), *ending(), post(), added(output())), "TL110")
    assert "it is recorded at" in finding.message


# Answers to approvals


@pytest.mark.parametrize(
    ("required", "answer", "fires"),
    [
        (approval(), decided(), False),
        (approval(), decided(decision="cancel"), False),
        (computer(), signed_in(), False),
        (approval(), signed_in("mcpr_reef1"), True),
        (computer(), decided("cuar_reef1"), True),
        (approval(), decided("mcpr_unheard"), True),
        (action(call()), decided("call_ebb1"), True),
        (approval(), {**decided(), "request_id": None}, True),
    ],
    ids=["approve", "cancel", "sign in", "computer for mcp", "mcp for computer", "unknown request", "call", "no request_id"],
)
def test_answers_to_approvals(required: Json, answer: Json, fires: bool) -> None:
    report = told(*opening(call()), snapshot("requires_action", required), answer)
    assert len(of(report, "TL116")) == fires
    assert report.sessions[0].verdict.awaits == ("awaiting" if fires else "answered_unapplied")


def test_an_answer_to_nearly_an_open_request_names_it() -> None:
    rows = [*opening(), snapshot("requires_action", approval()), decided("mcpr_reef2")]
    (finding,) = of(told(*rows), "TL116")
    assert finding.ids == {"request_id": "mcpr_reef1", "posted_request_id": "mcpr_reef2"}
    assert "mcpr_reef1, differs by one character" in finding.message
    assert finding.hint == "If mcpr_reef1 was meant, post the same answer again with that request_id."
    assert [place.line for place in finding.locations] == [6, 5]


@pytest.mark.parametrize(
    "rows",
    [
        [snapshot("requires_action", approval()), decided("mcpr_wholly_other")],
        [snapshot("requires_action", approval()), decided(), decided("mcpr_reef2")],
        [snapshot("requires_action", approval(), approval("mcpr_reef3")), decided("mcpr_reef2")],
    ],
    ids=["not near", "already answered", "two are as near"],
)
def test_no_open_request_is_near(rows: list[Json]) -> None:
    (finding,) = of(told(*opening(), *rows), "TL116")
    assert "differs" not in finding.message
    assert "posted_request_id" not in finding.ids


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (post("call_elsewhere9"), "TL102"),
        (post(turn_id="turn_before"), "TL103"),
        (post("item_call_ebb1"), "TL104"),
        (post("call_ebb"), "TL105"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_result_sent_again_is_one_finding_at_its_first_place(wrong: Json, code: str) -> None:
    """With a refusal between the two or without; and no repeated result, since it is the result of no call."""
    for between in ([], [refusal("Unknown pending tool call")]):
        report = told(*waiting(call()), wrong, *between, wrong)
        (finding,) = of(report, code)
        assert finding.locations[0].line == 7
        assert 7 + len(between) + 1 in [place.line for place in finding.locations]
        assert finding.times == 2
        assert "(2 times)" in finding.message
        assert of(report, "TL107") == []
    assert "times)" not in of(told(*waiting(call()), wrong), code)[0].message


def test_a_call_item_without_call_id_is_one_finding_however_often_it_is_seen() -> None:
    nameless = {**call(item_id="item_nameless"), "call_id": None}
    report = told(*opening(nameless), done(nameless), snapshot("in_progress", at=4))
    (finding,) = of(report, "TL111")
    assert finding.ids["item_id"] == "item_nameless"


def test_listed_items_of_the_simplified_shape_lack_no_id() -> None:
    """Fact sheet K: items without turn_id are tied by call_id, and that is said."""
    items = [{key: value for key, value in one.items() if key not in ("turn_id", "id")} for one in (call(), output())]
    report = told({"data": items})
    assert loud(report) == set()
    (trace,) = [one.trace for one in report.sessions]
    assert [one.what for one in trace.unlinkable] == ["calls and results without a turn_id"]
