"""Seeded recordings to measure with. Each writes one file (or a folder) and is the same for the same arguments.

Shapes are official; ids and contents are invented. `scale` 1.0 is the size that the README's figures speak of.
"""

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SESSION = "sess_bench"
TOOLS = [
    {
        "type": "function",
        "name": name,
        "description": f"{name} of the bench",
        "parameters": {
            "type": "object",
            "properties": {"key": {"type": "string"}, "limit": {"type": "integer"}},
            "required": ["key"],
        },
        "defer_loading": False,
    }
    for name in ("count_stock", "find_route", "book_slot", "send_note")
]


class Stream:
    """Numbers events and builds them."""

    def __init__(self, session: str = SESSION) -> None:
        self.session, self.number = session, 0

    def event(self, kind: str, **members: Any) -> dict[str, Any]:
        self.number += 1
        return {"type": f"agent.session.{kind}", "event_id": f"evt_{self.session}_{self.number:08d}", **members}

    def snapshot(self, kind: str, status: str, actions: list[dict[str, Any]], extra: str = "") -> dict[str, Any]:
        return self.event(
            kind,
            session={
                "id": self.session,
                "object": "agent.session",
                "agent": {
                    "id": "agent_bench",
                    "instructions": extra or None,
                    "model": "gpt-example",
                    "multi_agent": {"enabled": True, "max_concurrent_subagents": None},
                    "name": None,
                    "reasoning": {"effort": None, "summary": None},
                    "service_tier": "auto",
                    "text": {"format": {"type": "text"}, "verbosity": "medium"},
                    "tools": TOOLS,
                },
                "created_at": 1790000000,
                "last_active_at": 1790000000 + self.number // 50,
                "environment": {"type": "none"},
                "error": None,
                "metadata": {},
                "required_actions": actions,
                "status": status,
                "usage": None,
                "vault_ids": [],
            },
        )

    def turn(self, turn_id: str, status: str, subagent_id: str | None = None, at: int = 1790000000) -> dict[str, Any]:
        kind = {"queued": "created"}.get(status, status)
        body = {
            "id": turn_id,
            "object": "agent.session.turn",
            "agent_id": "agent_bench",
            "session_id": self.session,
            "subagent_id": subagent_id,
            "status": status,
            "created_at": at,
            "started_at": None,
            "completed_at": None,
            "error": None,
            "usage": None,
        }
        return self.event(f"turn.{kind}", session_id=self.session, turn_id=turn_id, turn=body)

    def item(self, stage: str, turn_id: str, index: int | None, **item: Any) -> dict[str, Any]:
        return self.event(
            f"turn.item.{stage}",
            session_id=self.session,
            turn_id=turn_id,
            output_index=index,
            item={"turn_id": turn_id, **item},
        )


