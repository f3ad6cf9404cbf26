"""The text: the verdict first, ids whole, the quiet folded, nothing hostile shown."""

import re
from dataclasses import replace
from typing import Any

import pytest

from tracelink.render.escape import width_of
from tracelink.render.text import render


def text(report: Any, **options: Any) -> str:
    return render(report, **({"width": 80, "color": False} | options))


def test_the_verdict_is_the_first_sentence(make: Any) -> None:
    shown = text(make.awaiting())
    paragraphs = shown.split("\n\n")
    assert paragraphs[0].startswith("sess_7  requires_action\n")
    assert paragraphs[1].startswith("AWAITING: your app must answer count_stock (call_ab12) in turn_9: ")
    assert "STALLED (result misaddressed): The" in paragraphs[1] or "STALLED (result misaddressed): the" in paragraphs[1]


def test_the_chain_holds_each_call_result_and_subagent_in_its_place(make: Any) -> None:
    lines = text(make.awaiting()).split("\nchain\n")[1].split("\n\n")[0].splitlines()
    assert lines == [
        "  agent agent_root  gpt-example",
        "  ├─ turn_8  completed in 12 s",
        '  │  └─ count_stock  call_1  answered  {"sku": "A-0"} → 41 in stock',
        "  └─ turn_9  in_progress",
        "     ├─ create_subagent_call  item_c  completed  look it up\\nplease",
        '     │  └─ subagent sub_1 "researcher"  active  link inferred (unique, high)',
        "     │     └─ turn_s  in_progress",
        '     ├─ count_stock  call_ab12  required  TL501  {"sku": "A-1", "bin": 7}',
        "     └─ result for call_ab1  meant for call_ab12  TL105  7",
    ]


def test_one_agent_alone(make: Any) -> None:
    chain = text(make.awaiting(), agent="sub_1").split("\nchain\n")[1].split("\n\n")[0]
    assert chain.splitlines() == [
        '  subagent sub_1 "researcher"  active  link inferred (unique, high)',
        "  └─ turn_s  in_progress",
    ]


def test_a_long_quiet_middle_is_one_line_and_full_shows_it(make: Any) -> None:
    report = make.long(212, 3)
    shown = text(report)
    assert "  ├─ … 212 turns, 634 calls, all answered\n" in shown
    assert "call_ab12  required" in shown
    assert "call_turn_q100_2" not in shown
    assert "--full" in shown.splitlines()[-1]
    assert "call_turn_q100_2" in text(report, full=True)


def test_a_short_chain_is_not_folded(make: Any) -> None:
    assert "…" not in text(make.long(3, 3))


def test_one_broken_call_keeps_its_turn_open(make: Any) -> None:
    report = make.long(50, 2)
    (session,) = report.sessions
    key = ("turn_q20", "call_turn_q20_1")
    broken = replace(session.trace.calls[key], state="unanswered")
    session = replace(session, trace=replace(session.trace, calls=session.trace.calls | {key: broken}))
    shown = text(replace(report, sessions=(session,)))
    assert "call_turn_q20_1  unanswered" in shown
    assert "… 19 turns, 38 calls, all answered" in shown


def test_texts_are_cut_at_the_width_and_ids_never(make: Any) -> None:
    long_id = "call_" + "x" * 120
    report = make.awaiting({"note": "very long " * 40})
    (session,) = report.sessions
    call = replace(session.trace.calls[("turn_9", "call_ab12")], call_id=long_id)
    trace = replace(session.trace, calls={("turn_9", long_id): call})
    shown = text(replace(report, sessions=(replace(session, trace=trace),)))
    assert long_id in shown
    assert all(width_of(line) <= 80 for line in shown.splitlines() if long_id not in line and "next:" not in line)
    assert "very long " * 10 not in shown
    assert "very long " * 10 in text(report, cut=False)
    assert "very long " * 40 in text(report, full=True)


def test_nothing_of_a_recording_reaches_the_terminal_unescaped(make: Any) -> None:
    shown = text(make.awaiting({"a": "\x1b]0;title\x07", "b": "\u202e"}), full=True)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)
    assert "\\u001b]0;title\\u0007" in shown


