"""Inputs made to cost the square of their size: twice as much input must not cost much more than twice the work.

The work is counted, not timed: calls of Python and C functions, and lines run, while a report is made (`sys.setprofile` and a budget
of time besides). Counting does not see a single long C call, so each trap is timed too, at its full size, against a wide bound.
"""

import itertools
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

import tracelink
from tests.cli.conftest import session
from tests.fuzz.run import limited
from tracelink.render import json as render_json
from tracelink.render import text as render_text

Json = dict[str, Any]
S, T = "sess_1", "turn_1"


def event(kind: str, number: int, **members: Any) -> Json:
    return {"type": f"agent.session.{kind}", "event_id": f"evt_{number}", **members}


def item(number: int, type_: str, **members: Any) -> Json:
    place = {"session_id": S, "turn_id": T, "output_index": number}
    body = {"type": type_, "id": f"item_{number}", "turn_id": T, "status": "completed", **members}
    return event("turn.item.added", number, item=body, **place)


def call(number: int, call_id: str, **members: Any) -> Json:
    return item(number, "function_call", call_id=call_id, **({"name": "f", "arguments": {"a": 1}} | members))


def post(call_id: str, output: str = "1", turn: str = T) -> Json:
    one = {"type": "agent.session.input.tool_result", "turn_id": turn, "call_id": call_id, "success": True, "output": output}
    return {"events": [one]}


def opened() -> list[Json]:
    turn = {"id": T, "object": "agent.session.turn", "agent_id": "agent_root", "session_id": S, "subagent_id": None}
    turn |= {
        "status": "in_progress",
        "created_at": 1_790_000_000,
        "started_at": 1,
        "completed_at": None,
        "error": None,
        "usage": None,
    }
    return [
        event("in_progress", -1, session=session(S, "in_progress", [])),
        event("turn.created", -2, session_id=S, turn_id=T, turn=turn),
    ]


def waiting(ids: list[str]) -> Json:
    actions = [{"type": "function_call", "turn_id": T, "call_id": one, "name": "f", "arguments": {"a": 1}} for one in ids]
    return event("requires_action", -3, session=session(S, "requires_action", actions))


def near_ids(n: int) -> list[Json]:
    """Calls a little apart from each other, all pending, and as many results a little beside them."""
    ids = [f"call_{k:06}aaaa" for k in range(n)]
    return [*opened(), *(call(k, one) for k, one in enumerate(ids)), waiting(ids), *(post(one[:-1] + "b") for one in ids)]


def prefixes(n: int) -> list[Json]:
    """Ids that all begin alike, and results cut off within."""
    ids = [f"{'call_' + 'x' * 40}{k:06}" for k in range(n)]
    return [*opened(), *(call(k, one) for k, one in enumerate(ids)), waiting(ids), *(post(one[:-4]) for one in ids)]


def one_pair(n: int) -> list[Json]:
    """Different results, all for the same pair."""
    return [*opened(), call(0, "c"), waiting(["c"]), *(post("c", str(k)) for k in range(n))]


def one_post(n: int) -> list[Json]:
    return [*opened(), call(0, "c"), waiting(["c"]), *(post("c") for _ in range(n))]


def versions(n: int) -> list[Json]:
    """One item, told again and again, each time otherwise."""
    return [*opened(), *({**call(0, "c", arguments={"a": k}), "event_id": f"v{k}"} for k in range(n)), waiting(["c"])]


def subagents(n: int) -> list[Json]:
    """Create calls with one text, and as many subagents with the same."""
    content = [{"type": "output_text", "text": "Check aisle 4."}]
    rows = opened() + [item(k, "create_subagent_call", agent_id="agent_root", content=content) for k in range(n)]
    for k in range(n):
        sub = {"object": "agent.session.subagent", "id": f"sub_{k}", "session_id": S, "parent_agent_id": "agent_root"}
        sub |= {"status": "active", "opened_at": 1_790_000_001, "closed_at": None, "name": None, "instructions": content}
        rows.append(event("subagent.created", n + k, subagent=sub))
    return rows


