"""Whatever the installed `openai` package types for sessions is read and used: nothing of it is unknown, foreign or lost.

The unions are taken apart by introspection, so a member that a newer package adds is tried without a change here. A minimal
valid value of each member is built from its fields: required ones filled, nullable ones null, the first of each choice.
"""

import importlib
import json
import pkgutil
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints

import pytest
from pydantic import BaseModel, TypeAdapter
from typing_extensions import is_typeddict

import tracelink
from tests.read.ways import both
from tracelink.model.run import Run

pytest.importorskip("openai.types.beta.agent_session_event", reason="the openai package is too old for the Agents API")

import openai.types.webhooks as webhooks
from openai.types.beta.agent import Agent
from openai.types.beta.agent_output_item import AgentOutputItem
from openai.types.beta.agent_session import AgentSession, RequiredAction
from openai.types.beta.agent_session_event import AgentSessionEvent
from openai.types.beta.agent_session_input_param import AgentSessionInputParam
from openai.types.beta.agent_session_item import AgentSessionItem
from openai.types.beta.agent_session_turn_item_added_event import AgentSessionTurnItemAddedEvent
from openai.types.beta.agent_session_turn_item_done_event import AgentSessionTurnItemDoneEvent
from openai.types.beta.agents.environment_info import EnvironmentInfo
from openai.types.beta.agents.sessions.session_artifact import SessionArtifact
from openai.types.beta.agents.sessions.session_trace import SessionTrace
from openai.types.beta.agents.sessions.turn import Turn
from openai.types.beta.subagent import Subagent

Json = dict[str, Any]


def members(kind: Any) -> list[Any]:
    """The members of a union, however it is nested or annotated."""
    if get_origin(kind) in (Annotated, Required, NotRequired):
        return members(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return [one for argument in get_args(kind) for one in members(argument)]
    return [kind]


def value(kind: Any, name: str = "x") -> Any:
    """A minimal valid JSON value of a type. `name`: of the field, which makes the ids tell apart."""
    choices = members(kind)
    if type(None) in choices:
        return None
    kind, origin = choices[0], get_origin(choices[0])
    if origin is Literal:
        return get_args(kind)[0]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return instance(kind)
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)
        return {key: value(hint, key) for key, hint in hints.items() if get_origin(hint) is Required}
    if origin in (list, Sequence, Iterable) or (
        isinstance(origin, type) and issubclass(origin, Iterable) and not issubclass(origin, Mapping)
    ):
        return [value(get_args(kind)[0], name)]
    if origin is dict or kind is dict:
        return {}
    plain: dict[Any, Any] = {
        str: f"{name}_7Qk",
        int: 1_791_000_000,
        float: 1.5,
        bool: True,
        object: {"depth": 3},
        Any: {"depth": 3},
    }
    return plain[kind]


def instance(model: type[BaseModel], **fixed: Any) -> Json:
    """A minimal wire object of a model; nullable members are there and null, as the server sends them."""
    found = {field.alias or name: value(field.annotation, name) for name, field in model.model_fields.items()}
    return {**found, **fixed}


def checked(kind: Any, wire: Json) -> Json:
    """The same value, if the package itself takes it."""
    TypeAdapter(kind).validate_json(json.dumps(wire), strict=True)
    return wire


def choices_of(model: type[BaseModel], field: str) -> tuple[Any, ...]:
    return get_args(model.model_fields[field].annotation)


def webhook_models() -> Iterator[type[BaseModel]]:
    for module in pkgutil.iter_modules(webhooks.__path__):
        if module.name.startswith("agent_"):
            loaded = importlib.import_module(f"{webhooks.__name__}.{module.name}")
            yield getattr(loaded, loaded.__all__[0])


EVENTS = members(AgentSessionEvent)
ITEMS = members(AgentSessionItem)
OUTPUTS = members(AgentOutputItem)
ACTIONS = members(RequiredAction)
INPUTS = members(AgentSessionInputParam)
WEBHOOKS = list(webhook_models())
OBJECTS = (AgentSession, Turn, Subagent, EnvironmentInfo, Agent, SessionArtifact, SessionTrace)


def cases() -> Iterator[tuple[str, Json]]:
    """(name, one wire value) of everything."""
    for model in EVENTS:
        event = instance(model)
        if isinstance(event.get("turn"), dict):
            event["turn"]["id"] = event["turn_id"]  # a turn event says the id of its turn twice (A.1)
        yield f"event {model.__name__}", checked(AgentSessionEvent, event)
    for model in ITEMS:
        item = checked(AgentSessionItem, instance(model))
        yield f"listed {model.__name__}", item
        added = instance(AgentSessionTurnItemAddedEvent, item=item)
        yield f"added {model.__name__}", checked(AgentSessionTurnItemAddedEvent, added)
    for model in OUTPUTS:
        done = instance(AgentSessionTurnItemDoneEvent, item=instance(model))
        yield f"done {model.__name__}", checked(AgentSessionTurnItemDoneEvent, done)
    for model in ACTIONS:
        session = instance(AgentSession, status="requires_action", required_actions=[instance(model)])
        yield f"action {model.__name__}", checked(AgentSession, session)
    for status in choices_of(AgentSession, "status"):
        yield f"session {status}", checked(AgentSession, instance(AgentSession, status=status, required_actions=[]))
    for status in choices_of(Turn, "status"):
        yield f"turn {status}", checked(Turn, instance(Turn, status=status))
    for model in OBJECTS:
        yield f"object {model.__name__}", checked(model, instance(model))
    for kind in INPUTS:
        yield f"input {kind.__name__}", checked(AgentSessionInputParam, value(kind))
    for model in WEBHOOKS:
        yield f"webhook {model.__name__}", checked(model, instance(model))


