"""TL5xx: what the session waits for. The files are in `fixtures/rules/<name>/`."""

from pathlib import Path

import pytest

import tracelink
from tests.rules.cases import (
    START,
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
    connection,
    decided,
    ending,
    file,
    lines,
    loud,
    numbered,
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
    user,
    waiting,
    wrapped,
)

PAIR = {"call_id": "call_ebb1", "turn_id": TURN}

CASES = (
    Case(
        "TL501",
        "awaiting-action",
        PAIR,
        6,
        "required by the last snapshot",
        "a call in the history, and a session that requires nothing",
    ),
    Case(
        "TL502",
        "partly-answered",
        {"turn_id": TURN, "call_id": "call_fog7"},
        6,
        "one of two required calls is answered",
        "both are open",
    ),
    Case("TL503", "unapplied-result", PAIR, 7, "the post is the last line", "the session works on after the post"),
    Case(
        "TL504",
        "stale-snapshot",
        PAIR,
        2,
        "a retrieved session requires what the items hold the answer of, and nothing tells which is newer",
        "the answer came after the snapshot, in the same stream",
    ),
    Case("TL505", "silence", {"turn_id": TURN}, 4, "800 s inside a turn", "the same pause, while the session awaited a result"),
)

FOG = call("call_fog7")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_fires(case: Case) -> None:
    assert_fires(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_quiet(case: Case) -> None:
    assert_quiet(case)


def test_one_note_for_each_open_action() -> None:
    report = told(*waiting(call(), also=(approval(), connection())))
    found = of(report, "TL501")
    assert [
        finding.ids.get("call_id") or finding.ids.get("request_id") or finding.ids["environment_id"] for finding in found
    ] == [
        "call_ebb1",
        "env_reef1",
        "mcpr_reef1",
    ]
    assert "2 of 3" in found[2].message
    assert "connected" in found[1].message
    assert "executor" in found[1].hint
    assert "awaits" in found[0].hint
    assert "--emit payload" in found[0].hint
    assert all("  " not in finding.message for finding in found)
    assert loud(report) == set()


def test_an_action_without_ids_reads_well() -> None:
    report = told(*opening(), snapshot("requires_action", {"type": "function_call"}))
    assert "  " not in of(report, "TL501")[0].message


def test_an_open_action_says_how_it_was_answered() -> None:
    answers = {
        "holds no answer to it.": [],
        "holds no answer to it; what was posted at <bytes>:7 fits nothing that is known (TL102)": [post("call_elsewhere9")],
        "does not answer": [post("call_ebb")],
        "server refused": [post(), refusal("Unknown pending tool call: call_ebb1")],
    }
    for words, rows in answers.items():
        (finding,) = of(told(*waiting(call()), *rows), "TL501")
        assert words in finding.message
        assert finding.locations[0].line == 6


def test_what_was_posted_before_the_action_was_listed_is_no_attempt_at_it() -> None:
    """Nor an approval's answer at a call."""
    before = [*opening(call()), post("call_elsewhere9"), snapshot("requires_action", action(call()))]
    for rows in (before, [*waiting(call()), decided("mcpr_elsewhere9")]):
        (finding,) = of(told(*rows), "TL501")
        assert finding.message.endswith("holds no answer to it.")


def test_an_open_action_stands_in_one_place_however_many_sources_list_it(tmp_path: Path) -> None:
    """The message names the snapshot that decided, and the first location is that one."""
    (tmp_path / "a.jsonl").write_text(lines(waiting(call())))
    (tmp_path / "b.json").write_text(lines([session("requires_action", action(call()))]))
    for files in (("a.jsonl", "b.json"), ("b.json", "a.jsonl")):
        report = tracelink.report(*(tmp_path / name for name in files))
        (finding,) = of(report, "TL501")
        assert finding.locations[0].short in finding.message
        assert report.sessions[0].verdict.evidence is not None
        assert finding.locations[0] == report.sessions[0].verdict.evidence.location
        assert report.sessions[0].verdict.actions[0].evidence == finding.locations[0]


def test_the_action_of_an_older_snapshot_is_not_awaited() -> None:
    assert codes(told(*waiting(call()), added(output()), snapshot("requires_action", action(FOG), at=14)))[0] == "TL501"
    report = told(*waiting(call()), added(output()), snapshot("requires_action", action(FOG), at=14))
    assert [finding.ids["call_id"] for finding in of(report, "TL501")] == ["call_fog7"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([post(), added(output())], "1 is answered"),
        ([added(output())], "1 is answered"),
        ([post(), added(output()), snapshot("requires_action", action(FOG), at=14)], "1 is answered"),
        ([snapshot("requires_action", action(FOG), at=14)], "1 is no longer listed"),
        ([post()], "1 is posted and not confirmed"),
    ],
    ids=["recorded", "item only", "the list shrinks", "cleared unseen", "posted"],
)
def test_partly_answered(rows: list[Json], words: str) -> None:
    """What was only posted is not counted as answered."""
    (finding,) = of(told(*waiting(call(), FOG), *rows), "TL502")
    assert finding.message.startswith(f"Of the 2 calls required in turn {TURN}, {words}; open: call_fog7")
    assert finding.ids == {"turn_id": TURN, "call_id": "call_fog7"}


