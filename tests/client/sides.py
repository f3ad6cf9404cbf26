"""Two readers of one stream: the state that the `openai` package keeps, and tracelink.

The package keeps state in three places: `_TurnState` (which turn, has it ended, is the stream at its end), the turn-result collector
(required actions, turn, failed) and the tool dispatcher (which calls were handled). They are fed as `AgentSessionStream` feeds them.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest

pytest.importorskip("openai.lib.beta.agents._result", reason="the openai package is too old for the Agents API")

from openai._models import construct_type
from openai.lib.beta.agents._result import AgentTurnResultCollector, AgentTurnResultError
from openai.lib.streaming.agents._dispatch import ToolDispatcher
from openai.lib.streaming.agents._streams import _TurnState
from openai.types.beta.agent_session_event import AgentSessionEvent

import tracelink
from tests.world.model import TOOLS, Entry, Server
from tests.world.record import dump
from tracelink.model.run import SessionReport


@dataclass
class Client:
    """What an app with the official helper knows after some events of one turn."""

    session_id: str
    state: _TurnState = field(default_factory=_TurnState)
    over: bool = False
    dispatched: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.collector = AgentTurnResultCollector(self.session_id)
        handlers: Any = {tool["name"]: lambda arguments: "1" for tool in TOOLS}
        self.dispatcher = ToolDispatcher(None, handlers)  # type: ignore[arg-type] - nothing is submitted

    def hear(self, value: Any) -> None:
        """One event, as `AgentSessionStream._iterate` treats it."""
        if self.over:
            return
        event: Any = construct_type(type_=AgentSessionEvent, value=value)  # as the package's stream reads: it refuses nothing
        if not self.state.accept(event):
            return
        self.collector.accept(event)
        self.over = self.state.terminal(event, self.session_id)
        pending = self.dispatcher.prepare(event)
        if pending is not None:
            self.dispatched.append((pending[1].turn_id, pending[1].call_id))

    @property
    def pending(self) -> set[tuple[str, str]]:
        return {key_of(action) for action in self.collector.required_actions}

    @property
    def turn_status(self) -> str | None:
        return self.collector.turn.status if self.collector.turn is not None else None

    def reason(self) -> str:
        """`ok`, or why it says that there is no result. It may be asked once: the collector drops its state with an error."""
        try:
            self.collector.result()
        except AgentTurnResultError as error:
            return error.reason
        return "ok"


def key_of(action: Any) -> tuple[str, str]:
    if action.type == "function_call":
        return (action.turn_id, action.call_id)
    return (action.type, getattr(action, "request_id", None) or getattr(action, "environment_id", None) or "")


def ours(entries: list[Entry], s: Server) -> SessionReport:
    """What tracelink makes of the same events; not of what the app posted, for the helper does not look at that either."""
    report = tracelink.report("".join(dump(entry.value) + "\n" for entry in entries if entry.way == "event").encode())
    return next(one for one in report.sessions if one.trace.session_id == s.id)


def open_keys(one: SessionReport) -> set[tuple[str, str]]:
    keys = set()
    for seen in one.verdict.actions:
        action = seen.action
        if action.call_id is not None:
            keys.add((action.turn_id or "", action.call_id))
        else:
            keys.add((action.type or "", action.request_id or action.environment_id or ""))
    return keys


def root_turns(entries: list[Entry]) -> list[tuple[str, int, int]]:
    """(turn, first entry, entry after the last) of each root turn, as one `sessions.stream` call would hear it: from the turn's
    creation to the idle or failed event behind its end, or to where the recording stops."""
    found: list[tuple[str, int, int]] = []
    starts = [
        n
        for n, entry in enumerate(entries)
        if entry.value.get("type") == "agent.session.turn.created" and entry.value["turn"]["subagent_id"] is None
    ]
    for at, start in enumerate(starts):
        end = starts[at + 1] if at + 1 < len(starts) else len(entries)
        found.append((entries[start].value["turn_id"], start, end))
    return found
