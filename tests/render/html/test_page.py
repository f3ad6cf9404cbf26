"""The page without a browser: one file that asks for nothing, runs nothing recorded, has a bound, and is the same each time."""

import json
import re
import unicodedata
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import tracelink
from tests.render.html import hostile, sessions
from tests.render.html.page import Page, made, of
from tests.rules.cases import call, ending, opening, told, waiting
from tests.story.conftest import STALLED, recordings, report
from tests.story.hostile import reports
from tracelink.model.run import Report
from tracelink.render.html import keep
from tracelink.render.html.compare import marked
from tracelink.render.html.embed import embedded
from tracelink.render.html.filling import environment, prose

MB = 1_000_000


@pytest.mark.parametrize("path", recordings(), ids=lambda path: "/".join(path.parts[-2:]))
def test_every_fixture_is_a_sound_page(path: Path) -> None:
    told = tracelink.report(path)
    if not told.sessions:
        return
    data = made(told)
    page = Page(data)
    page.hold()
    assert b"http://" not in data.replace(b"http://www.w3.org/2000/svg", b"")
    rows = page.data["rows"]
    assert all(row[4] < len(rows) for row in rows)
    assert data == made(told)


def test_the_policy_names_what_runs_and_nothing_else() -> None:
    page = Page(made(report("stalled/wrapped.log")))
    rules = dict(rule.split(" ", 1) for rule in page.policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for sort, text in (("script-src", page.inner["script"][1]), ("style-src", page.inner["style"][0])):
        assert rules[sort] == f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
    assert "unsafe" not in page.policy


def test_our_script_makes_no_html_of_text_and_no_request() -> None:
    page = Page(made(report("stalled/wrapped.log")))
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|fetch\(|XMLHttpRequest|import\(|sendBeacon|WebSocket"
    code = re.sub(r"^\s*//.*$", "", page.inner["script"][1], flags=re.MULTILINE)
    assert not re.search(forbidden, code)
    assert "url(" not in page.inner["style"][0]


def test_the_answer_is_there_without_a_script() -> None:
    page = Page(made(report("stalled/wrapped.log")))
    text = " ".join(" ".join(page.text).split())
    for said in (
        "is required by the latest snapshot, and no post has rightly answered it.",
        "This is not as intended: the session still waits for an answer that fits, and the app must mend what it posts.",
        "The server refused the answer to call_q7HdOvTn2XsB",
        "Post the result that is already there under the right pair",
        '"call_id": "call_q7Hd0vTn2XsB"',
        "No progress is recorded after this",
        "what the server did after that is not in it.",
    ):
        assert said in text.replace(" ,", ",").replace(" ;", ";"), said


def test_the_body_is_the_one_to_send() -> None:
    told = report("stalled/wrapped.log")
    text = "".join(Page(made(told)).text)
    body = text[text.index('{\n  "events"') :]
    assert json.JSONDecoder().raw_decode(body)[0] == told.sessions[0].next_actions[0].body


def test_a_drifted_character_is_marked() -> None:
    posted, wanted = marked("call_q7HdOvTn2XsB", "call_q7Hd0vTn2XsB")
    assert posted == "call_q7Hd<mark>O</mark>vTn2XsB"
    assert wanted == "call_q7Hd<mark>0</mark>vTn2XsB"
    assert marked("same", "same") == ("same", "same")
    assert marked("<b>", "<i>")[0] == "&lt;<mark>b</mark>&gt;"
    assert "mark" not in marked("a" * 500, "b" * 500)[0]


def test_order_is_said_where_there_is_no_time() -> None:
    timed, order = (Page(made(report(f"stalled/{name}"))) for name in ("wrapped.log", "stream.jsonl"))
    assert timed.data["axis"]["timed"] is True
    assert order.data["axis"]["timed"] is False
    assert "Order, not time:" in order.text
    assert "Order, not time:" not in timed.text


def test_a_result_that_went_astray_is_marked_where_it_was_posted() -> None:
    data = Page(made(report("stalled/wrapped.log"))).data
    (mark,) = [bar for bar in data["bars"] if data["kinds"][data["rows"][bar[0]][0]] == "tool_result"]
    assert data["rows"][mark[0]][1] == "call_q7HdOvTn2XsB"
    assert mark[1] == mark[2] == mark[5] == 10_900  # 08:14:11.3, by an axis that begins at 08:14:00.4
    clean = Page(made(report("clean/wrapped.log"))).data
    assert {clean["kinds"][clean["rows"][bar[0]][0]] for bar in clean["bars"]} == {"turn", "function_call"}


def test_findings_name_their_nodes() -> None:
    page = Page(made(report("stalled/wrapped.log")))
    data = page.data
    named = {code: [data["rows"][at][1] for at in rows] for code, _, rows, _ in data["codes"]}
    assert named["TL105"] == ["call_q7HdOvTn2XsB"]
    assert "turn_c5Hn2bReserve" in named["TL307"] or "call_q7HdOvTn2XsB" in named["TL307"]


@pytest.mark.parametrize("start", range(len(hostile.VECTORS)))
def test_nothing_recorded_acts(start: int) -> None:
    data = of(hostile.recording(hostile.cycling(start)))
    held(data)


def test_all_vectors_in_every_field() -> None:
    data = of(hostile.recording(hostile.everything()))
    held(data)
    text = "".join(Page(data).text)
    assert text.count("<script>window.ran=1</script>") > 20
    assert "{{ 7*7 }}" in text
    assert "\\u{202E}gnp.exe" in text


@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
@given(reports())
def test_no_recording_breaks_out(told: Report) -> None:
    held(made(told))


def held(data: bytes) -> None:
    """Sound, the script the very same as in a harmless page, and no character in it that deceives."""
    page = Page(data)
    page.hold()
    assert page.inner["script"][1] == Page(made(report("stalled/wrapped.log"))).inner["script"][1]
    text = data.decode()
    assert {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")} <= {"\n"}
    assert not re.search(r"<!--|</script", page.inner["script"][0])


def test_the_reader_would_notice() -> None:
    plain = made(report("stalled/wrapped.log"))
    for bad in (b"<img src=x>", b"<p onclick=x>", b"<script>1</script>", b"<a href=javascript:x>x</a>", b"<p id=answer>"):
        page = Page(plain.replace(b"<footer>", bad + b"<footer>"))
        with pytest.raises(AssertionError):
            page.hold()


def test_data_cannot_leave_its_element() -> None:
    value = {"</script>": ["<!--", "\u2028", "&amp;", "\ud800", "\u202e", 2**70, "]]>"]}
    text = embedded(value)
    assert not re.search(r"[<>&\u2028\u202e]", text)
    assert json.loads(text)["</script>"][0] == "<!--"


def test_a_template_cannot_forget_to_escape() -> None:
    shown = environment().from_string("{{ a }}|{{ b|prose }}|{{ c }}").render(a="<b>\u202e\n", b="it <i>\x00_1</i>", c=7)
    assert shown == "&lt;b&gt;\\u{202E}\\n|it <code>&lt;i&gt;\\x00_1&lt;/i&gt;</code>|7" or "<i>" not in shown
    assert "<b>" not in shown
    assert str(prose("call_1, and no 40 more.")) == "<code>call_1</code>, and no 40 more."


def test_five_thousand_calls_are_all_there_and_under_three_megabytes() -> None:
    data = of(sessions.long(5000))
    assert len(data) < 3 * MB
    page = Page(data).data
    assert page["left"] == {}
    calls = [row for row in page["rows"] if page["kinds"][row[0]] == "function_call"]
    assert len(calls) == 5000
    assert {row[1] for row in calls} >= {"call_0000000x0000", "call_0000999x0004"}


@pytest.mark.parametrize(("calls", "per_turn"), [(2500, 5), (2000, 2000)])
def test_more_is_cut_and_said(calls: int, per_turn: int) -> None:
    told = tracelink.report(sessions.long(calls, per_turn))
    graph_limit = 3_000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tracelink.render.html.page.LIMIT", graph_limit)
        data = made(told)
    assert len(data) < 3 * MB
    page = Page(data)
    found = page.data
    assert len(found["rows"]) <= graph_limit + keep.AGENTS
    assert found["left"]["function_call"] + sum(found["kinds"][row[0]] == "function_call" for row in found["rows"]) == calls
    assert "Too much for one page" in " ".join(page.text)
    last = {row[1] for row in found["rows"]}
    for action in told.sessions[0].verdict.actions[:1000]:  # what is open is never left out for what is not
        assert action.action.call_id in last


def test_texts_give_way_before_nodes_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tracelink.render.html.page.DATA", 250_000)
    data = Page(of(sessions.long(500))).data
    assert data["left"] == {}
    monkeypatch.setattr("tracelink.render.html.page.DATA", 20_000)
    assert Page(of(sessions.long(500))).data["left"]


def test_a_circle_of_agents_has_a_top() -> None:
    turn = {
        "object": "agent.session.turn",
        "session_id": "s",
        "status": "in_progress",
        "error": None,
        "subagent_id": "b",
        "id": "t",
    }
    rows: list[dict[str, Any]] = [{"object": "agent.session", "id": "s", "status": "in_progress", "required_actions": []}, turn]
    for one, other in (("a", "b"), ("b", "a")):
        child = {"object": "agent.session.subagent", "id": one, "session_id": "s", "parent_agent_id": other, "status": "active"}
        rows.append({**child, "opened_at": 1, "closed_at": None, "name": None})
    data = Page(of("\n".join(map(json.dumps, rows)).encode())).data
    for at in range(len(data["rows"])):
        seen = set()
        while at >= 0:
            assert at not in seen
            seen.add(at)
            at = data["rows"][at][4]


def test_written_where_it_is_told(program: Any) -> None:
    page = program("postmortem", "stalled.log", "--format", "html", PYTHONHASHSEED="1").stdout
    assert page.startswith("<!doctype html>")
    done = program("postmortem", "stalled.log", "-o", "page.html", PYTHONHASHSEED="2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (program.folder / "page.html").read_text(encoding="utf-8") == page
    assert program("postmortem", "stalled.log", "-o", "story.md").stdout == ""
    assert (program.folder / "story.md").read_text().startswith("# Post-mortem")
    wrong = program("postmortem", "stalled.log", "-o", "page.pdf")
    assert wrong.returncode == 2
    assert "--format" in wrong.stderr
    before = (program.folder / "stalled.log").read_bytes()
    assert program("postmortem", "stalled.log", "--format", "html", "-o", "stalled.log").returncode == 2
    assert (program.folder / "stalled.log").read_bytes() == before == STALLED.read_bytes()
    child = program("postmortem", "children.log", "--turn", "turn_s2", "--format", "html").stdout
    assert "<title>Post-mortem: turn_s2Hotel</title>" in child


@pytest.mark.parametrize("name", ["lookup", "the", "read_gauge"])
def test_a_recorded_name_keeps_its_spelling_in_the_headline(name: str) -> None:
    head = made(told(*waiting(call(name=name)))).partition(b'<h1 id="verdict">')[2]
    assert re.sub(rb"<[^>]*>", b"", head).startswith(name.encode() + b" (call_ebb1) is required")


def test_a_sentence_of_ours_begins_with_a_capital() -> None:
    assert b'<h1 id="verdict">The session' in made(told(*opening(), *ending()))
