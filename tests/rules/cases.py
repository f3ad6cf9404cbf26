"""Official wire shapes in few words, for tests that tell a story line by line, and the one question they all ask.

Every id and value is invented. A story is a list of rows; `lines` numbers its events (ev_1, ev_2 …) and writes one a line.
Shapes: fact sheet A to E.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

import tracelink
from tracelink.model.finding import Finding
from tracelink.model.run import Report

Json = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "fixtures" / "rules"
START = 1_791_000_000
SESSION, AGENT, TURN = "sess_tide1", "agent_tide1", "turn_tide1"


def function(name: str = "read_gauge", **more: Any) -> Json:
    """A function tool of the session's agent."""
    return {
        "type": "function",
        "name": name,
        "description": "Read a tide gauge.",
        "parameters": {"type": "object", "properties": {"gauge": {"type": "string"}}, "required": ["gauge"]},
        "defer_loading": False,
        **more,
    }


def session(status: str, *actions: Json, session_id: str = SESSION, at: int = 10, tools: Any = None, **more: Any) -> Json:
    """A session object; `at`: seconds after START of its last_active_at."""
    return {
        "object": "agent.session",
        "id": session_id,
        "status": status,
        "agent": {
            "id": AGENT,
            "name": None,
            "model": "gpt-6-astra",
            "instructions": None,
            "multi_agent": {"enabled": True, "max_concurrent_subagents": None},
            "reasoning": {"effort": None, "summary": None},
            "service_tier": "auto",
            "text": {"format": {"type": "text"}, "verbosity": "medium"},
            "tools": [function()] if tools is None else tools,
        },
        "environment": {"type": "none"},
        "created_at": START,
        "last_active_at": START + at,
        "error": None,
        "metadata": {},
        "required_actions": list(actions),
        "usage": None,
        "vault_ids": [],
        **more,
    }


def snapshot(kind: str, *actions: Json, **more: Any) -> Json:
    """A session event; its last word is the status, but for `created`."""
    status = more.pop("status", "idle" if kind == "created" else kind)
    return {"type": f"agent.session.{kind}", "session": session(status, *actions, **more)}


def turn(kind: str, turn_id: str = TURN, *, session_id: str = SESSION, subagent_id: str | None = None, **more: Any) -> Json:
    """A turn event."""
    over = kind in ("completed", "failed", "cancelled")
    value = {
        "object": "agent.session.turn",
        "id": turn_id,
        "agent_id": AGENT,
        "session_id": session_id,
        "subagent_id": subagent_id,
        "status": "queued" if kind == "created" else kind,
        "created_at": START + 1,
        "started_at": None if kind == "created" else START + 1,
        "completed_at": START + 20 if over else None,
        "error": {"code": "server_error", "message": "The turn failed."} if kind == "failed" else None,
        "usage": None,
        **more,
    }
    row = {"type": f"agent.session.turn.{kind}", "session_id": session_id, "turn_id": turn_id, "turn": value}
    return row | {"usage": None} if over else row


def call(call_id: str = "call_ebb1", turn_id: str = TURN, *, item_id: str | None = None, **more: Any) -> Json:
    """A function_call item."""
    base = {"type": "function_call", "id": item_id or f"item_{call_id}", "turn_id": turn_id, "call_id": call_id}
    return {**base, "name": "read_gauge", "arguments": {"gauge": "north pier"}, "status": "completed", **more}


def output(call_id: str = "call_ebb1", turn_id: str = TURN, value: Any = "2.31 m", **more: Any) -> Json:
    """A function_call_output item."""
    base = {"type": "function_call_output", "id": f"item_out_{call_id}", "turn_id": turn_id, "call_id": call_id}
    return {**base, "output": value, "error": None, "status": "completed", **more}


def user(words: str = "How high is the tide?", turn_id: str = TURN, item_id: str = "item_user1") -> Json:
    content = [{"type": "input_text", "text": words}]
    base = {"type": "message", "id": item_id, "turn_id": turn_id, "role": "user", "phase": None, "status": "completed"}
    return base | {"content": content}


