"""The server: one session of the Agents API, and the log of an app beside it, with the truth after every entry.

The idea: an act of `app.py` or `faults.py` calls the server as agent and app would act. Each call changes the server's state and
appends what a listener hears (an event), what the app sent (a post) or what it was told (a refusal). With each entry goes the
truth at that moment (`truth.py`), taken from the state and never from the entries. Behaviour: fact sheet A.3, D.3, D.5.
"""

import copy
import random
import string
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from tests.world.truth import Expected, State, state_of

Json = dict[str, Any]
START = 1_790_000_000


@dataclass
class Entry:
    """way: `event` (stream), `post` (the app's body) or `error` (an HTTP error body). state: the truth once this is known."""

    at: float
    way: str
    value: Json
    status: int | None = None
    state: State = field(default_factory=State)


class Server:
    """One session. `child_in_stream`: children's turns and items are in the root's stream (both occur, fact sheet E)."""

    def __init__(self, rng: random.Random, name: str = "w", *, environment: bool = False, max_subagents: int | None = None):
        self.rng = rng
        self.now = START + rng.randrange(10_000_000) + 0.25
        self.log: list[Entry] = []
        self.expected: list[Expected] = []
        self.child_in_stream = rng.random() < 0.4
        self.short_ids = rng.random() < 0.15
        self.id = self.new("sess", name)
        self.agent_id = self.new("agent")
        self.turns: dict[str, Json] = {}
        self.items: dict[str, Json] = {}
        self.subs: dict[str, Json] = {}
        self.spawned_by: dict[str, str] = {}  # subagent → create item: known to the server, never on the wire (B.4)
        self.pending: dict[tuple[str, str], Json] = {}  # as a listener knows it: registered by a snapshot, not yet cleared
        self.answered: dict[tuple[str, str], str] = {}  # how a pending action was answered
        self.announced: set[tuple[str, str]] = set()  # calls emitted, of which no snapshot spoke yet
        self.spoken: set[str] = set()  # ids of turns, items and subagents that a listener heard of
        self.known_calls: set[tuple[str, str]] = set()
        self.known_results: set[tuple[Any, ...]] = set()
        self.posted: set[tuple[Any, ...]] = set()  # every different result that the app sent
        self.accepted: set[tuple[str, str]] = set()  # approvals that the server took without a word
        self.root_open: str | None = None
        self.snapshots_heard = False
        self.failed = False
        self.cancelling = False  # a cancel was posted, and the turn has not ended yet
        self._index: dict[str, int] = {}
        self.session: Json = {
            "id": self.id,
            "object": "agent.session",
            "agent": {
                "id": self.agent_id,
                "name": rng.choice([None, "Desk"]),
                "model": "gpt-6-astra",
                "instructions": None,
                "multi_agent": {"enabled": True, "max_concurrent_subagents": max_subagents},
                "reasoning": {"effort": None, "summary": None},
                "service_tier": "auto",
                "text": {"format": {"type": "text"}, "verbosity": "medium"},
                "tools": [copy.deepcopy(tool) for tool in TOOLS],
            },
            "environment": self._environment() if environment else {"type": "none"},
            "created_at": int(self.now),
            "last_active_at": int(self.now),
            "error": None,
            "metadata": {},
            "usage": None,
            "vault_ids": [],
            "required_actions": [],
            "status": "idle",
        }

    def _environment(self) -> Json:
        return {
            "type": "self_hosted",
            "id": self.new("env"),
            "remote_url": "wss://executors.example/1",
            "workspace_directory": "/work",
            "capability_directories": [],
        }

    def new(self, prefix: str, *more: str) -> str:
        """An id that is nowhere near another (twelve random characters), so that no near miss is an accident."""
        letters = "".join(self.rng.choices(string.ascii_letters + string.digits, k=12))
        return "_".join([prefix, *more, letters])

    # the log

    def tick(self, seconds: float | None = None) -> int:
        self.now = round(self.now + (self.rng.choice([0.01, 0.2, 0.7, 3.1]) if seconds is None else seconds), 3)
        return int(self.now)

    def put(self, way: str, value: Json, status: int | None = None) -> None:
        self.tick()
        entry = Entry(self.now, way, orjson.loads(orjson.dumps(value)), status)
        self.log.append(entry)
        if way == "event":
            self._hear(value)
        entry.state = state_of(self)

    def _hear(self, event: Json) -> None:
        item = event.get("item", {})
        self.snapshots_heard |= "session" in event
        for one in (item, event.get("turn", {}), event.get("subagent", {})):
            self.spoken.add(one.get("id") or "")
        for action in event.get("session", {}).get("required_actions", []):
            if action["type"] == "function_call":
                self.known_calls.add(action_key(action))
        if item.get("type") == "function_call":
            self.known_calls.add((item["turn_id"], item["call_id"]))
        if item.get("type") == "function_call_output":
            self.known_results.add((item["turn_id"], item["call_id"], meaning(item["output"]), item["error"], None))

    def emit(self, kind: str, **members: Any) -> Json:
        event = {"type": f"agent.session.{kind}", "event_id": self.new("evt"), **members}
        if self.rng.random() < 0.1:
            event["obfuscation"] = "x" * self.rng.randrange(1, 9)
        self.put("event", event)
        return event

    def expect(
        self, code: str, *ids: str, until: int | None = None, views: str = "log stream pages", must: bool = True
    ) -> Expected:
        """A finding that the truth calls for from here on. `must` False: it may be said and need not."""
        one = Expected(code, tuple(ids), len(self.log), until, frozenset(views.split()), must)
        self.expected.append(one)
        return one

    # session

    def snapshot(self, status: str, actions: list[Json] | None = None) -> Json:
        """A session event. What it lists is what is pending, whoever answered."""
        listed = actions if actions is not None else []
        self.session.update(
            status="idle" if status == "created" else status, required_actions=listed, last_active_at=int(self.now)
        )
        keys = {action_key(one): one for one in listed}
        self.answered = {key: how for key, how in self.answered.items() if key in keys}
        self.pending = keys
        self.announced = set()
        return self.emit(status, session=self.session)

    def retrieved(self) -> Json:
        """GET …/sessions/{id}: it lists what is pending now, whatever the last event listed."""
        listed = [action for key, action in self.pending.items() if key not in self.accepted]
        status = self.session["status"]
        if status == "requires_action" and self.session["required_actions"] and not listed:
            status = "in_progress"
        return {**self.session, "required_actions": listed, "status": status}

    def fail_session(self, message: str, code: str = "sandbox_error") -> None:
        error = {"code": code, "message": message, "param": None, "type": "server_error"}
        self.put("event", {"type": "error", "event_id": self.new("evt"), "session_id": self.id, "error": error})
        self.failed = True
        self.session["error"] = message
        self.snapshot("failed")
        self.expect("TL302", self.id)

    # turns

    def begin(self, subagent: str | None = None) -> str:
        """A turn is created and runs; a child's is heard only where children are in the stream (H.9)."""
        turn_id = self.new("turn")
        self.turns[turn_id] = {
            "id": turn_id,
            "object": "agent.session.turn",
            "agent_id": self.agent_id,  # the root's, also for a child's turn (B.4)
            "session_id": self.id,
            "subagent_id": subagent,
            "status": "queued",
            "created_at": int(self.now),
            "started_at": None,
            "completed_at": None,
            "error": None,
            "usage": None,
        }
        if subagent is None:
            self.root_open = turn_id
            # A child that outlived one root turn may be taken up by the next: whether that is a fault is open again.
            self.expected = [replace(one, must=one.must and one.code != "TL404") for one in self.expected]
        self._turn_event(turn_id, "created")
        return turn_id

    def start(self, turn_id: str) -> None:
        self.turns[turn_id].update(status="in_progress", started_at=int(self.now))
        self._turn_event(turn_id, "in_progress")

    def end(self, turn_id: str, status: str = "completed", error: Json | None = None, *, quiet: bool = False) -> None:
        """The turn ends; its actions go with it (D.6.2)."""
        turn = self.turns[turn_id]
        turn.update(status=status, completed_at=self.tick(), error=error)
        if turn["subagent_id"] is None:
            self.cancelling = False
            for key in [key for key in self.pending if key[0] == turn_id or self.pending[key].get("turn_id") == turn_id]:
                del self.pending[key]
                self.answered.pop(key, None)
            self.announced = {key for key in self.announced if key[0] != turn_id}
            self.root_open = None if self.root_open == turn_id else self.root_open
        if not quiet:
            self._turn_event(turn_id, status, usage=None)

    def heard(self, turn_id: str) -> bool:
        return self.turns[turn_id]["subagent_id"] is None or self.child_in_stream

    def _turn_event(self, turn_id: str, kind: str, **members: Any) -> None:
        if self.heard(turn_id):
            self.emit(f"turn.{kind}", session_id=self.id, turn_id=turn_id, turn=self.turns[turn_id], **members)

    # items

    def item(self, turn_id: str, type_: str, **members: Any) -> Json:
        """An item comes into being; nothing is emitted yet."""
        item = {"type": type_, "id": self.new(PREFIX.get(type_, "item")), "turn_id": turn_id, **members}
        self.items[item["id"]] = item
        return item

    def added(self, item: Json, *, output: bool = True) -> None:
        index = None
        if output:
            index = self._index.setdefault(item["id"], sum(self.items[i]["turn_id"] == item["turn_id"] for i in self._index))
        self._item_event("added", item, index)

    def done(self, item: Json, **members: Any) -> None:
        item.update(members)
        self._item_event("done", item, self._index[item["id"]])

    def whole(self, item: Json, first: Json, last: Json) -> Json:
        """Added in its first shape, done in its last."""
        item.update(first)
        self.added(item)
        self.done(item, **last)
        return item

    def _item_event(self, kind: str, item: Json, index: int | None) -> None:
        if self.heard(item["turn_id"]):
            turn_id = item["turn_id"] if self.rng.random() < 0.9 else None  # required-nullable (A.1)
            self.emit(f"turn.item.{kind}", session_id=self.id, turn_id=turn_id, output_index=index, item=item)

    def delta(self, item: Json, text: str) -> None:
        if self.heard(item["turn_id"]):
            place = {"item_id": item["id"], "output_index": self._index[item["id"]], "content_index": 0}
            self.emit("turn.output_text.delta", session_id=self.id, turn_id=item["turn_id"], delta=text, **place)

    # what the app sends

    def post(self, *inputs: Json) -> None:
        for one in inputs:
            key = self.addressed(one)
            if one["type"].endswith(("tool_result", "function_call_output")):
                pair = (one.get("turn_id"), one.get("call_id"))
                odd = None if isinstance(one.get("success"), bool) else repr(one.get("success"))
                self.posted.add((*pair, meaning(one.get("output")), one.get("error"), odd))
            if key in self.pending and one["type"].endswith("_result"):
                self.answered[key] = "unapplied"
        self.cancelling |= self.root_open is not None and any(one["type"].endswith(".cancel") for one in inputs)
        self.put("post", {"events": list(inputs)})

    def addressed(self, one: Json) -> tuple[str, str]:
        """The key of the action that an input answers, if it answers one."""
        if one["type"].endswith("tool_result"):
            return (one.get("turn_id") or "", one.get("call_id") or "")
        kind = one["type"].removeprefix("agent.session.input.").removesuffix("_result")
        return (kind, one.get("request_id") or "")

    def refuse(self, message: str, status: int = 400, code: str = "invalid_request_error") -> None:
        self.put("error", {"error": {"type": code, "code": code, "message": message, "param": None}}, status)

    def output(self, turn_id: str, call_id: str, output: Any, error: str | None = None) -> Json:
        """The server takes a result: the item that says so, and the call is pending no more."""
        key = (turn_id, call_id)
        self.pending.pop(key, None)
        self.answered.pop(key, None)
        self.announced.discard(key)
        status = "completed" if error is None else "failed"
        item = self.item(turn_id, "function_call_output", call_id=call_id, output=output, error=error, status=status)
        self.added(item, output=False)
        return item


PREFIX = {"function_call": "fc", "function_call_output": "fco", "message": "msg", "reasoning": "rs", "agent_message": "am"}


def meaning(output: Any) -> str:
    """What makes two outputs one: an object says the same as its JSON text (B.3)."""
    if isinstance(output, str) and output[:1] in ("{", "["):
        output = orjson.loads(output)
    return repr(output)


def action_key(action: Json) -> tuple[str, str]:
    """(turn, call) for a function call, else (kind, request or environment id)."""
    if action["type"] == "function_call":
        return (action["turn_id"], action["call_id"])
    return (action["type"], action.get("request_id") or action.get("environment_id") or "")


def tool(name: str, **properties: str) -> Json:
    schema = {
        "type": "object",
        "properties": {key: {"type": kind} for key, kind in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "function", "name": name, "description": f"Does {name}.", "parameters": schema, "defer_loading": False}


TOOLS = [
    tool("count_stock", sku="string"),
    tool("book_truck", day="string", seats="integer"),
    tool("read_gauge", number="integer"),
]
ARGUMENTS: dict[str, Json] = {
    "count_stock": {"sku": "BX-9"},
    "book_truck": {"day": "Monday", "seats": 3},
    "read_gauge": {"number": 7},
}