def refusals(n: int) -> list[Json]:
    said = {"error": {"type": "invalid_request_error", "code": "x", "message": "Unknown pending tool call: c", "param": None}}
    return [*opened(), call(0, "c"), waiting(["c"]), *(row for k in range(n) for row in (post(f"d{k}"), said))]


def snapshots(n: int) -> list[Json]:
    ids = [f"call_{k}" for k in range(30)]
    return [
        *opened(),
        *(call(k, one) for k, one in enumerate(ids)),
        *({**waiting(ids), "event_id": f"s{k}"} for k in range(n // 10)),
    ]


def schemas(n: int) -> list[Json]:
    """Patterns that a backtracking matcher never ends on, with arguments for them."""
    pattern = {"type": "string", "pattern": "^(a+)+$"}
    many = {"type": "object", "properties": {"a": {"anyOf": [pattern, *({"$ref": "#/properties/a"} for _ in range(3))]}}}
    tools = [{"type": "function", "name": "f", "description": "d", "parameters": many, "defer_loading": False}]
    first = session(S, "idle", [])
    first["agent"]["tools"] = tools
    rows = [event("created", -9, session=first), *opened()]
    return rows + [call(k, f"c{k}", arguments={"a": "a" * 40 + "!"}) for k in range(n)]


def waits(n: int) -> list[Json]:
    """Agents that all wait for each other in a ring."""
    rows = subagents(n)
    who = [f"sub_{k}" for k in range(n)]
    return rows + [
        item(5 * n + k, "wait_for_subagents_call", sender_agent_id=who[k], recipient_agent_ids=[who[(k + 1) % n]])
        for k in range(n)
    ]


def members(n: int) -> list[Json]:
    return [*opened(), call(0, "c", arguments={f"k{k}": {"turn_id": "x", "call_id": f"{k}"} for k in range(n)}), waiting(["c"])]


TRAPS: list[Callable[[int], list[Json]]] = [
    near_ids, prefixes, one_pair, one_post, versions, subagents, refusals, snapshots, schemas, waits, members,
]  # fmt: skip


def data_of(rows: list[Json]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def made(data: bytes) -> None:
    report = tracelink.report(data)
    render_json.render(report)
    render_text.render(report, width=80, color=False, full=False, cut=False)


def work(data: bytes) -> int:
    """Calls of functions, those written in C too."""
    count = 0

    def counted(frame: Any, what: str, argument: Any) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        made(data)
    finally:
        sys.setprofile(before)
    return count


SMALL = 150


@pytest.mark.parametrize("trap", TRAPS, ids=lambda one: one.__name__)
def test_twice_the_input_is_about_twice_the_work(trap: Callable[[int], list[Json]]) -> None:
    made(data_of(trap(5)))  # imports
    with limited(60):
        some = [work(data_of(trap(size))) for size in (SMALL, 2 * SMALL, 4 * SMALL)]
    growth = [(later - earlier) / max(earlier, 1) + 1 for earlier, later in itertools.pairwise(some)]
    assert max(growth) < 2.6, f"{some}: grows by {growth}"


@pytest.mark.parametrize("trap", TRAPS, ids=lambda one: one.__name__)
def test_the_trap_is_slow_for_nobody(trap: Callable[[int], list[Json]]) -> None:
    """10 s a MB, and a factor for busy machines. TRACELINK_FUZZ_EXAMPLES makes it the full size, of 10,000."""
    import os

    size = 10_000 if os.environ.get("TRACELINK_FUZZ_EXAMPLES") else 1_000
    data = data_of(trap(size))
    started = time.process_time()
    with limited(300):
        made(data)
    took = time.process_time() - started
    assert took < 2 + 10 * len(data) / 1e6, f"{took:.1f} s for {len(data) / 1e6:.2f} MB"
