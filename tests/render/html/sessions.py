"""Recordings for the page, made on the spot: long sessions that end in a stalled turn, and one in which every string is hostile."""

import json
from collections.abc import Iterator
from typing import Any

START = 1_790_000_000


def _turn(turn_id: str, status: str, at: int) -> dict[str, Any]:
    turn = {
        "object": "agent.session.turn",
        "id": turn_id,
        "agent_id": "agent_long",
        "session_id": "sess_long",
        "status": status,
    }
    turn |= {"subagent_id": None, "created_at": at, "started_at": at, "error": None}
    turn |= {"completed_at": at + 1 if status == "completed" else None}
    name = "created" if status == "queued" else status
    return {"type": f"agent.session.turn.{name}", "session_id": "sess_long", "turn_id": turn_id, "turn": turn}


def _session(status: str, actions: list[dict[str, Any]]) -> dict[str, Any]:
    agent = {"id": "agent_long", "name": "Long hauler", "model": "gpt-example", "tools": [], "multi_agent": {"enabled": False}}
    body = {"object": "agent.session", "id": "sess_long", "agent": agent, "created_at": START, "last_active_at": START}
    body |= {"environment": {"type": "none"}, "error": None, "metadata": {}, "required_actions": actions, "status": status}
    return {"type": f"agent.session.{status}", "session": body}


def _events(calls: int, per_turn: int) -> Iterator[tuple[str, dict[str, Any]]]:
    for number in range(calls // per_turn):
        turn_id, last = f"turn_{number:07d}", number == calls // per_turn - 1
        yield "in", _turn(turn_id, "queued", START + number)
        actions = []
        for at in range(per_turn):
            call = {"turn_id": turn_id, "call_id": f"call_{number:07d}x{at:04d}", "name": "count_stock"}
            call["arguments"] = {"sku": f"SKU-{number}-{at}", "warehouse": "Halle", "why": "the weekly count of what is left"}
            item = {"type": "function_call", "id": f"fc_{number:07d}_{at}", "status": "completed", **call}
            for stage in ("added", "done"):
                event = {"type": f"agent.session.turn.item.{stage}", "session_id": "sess_long", "turn_id": turn_id}
                yield "in", {**event, "output_index": at, "item": item}
            actions.append({"type": "function_call", **call})
        yield "in", _session("requires_action", actions)
        for at, action in enumerate(actions[: per_turn // 2 if last else per_turn]):
            pair = {"turn_id": turn_id, "call_id": action["call_id"]}
            output = json.dumps({"left": at * 7, "unit": "piece", "counted_by": "stock desk"})
            yield "out", {"type": "agent.session.input.tool_result", **pair, "success": True, "output": output}
            item = {
                "type": "function_call_output",
                "id": f"fo_{number:07d}_{at}",
                "status": "completed",
                "output": output,
                **pair,
            }
            event = {"type": "agent.session.turn.item.done", "session_id": "sess_long", "turn_id": turn_id}
            yield "in", {**event, "output_index": None, "item": {**item, "error": None}}
        if last:
            yield "in", _session("requires_action", actions[per_turn // 2 :])
        else:
            yield "in", _turn(turn_id, "completed", START + number)


def long(calls: int, per_turn: int = 5) -> bytes:
    """A log with receive times; of the last turn half of the calls are answered, and nothing comes after that."""
    lines = []
    for number, (way, event) in enumerate(_events(calls, per_turn)):
        time = START + number * 0.25
        if way == "out":
            path = "/v1/agents/sessions/sess_long/events"
            lines.append({"ts": time, "dir": "out", "path": path, "body": {"events": [event]}})
        else:
            lines.append({"ts": time, "dir": "in", "event": {"event_id": f"evt_long_{number:09d}", **event}})
    return "".join(json.dumps(line) + "\n" for line in lines).encode()