def calls(count: int, per_turn: int = 5) -> Iterator[dict[str, Any]]:
    """Turns of parallel calls, all answered."""
    stream, random_ = Stream(), random.Random(7)
    yield stream.snapshot("created", "idle", [])
    for turn in range(count // per_turn):
        turn_id = f"turn_{turn:07d}"
        yield stream.turn(turn_id, "queued", at=1790000000 + turn)
        yield stream.snapshot("in_progress", "in_progress", [])
        actions = []
        for n in range(per_turn):
            call = {
                "call_id": f"call_{random_.getrandbits(64):016x}",
                "name": TOOLS[n % 4]["name"],
                "arguments": {"key": f"k{turn}-{n}", "limit": n},
            }
            item = {"id": f"fc_{turn:07d}_{n}", "type": "function_call", **call, "status": "completed"}
            yield stream.item("added", turn_id, n, **item)
            yield stream.item("done", turn_id, n, **item)
            actions.append({"type": "function_call", "turn_id": turn_id, **call})
        yield stream.snapshot("requires_action", "requires_action", actions)
        for n, action in enumerate(actions):
            output = {"output": f"{n} units", "error": None, "status": "completed"}
            yield stream.item(
                "added",
                turn_id,
                None,
                id=f"fco_{turn:07d}_{n}",
                type="function_call_output",
                call_id=action["call_id"],
                **output,
            )
        yield stream.snapshot("in_progress", "in_progress", [])
        yield stream.turn(turn_id, "completed", at=1790000000 + turn)
        yield stream.snapshot("idle", "idle", [])


def deltas(count: int) -> Iterator[dict[str, Any]]:
    """A stream of which nearly all is text deltas."""
    stream, random_ = Stream(), random.Random(11)
    words = ["the", "of", "stock", "aisle", "route", "parcel", "count", "seven", "halle", "gate", "north", "and", "then"]
    yield stream.snapshot("created", "idle", [])
    for turn in range(max(1, count // 2000)):
        turn_id, item_id = f"turn_{turn:06d}", f"msg_{turn:06d}"
        yield stream.turn(turn_id, "queued", at=1790000000 + turn)
        message = {"id": item_id, "type": "message", "role": "assistant", "phase": "final_answer"}
        yield stream.item("added", turn_id, 0, **message, status="in_progress", content=[])
        for _ in range(min(1990, count)):
            yield stream.event(
                "turn.output_text.delta",
                session_id=SESSION,
                turn_id=turn_id,
                item_id=item_id,
                output_index=0,
                content_index=0,
                delta=random_.choice(words) + " ",
                obfuscation="x" * random_.randrange(4, 20),
            )
        text = [{"type": "output_text", "text": "done"}]
        yield stream.item("done", turn_id, 0, **message, status="completed", content=text)
        yield stream.turn(turn_id, "completed", at=1790000000 + turn)
        yield stream.snapshot("idle", "idle", [])


def snapshots(size: int) -> Iterator[dict[str, Any]]:
    """A stream of which nearly all is whole session objects that repeat, about `size` bytes of them."""
    stream = Stream()
    extra = "You look after a warehouse. " * 100
    turn, written = 0, 0
    while written < size:
        turn_id = f"turn_{turn:06d}"
        yield stream.turn(turn_id, "queued", at=1790000000 + turn)
        for _ in range(40):
            snapshot = stream.snapshot("in_progress", "in_progress", [], extra)
            written += 4200
            yield snapshot
        yield stream.turn(turn_id, "completed", at=1790000000 + turn)
        yield stream.snapshot("idle", "idle", [], extra)
        turn += 1


def subagents(count: int) -> Iterator[dict[str, Any]]:
    """Nested subagents: each makes the next, waits for it and closes it."""
    stream = Stream()
    yield stream.snapshot("created", "idle", [])
    yield stream.turn("turn_root", "queued")
    parent, turn_id = "agent_bench", "turn_root"
    closing: list[tuple[str, str, str]] = []
    for n in range(count):
        child = f"sub_{n:06d}"
        text = [{"type": "output_text", "text": f"part {n}"}]
        item = {"id": f"item_c{n:06d}", "type": "create_subagent_call", "agent_id": parent, "content": text}
        yield stream.item("done", turn_id, 0, **item, model=None, reasoning_effort=None, status="completed")
        body = {
            "object": "agent.session.subagent",
            "id": child,
            "session_id": SESSION,
            "parent_agent_id": parent,
            "status": "active",
            "opened_at": 1790000000 + n,
            "closed_at": None,
            "name": None,
            "instructions": text,
        }
        yield stream.event("subagent.created", subagent=body)
        closing.append((parent, turn_id, child))
        parent, turn_id = child, f"turn_s{n:06d}"
        yield stream.turn(turn_id, "queued", child, 1790000000 + n)
    for n, (parent, turn_id, child) in enumerate(reversed(closing)):
        yield stream.turn(f"turn_s{len(closing) - 1 - n:06d}", "completed", child, 1790000000)
        wait = {"id": f"item_w{n:06d}", "type": "wait_for_subagents_call", "sender_agent_id": parent}
        yield stream.item("done", turn_id, 1, **wait, recipient_agent_ids=[child], status="completed")
    yield stream.turn("turn_root", "completed")
    yield stream.snapshot("idle", "idle", [])


def near_misses(count: int) -> Iterator[dict[str, Any]]:
    """`count` open calls, and as many posted results under ids that differ by one character."""
    stream, random_ = Stream(), random.Random(13)
    yield stream.snapshot("created", "idle", [])
    yield stream.turn("turn_0", "queued")
    ids = [f"call_{random_.getrandbits(80):020x}" for _ in range(count)]
    actions = []
    for n, call_id in enumerate(ids):
        call = {"call_id": call_id, "name": "count_stock", "arguments": {"key": str(n), "limit": 1}}
        yield stream.item("done", "turn_0", n, id=f"fc_{n}", type="function_call", **call, status="completed")
        actions.append({"type": "function_call", "turn_id": "turn_0", **call})
    yield stream.snapshot("requires_action", "requires_action", actions)
    for call_id in ids:
        place = random_.randrange(6, len(call_id))
        drifted = call_id[:place] + "z" + call_id[place + 1 :]
        yield {
            "type": "agent.session.input.tool_result",
            "turn_id": "turn_0",
            "call_id": drifted,
            "success": True,
            "output": "seven",
        }


def wait_cycle(count: int) -> Iterator[dict[str, Any]]:
    """`count` subagents that each wait for the next, the last for the first."""
    stream = Stream()
    yield stream.snapshot("created", "idle", [])
    yield stream.turn("turn_root", "queued")
    for n in range(count):
        body = {
            "object": "agent.session.subagent",
            "id": f"sub_{n:06d}",
            "session_id": SESSION,
            "parent_agent_id": "agent_bench",
            "status": "active",
            "opened_at": 1790000000 + n,
            "closed_at": None,
            "name": None,
            "instructions": None,
        }
        text = [{"type": "output_text", "text": f"part {n}"}]
        item = {"id": f"item_c{n:06d}", "type": "create_subagent_call", "agent_id": "agent_bench", "content": text}
        yield stream.item("done", "turn_root", n, **item, model=None, reasoning_effort=None, status="completed")
        yield stream.event("subagent.created", subagent=body)
        yield stream.turn(f"turn_s{n:06d}", "queued", f"sub_{n:06d}", 1790000000 + n)
    for n in range(count):
        wait = {"id": f"item_w{n:06d}", "type": "wait_for_subagents_call", "sender_agent_id": f"sub_{n:06d}"}
        yield stream.item(
            "added", f"turn_s{n:06d}", 0, **wait, recipient_agent_ids=[f"sub_{(n + 1) % count:06d}"], status="in_progress"
        )


def write(path: Path, events: Iterator[dict[str, Any]]) -> Path:
    """As JSON lines."""
    with path.open("w") as out:
        for event in events:
            out.write(json.dumps(event) + "\n")
    return path


def as_sse(source: Path, path: Path) -> Path:
    """The same events as an event stream."""
    with source.open() as lines, path.open("w") as out:
        for line in lines:
            out.write(f"event: {json.loads(line)['type']}\ndata: {line.rstrip()}\n\n")
    return path


def as_gzip(source: Path, path: Path) -> Path:
    """The same bytes, compressed."""
    with source.open("rb") as plain, gzip.open(path, "wb", compresslevel=6) as out:
        while block := plain.read(1 << 20):
            out.write(block)
    return path


def small_files(folder: Path, count: int) -> Path:
    """`count` files of one short session each."""
    folder.mkdir(exist_ok=True)
    for n in range(count):
        with (folder / f"{n:05d}.jsonl").open("w") as out:
            for event in calls(5):
                text = json.dumps(event).replace(SESSION, f"sess_{n:05d}").replace("turn_0000000", f"turn_{n:07d}")
                out.write(text + "\n")
    return folder
