"""One wire value of everything that the `openai` package types, with a mark in every string that the type allows."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel
from typing_extensions import is_typeddict

from tests.fold.test_official_types import ACTIONS, EVENTS, INPUTS, ITEMS, OBJECTS, OUTPUTS, WEBHOOKS, Json, members

CARD = 4929_1234_5678_9010
VARIANTS = 12
"""More than the members of any union inside a type; each is built with another of them."""

Mark = Callable[[str], str]
"""Name of a field → the string to plant in it."""


def value(kind: Any, mark: Mark, pick: int, name: str = "x", depth: int = 0) -> Any:
    """A value of a type with everything filled, also what may be null. pick: which member of a union."""
    choices = [one for one in members(kind) if one is not type(None)]
    kind = choices[pick % len(choices)]
    origin = get_origin(kind)
    if origin is Literal:
        found = get_args(kind)
        return found[pick % len(found)]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return model(kind, mark, pick, depth)
    if is_typeddict(kind):
        return {key: value(hint, mark, pick, key, depth + 1) for key, hint in get_type_hints(kind, include_extras=True).items()}
    if origin is dict or kind is dict or (isinstance(origin, type) and issubclass(origin, Mapping)):
        return {mark("key"): mark("value"), "inner": {mark("key"): [mark("value"), CARD, CARD / 4, True, None]}}
    if origin in (list, Sequence, Iterable) or (isinstance(origin, type) and issubclass(origin, Iterable)):
        return [value(get_args(kind)[0], mark, number, name, depth + 1) for number in range(pick, pick + 2)]
    plain: dict[Any, Any] = {
        str: mark(name),
        int: 1_791_000_000,
        float: 1.5,
        bool: True,
        object: {"depth": mark("value"), mark("key"): CARD},
        Any: {"depth": mark("value"), mark("key"): CARD},
    }
    return plain[kind]


def model(kind: type[BaseModel], mark: Mark, pick: int, depth: int = 0) -> Json:
    return {
        field.alias or name: value(field.annotation, mark, pick, name, depth + 1) for name, field in kind.model_fields.items()
    }


def wires(mark: Mark) -> Iterator[Json]:
    """Everything, in all variants."""
    for pick in range(VARIANTS):
        for kind in (*EVENTS, *ITEMS, *OUTPUTS, *ACTIONS, *WEBHOOKS, *OBJECTS):
            yield model(kind, mark, pick)
        for kind in INPUTS:
            yield value(kind, mark, pick)


def story(mark: Mark) -> bytes:
    """A session that is told whole: its ids hang together, so that every format shows calls, results and texts."""
    text, payload = mark("text"), json.dumps({mark("key"): mark("text"), "card": CARD})
    schema = {"type": "object", "properties": {mark("key"): {"type": "string", "enum": [text]}}}
    tool = {"type": "function", "name": "look", "description": text, "parameters": schema}
    call = {"type": "function_call", "turn_id": "turn_p1", "name": "look", "arguments": payload}
    session = {
        "object": "agent.session",
        "id": "sess_p1",
        "status": "requires_action",
        "agent": {"id": "agent_p1", "name": "Desk", "model": "gpt-6", "instructions": text, "tools": [tool]},
        "environment": {"type": "none"},
        "required_actions": [{**call, "call_id": "call_p2"}],
        "created_at": 1791000000,
        "last_active_at": 1791000001,
        "metadata": {mark("key"): text},
        "error": None,
    }
    turn = {
        "object": "agent.session.turn",
        "id": "turn_p1",
        "session_id": "sess_p1",
        "agent_id": "agent_p1",
        "subagent_id": None,
    }
    said = {"type": "message", "id": "item_p1", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    output = {"type": "function_call_output", "id": "item_o1", "call_id": "call_p1", "output": payload, "error": None}
    post = {"type": "agent.session.input.tool_result", "turn_id": "turn_p1", "output": payload}
    refusal = {"message": f"Unknown pending tool call: cal_p2, {text}", "type": "invalid_request_error", "param": None}

    def done(number: int, item: Json) -> Json:
        ids = {"session_id": "sess_p1", "turn_id": "turn_p1", "event_id": f"ev_p{number}"}
        return {"type": "agent.session.turn.item.done", **ids, "item": {"turn_id": "turn_p1", "status": "completed", **item}}

    rows = [
        {"type": "agent.session.input.message", "input": [{"role": "user", "content": [{"type": "input_text", "text": text}]}]},
        {
            "type": "agent.session.turn.created",
            "event_id": "ev_p1",
            "session_id": "sess_p1",
            "turn": {**turn, "status": "queued"},
        },
        done(2, said),
        done(3, {**call, "id": "item_c1", "call_id": "call_p1"}),
        done(4, {**call, "id": "item_c2", "call_id": "call_p2"}),
        {**post, "call_id": "call_p1", "success": True},
        done(5, output),
        {"type": "agent.session.requires_action", "event_id": "ev_p6", "session": session},
        {**post, "call_id": "cal_p2", "success": False, "error": text},
        {"error": {**refusal, "code": "invalid_request_error"}},
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def every_string(wire: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """(name of the member, string) of all strings in a value."""
    if isinstance(wire, str):
        yield name, wire
    elif isinstance(wire, dict):
        for key, one in wire.items():
            yield from every_string(one, key)
    elif isinstance(wire, list):
        for one in wire:
            yield from every_string(one, name)
