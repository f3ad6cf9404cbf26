"""Reports made by hand, for the renderers: nothing is read or judged here."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tracelink.model.facts import ActionSeen, SessionBody, SnapshotSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Location, Origin
from tracelink.model.record import SourceInfo
from tracelink.model.run import Report, Run, SessionReport
from tracelink.model.trace import Agent, Call, Coordination, Meant, Result, Spawn, Trace, Turn, Unlinkable
from tracelink.model.verdict import Evidence, NextAction, OpenAction, Stall, Verdict

START = 1_790_000_000


def origin(line: int) -> Origin:
    return Origin("events.jsonl", line, line * 100, f"evt_{line:03}", seq=line)


def body(**changes: Any) -> SessionBody:
    base = SessionBody("requires_action", (), True, "agent_root", None, "gpt-example", True, 3, [], "none", None, None)
    return base._replace(**changes)


def awaiting(answer_arguments: Any = None) -> Report:
    """One call answered, one open, one result for a call that is not there, and a subagent at work."""
    arguments = {"sku": "A-1", "bin": 7} if answer_arguments is None else answer_arguments
    seen = ActionSeen("function_call", "turn_9", "call_ab12", None, None, "count_stock", arguments)
    snapshot = SnapshotSeen(origin(30), "sess_7", "agent.session.requires_action", START, START + 60, body(actions=(seen,)))
    root = Agent("agent_root", True, model="gpt-example")
    child = Agent("sub_1", False, "researcher", None, "agent_root", "active", spawn=Spawn("item_c", "sub_1", "unique", "high"))
    turns = {
        "turn_8": Turn("turn_8", "agent_root", None, True, "completed", "completed", START, START, START + 12),
        "turn_9": Turn("turn_9", "agent_root", None, True, "in_progress", None, START + 20, START + 20),
        "turn_s": Turn("turn_s", "sub_1", "sub_1", True, "in_progress"),
    }
    calls = {
        ("turn_8", "call_1"): Call("turn_8", "call_1", "count_stock", {"sku": "A-0"}, "completed", "answered", results=(0,)),
        ("turn_9", "call_ab12"): Call(
            "turn_9", "call_ab12", "count_stock", arguments, "completed", "required", origins=(origin(22),)
        ),
    }
    results = (
        Result(
            "turn_8",
            "call_1",
            "41 in stock",
            None,
            True,
            True,
            posted=origin(9),
            recorded=origin(10),
            call=("turn_8", "call_1"),
        ),
        Result(
            "turn_9",
            "call_ab1",
            "7",
            None,
            True,
            True,
            posted=origin(28),
            problem="TL105",
            meant=Meant("turn_9", "call_ab12", "truncated", "one character short"),
        ),
    )
    create = Coordination("item_c", "create", "turn_9", "agent_root", (), "completed", "look it up\nplease", (origin(21),))
    trace = Trace(
        "sess_7",
        snapshots=(snapshot,),
        latest=(snapshot,),
        agents={"agent_root": root, "sub_1": child},
        turns=turns,
        calls=calls,
        results=results,
        coordination={"item_c": create},
        unlinkable=(Unlinkable("calls of sub_1", "its own history was not recorded", {"subagent_id": "sub_1"}, origin(23)),),
        sources=("events.jsonl",),
        counts={"records": 30, "turns": 3, "calls": 2, "results": 2, "subagents": 1},
    )
    action = OpenAction(seen, START + 60.0, "server", 1, 1, "misaddressed", origin(30).location, 1)
    verdict = Verdict(
        "awaiting",
        "the latest snapshot lists one action, and the one result that was posted names another call",
        (action,),
        Evidence("the snapshot agent.session.requires_action", origin(30).location, 3600.0, "server"),
        "a later snapshot that no longer lists call_ab12",
    )
    stall = Stall("result_misaddressed", "no", "app", "the result at events.jsonl:28 names call_ab1, which is no call.")
    finding = Finding(
        "TL105",
        "near-miss-call-id",
        Severity.ERROR,
        Confidence.HIGH,
        "A result names call_ab1 at events.jsonl:28; no such call is open, but call_ab12 differs by one character.",
        {"turn_id": "turn_9", "call_id": "call_ab1"},
        (origin(28).location, origin(22).location),
        "Post the result again with call_ab12.",
        "sess_7",
    )
    note = replace(
        finding,
        code="TL501",
        name="awaiting-action",
        severity=Severity.NOTE,
        message="count_stock waits.",
        ids={"turn_id": "turn_9", "call_id": "call_ab12"},
        locations=(),
        hint="",
    )
    payload = {
        "events": [{"type": "agent.session.input.tool_result", "turn_id": "turn_9", "call_id": "call_ab12", "output": "7"}]
    }
    session = SessionReport(
        trace, verdict, stall, (NextAction("Post the result again, with the right id.", payload),), (note, finding)
    )
    run = Run(
        (SourceInfo("events.jsonl", "jsonl", 12_345, 31),),
        (trace,),
        ({"used": 29, "repeated": 1, "unknown": 0, "unreadable": 1, "foreign": 0},),
        as_of=START + 3660.0,
    )
    torn = Finding(
        "TL002",
        "torn-tail",
        Severity.WARNING,
        Confidence.HIGH,
        "The last line is cut off.",
        {},
        (Location("events.jsonl", 31, 3100),),
    )
    return Report(run, (session,), (torn,))


def long(turns: int, calls: int) -> Report:
    """A session of many turns in which every call was answered, and a last turn that awaits."""
    report = awaiting()
    trace = report.sessions[0].trace
    more_turns = {
        f"turn_q{number}": Turn(f"turn_q{number}", "agent_root", None, True, "completed", "completed")
        for number in range(turns)
    }
    more_calls = {
        (turn, f"call_{turn}_{number}"): Call(turn, f"call_{turn}_{number}", "look", {}, "completed", "answered")
        for turn in more_turns
        for number in range(calls)
    }
    trace = replace(trace, turns=more_turns | trace.turns, calls=more_calls | trace.calls)
    return replace(report, sessions=(replace(report.sessions[0], trace=trace),))


def nothing() -> Report:
    return Report(Run((SourceInfo("notes.txt", "text", 20, 0, problem="It is text without a JSON value."),), (), ({},)), ())


@pytest.fixture
def make() -> Any:
    """The makers above, as one object."""

    class Makers:
        awaiting: Callable[..., Report] = staticmethod(awaiting)
        long: Callable[..., Report] = staticmethod(long)
        nothing: Callable[..., Report] = staticmethod(nothing)

    return Makers
