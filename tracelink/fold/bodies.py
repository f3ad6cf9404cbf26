"""Session bodies, shared: a stream repeats the whole session object in every snapshot, nearly always unchanged.

Equal bodies become one value, so that a snapshot costs an origin and a reference. Equal lists of tools become one too, whoever's they
are: a thousand sessions of one app declare the same, and what is found out about the one list holds for all of them.
"""

from typing import Any

import orjson

from tracelink.model.facts import ActionSeen, SessionBody


def text(value: object) -> str | None:
    """The value if it is a string, else None."""
    return value if isinstance(value, str) else None


def integer(value: object) -> int | None:
    """Unix seconds and counts: an int, or a float cut to one; a boolean is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value)


_NAMES = ("status", "required_actions", "agent", "environment", "error")
_ALIKE = 64  # values whose identity is remembered
_EQUAL = 4096  # bodies whose text is


class Bodies:
    """Keeps one SessionBody for each distinct session object, and one string for each id (`share`).

    A reader that skips what repeats gives out the same objects again; so identity is looked at first, then content. The objects
    compared are held here, so that no other can take the place of one in memory.
    """

    def __init__(self) -> None:
        self.share: dict[str | None, str | None] = {}  # ids that many records name, so that each is held once
        self._seen: dict[tuple[int, bytes], SessionBody] = {}
        self._agents: dict[bytes, int] = {}
        self._same_body: dict[tuple[int, ...], tuple[SessionBody, tuple[Any, ...]]] = {}
        self._same_agent: dict[int, tuple[int, Any]] = {}
        self._tools: dict[int, Any] = {}  # hash of a list's text → the list

    def of(self, session: dict[str, Any]) -> SessionBody:
        """The body of a session object. Times and usage, which change without meaning, are no part of it."""
        get = session.get
        members = get("status"), get("required_actions"), get("agent"), get("environment"), get("error")
        identity = tuple(map(id, members))
        same = self._same_body.get(identity)
        if same is not None:
            return same[0]
        kept: dict[str, Any] = {name: session[name] for name in _NAMES if name in session}
        try:
            body = self._equal(kept)
        except TypeError:  # orjson.JSONEncodeError: a number or string that it cannot write
            return _body(kept, _agent(kept).get("tools"))
        if len(self._same_body) >= _ALIKE:
            self._same_body.clear()
        self._same_body[identity] = body, members
        return body

    def _equal(self, kept: dict[str, Any]) -> SessionBody:
        agent = kept.get("agent")
        if agent is None:
            number = 0
        elif (same := self._same_agent.get(id(agent))) is not None:
            number = same[0]
        else:
            number = self._agents.setdefault(orjson.dumps(agent), len(self._agents) + 1)
            if len(self._same_agent) >= _ALIKE:
                self._same_agent.clear()
            self._same_agent[id(agent)] = number, agent
        key = number, orjson.dumps(kept if agent is None else kept | {"agent": 0})
        body = self._seen.get(key)
        if body is None:
            if len(self._seen) >= _EQUAL:
                self._seen.clear()
            body = self._seen[key] = _body(kept, self._shared(_agent(kept).get("tools")))
        return body

    def _shared(self, tools: Any) -> Any:
        """The first list of tools that is equal to this one."""
        if not isinstance(tools, list):
            return tools
        first = self._tools.setdefault(hash(orjson.dumps(tools)), tools)
        return first if first is tools or first == tools else tools  # another text of this hash


def _agent(session: dict[str, Any]) -> dict[str, Any]:
    agent = session.get("agent")
    return agent if isinstance(agent, dict) else {}


def _body(session: dict[str, Any], tools: Any) -> SessionBody:
    agent = _agent(session)
    multi = agent.get("multi_agent")
    multi = multi if isinstance(multi, dict) else {}
    environment = session.get("environment")
    environment = environment if isinstance(environment, dict) else {}
    listed = session.get("required_actions")
    enabled = multi.get("enabled")
    error = session.get("error")
    return SessionBody(
        text(session.get("status")),
        tuple(_action(entry) for entry in listed if isinstance(entry, dict)) if isinstance(listed, list) else (),
        isinstance(listed, list),
        text(agent.get("id")),
        text(agent.get("name")),
        text(agent.get("model")),
        enabled if isinstance(enabled, bool) else None,
        integer(multi.get("max_concurrent_subagents")),
        tools,
        text(environment.get("type")),
        text(environment.get("id")),
        error if isinstance(error, str) else text(error.get("message")) if isinstance(error, dict) else None,
    )


def _action(entry: dict[str, Any]) -> ActionSeen:
    get = entry.get
    type_, turn_id, call_id, name = get("type"), get("turn_id"), get("call_id"), get("name")
    if (
        type_
        and name
        and "request" not in entry
        and turn_id.__class__ is call_id.__class__ is type_.__class__ is name.__class__ is str
    ):
        # What nearly all are: the request of a call.
        plain = (type_, turn_id, call_id, text(get("request_id")), text(get("environment_id")), name, get("arguments"), None)
        return tuple.__new__(ActionSeen, plain)
    request = get("request")
    inner = request if isinstance(request, dict) else {}
    return ActionSeen(
        text(type_) or "unknown",
        text(turn_id),
        text(call_id),
        text(get("request_id")),
        text(get("environment_id")),
        text(name) or text(inner.get("name")),
        entry.get("arguments", inner.get("arguments")),
        request,
    )
