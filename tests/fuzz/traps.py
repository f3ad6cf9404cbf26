"""Inputs made to cost the square of their size, and a long run that times them at full size: `python -m tests.fuzz.traps [SIZE]`.

A trap makes rows (one a line) or bytes for a size. The long run doubles the size up to SIZE (10,000) and prints the seconds, and how
they grow with a doubling; it ends with 1 where a trap takes more than 10 s a MB, or grows like the square at its end.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

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


def data_of(rows: list[Json]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def long_ids(n: int) -> list[Json]:
    """A few ids as long as the trap is large, each with a result a little beside it."""
    ids = [f"call_{'ab' * n}{k}" for k in range(8)]
    return [
        *opened(),
        *(call(k, one) for k, one in enumerate(ids)),
        waiting(ids),
        *(post(f"{one[: n // 2]}x{one[n // 2 :]}") for one in ids),
    ]


def long_texts(n: int) -> list[Json]:
    """One output and one message that scanners for secrets, markup and words have to go through."""
    words = "sk-proj-aaaa AKIAAAAA eyJhbGciOi.eyJ -----BEGIN " * n
    return [*opened(), call(0, "c"), waiting(["c"]), post("c", words), post("c", "((((" * n), post("c", "\\" * n)]


def wordy_refusals(n: int) -> list[Json]:
    """Messages in which every word may be an id, and many colons."""
    said = " ".join(["Unknown pending tool call:"] * n + ["c"])
    rows: list[Json] = [*opened(), call(0, "c"), waiting(["c"])]
    for k in range(20):
        rows += [post(f"d{k}"), {"error": {"type": "invalid_request_error", "code": "x", "message": said, "param": None}}]
    return rows


def nested(n: int) -> list[Json]:
    """Wrappers in wrappers, and arguments as deep as may be."""
    deep: Any = 1
    for _ in range(150):
        deep = {"a": [deep]} if _ % 2 else {"payload": deep}
    return [*opened(), *({"log": {"line": one}} for one in (call(k, f"c{k}", arguments={"x": deep}) for k in range(n // 10)))]


def strangers(n: int) -> list[Json]:
    """Types that nobody knows, each another."""
    return [*opened(), *(event(f"turn.unheard_{k}", k, turn_id=T, session_id=S) for k in range(n))]


def sessions(n: int) -> list[Json]:
    """As many sessions as records, and posts that fit any."""
    rows = [event("idle", k, session=session(f"sess_{k}", "idle", [])) for k in range(n)]
    return rows + [post("c", str(k)) for k in range(n // 10)]


def turns(n: int) -> list[Json]:
    """Turns without an end, each with a call that was called before in another."""
    rows = [opened()[0]]
    for k in range(n):
        turn = {**opened()[1]["turn"], "id": f"turn_{k}", "created_at": 1_790_000_000 + k}
        rows.append(event("turn.created", 3 * k, session_id=S, turn_id=f"turn_{k}", turn=turn))
        one = call(3 * k + 1, "c")
        one["turn_id"] = one["item"]["turn_id"] = f"turn_{k}"
        rows += [one, post("c", str(k), f"turn_{k + 1}")]
    return rows


def pages(n: int) -> list[Json]:
    """Pages of one item that each promise more."""
    rows: list[Json] = [session(S, "idle", [])]
    for k in range(n):
        one = call(k, f"c{k}")["item"]
        rows.append({"object": "list", "data": [one], "first_id": one["id"], "last_id": one["id"], "has_more": True})
    return rows


def torn_lines(n: int) -> bytes:
    """Lines that begin like a document and never end."""
    return data_of(opened()) + b'{"a":[{"b":\n' * n + data_of([call(0, "c")])


def torn_document(n: int) -> bytes:
    """A pretty document cut off, deep inside a list of what was whole before."""
    rows = [*opened(), *(call(k, f"c{k}") for k in range(n))]
    return json.dumps({"export": {"log": rows}}, indent=1).encode()[:-200]


def data_lines(n: int) -> bytes:
    """One SSE frame of as many data lines, and as many comments."""
    text = json.dumps(call(0, "c", arguments={f"k{k}": k for k in range(n)}), indent=0)
    return b"".join(b"data: " + line.encode() + b"\n: c\n" for line in text.split("\n")) + b"\n"


def side_by_side(n: int) -> bytes:
    """Values one after the other, without a line end."""
    return b"".join(json.dumps(row).encode() for row in [*opened(), *(call(k, f"c{k}") for k in range(n))])


def text_in_text(n: int) -> bytes:
    """Bodies kept as JSON text, some levels deep, and brackets in text that open nothing."""
    rows = []
    for k in range(n // 10):
        text = json.dumps(call(k, f"c{k}"))
        for _ in range(3):
            text = json.dumps({"body": text})
        rows.append(text)
    return "\n".join([*rows, json.dumps({"message": "{[" * n}), json.dumps({"message": '{"a' * n})]).encode()


Trap = Callable[[int], list[Json] | bytes]
TRAPS: list[Trap] = [
    near_ids, prefixes, one_pair, one_post, versions, subagents, refusals, snapshots, schemas, waits, members, long_ids, long_texts,
    wordy_refusals, nested, strangers, sessions, turns, pages, torn_lines, torn_document, data_lines, side_by_side, text_in_text,
]  # fmt: skip


def made_of(trap: Trap, size: int) -> bytes:
    made = trap(size)
    return made if isinstance(made, bytes) else data_of(made)


def made(data: bytes) -> None:
    report = tracelink.report(data)
    render_json.render(report)
    render_text.render(report, width=80, color=False, full=False, cut=False)


def timed(trap: Trap, size: int) -> tuple[int, float]:
    """Bytes, and seconds of this process that a report on them takes, read and shown."""
    data = made_of(trap, size)
    started = time.process_time()
    with limited(600):
        made(data)
    return len(data), time.process_time() - started


SQUARE = 3.0
"""A doubling that makes the time so much longer is nearer to the square (4) than to a line (2)."""


def main(size: int) -> bool:
    wrong = False
    made(data_of(near_ids(20)))  # imports
    print(f"{'trap':16} {'MB':>6} {'s':>7} {'s/MB':>6}  seconds by size, and growth at the last doubling")
    for trap in TRAPS:
        runs = [timed(trap, size // part) for part in (8, 4, 2, 1)]
        (count, seconds), before = runs[-1], runs[-2][1]
        rate, growth = seconds / (count / 1e6), seconds / max(before, 0.01)
        bad = (rate > 10 and seconds > 2) or (growth > SQUARE and seconds > 2)
        wrong |= bad
        told = " ".join(f"{took:.2f}" for _, took in runs)
        print(
            f"{trap.__name__:16} {count / 1e6:6.2f} {seconds:7.2f} {rate:6.2f}  {told}  x{growth:.1f} {'TOO SLOW' if bad else ''}",
            flush=True,
        )
    return wrong


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