def said(words: str = "2.31 metres.", turn_id: str = TURN, item_id: str = "item_said1") -> Json:
    return user(words, turn_id, item_id) | {
        "role": "assistant",
        "phase": "final_answer",
        "content": [{"type": "output_text", "text": words}],
    }


def added(item: Json, index: int | None = 0, session_id: str = SESSION) -> Json:
    """item.added; inputs (messages of the user, outputs) have no output_index."""
    if item["type"] == "function_call_output" or item.get("role") == "user":
        index = None
    ids = {"session_id": session_id, "turn_id": item["turn_id"]}
    return {"type": "agent.session.turn.item.added", **ids, "output_index": index, "item": item}


def done(item: Json, index: int = 0, session_id: str = SESSION) -> Json:
    return added(item, index, session_id) | {"type": "agent.session.turn.item.done"}


def action(item: Json) -> Json:
    """The required action of a function_call item."""
    return {"type": "function_call", **{name: item[name] for name in ("turn_id", "call_id", "name", "arguments")}}


def approval(request_id: str = "mcpr_reef1", turn_id: str = TURN) -> Json:
    request = {
        "type": "mcp_tool_call",
        "server_label": "harbour",
        "name": "open_lock",
        "arguments": {"lock": 2},
        "message": "Open?",
    }
    return {"type": "mcp_approval_request", "turn_id": turn_id, "request_id": request_id, "request": request}


def computer(request_id: str = "cuar_reef1", turn_id: str = TURN) -> Json:
    request = {
        "type": "browser_authentication",
        "credential_origin": "https://harbour.example",
        "fields": [{"id": "user", "label": "User", "required": True, "type": "text"}],
        "options": [],
        "reason": None,
    }
    return {"type": "computer_use_approval_request", "turn_id": turn_id, "request_id": request_id, "request": request}


def connection(environment_id: str = "env_reef1") -> Json:
    return {"type": "environment_connection", "environment_id": environment_id}


def post(call_id: Any = "call_ebb1", turn_id: Any = TURN, value: Any = "2.31 m", success: Any = True, **more: Any) -> Json:
    """The app's tool_result."""
    ids = {"turn_id": turn_id, "call_id": call_id}
    return {"type": "agent.session.input.tool_result", **ids, "success": success, "output": value, **more}


def decided(request_id: str = "mcpr_reef1", decision: str = "approve") -> Json:
    response = {"type": "mcp_tool_call", "decision": decision}
    return {"type": "agent.session.input.mcp_approval_request_result", "request_id": request_id, "response": response}


def signed_in(request_id: str = "cuar_reef1") -> Json:
    response = {"type": "browser_authentication", "action": "submit", "fields": [{"field_id": "user", "value": "ada"}]}
    return {"type": "agent.session.input.computer_use_approval_request_result", "request_id": request_id, "response": response}


def refusal(message: str, code: str = "invalid_request_error") -> Json:
    """An HTTP error body."""
    return {"error": {"type": code, "code": code, "message": message, "param": None}}


def page(*items: Json, more: bool = False, newest_first: bool = True) -> Json:
    """A list page; `items` come oldest first."""
    data = list(items)[::-1] if newest_first else list(items)
    ends = {"first_id": data[0]["id"], "last_id": data[-1]["id"]} if data else {"first_id": None, "last_id": None}
    return {"object": "list", "data": data, **ends, "has_more": more}


def subagent(kind: str = "created", subagent_id: str = "sub_gull1", *, opened: int = 12, **more: Any) -> Json:
    value = {
        "object": "agent.session.subagent",
        "id": subagent_id,
        "session_id": SESSION,
        "parent_agent_id": AGENT,
        "status": "closed" if kind == "closed" else "active",
        "opened_at": START + opened,
        "closed_at": START + 30 if kind == "closed" else None,
        "name": None,
        "instructions": None,
        **more,
    }
    return {"type": f"agent.session.subagent.{kind}", "subagent": value}


