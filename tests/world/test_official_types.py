"""The world's events, items, turns, subagents, sessions and posts are what the `openai` package's own types describe.

Where a fault is that something is not as it should be (a result without an id, a boolean as text), the post is left out.
"""

import json
from typing import Any

import pytest

pytest.importorskip("openai.types.beta.agent_session_event", reason="the openai package is too old for the Agents API")

from openai.types.beta.agent_output_item import AgentOutputItem
from openai.types.beta.agent_session import AgentSession
from openai.types.beta.agent_session_event import AgentSessionEvent
from openai.types.beta.agent_session_input_param import AgentSessionInputParam
from openai.types.beta.agent_session_item import AgentSessionItem
from openai.types.beta.agents.sessions.turn import Turn
from openai.types.beta.subagent import Subagent
from pydantic import BaseModel, TypeAdapter

from tests.world import app
from tests.world.faults import FAULTS
from tests.world.model import Server

ADAPTERS: dict[str, TypeAdapter[Any]] = {
    "event": TypeAdapter(AgentSessionEvent),
    "item": TypeAdapter(AgentSessionItem),
    "output": TypeAdapter(AgentOutputItem),
    "turn": TypeAdapter(Turn),
    "subagent": TypeAdapter(Subagent),
    "session": TypeAdapter(AgentSession),
    "post": TypeAdapter(AgentSessionInputParam),
}
BAD_POSTS = ("TL010", "TL111", "TL201", "TL202")


def strange(value: Any, model: Any) -> list[str]:
    """Members that the type does not know, at any depth."""
    if isinstance(model, list):
        return [name for one, inner in zip(value, model, strict=True) for name in strange(one, inner)]
    if not isinstance(model, BaseModel):
        return []
    known = {field.alias or name: name for name, field in type(model).model_fields.items()}
    out = [f"{type(model).__name__}.{name}" for name in value if name not in known]
    return out + [one for name, inner in known.items() if name in value for one in strange(value[name], getattr(model, inner))]


def valid(kind: str, value: Any) -> None:
    model = ADAPTERS[kind].validate_json(json.dumps(value), strict=True)
    assert strange(value, model) == [], value


def hold(s: Server, *, posts: bool = True) -> None:
    for entry in s.log:
        if entry.way == "event":
            valid("event", entry.value)
            if "item" in entry.value:
                valid("item" if entry.value["type"].endswith("added") else "output", entry.value["item"])
        elif entry.way == "post" and posts:
            for one in entry.value["events"]:
                ADAPTERS["post"].validate_json(json.dumps(one), strict=True)
    for kind, values in (("item", s.items), ("turn", s.turns), ("subagent", s.subs)):
        for value in values.values():
            valid(kind, value)
    valid("session", s.retrieved())


def test_clean_sessions() -> None:
    for seed in range(40):
        hold(app.clean(seed))


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str) -> None:
    hold(app.faulty(5, [FAULTS[name]]), posts=name[:5] not in BAD_POSTS)


def test_a_spoiled_event_is_found() -> None:
    s = app.clean(1)
    s.log[0].value["sequence_number"] = 1
    with pytest.raises(AssertionError, match="sequence_number"):
        hold(s)
