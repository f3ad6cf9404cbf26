"""Reading a recording both ways, the quick one and the plain one, and the events to try them with."""

import json
from typing import Any

import tracelink
from tracelink.fold import fold
from tracelink.model.limits import Limits
from tracelink.read import FieldTable, Reading
from tracelink.render import json as render

SESSION = {
    "id": "sess_skim",
    "object": "agent.session",
    "agent": {"id": "agent_skim", "instructions": 'Say "last_active_at": 5 {"agent": 1} ' * 30, "model": "m", "tools": []},
    "created_at": 1790000000,
    "last_active_at": 1790000001,
    "environment": {"type": "none"},
    "error": None,
    "metadata": {"note": "é"},
    "required_actions": [],
    "status": "in_progress",
    "usage": {"total_tokens": 3},
}


def both(*sources: Any, limits: Limits | None = None, fields: FieldTable | None = None, report: bool = False) -> None:
    """Asserts that the sources fold to the same, whichever way they are read, and so give the same report."""

    def read(skim: bool) -> Reading:
        return Reading(sources, limits=limits, fields=fields, skim=skim)

    fast, plain = read(True), read(False)
    assert fold(fast.skimmed()) == fold(plain.skimmed())
    assert fast.sources == plain.sources
    if report:
        assert render.render(tracelink.report(*sources, limits=limits)) == render.render(tracelink.report(read(False)))


def delta(n: int, turn: Any = "turn_1", **more: Any) -> dict[str, Any]:
    return {
        "type": "agent.session.turn.output_text.delta",
        "event_id": f"evt_{n}",
        "session_id": "sess_skim",
        "turn_id": turn,
        "item_id": "msg_1",
        "output_index": 0,
        "content_index": 0,
        "delta": "word ",
    } | more


def snapshot(n: int, **more: Any) -> dict[str, Any]:
    session = SESSION | {"last_active_at": 1790000001 + n} | more
    return {"type": "agent.session.in_progress", "event_id": f"evt_{n}", "session": session}


def line(value: Any, style: int = 0) -> bytes:
    if style == 0:
        return json.dumps(value).encode()
    if style == 1:
        return json.dumps(value, separators=(",", ":")).encode()
    return json.dumps(value, ensure_ascii=False, separators=(" , ", " : ")).encode()


TURN = "agent.session.turn."


def event(n: int, type_: str, turn_id: Any, **more: Any) -> dict[str, Any]:
    return {"type": TURN + type_, "event_id": f"evt_{n}", "session_id": "sess_skim", "turn_id": turn_id} | more


def called(n: int, turn: Any = "turn_1", **more: Any) -> dict[str, Any]:
    item = {"type": "function_call", "id": f"fc_{n}", "turn_id": turn, "call_id": f"call_{n}", "name": "look"}
    arguments = {"key": f"k {n}", "limit": n, "nested": {"deep": [n, {"er": None}]}}
    return event(n, "item.done", turn, output_index=n, item=item | {"arguments": arguments, "status": "completed"} | more)


def answered(n: int, turn: Any = "turn_1", **more: Any) -> dict[str, Any]:
    item = {"type": "function_call_output", "id": f"fco_{n}", "turn_id": turn, "call_id": f"call_{n}", "output": f"word {n}"}
    return event(n, "item.added", turn, output_index=None, item=item | {"error": None, "status": "completed"} | more)


def said(n: int, turn: Any = "turn_1", **more: Any) -> dict[str, Any]:
    item = {"type": "message", "id": f"msg_{n}", "turn_id": turn, "role": "user", "phase": None, "status": "completed"}
    content = [{"type": "input_text", "text": f"word {n}"}]
    return event(n, "item.added", turn, output_index=None, item=item | {"content": content} | more)


def ended(n: int, turn: Any = "turn_1", **more: Any) -> dict[str, Any]:
    own = {"object": "agent.session.turn", "id": turn, "agent_id": "agent_1", "session_id": "sess_skim", "subagent_id": None}
    times = {"created_at": 1790000000 + n, "started_at": 1790000001 + n, "completed_at": 1790000002 + n}
    usage = {"total_tokens": n, "details": {"cached": 0}}
    return event(n, "completed", turn, turn=own | {"status": "completed"} | times | {"error": None, "usage": usage} | more)