def test_colours_only_when_asked_for(make: Any) -> None:
    assert "\x1b[" not in text(make.awaiting())
    colored = text(make.awaiting(), color=True)
    assert "\x1b[1;33mAWAITING\x1b[0m" in colored
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == text(make.awaiting())


@pytest.mark.parametrize("awaits", ["awaiting", "answered_unapplied", "not_awaiting", "unknown"])
def test_every_verdict_has_its_words(make: Any, awaits: str) -> None:
    report = make.awaiting()
    (session,) = report.sessions
    session = replace(session, verdict=replace(session.verdict, awaits=awaits, actions=()))
    assert re.search(r"^[A-Z, ]+: the latest", text(replace(report, sessions=(session,))), re.MULTILINE)


def test_several_sessions_are_told_in_one_line_first(make: Any) -> None:
    report = make.awaiting()
    other = replace(report.sessions[0], verdict=replace(report.sessions[0].verdict, awaits="not_awaiting", actions=()))
    shown = text(replace(report, sessions=(report.sessions[0], other)))
    assert shown.splitlines()[0] == "2 sessions: 1 awaiting; 1 not awaiting"
    assert shown.splitlines()[1] == "  awaiting: sess_7"
    assert "--session sess_7" in shown.splitlines()[-1]


def test_of_many_sessions_the_calm_ones_get_a_line(make: Any) -> None:
    report = make.awaiting()
    (session,) = report.sessions
    calm = replace(
        session,
        trace=replace(session.trace, session_id="sess_calm"),
        verdict=replace(session.verdict, awaits="not_awaiting", actions=()),
        stall=replace(session.stall, kind="not_stalled"),
        findings=(),
    )
    many = replace(report, sessions=(session, *[calm] * 30))
    shown = text(many)
    assert "30 sessions in which nothing is open or broken\n  sess_calm  requires_action  3 turns, 2 calls\n" in shown
    assert "  … 10 more\n" in shown
    assert shown.count("AWAITING: ") == 1
    assert text(many, full=True).count("AWAITING: ") == 31


def test_an_empty_result_says_what_was_looked_at(make: Any) -> None:
    shown = text(make.nothing())
    assert shown.startswith("No session in 1 source, 0 records.\n")
    assert "It is text without a JSON value." in shown


def test_many_findings_of_one_code_are_summed(make: Any) -> None:
    report = make.awaiting()
    (session,) = report.sessions
    session = replace(session, findings=session.findings[1:] * 25)
    shown = text(replace(report, sessions=(session,)))
    assert "findings  25 errors" in shown
    assert "… 15 more of TL105" in shown


def test_agents_that_are_each_others_parents_are_still_shown(make: Any) -> None:
    report = make.awaiting()
    (session,) = report.sessions
    agents = dict(session.trace.agents)
    agents["a"] = replace(agents["sub_1"], id="a", parent_id="b", spawn=None)
    agents["b"] = replace(agents["sub_1"], id="b", parent_id="a", spawn=None)
    shown = text(replace(report, sessions=(replace(session, trace=replace(session.trace, agents=agents)),)))
    assert "subagent a " in shown
    assert "subagent b " in shown


def test_a_chain_of_subagents_deeper_than_any_stack(make: Any) -> None:
    report = make.awaiting()
    (session,) = report.sessions
    agents = dict(session.trace.agents)
    for number in range(1200):
        parent = f"s{number - 1}" if number else "sub_1"
        agents[f"s{number}"] = replace(agents["sub_1"], id=f"s{number}", parent_id=parent, spawn=None)
    shown = text(replace(report, sessions=(replace(session, trace=replace(session.trace, agents=agents)),)))
    assert "subagent s1199 " in shown
    assert max(map(len, shown.splitlines())) < 200, "a line stays a line, however deep the chain"


def test_the_next_command_is_the_story_where_something_is_stuck(make: Any) -> None:
    report = make.awaiting()
    assert text(report).splitlines()[-1].startswith("next: tracelink postmortem events.jsonl ")
    one = report.sessions[0]
    for kind, expected in (("needs_tool_result", "yes"), ("recording_ended", "unclear")):
        waiting = replace(report, sessions=(replace(one, stall=replace(one.stall, kind=kind, expected=expected)),))
        assert text(waiting).splitlines()[-1].startswith("next: tracelink awaits events.jsonl --emit payload ")
