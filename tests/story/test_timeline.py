"""`tracelink timeline`: whose clock, order where there is none, whole ids, 80 columns; and trace events of the documented form."""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import tracelink
from tests.story.conftest import STALLED, recordings
from tests.story.test_postmortem import long_turn
from tracelink.render import timeline_chrome, timeline_text
from tracelink.render.escape import width_of
from tracelink.story import chart, tell


def test_the_header_says_clock_and_scale(program: Any) -> None:
    shown = program("timeline", "stalled.log")
    assert (shown.returncode, shown.stderr) == (0, "")
    head = " ".join(shown.stdout.split())
    assert re.search(r"time by the recorder's clock, 2026-10-26 08:14:00Z to .* one column is 0\.\d+ s", head)
    assert "progress stopped" in shown.stdout
    assert "call_q7Hd0vTn2XsB required" in shown.stdout


def test_without_times_it_draws_order_and_says_so(program: Any) -> None:
    shown = " ".join(program("timeline", "order.jsonl").stdout.split())
    assert "ORDER ONLY, NOT TIME" in shown
    assert "what is longer did not last longer" in shown
    assert " s " not in shown.split("═ turn")[0]


def test_children_have_lanes_and_the_servers_clock_is_marked(program: Any) -> None:
    shown = program("timeline", "children.log").stdout
    lanes = re.findall(r"^(?:agent|subagent) (\w+)", shown, re.MULTILINE)
    assert lanes == ["agent_8HtV63planner", "sub_p4Flights", "sub_r7Hotels", "sub_z1Reviews"]
    assert "turn_s2Hotel (srv)" in shown
    assert "(srv) by the server's clock" in " ".join(shown.split())
    assert "waits for sub_z1Reviews  (time not recorded)" in shown


@pytest.mark.parametrize("path", recordings(), ids=lambda path: "/".join(path.parts[-2:]))
def test_ids_are_whole_and_bars_fit(path: Path) -> None:
    report = tracelink.report(path)
    for session in report.sessions:
        drawn = chart(session)
        for fine in (True, False):
            shown = timeline_text.render(report, session, drawn, width=80, color=False, fine=fine)
            for line in shown.split("\n"):
                assert width_of(line) <= 80 or line.startswith(("next:", "    ", "  ")), line
                assert fine or line.isascii() or "…" in line
            for lane in drawn.lanes:
                assert lane.agent.id in shown
                assert all(span.id in shown for span in lane.spans if span.kind != "wait")
        validate(json.loads(timeline_chrome.render([(session, drawn)])))


def test_long_turns_are_folded(program: Any) -> None:
    program.write("long.jsonl", long_turn(500))
    shown = program("timeline", "long.jsonl").stdout
    assert len(shown.split("\n")) < 40
    assert re.search(r"… \d+ calls: answered", shown)
    assert "call_499 required" in shown
    assert "call_250" in program("timeline", "long.jsonl", "--full").stdout


def test_all_sessions_in_one_perfetto_file(program: Any) -> None:
    done = program("timeline", "two.jsonl", "stalled.log", "--format", "chrome")
    trace = json.loads(done.stdout)
    validate(trace)
    assert [one["order_only"] for one in trace["otherData"]["sessions"]] == [True, True, False]
    names = {event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "process_name"}
    assert names == {"session sess_a1", "session sess_b1", "session sess_8Vt3mWarehouse"}


def test_perfetto_sees_calls_posts_flows_and_the_stall(program: Any) -> None:
    trace = json.loads(program("timeline", "stalled.log", "--format", "chrome").stdout)
    events = trace["traceEvents"]
    slices = {event["name"]: event for event in events if event["ph"] == "X"}
    call = slices["reserve_stock call_m3Lw8RzKf5Ya"]
    assert call["dur"] == 3_100_000
    post = slices["result for call_m3Lw8RzKf5Ya"]
    starts = [event for event in events if event["ph"] == "s"]
    ends = [event for event in events if event["ph"] == "f"]
    assert [(one["tid"], one["ts"]) for one in starts] == [(call["tid"], call["ts"])]
    assert [(one["tid"], one["ts"]) for one in ends] == [(post["tid"], post["ts"])]
    assert [one["name"] for one in events if one["ph"] == "i" and "stopped" in one["name"]] == [
        "progress stopped (result misaddressed)"
    ]
    children = json.loads(program("timeline", "children.log", "--format", "chrome").stdout)["traceEvents"]
    assert sum(event["ph"] == "s" and event["name"] == "creates" for event in children) == 2