CASES = list(cases())


def counts(run: Run) -> dict[str, int]:
    """Records by disposition; nothing else may have been read."""
    (found,) = run.counts
    assert sum(found.values()) == run.sources[0].records
    return found


def test_the_unions_are_all_there() -> None:
    """The numbers of the fact sheet (A.1, B.1, D.1, D.2, F), so that the introspection cannot come back empty."""
    assert len(EVENTS) >= 33
    assert len(ITEMS) >= 17
    assert len(OUTPUTS) >= 14
    assert len(ACTIONS) == 4
    assert len(INPUTS) == 5
    assert len(WEBHOOKS) >= 9
    assert len({name for name, _ in CASES}) == len(CASES)


@pytest.mark.parametrize(("name", "wire"), CASES, ids=[name for name, _ in CASES])
def test_each_is_used(name: str, wire: Json) -> None:
    run = tracelink.trace(json.dumps(wire).encode())
    assert counts(run) == {"used": 1}, (name, run.strangers)
    assert run.troubles == ()
    assert [finding.code for finding in tracelink.report(run).findings] == []


@pytest.mark.parametrize("pretty", [None, 2], ids=["lines", "pretty"])
def test_all_together_are_used(pretty: int | None) -> None:
    """One log with everything, in lines and as one document; ids repeat, contents do not."""
    wires = [wire for _, wire in CASES]
    if pretty is None:
        text = "".join(json.dumps(wire) + "\n" for wire in wires)
    else:
        text = json.dumps(wires, indent=pretty)
    found = counts(tracelink.trace(text.encode()))
    assert sum(found.values()) == len(wires)
    assert set(found) <= {"used", "repeated"}


MODELS = [(name, model) for name, kind in (("event", EVENTS), ("item", ITEMS)) for name, model in ((name, one) for one in kind)]


@pytest.mark.parametrize("model", [model for _, model in MODELS] + list(OBJECTS), ids=lambda model: model.__name__)
def test_what_the_package_dumps_is_used(model: type[BaseModel]) -> None:
    """`model_dump` writes Python's names (`async_`) and nulls (L.2.14); `to_dict` the wire's."""
    loaded = model.model_validate(instance(model))
    for dumped in (loaded.model_dump(mode="json"), loaded.model_dump(mode="json", by_alias=True, exclude_unset=True)):
        assert counts(tracelink.trace(json.dumps(dumped).encode())) == {"used": 1}


def test_a_page_of_every_item_is_used() -> None:
    """The envelope is a record of its own."""
    items = [{**instance(model), "id": f"item_{number}"} for number, model in enumerate(ITEMS)]
    envelope = {"object": "list", "data": items, "first_id": "item_0", "last_id": items[-1]["id"], "has_more": False}
    assert counts(tracelink.trace(json.dumps(envelope).encode())) == {"used": len(items) + 1}


def test_every_action_is_listed_by_the_verdict() -> None:
    """The four kinds, each with the id that it is known by."""
    actions = [instance(model) for model in ACTIONS]
    session = checked(AgentSession, instance(AgentSession, status="requires_action", required_actions=actions))
    (one,) = tracelink.report(json.dumps(session).encode()).sessions
    assert one.verdict.awaits == "awaiting"
    assert [open_action.action.type for open_action in one.verdict.actions] == [action["type"] for action in actions]
    for open_action in one.verdict.actions:
        seen = open_action.action
        assert seen.call_id or seen.request_id or seen.environment_id


def test_budget_reached_is_known_before_the_package_types_it() -> None:
    """Node has it, Python 3.57 has not (A.1)."""
    session = instance(AgentSession, required_actions=[]) | {"status": "budget_reached"}
    event = {"type": "agent.session.budget_reached", "event_id": "ev_1", "session": session}
    assert counts(tracelink.trace(json.dumps(event).encode())) == {"used": 1}


def test_a_message_may_have_no_id() -> None:
    """Legacy user messages (B.1)."""
    message = next(instance(model) for model in ITEMS if "role" in model.model_fields)
    assert counts(tracelink.trace(json.dumps({**message, "id": None}).encode())) == {"used": 1}


def varied(part: Any, number: int, name: str = "") -> Any:
    """The same with other ids, times and texts."""
    if isinstance(part, dict):
        return {key: varied(one, number, key) for key, one in part.items()}
    if isinstance(part, list):
        return [varied(one, number, name) for one in part]
    if isinstance(part, str) and name not in ("type", "object", "status", "role", "phase"):
        return f"{part}{number}"
    return part + number if part.__class__ is int else part


@pytest.mark.parametrize(("name", "wire"), CASES, ids=[name for name, _ in CASES])
def test_what_comes_again_and_again_is_read_as_it_was_at_first(name: str, wire: Json) -> None:
    """The quick way takes from an event what differs, and the rest from an earlier one: it must be what the plain way finds."""
    both("".join(json.dumps(varied(wire, number)) + "\n" for number in range(1, 7)).encode(), report=True)
