"""What to send, wherever it is told: the call with its arguments, what is to be filled in first, and whose move it is in plain words."""

import json
import re

import pytest

import tracelink
from tests.render.html.page import Page, made
from tests.rules.cases import START, Json, approval, call, computer, connection, lines, post, snapshot, told, waiting
from tests.story.conftest import report as fixture
from tracelink.model.run import Report
from tracelink.model.verdict import Placeholder, Stall
from tracelink.render import awaits, postmortem_json, postmortem_markdown, postmortem_text, text
from tracelink.render.expectation import expectation
from tracelink.render.html.filling import body
from tracelink.render.sending import ARGUMENTS, sendings, shortened
from tracelink.story import tell

LONG = "tide " * 400


def forms(report: Report, full: bool = False) -> dict[str, str]:
    """The post-mortem in each form that people read, with its spaces made even."""
    (one,) = report.sessions
    story = tell(one)
    shown = {
        "text": postmortem_text.render(report, one, story, width=80, color=False, full=full),
        "markdown": postmortem_markdown.render(report, one, story, full=full).replace("`", ""),
        "html": "".join(Page(made(report)).text),
    }
    return {name: " ".join(told.split()) for name, told in shown.items()}


def test_a_body_with_a_gap_is_not_ready() -> None:
    for name, shown in forms(told(*waiting(call(arguments={"gauge": "north"})))).items():
        warned = re.search(
            r"(?i)not ready to post[.:*]* first fill in <output of read_gauge as text>\s+at\s+/events/0/output", shown
        )
        assert warned, name
        assert warned.start() < shown.index('"events"'), name


def test_a_whole_body_is_ready() -> None:
    for name, shown in forms(told(*waiting(call()), post(turn_id="turn_far1"))).items():
        assert "not ready" not in shown.lower(), name
        assert '"events"' in shown, name
    page = made(told(*waiting(call()), post(turn_id="turn_far1"))).decode()
    assert ">Copy body</button>" in page
    assert "data-note=" not in page


def test_every_gap_is_named() -> None:
    for name, shown in forms(told(snapshot("requires_action", computer()))).items():
        assert "/events/0/response/fields/0/value" in shown, name


def test_the_button_says_that_the_body_is_to_be_filled_in() -> None:
    page = made(told(*waiting(call()))).decode()
    assert re.search(r'data-copy="body-1" data-note="Copied\. It is not ready[^"]+">Copy body to fill in</button>', page)
    assert "<mark>&#34;&lt;output of read_gauge as text&gt;&#34;</mark>" in page


def test_build_and_awaits_say_it_too() -> None:
    report = told(*waiting(call(arguments={"gauge": "north"})))
    assert "NOT READY TO POST: first fill in <output of read_gauge as text> at /events/0/output." in " ".join(
        text.render(report, width=80, color=False).split()
    )
    (note,) = awaits.notes(list(awaits.steps(report)))
    assert 'The call: read_gauge {"gauge": "north"}. Fill in /events/0/output.' in note


def test_recorded_text_is_never_marked_as_a_gap() -> None:
    value = {"a": "<output of f as text>", "b": [Placeholder("<output of f as text>"), "?", "??"]}
    shown = body(value)
    assert shown.count("<mark>") == 1
    assert (
        json.loads(re.sub(r"</?mark>", "", str(shown)).replace("&lt;", "<").replace("&gt;", ">").replace("&#34;", '"')) == value
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (waiting(call(arguments={"gauge": "north"})), 'he call: read_gauge {"gauge": "north"}'),
        ([snapshot("requires_action", approval())], "he call to decide on: open_lock {"),
        ([snapshot("requires_action", approval()), post("mcpr_reef1")], "he call to decide on: open_lock {"),
        ([snapshot("requires_action", computer())], "he request: "),
    ],
    ids=["call", "approval", "approval answered as a call", "computer"],
)
def test_the_call_stands_beside_what_to_do_with_it(rows: list[Json], said: str) -> None:
    for name, shown in forms(told(*rows)).items():
        assert said in shown, name


def test_of_long_arguments_the_rest_is_counted() -> None:
    report = told(*waiting(call(arguments={"gauge": LONG})))
    whole = json.dumps({"gauge": LONG})
    rest = f"… and {len(whole) - ARGUMENTS:,} more characters"
    for name, shown in forms(report).items():
        assert rest in shown, name
    assert rest not in forms(report, full=True)["text"]
    (sending,) = sendings(report.sessions[0])
    assert sending.asked is not None
    assert len(sending.asked.shown) == ARGUMENTS


def test_shortened_counts_characters_and_cuts_columns() -> None:
    assert shortened("abc", 3) == ("abc", 0)
    assert shortened("abcd", 3) == ("abc", 1)
    assert shortened("潮汐潮汐", 5) == ("潮汐", 2)
    assert shortened("潮汐", None) == ("潮汐", 0)


