"""Recordings are hostile: what is shown of them is text, in every form."""

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tracelink
from tests.story.hostile import NASTY, TEXT, reports
from tracelink.model.run import Report
from tracelink.render import (
    postmortem_json,
    postmortem_markdown,
    postmortem_text,
    timeline_chrome,
    timeline_text,
    why_json,
    why_text,
)
from tracelink.render.escape import escape
from tracelink.render.markdown import code, code_json, fence, prose
from tracelink.story import chart, tell, why
from tracelink.story.known import known

markdown_it = pytest.importorskip("markdown_it")
READER = markdown_it.MarkdownIt("gfm-like")
SLOW = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
ALLOWED = {
    "inline", "text", "code_inline", "softbreak", "fence", "paragraph_open", "paragraph_close", "heading_open", "heading_close",
    "bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close", "strong_open", "strong_close",
}  # fmt: skip


def tokens(text: str) -> list[tuple[str, str]]:
    """All tokens of a document, those inside others too: type and content."""
    return [(one.type, one.content) for token in READER.parse(text) for one in (token, *(token.children or ()))]


@SLOW
@given(reports(), st.booleans())
def test_markdown_holds_only_what_we_wrote(report: Report, full: bool) -> None:
    session = report.sessions[0]
    shown = postmortem_markdown.render(report, session, tell(session), full=full)
    found = tokens(shown)
    assert {kind for kind, _ in found} <= ALLOWED
    headings = [line for line in shown.split("\n") if re.match("#+ ", line)]
    assert len(headings) == sum(kind == "heading_open" for kind, _ in found)
    bodies = [json.loads(content) for kind, content in found if kind == "fence"]
    assert bodies == [step.body for step in session.next_actions if step.body is not None][: len(bodies)]
    assert escape(shown.replace("\n", "")) == shown.replace("\n", "")


@SLOW
@given(reports())
def test_text_moves_no_cursor(report: Report) -> None:
    session = report.sessions[0]
    shown = [
        postmortem_text.render(report, session, tell(session), width=80, color=False),
        postmortem_text.render(report, session, tell(session), width=80, color=False, full=True, cut=False),
        timeline_text.render(report, session, chart(session), width=80, color=False),
    ]
    shown += [why_text.render(report, why(session, one), width=80, color=False) for one in known([session.trace])]
    for text in shown:
        plain = text.replace("\n", "")
        assert escape(plain) == plain
        assert "##[" not in text
        assert not any(line.lstrip().startswith("::") for line in text.split("\n"))


@SLOW
@given(reports())
def test_json_is_json(report: Report) -> None:
    session = report.sessions[0]
    told = json.loads(postmortem_json.render(report, session, tell(session)))
    assert told["session_id"] == session.trace.session_id or "\ud800" in str(session.trace.session_id)
    json.loads(timeline_chrome.render([(session, chart(session))]))
    for one in known([session.trace]):
        json.loads(why_json.render(report, why(session, one)))


def test_a_command_to_copy_is_quoted() -> None:
    row = json.dumps(
        {"object": "agent.session.turn", "id": "t;$(id)", "status": "in_progress", "session_id": "s", "subagent_id": None}
    )
    body = json.dumps({"object": "agent.session", "id": "s", "status": "in_progress", "required_actions": []})
    report = tracelink.report(f"{row}\n{body}".encode())
    session = report.sessions[0]
    shown = timeline_text.render(report, session, chart(session), width=80, color=False)
    assert "--turn 't;$(id)'" in shown
    (one,) = [one for one in known([session.trace]) if one.kind == "turn"]
    assert "--turn 't;$(id)'" in why_text.render(report, why(session, one), width=80, color=False)


@given(TEXT)
def test_code_is_one_code_span(text: str) -> None:
    found = tokens(f"x {code(text)} y")
    assert [kind for kind, _ in found].count("code_inline") == (1 if escape(text).strip() else 0)
    assert {kind for kind, _ in found} <= ALLOWED


@given(TEXT, st.integers(1, 40))
def test_cut_code_is_one_code_span(text: str, width: int) -> None:
    assert {kind for kind, _ in tokens(f"- {code(text, width)} {code_json([text], width)}")} <= ALLOWED


@given(TEXT)
def test_a_sentence_keeps_its_words_and_nothing_acts(text: str) -> None:
    found = tokens(f"Seen: {prose(f'it says {text} at x.jsonl:3 (evt_1).')}")
    assert {kind for kind, _ in found} <= ALLOWED
    assert "x.jsonl:3" in [content for kind, content in found if kind == "code_inline"]


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | TEXT, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner))
)
def test_a_fence_holds_the_same_value_and_cannot_be_left(value: object) -> None:
    found = tokens("\n".join([*fence(value), "after"]))
    (inside,) = [content for kind, content in found if kind == "fence"]
    assert json.loads(inside) == json.loads(json.dumps(value))
    assert found[-2][1] == "after" or ("text", "after") in found


@pytest.mark.parametrize("text", NASTY)
def test_no_backtick_of_a_recording_is_left(text: str) -> None:
    assert "`" not in (code(text).strip("`")) or code(text) == "(empty)"
    assert "`" not in "".join(fence([text])[1:-1])


def test_plain_words_stay_plain() -> None:
    told = prose("The result at wrapped.log:22 names call_1, which no call has (HTTP 400).")
    assert told == "The result at `wrapped.log:22` names `call_1`, which no call has (HTTP 400)."
    assert prose("deadbeef @all #1 GH-2 a/b#3 www.x.y") == "`deadbeef` `@all` `#1` `GH-2` `a/b#3` `www.x.y`"


def test_the_reader_would_notice() -> None:
    kinds = {kind for kind, _ in tokens("https://evil.invalid <b> ![x](y)\n\n<div>\n\n| a |\n|---|\n")}
    assert {"link_open", "html_inline", "image", "html_block", "table_open"} <= kinds
