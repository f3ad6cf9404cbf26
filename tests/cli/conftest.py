"""The real program, run as a user runs it, and small recordings to run it on."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

START = 1_790_000_000


def session(session_id: str, status: str, actions: list[dict[str, Any]]) -> dict[str, Any]:
    agent = {"id": "agent_root", "name": None, "model": "gpt-example", "tools": [], "multi_agent": {"enabled": False}}
    return {
        "id": session_id,
        "object": "agent.session",
        "agent": agent,
        "created_at": START,
        "last_active_at": START + 5,
        "environment": {"type": "none"},
        "error": None,
        "metadata": {},
        "required_actions": actions,
        "status": status,
        "usage": None,
        "vault_ids": [],
    }


def events(name: str = "a") -> list[dict[str, Any]]:
    """A session that awaits the result of one call."""
    session_id, turn_id, call_id = f"sess_{name}1", f"turn_{name}1", f"call_{name}1"
    turn = {
        "id": turn_id,
        "object": "agent.session.turn",
        "agent_id": "agent_root",
        "session_id": session_id,
        "subagent_id": None,
    }
    turn |= {"created_at": START, "started_at": START, "completed_at": None, "error": None, "usage": None}
    item = {"id": f"fc_{name}1", "type": "function_call", "turn_id": turn_id, "call_id": call_id, "name": "count_stock"}
    item |= {"arguments": {"sku": "A-1"}, "status": "completed"}
    action = {
        "type": "function_call",
        "turn_id": turn_id,
        "call_id": call_id,
        "name": "count_stock",
        "arguments": {"sku": "A-1"},
    }
    ids = {"session_id": session_id, "turn_id": turn_id}
    rows: list[dict[str, Any]] = [
        {"type": "agent.session.created", "session": session(session_id, "idle", [])},
        {"type": "agent.session.turn.created", **ids, "turn": turn | {"status": "queued"}},
        {"type": "agent.session.in_progress", "session": session(session_id, "in_progress", [])},
        {"type": "agent.session.turn.in_progress", **ids, "turn": turn | {"status": "in_progress"}},
        {"type": "agent.session.turn.item.added", **ids, "output_index": 0, "item": item},
        {"type": "agent.session.turn.item.done", **ids, "output_index": 0, "item": item},
        {"type": "agent.session.requires_action", "session": session(session_id, "requires_action", [action])},
    ]
    return [{"event_id": f"evt_{name}{number}", **row} for number, row in enumerate(rows, start=1)]


def jsonl(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


class Program:
    """`tracelink` in a folder of its own. Standard output is a pipe, the environment free of colour settings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def environment(self, **more: str) -> dict[str, str]:
        dropped = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TRACELINK_DEBUG")
        return {name: value for name, value in os.environ.items() if name not in dropped} | more

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "tracelink", *arguments]

    def __call__(self, *arguments: str, stdin: str | None = None, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment(**environment),
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program, in a folder with `one.jsonl` (awaits call_a1) and `two.jsonl` (two sessions)."""
    here = Program(tmp_path)
    here.write("one.jsonl", jsonl(events()))
    here.write("two.jsonl", jsonl(events("a") + events("b")))
    return here
