"""TL0xx: what was read, and what could not be. The files are in `fixtures/rules/<name>/`."""

import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter

import tracelink
from tests.rules.cases import (
    RULES,
    SESSION,
    TURN,
    Case,
    action,
    added,
    assert_fires,
    assert_quiet,
    call,
    codes,
    done,
    ending,
    lines,
    loud,
    numbered,
    of,
    opening,
    output,
    page,
    post,
    said,
    session,
    snapshot,
    told,
    turn,
    user,
    waiting,
    wrapped,
)
from tracelink.rules import rules

CASES = (
    Case("TL001", "unreadable-record", {}, 3, "a quotation mark is missing", "SSE comments, retry, two data lines, [DONE]"),
    Case("TL002", "torn-tail", {}, 6, "the last line is cut", "a whole last line without a line break"),
    Case(
        "TL003",
        "unknown-type",
        {"type": "agent.session.turn.rewound"},
        7,
        "no such event type is documented",
        "budget_reached, an environment event, an agent and a trace are documented, and carry nothing for the chain",
    ),
    Case(
        "TL004",
        "page-gap",
        {"last_id": "item_call_ebb1"},
        57,
        "has_more, and no more",
        "the page with the rest overlaps, and is there",
    ),
    Case(
        "TL005",
        "repeated-delivery",
        {"event_id": "ev_4"},
        6,
        "a reconnect delivered ev_4 and ev_5 again",
        "one item in added, done and a page, and one action in two snapshots: each delivery has an id of its own",
    ),
    Case(
        "TL006",
        "several-sessions",
        {"session_id": SESSION, "other_session_id": "sess_marsh2"},
        1,
        "two sessions in one log",
        "the other session's id is only in the text of an output",
    ),
    Case("TL007", "starts-mid-session", {}, 1, "the first record is a pause", "the first record is an idle session"),
    Case(
        "TL008",
        "out-of-order",
        {"turn_id": TURN},
        11,
        "turn.in_progress after turn.completed of the same turn",
        "pages list newest first: that is their order, and no contradiction",
    ),
    Case(
        "TL009",
        "foreign-envelope",
        {},
        12,
        "a Chat Completions message",
        "the same message as text inside an output is payload",
    ),
    Case(
        "TL010",
        "unofficial-input",
        {"call_id": "call_ebb1", "turn_id": TURN},
        7,
        "no SDK has agent.session.input.function_call_output",
        "all five official inputs",
    ),
    Case("TL011", "record-too-large", {}, 7, "230 levels; the limit is 200", "150 levels are deep, and fine"),
)

OURS = {rule.name for rule in rules() if rule.code[:3] in ("TL0", "TL1", "TL5")}
FILES = [path for path in sorted(RULES.glob("*/*.jsonl")) if path.parent.name in OURS]