def test_partly_answered_counts_one_turn() -> None:
    """What an earlier turn required is no part of it."""
    later = call("call_flow2", "turn_tide2")
    rows = [turn("created", "turn_tide2"), added(later), snapshot("requires_action", action(later), at=31)]
    assert of(told(*waiting(call()), added(output()), *ending(), *rows), "TL502") == []


@pytest.mark.parametrize(
    ("rows", "fires"),
    [
        ([post()], True),
        ([post(), snapshot("requires_action", action(call()), at=14)], True),
        ([post(), added(output())], False),
        ([post(), snapshot("in_progress", at=14)], False),
        ([post(), refusal("Unknown pending tool call: call_ebb1")], False),
        ([post(), *ending()], False),
        ([post("call_ebb")], False),
        ([post(), session("in_progress", at=14)], False),
        ([post(), session("requires_action", action(call()), at=14)], True),
    ],
    ids=["last line", "listed again", "item", "cleared", "refused", "completed", "misaddressed", "GET cleared", "GET lists it"],
)
def test_unapplied(rows: list[Json], fires: bool) -> None:
    assert len(of(told(*waiting(call()), *rows), "TL503")) == fires


def test_unapplied_approval() -> None:
    story = [*opening(), snapshot("requires_action", approval()), decided()]
    (finding,) = of(told(*story), "TL503")
    assert finding.ids == {"request_id": "mcpr_reef1"}
    assert finding.locations[0].line == 6
    assert codes(told(*story, snapshot("in_progress", at=14))) == []


def test_a_post_that_the_cancel_overtook_is_not_pending() -> None:
    """Whatever is said of it, not that it may be pending, nor that it should be posted again."""
    for rest in ([], [snapshot("idle", at=30)]):
        for finding in of(told(*waiting(call()), post(), turn("cancelled"), *rest), "TL503"):
            assert "may still be pending" not in finding.message
            assert finding.hint.startswith("Do not post it again")


def test_stale_either_way_round() -> None:
    """In one document, and with the page in a file of its own."""
    story = file("stale-snapshot", "fires").read_bytes()
    assert tracelink.report(story).sessions[0].verdict.awaits == "unknown"
    report = told(page(user(), call(), output()), session("requires_action", action(call())))
    (finding,) = of(report, "TL504")
    assert finding.locations[0].line == 2
    assert of(report, "TL501") == []


def test_a_failed_session_requires_nothing() -> None:
    report = told(page(user(), call(), output()), session("failed", action(call())))
    assert not {"TL501", "TL504"} & set(codes(report))


def timed(rows: list[Json], *times: float) -> list[Json]:
    return [wrapped(at, row) for at, row in zip(times, numbered(rows), strict=True)]


def test_silence_needs_receive_times() -> None:
    """`last_active_at` is another clock, and no receive time."""
    assert codes(told(*opening(), snapshot("in_progress", at=5000))) == []


def test_silence_at_the_end_is_measured_against_as_of() -> None:
    story = timed(opening(), 0, 1, 2, 3)
    assert codes(told(*story)) == []
    (finding,) = of(told(*story, as_of=START + 1000), "TL505")
    assert "997 s" in finding.message
    assert codes(told(*story, as_of=START + 1000, silence=2000)) == []


def test_a_silence_that_the_turn_s_end_breaks_asks_to_cancel_nothing() -> None:
    (finding,) = of(told(*timed([*opening(), *ending()], 0, 1, 2, 3, 903, 904)), "TL505")
    assert finding.hint.startswith("The turn is over by the next record")
    (finding,) = of(told(*timed([*opening(), snapshot("in_progress", at=20)], 0, 1, 2, 3, 903)), "TL505")
    assert "if the turn still runs" in finding.hint


@pytest.mark.parametrize(
    ("rows", "times"),
    [
        ([*opening(), *ending(), turn("created", "turn_tide2", created_at=START + 900)], (0, 1, 2, 3, 4, 5, 900)),
        ([*waiting(call()), snapshot("in_progress", at=900)], (0, 1, 2, 3, 4, 5, 900)),
        (opening(), (0, 1, 2, 302)),
    ],
    ids=["between turns", "awaiting", "just under the limit"],
)
def test_no_silence(rows: list[Json], times: tuple[float, ...]) -> None:
    assert of(told(*timed(rows, *times)), "TL505") == []


def test_deltas_break_the_silence() -> None:
    ids = {"session_id": "sess_tide1", "turn_id": TURN, "item_id": "item_said1", "output_index": 0, "content_index": 0}
    delta = {"type": "agent.session.turn.output_text.delta", **ids, "delta": "…"}
    story = [*opening(), *[delta] * 20]
    times = (0, 1, 2, 3, *range(60, 1260, 60))
    assert of(told(*timed(story, *times)), "TL505") == []