def validate(trace: dict[str, Any]) -> None:
    """The documented form (Trace Event Format, Google; JSON Object Format), for the phases that we write: X, i, s, f, M.

    ts and dur are microseconds; X slices of one thread nest; a flow's f has the s of its id, not later; i has a scope; M names things.
    """
    assert set(trace) == {"traceEvents", "displayTimeUnit", "otherData"}
    assert trace["displayTimeUnit"] in ("ms", "ns")
    threads, named, flows = defaultdict(list), set(), defaultdict(dict)  # type: ignore[var-annotated]
    for event in trace["traceEvents"]:
        assert event["ph"] in ("X", "i", "s", "f", "M")
        assert isinstance(event["name"], str)
        assert event["name"]
        for key in ("ts", "pid", "tid"):
            assert isinstance(event[key], int)
            assert event[key] >= 0
        assert isinstance(event.get("args", {}), dict)
        match event["ph"]:
            case "M":
                assert event["name"] in ("process_name", "thread_name")
                assert isinstance(event["args"]["name"], str)
                named.add((event["pid"], event["tid"], event["name"]))
            case "X":
                assert isinstance(event["dur"], int)
                assert event["dur"] >= 0
                threads[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
            case "i":
                assert event["s"] in ("t", "p", "g")
            case "s" | "f":
                assert event["ph"] not in flows[event["id"]]
                assert event["ph"] == "s" or event["bp"] == "e"
                flows[event["id"]][event["ph"]] = event
    for key in threads:
        assert (*key, "thread_name") in named
        assert (key[0], 0, "process_name") in named
        last = -1
        for begin, end in sorted(threads[key]):
            assert begin >= last, "slices of one thread overlap"
            last = end
    for both in flows.values():
        assert set(both) == {"s", "f"}
        assert both["f"]["ts"] >= both["s"]["ts"]
        assert both["f"]["name"] == both["s"]["name"]
        assert both["f"]["cat"] == both["s"]["cat"]
        for end in both.values():  # a flow binds to a slice that encloses it
            inside = threads[end["pid"], end["tid"]]
            assert any(begin <= end["ts"] <= until for begin, until in inside)


def test_the_validator_would_notice() -> None:
    bad = {"ph": "X", "name": "a", "pid": 1, "tid": 3, "ts": 5}
    with pytest.raises((AssertionError, KeyError)):
        validate({"traceEvents": [bad], "displayTimeUnit": "ms", "otherData": {}})
    meta = [
        {"ph": "M", "name": name, "pid": 1, "tid": tid, "ts": 0, "args": {"name": "x"}}
        for name, tid in (("process_name", 0), ("thread_name", 3))
    ]
    with pytest.raises(AssertionError, match="overlap"):
        validate(
            {"traceEvents": [*meta, bad | {"dur": 9}, bad | {"ts": 7, "dur": 9}], "displayTimeUnit": "ms", "otherData": {}}
        )


@pytest.mark.parametrize("path", recordings(), ids=lambda path: "/".join(path.parts[-2:]))
def test_it_stops_where_the_post_mortem_says(path: Path) -> None:
    for session in tracelink.report(path).sessions:
        story, drawn = tell(session), chart(session)
        told = story.moments[story.stopped] if story.stopped is not None else None
        if drawn.stopped is not None:
            assert told is not None
            assert drawn.moments[drawn.stopped.position].name == told.name


def _drawn(*times: str, width: int = 80) -> str:
    rows = [json.loads(line) for line in STALLED.read_text().splitlines()]
    for at, row in enumerate(rows):
        row["ts"] = times[at * len(times) // len(rows)]
    report = tracelink.report("\n".join(map(json.dumps, rows)).encode())
    (session,) = report.sessions
    return timeline_text.render(report, session, chart(session), width=width, color=False)


def test_one_receive_time_for_all_is_no_clock() -> None:
    shown = " ".join(_drawn("2026-10-26T08:14:00Z").split())
    assert "ORDER ONLY, NOT TIME: every receive time is the same." in shown
    assert "one column is" not in shown


def test_an_axis_of_days_names_them() -> None:
    times = ("2026-10-24T08:14:00Z", "2026-10-26T20:30:00Z")
    shown = _drawn(*times)
    assert re.search(r"^ +2026-10-24 08:14 +2026-10-26 20:30$", shown, re.MULTILINE)
    assert "one column is 1 h" in " ".join(shown.split())
    assert re.search(r"^ +2026-10-24 2026-10-26$", _drawn(*times, width=40), re.MULTILINE)


def test_an_axis_of_one_day_is_told_by_the_clock() -> None:
    assert re.search(r"^ +08:14:00\.0 +08:30:00\.0$", _drawn("2026-10-26T08:14:00Z", "2026-10-26T08:30:00Z"), re.MULTILINE)