def test_every_rule_has_its_two_files() -> None:
    """Of this and the other two families; the rest have tests of their own."""
    for name in OURS:
        assert {path.stem for path in (RULES / name).iterdir()} == {"fires", "quiet"}, name


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_fires(case: Case) -> None:
    assert_fires(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_quiet(case: Case) -> None:
    assert_quiet(case)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_events_of_the_files_are_official(path: Path) -> None:
    """So that a rule is tried on what the API sends. Not typed by the Python package: budget_reached, and the made-up types."""
    types = pytest.importorskip(
        "openai.types.beta.agent_session_event", reason="the openai package is too old for the Agents API"
    )
    adapter: TypeAdapter[object] = TypeAdapter(types.AgentSessionEvent)
    for line in path.read_text().splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        event = row.get("event", row)
        if "event_id" in event and not event["type"].endswith((".rewound", ".budget_reached")):
            adapter.validate_python(event)


def test_a_frame_without_its_blank_line_is_whole() -> None:
    frames = "".join(f"data: {json.dumps(row)}\n\n" for row in numbered(waiting(call())))
    assert loud(tracelink.report(frames.rstrip("\n").encode())) == set()


def test_leniently_read_json_is_a_warning_and_used() -> None:
    item = call(arguments={"depth": 1})
    report = tracelink.report(lines([*waiting(item)]).replace('"depth": 1', '"depth": NaN').encode())
    assert {finding.severity.value for finding in of(report, "TL001")} == {"warning"}
    assert report.sessions[0].verdict.awaits == "awaiting"


def test_a_broken_line_does_not_hide_what_follows() -> None:
    rows = lines(waiting(call())).splitlines(True)
    report = tracelink.report("".join([*rows[:3], "{oops\n", *rows[3:]]).encode())
    assert [finding.locations[0].line for finding in of(report, "TL001")] == [4]
    assert report.sessions[0].verdict.awaits == "awaiting"


def test_unknown_things_are_told_by_what_they_are() -> None:
    """Never an error, whatever it is, and one finding a type."""
    item = {"type": "hologram_call", "id": "item_h1", "turn_id": TURN, "status": "completed"}
    scan = {"type": "retina_scan", "turn_id": TURN, "request_id": "scan_1"}
    wave = {"type": "agent.session.input.wave"}
    odd = {"type": "agent.session.turn.rewound", "session_id": SESSION}
    report = told(*waiting(call(), also=(scan,)), added(item), added({**item, "id": "item_h2"}), wave, odd)
    found = of(report, "TL003")
    assert {finding.ids["type"]: finding.message.split()[1] for finding in found} == {
        "hologram_call": "item",
        "retina_scan": "action",
        "agent.session.input.wave": "input",
        "agent.session.turn.rewound": "event",
    }
    assert loud(report) == set()


def test_pages_of_different_lists_do_not_close_each_other() -> None:
    """The turns were read to their end, the items were not."""
    turns = {"object": "list", "data": [turn("completed")["turn"]], "first_id": TURN, "last_id": TURN, "has_more": False}
    report = told(session("idle", at=25), turns, page(call(), output(), more=True))
    assert [finding.locations[0].line for finding in of(report, "TL004")] == [3]


def test_pages_in_two_files_are_one_list(tmp_path: Path) -> None:
    first, second = tmp_path / "newest.json", tmp_path / "oldest.json"
    first.write_text(json.dumps(page(output(), said(), more=True)))
    second.write_text(json.dumps(page(user(), call())))
    assert loud(tracelink.report(first, second)) == set()


def test_the_same_recording_twice_says_nothing_but_that(tmp_path: Path) -> None:
    """Every event again, in a second file: one session, nothing conflicts, nothing is repeated but the deliveries."""
    story = lines([*waiting(call()), added(output()), snapshot("in_progress", at=12), *ending()])
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for one in files:
        one.write_text(story)
    report = tracelink.report(*files)
    assert codes(report) == ["TL005"]
    assert len(report.sessions) == 1


def test_an_event_id_with_other_content_is_no_repetition() -> None:
    report = told(*waiting(call()), {**snapshot("in_progress", at=12), "event_id": "ev_6"})
    assert of(report, "TL005") == []
    assert report.sessions[0].verdict.awaits == "not_awaiting"


def test_a_stray_record_of_another_session_is_a_warning() -> None:
    again = [snapshot("requires_action", action(call()), at=20 + n) for n in range(14)]
    report = told(*waiting(call()), *again, snapshot("idle", session_id="sess_marsh2"))
    (finding,) = of(report, "TL006")
    assert (finding.severity.value, finding.ids["session_id"], finding.locations[0].line) == ("warning", "sess_marsh2", 21)


def test_a_stray_post_has_its_place() -> None:
    """Nothing else of that session is in the file: the post itself is where to look."""
    stray = {"session_id": "sess_ebb9", "body": {"events": [post("call_ebb9", "turn_ebb9")]}}
    rows = [*opening(call()), *[added(said(f"Part {n}.", item_id=f"item_{n}")) for n in range(10)], stray, turn("completed")]
    (finding,) = of(told(*rows), "TL006")
    assert finding.severity.value == "warning"
    assert finding.ids["session_id"] == "sess_ebb9"
    assert [place.line for place in finding.locations] == [16]


def test_sessions_in_files_of_their_own_are_nothing_to_tell(tmp_path: Path) -> None:
    for name, session_id in (("a", SESSION), ("b", "sess_marsh2")):
        (tmp_path / f"{name}.jsonl").write_text(lines([snapshot("idle", session_id=session_id)]))
    assert codes(tracelink.report(tmp_path)) == []


def test_an_item_announced_after_it_was_done() -> None:
    required = snapshot("requires_action", action(call()))
    (finding,) = of(told(*opening(), done(call()), added(call()), required), "TL008")
    assert [location.line for location in finding.locations] == [6, 5]


def test_a_snapshot_whose_clock_goes_back() -> None:
    required = action(call())
    (finding,) = of(told(*waiting(call(), at=15), snapshot("requires_action", required, at=12)), "TL008")
    assert [location.line for location in finding.locations] == [7, 6]


def test_equal_seconds_are_no_contradiction() -> None:
    assert codes(told(*waiting(call(), at=10), snapshot("requires_action", action(call()), at=10))) == ["TL501"]


@pytest.mark.parametrize(
    ("row", "told_as"),
    [
        ({"type": "response.created", "response": {"id": "resp_1", "object": "response"}}, "Responses"),
        ({"type": "session.turn.item.added", "item": {}}, "alpha"),
        ({"type": "agent.session.turn.item.added", "event_id": "ev_9"}, "without their payload"),
        ({"type": "message_start", "message": {}}, "Anthropic"),
    ],
)
def test_other_envelopes(row: dict[str, object], told_as: str) -> None:
    report = told(*waiting(call()), row)
    (finding,) = of(report, "TL009")
    assert told_as in finding.message
    assert finding.locations[0].line == 7
    assert report.sessions[0].verdict.awaits == "awaiting"


def test_an_unofficial_input_answers_nothing() -> None:
    """The action stays open, and the next step is the same result in the official form."""
    posted = {"type": "agent.session.input.function_call_output", "turn_id": TURN, "call_id": "call_ebb1", "output": "2.31 m"}
    report = told(*waiting(call()), posted)
    (action_open,) = report.sessions[0].verdict.actions
    assert action_open.answered == "misaddressed"
    (step,) = report.sessions[0].next_actions
    assert step.body == {"events": [post()]}
    assert "agent.session.input.tool_result" in step.text
    assert "TL102" not in codes(report)


def test_an_unofficial_input_that_was_recorded_all_the_same() -> None:
    posted = {"type": "agent.session.input.function_call_output", "turn_id": TURN, "call_id": "call_ebb1", "output": "2.31 m"}
    report = told(*waiting(call()), posted, added(output()), snapshot("in_progress", at=12), *ending())
    (finding,) = of(report, "TL010")
    assert finding.severity.value == "warning"
    assert "not answered" not in finding.message
    assert [location.line for location in finding.locations] == [7, 8]


def test_a_wrapped_log_reads_like_the_stream() -> None:
    story = [*waiting(call()), post(), added(output()), snapshot("in_progress", at=12), *ending()]
    assert codes(told(*[wrapped(number, row) for number, row in enumerate(numbered(story))])) == []