def create(item_id: str = "item_create1", words: str | None = None, **more: Any) -> Json:
    content = (
        [{"type": "output_text", "text": words}] if words else [{"type": "encrypted_content", "encrypted_content": "QQ=="}]
    )
    base = {"type": "create_subagent_call", "id": item_id, "turn_id": TURN, "agent_id": AGENT, "content": content}
    return {**base, "model": None, "reasoning_effort": None, "status": "completed", **more}


def wrapped(at: float, row: Json) -> Json:
    """A recorder's line: receive time (seconds after START) and direction beside what came or went."""
    out = "events" in row or row.get("type", "").startswith("agent.session.input.")
    return {"ts": START + at, "dir": "out" if out else "in", "body" if "type" not in row else "event": row}


def opening(*items: Json) -> list[Json]:
    """A stream's beginning: the session, its turn, and the items announced."""
    begin = [snapshot("created", at=0), turn("created"), snapshot("in_progress", at=1), turn("in_progress")]
    return begin + [added(item) for item in items]


def waiting(*calls: Json, also: tuple[Json, ...] = (), **more: Any) -> list[Json]:
    """A stream up to the pause: the calls are announced and required (the calls from line 5 on)."""
    return [*opening(*calls), snapshot("requires_action", *map(action, calls), *also, **more)]


def ending(kind: str = "completed", at: int = 25) -> list[Json]:
    return [turn(kind), snapshot("idle", at=at)]


def numbered(rows: list[Json]) -> list[Json]:
    """Events get an event_id by their line; inputs, pages, objects and wrappers stay."""
    counted = []
    for number, row in enumerate(rows, 1):
        is_event = str(row.get("type", "")).startswith("agent.") and ".input." not in row["type"] and "event_id" not in row
        counted.append({"type": row["type"], "event_id": f"ev_{number}", **row} if is_event else row)
    return counted


def lines(rows: list[Json]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in numbered(rows))


def told(*rows: Json, **more: Any) -> Report:
    """The report on a story, through the front door."""
    return tracelink.report(lines(list(rows)).encode(), **more)


def codes(report: Report) -> list[str]:
    """All codes, sorted."""
    return sorted(finding.code for finding in report.all_findings())


def of(report: Report, code: str) -> list[Finding]:
    return [finding for finding in report.all_findings() if finding.code == code]


class Case(NamedTuple):
    """One rule's two files. `ids`: what the finding names; `line`: of its primary location; `others`: codes of other findings
    that are errors or warnings and rightly stand in `fires`; `quiet_others`: the same in `quiet`."""

    code: str
    name: str
    ids: dict[str, str]
    line: int
    why: str
    why_quiet: str
    others: tuple[str, ...] = ()
    quiet_others: tuple[str, ...] = ()


def file(name: str, which: str) -> Path:
    """`fixtures/rules/<name>/<which>.*`"""
    (found,) = (RULES / name).glob(f"{which}.*")
    return found


def loud(report: Report) -> set[str]:
    """The codes of errors and warnings."""
    return {finding.code for finding in report.all_findings() if finding.severity.value != "note"}


def assert_fires(case: Case) -> None:
    """The real thing, on the file: exactly one finding of this code, with the ids, at the line, and no other alarm."""
    report = tracelink.report(file(case.name, "fires"))
    findings = of(report, case.code)
    assert len(findings) == 1, (case.why, codes(report))
    (finding,) = findings
    assert finding.name == case.name
    assert {name: finding.ids.get(name) for name in case.ids} == case.ids, case.why
    assert finding.locations[0].line == case.line, case.why
    assert loud(report) - {case.code} == set(case.others), case.why


def assert_quiet(case: Case) -> None:
    report = tracelink.report(file(case.name, "quiet"))
    assert of(report, case.code) == [], case.why_quiet
    assert loud(report) == set(case.quiet_others), case.why_quiet
    assert report.sessions, "a quiet file must be understood, not skipped"
