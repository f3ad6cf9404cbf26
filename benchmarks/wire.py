"""The wire shapes that the generators are made of: one `Session` numbers its events and builds them.

Shapes and the order of members are those of the official samples (`type` first, `obfuscation` last), ids and contents are
invented. `tests/benchmarks` holds every event against the types of the `openai` package.
"""

import random
from typing import Any

Event = dict[str, Any]

EPOCH = 1790000000
"""Unix seconds at which every generated session begins."""


def function_tool(name: str, members: int = 2, words: int = 3) -> Event:
    """A function tool whose schema has `members` members, each described by some `words` words. `key` is required."""
    about = " ".join(["how", "the", "stock", "of", "this", "aisle", "is", "counted"] * (words // 8 + 1))
    properties: Event = {
        "key": {"type": "string", "description": about},
        "limit": {"type": "integer", "description": about},
    }
    for n in range(2, members):
        properties[f"filter_{n}"] = {"type": "string", "description": about, "enum": [f"none_{n}", f"some_{n}", f"all_{n}"]}
    return {
        "type": "function",
        "name": name,
        "description": f"{name}: {about}",
        "parameters": {"type": "object", "properties": properties, "required": ["key"], "additionalProperties": False},
        "defer_loading": False,
    }


NAMES = ("count_stock", "find_route", "book_slot", "send_note")
TOOLS = [function_tool(name) for name in NAMES]
"""The few small tools of most sessions here."""


class Session:
    """One session's stream. `seed` fixes its ids; the same calls in the same order give the same events.

    `environment`, `tools`, `instructions` and `agents_at_once` (the limit of active subagents) go into its snapshots. `padded`
    adds the padding that servers send with every event unless asked not to.
    """

    def __init__(
        self,
        seed: str,
        *,
        environment: bool = False,
        tools: list[Event] = TOOLS,
        instructions: str | None = None,
        agents_at_once: int | None = None,
        padded: bool = False,
    ) -> None:
        self.random = random.Random(seed)
        self.id, self.agent_id = self.new("sess"), self.new("agent")
        self.environment, self.tools, self.instructions = environment, tools, instructions
        self.agents_at_once, self.padded = agents_at_once, padded
        self.environment_id = self.new("env")
        self.now = EPOCH
        self.metadata: dict[str, str] = {}
        self.usage: Event | None = None

    def new(self, prefix: str) -> str:
        """A fresh id."""
        return f"{prefix}_{self.random.getrandbits(96):024x}"

    def event(self, kind: str, **members: Any) -> Event:
        """An event of that type with these members."""
        built = {"type": kind, "event_id": self.new("evt"), **members}
        if self.padded:
            built["obfuscation"] = f"{self.random.getrandbits(64):x}"[: self.random.randrange(4, 17)]
        return built

    def body(self, status: str, actions: list[Event]) -> Event:
        """The session object as it is now."""
        return {
            "object": "agent.session",
            "id": self.id,
            "status": status,
            "agent": {
                "id": self.agent_id,
                "name": None,
                "model": "gpt-example",
                "instructions": self.instructions,
                "multi_agent": {"enabled": True, "max_concurrent_subagents": self.agents_at_once},
                "reasoning": {"effort": None, "summary": None},
                "service_tier": "auto",
                "text": {"format": {"type": "text"}, "verbosity": "medium"},
                "tools": self.tools,
            },
            "environment": self._environment(),
            "created_at": EPOCH,
            "last_active_at": self.now,
            "error": None,
            "metadata": self.metadata,
            "usage": self.usage,
            "vault_ids": [],
            "required_actions": actions,
        }

    def _environment(self) -> Event:
        if not self.environment:
            return {"type": "none"}
        return {
            "type": "self_hosted",
            "id": self.environment_id,
            "remote_url": "wss://env.example.invalid/exec",
            "workspace_directory": "/workspace",
            "capability_directories": [],
        }

    def snapshot(self, status: str, actions: list[Event] | None = None, kind: str | None = None) -> Event:
        """`agent.session.STATUS` (or `kind`) with the whole session object in it."""
        return self.event(f"agent.session.{kind or status}", session=self.body(status, actions or []))

    def created(self) -> Event:
        """The first event of a session."""
        return self.snapshot("idle", kind="created")

    def turn(self, turn_id: str, status: str, subagent_id: str | None = None) -> Event:
        """A turn's lifecycle event; `queued` is the status of a turn just created."""
        ended = status in ("completed", "failed", "cancelled")
        body = {
            "object": "agent.session.turn",
            "id": turn_id,
            "agent_id": self.agent_id,
            "session_id": self.id,
            "subagent_id": subagent_id,
            "status": status,
            "created_at": self.now,
            "started_at": None if status == "queued" else self.now,
            "completed_at": self.now if ended else None,
            "error": None,
            "usage": None,
        }
        kind = "created" if status == "queued" else status
        members = {"usage": None} if ended else {}
        return self.event(f"agent.session.turn.{kind}", session_id=self.id, turn_id=turn_id, turn=body, **members)

    def item(self, stage: str, turn_id: str, index: int | None, kind: str, item_id: str, **members: Any) -> Event:
        """`item.added` or `item.done` with an item of that kind; `index` is null for inputs."""
        item = {"type": kind, "id": item_id, "turn_id": turn_id, **members}
        where = {"session_id": self.id, "turn_id": turn_id, "output_index": index}
        return self.event(f"agent.session.turn.item.{stage}", **where, item=item)

    def part(self, kind: str, turn_id: str, index: int, item_id: str, counter: str, **members: Any) -> Event:
        """An event about a piece of an item: text, summary, or (with no `counter`) command output."""
        where = {"session_id": self.id, "turn_id": turn_id, "item_id": item_id, "output_index": index}
        if counter:
            where[counter] = 0
        return self.event(kind, **where, **members)

    def subagent(self, kind: str, subagent_id: str, parent: str, opened: int, instructions: list[Event] | None) -> Event:
        """A subagent's event: created, active or closed."""
        closed = kind == "closed"
        body = {
            "object": "agent.session.subagent",
            "id": subagent_id,
            "session_id": self.id,
            "parent_agent_id": parent,
            "status": "closed" if closed else "active",
            "opened_at": opened,
            "closed_at": self.now if closed else None,
            "name": None,
            "instructions": instructions,
        }
        return self.event(f"agent.session.subagent.{kind}", subagent=body)