@pytest.mark.parametrize(
    "rows",
    [[*waiting(call()), post(turn_id="turn_far1")], [snapshot("requires_action", connection())]],
    ids=["the result is there", "nothing to run"],
)
def test_where_nothing_is_to_be_run_no_call_is_shown(rows: list[Json]) -> None:
    (one,) = told(*rows).sessions
    assert [sending.asked for sending in sendings(one)] == [None]


def test_a_hostile_name_and_arguments_stay_text() -> None:
    nasty = {"name": "x</script>\u202e[a](javascript:1)", "arguments": {"`": "</script>\u202e\x1b[2J"}}
    report = told(*waiting(call(**nasty)))
    for name, shown in forms(report).items():
        assert "\x1b" not in shown, name
        assert "\u202e" not in shown, name
    Page(made(report)).hold()
    (one,) = report.sessions
    line = next(
        line for line in postmortem_markdown.render(report, one, tell(one)).split("\n") if line.startswith("- The call")
    )
    assert line.count("`") == 4


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (waiting(call()), "The session works as intended: it waits for the app's output, and the app must act."),
        (
            [snapshot("requires_action", approval())],
            "The session works as intended: it waits for a decision on a tool call, and a user must act.",
        ),
        (
            [snapshot("requires_action", connection())],
            "The session works as intended: it waits for its environment to connect, and the app must start the executor.",
        ),
        (
            [*waiting(call()), post(turn_id="turn_far1")],
            "This is not as intended: the session still waits for an answer that fits, and the app must mend what it posts.",
        ),
        ([*waiting(call()), post()], "Whether this is as intended is unclear, and so is who must act."),
    ],
    ids=["call", "approval", "environment", "misaddressed", "unapplied"],
)
def test_whose_move_it_is_in_plain_words(rows: list[Json], said: str) -> None:
    report = told(*rows)
    shown = forms(report) | {"build": " ".join(text.render(report, width=80, color=False).split())}
    for name, one in shown.items():
        assert said in one.replace(" .", "."), name


@pytest.mark.parametrize("expected", ["yes", "no", "unclear"])
@pytest.mark.parametrize("blame", ["app", "server", "recording", "subagent", "user", "nobody", "unclear"])
def test_there_are_words_for_every_stall(expected: str, blame: str) -> None:
    for kind in ("needs_tool_result", "ended_badly", "a kind of tomorrow"):
        said = expectation(Stall(kind, expected, blame, ""))
        assert re.fullmatch(r"[A-Z][^\n]+\.", said)
        assert "None" not in said


def test_the_last_activity_is_no_since() -> None:
    report = told(*waiting(call()))
    (action,) = report.sessions[0].verdict.actions
    assert action.clock == "server"
    shown = forms(report) | {"build": " ".join(text.render(report, width=80, color=False).split())}
    for name, one in shown.items():
        assert re.search(r"last active at [^;]+, by the session object", one), name
        assert not re.search(r"since +\d{4}-", one), name
        assert "the server's clock);" not in one, name


def test_a_receive_time_is_a_since() -> None:
    whole = fixture("stalled/wrapped.log")
    shown = text.render(whole, width=80, color=False)
    assert "since      2026-10-26 08:14:08Z, 3 s ago (the recorder's clock)" in shown
    assert "1 s old by the recorder's clock" in " ".join(shown.split())
    for name, one in (forms(whole) | {"build": shown}).items():
        assert "by the session object" not in one, name
        assert "first seen at" not in one, name


def test_the_age_of_a_session_object_is_not_known() -> None:
    later = tracelink.trace(lines(waiting(call())).encode(), as_of=START + 100)
    shown = " ".join(text.render(tracelink.report(later), width=80, color=False).split())
    assert re.search(r"event at \S+ \(ev_6\), by which the session was last active [^.,]+ ago\.", shown)
    assert " old by " not in shown


def test_a_wait_in_a_retrieved_object_was_only_seen_there() -> None:
    seen, streamed = forms(fixture("awaiting/bundle.json")), forms(fixture("awaiting/stream.jsonl"))
    for name in seen:
        assert re.search(r"\(call_e4Ys8LkDv1Uo\)\s?, first seen at \S*bundle.json:2", seen[name]), name
        assert "first seen at" not in streamed[name], name
        assert re.search(r", last active at 08:00:10 srv, by the session object", streamed[name]), name


def test_json_tells_the_same_words() -> None:
    report = told(*waiting(call()))
    (one,) = report.sessions
    shown = json.loads(postmortem_json.render(report, one, tell(one)))
    (step,) = shown["next_actions"]
    assert "own log of posts to …/agents/sessions/sess_tide1/events" in step["text"]
    assert any("call_ebb1 was sent and lost, refused, or never sent" in said for said in shown["cannot_tell"])


def test_the_note_on_a_pending_action_points_to_the_body_on_the_page() -> None:
    page = made(told(*waiting(call()))).decode()
    assert 'What to send stands <a href="#send">at the top of this page</a>' in page
    assert "--emit payload" not in page
    assert page.count('id="send"') == 1
    waits = made(told(snapshot("requires_action", connection()))).decode()
    assert "#send" not in waits
