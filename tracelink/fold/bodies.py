"""Session bodies, shared: a stream repeats the whole session object in every snapshot, nearly always unchanged.

Equal bodies become one value, so that a snapshot costs an origin and a reference.
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


class Bodies:
    """Keeps one SessionBody for each distinct session object."""

    def __init__(self) -> None:
        self._seen: dict[bytes, SessionBody] = {}

    def of(self, session: dict[str, Any]) -> SessionBody:
        """The body of a session object. Times and usage, which change without meaning, are no part of it."""
        kept: dict[str, Any] = {
            name: session[name] for name in ("status", "required_actions", "agent", "environment", "error") if name in session
        }
        try:
            key = orjson.dumps(kept)
        except TypeError:  # orjson.JSONEncodeError: a number or string that it cannot write
            return _body(kept)
        body = self._seen.get(key)
        if body is None:
            body = self._seen[key] = _body(kept)
        return body


def _body(session: dict[str, Any]) -> SessionBody:
    agent = session.get("agent")
    agent = agent if isinstance(agent, dict) else {}
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
        agent.get("tools"),
        text(environment.get("type")),
        text(environment.get("id")),
        error if isinstance(error, str) else text(error.get("message")) if isinstance(error, dict) else None,
    )


def _action(entry: dict[str, Any]) -> ActionSeen:
    request = entry.get("request")
    inner = request if isinstance(request, dict) else {}
    return ActionSeen(
        text(entry.get("type")) or "unknown",
        text(entry.get("turn_id")),
        text(entry.get("call_id")),
        text(entry.get("request_id")),
        text(entry.get("environment_id")),
        text(entry.get("name")) or text(inner.get("name")),
        entry.get("arguments", inner.get("arguments")),
        request,
    )
