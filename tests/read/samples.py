"""Small, sound wire values to build inputs from. Invented ids; shapes as in fact sheet A to F."""

from typing import Any

SESSION: dict[str, Any] = {
    "object": "agent.session",
    "id": "sess_1",
    "status": "requires_action",
    "agent": {"id": "agent_1", "name": None, "model": "m", "tools": []},
    "environment": {"type": "none"},
    "created_at": 1790000000,
    "last_active_at": 1790000005,
    "error": None,
    "metadata": {},
    "required_actions": [{"type": "function_call", "turn_id": "turn_1", "call_id": "call_1", "name": "f", "arguments": {}}],
    "usage": None,
    "vault_ids": [],
}
TURN: dict[str, Any] = {
    "object": "agent.session.turn",
    "id": "turn_1",
    "agent_id": "agent_1",
    "session_id": "sess_1",
    "subagent_id": None,
    "status": "in_progress",
    "created_at": 1790000001,
    "started_at": 1790000001,
    "completed_at": None,
    "error": None,
    "usage": None,
}
SUBAGENT: dict[str, Any] = {
    "object": "agent.session.subagent",
    "id": "sub_1",
    "session_id": "sess_1",
    "parent_agent_id": "agent_1",
    "status": "active",
    "opened_at": 1790000002,
    "closed_at": None,
    "name": "Heron",
    "instructions": None,
}
CALL: dict[str, Any] = {
    "type": "function_call",
    "id": "item_1",
    "turn_id": "turn_1",
    "call_id": "call_1",
    "name": "f",
    "arguments": {"k": 'é {"type": "agent.session.idle"}'},
    "status": "completed",
}
OUTPUT: dict[str, Any] = {
    "type": "function_call_output",
    "id": "item_2",
    "turn_id": "turn_1",
    "call_id": "call_1",
    "output": '{"events": []}',
    "error": None,
}
USER: dict[str, Any] = {
    "type": "message",
    "id": "item_0",
    "turn_id": "turn_1",
    "role": "user",
    "phase": None,
    "status": "completed",
    "content": [{"type": "input_text", "text": "go"}],
}
CREATE: dict[str, Any] = {
    "type": "create_subagent_call",
    "id": "item_3",
    "turn_id": "turn_1",
    "agent_id": "agent_1",
    "content": [],
    "status": "completed",
}
ENVIRONMENT: dict[str, Any] = {"id": "env_1", "error": None, "status": "ready", "type": "openai_hosted"}


def event(type_: str, number: int = 1, **members: Any) -> dict[str, Any]:
    return {"type": type_, "event_id": f"ev_{number}", **members}


EVENTS: list[dict[str, Any]] = [
    event("agent.session.created", 1, session=SESSION),
    event("agent.session.environment.ready", 2, environment=ENVIRONMENT, session_id="sess_1", turn_id=None),
    event("agent.session.turn.created", 3, session_id="sess_1", turn_id="turn_1", turn=TURN),
    event("agent.session.turn.item.added", 4, session_id="sess_1", turn_id=None, output_index=0, item=CALL),
    event("agent.session.requires_action", 5, session=SESSION),
    event(
        "agent.session.turn.output_text.delta",
        6,
        session_id="sess_1",
        turn_id="turn_1",
        item_id="item_9",
        output_index=1,
        content_index=0,
        delta="ü\n",
        obfuscation="xx",
    ),
    event("agent.session.subagent.created", 7, subagent=SUBAGENT),
    event("error", 8, session_id="sess_1", error={"code": "sandbox_error", "message": "m", "param": None, "type": "t"}),
    event("agent.session.environment.reset", 9, environment_id="env_1", reset_count=1, session_id="sess_1", turn_id=None),
    {"type": "agent.session.input.tool_result", "turn_id": "turn_1", "call_id": "call_1", "success": True, "output": "1"},
    event("agent.session.new_thing", 10, session_id="sess_1"),
]
"""One of each family of stream records, an input and an unknown type."""
