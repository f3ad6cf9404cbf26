"""More shapes of DESIGN 4: webhooks, objects without a page, traces, HAR, the SDK's objects, the article's items, and other people's logs.

The idea: like `record.py`, a recording and the number of JSON values in it; a log's wrapper only says the same in other words, so what
is right stays the same. What a shape cannot tell is said in `trial.py`, beside the oracle.
"""

import base64
import gzip
import random
from typing import Any

from tests.world import record
from tests.world.model import Entry, Json, Server

Got = list[tuple[str, Json]]


def got(s: Server, rng: random.Random) -> Got:
    """What the app fetched at the end: (path, body)."""
    return [("", s.retrieved()), *record.lists(s, rng)]


def values_in(body: Json) -> int:
    return 1 + len(body["data"]) if body.get("object") == "list" else 1


# wrappers of a log line


def docker(entry: Entry, s: Server) -> str:
    """A container's log driver: the line as text, with its own time; the direction stands in the line."""
    line = record.dump(record.wrapped(entry, s, 1))
    return record.dump({"log": line + "\n", "stream": "stdout", "time": record.stamp(entry.at)})


def prefixed(entry: Entry, s: Server) -> str:
    """A plain log: time, level and logger before the JSON."""
    return f"{record.stamp(entry.at)} INFO app.agents {record.dump(record.wrapped(entry, s, 1))}"


def body_as_text(entry: Entry, s: Server) -> str:
    """An HTTP logger that keeps every body as text."""
    line = record.wrapped(entry, s, 1)
    name = "payload" if entry.way == "event" else "body"
    return record.dump({**line, name: record.dump(line[name])})


def pulled(entry: Entry, s: Server) -> str:
    """A structured logger: the app's own words around a record some levels down; the session beside it."""
    fields = {"trace": {"id": "0f1e"}, "session_id": s.id, "wire": record.wrapped(entry, s, 2)}
    return record.dump({"level": "info", "logger": "agents", "message": "wire", "fields": fields})


def error_inside(entry: Entry, s: Server) -> str:
    """The SDK's exception keeps the inner object of an error body alone (fact sheet I)."""
    line = record.wrapped(entry, s, 1)
    return record.dump({**line, "body": entry.value["error"]} if entry.way == "error" else line)


LINES = (docker, prefixed, body_as_text, pulled, error_inside)


def log(s: Server, entries: list[Entry], rng: random.Random) -> bytes:
    line = rng.choice(LINES)
    return "".join(line(entry, s) + "\n" for entry in entries).encode()


# webhooks (fact sheet F)


def webhooks(s: Server, entry: Entry, number: int) -> list[Json]:
    """What the server posts to the app beside a session event."""
    kind = entry.value["type"].removeprefix("agent.session.")
    data: Json = {"id": s.id, "environment_type": s.session["environment"]["type"]}
    if kind == "requires_action":
        kinds = dict.fromkeys(one["type"] for one in entry.value["session"]["required_actions"])
        said = [("action_required", {"id": s.id, "required_action": {"type": one}}) for one in kinds]
    else:
        said = [(kind, data)] if kind in ("created", "in_progress", "idle", "failed") else []
    return [
        {
            "id": f"wh_{number}_{at}",
            "object": "event",
            "created_at": int(entry.at),
            "type": f"agent.session.{name}",
            "data": one,
        }
        for at, (name, one) in enumerate(said)
    ]


def with_webhooks(s: Server, entries: list[Entry]) -> tuple[bytes, int]:
    """The log, and between its lines the webhooks that the app was sent: they say what the events say, with less."""
    out: list[Json] = []
    count = 0
    for number, entry in enumerate(entries):
        out.append(record.wrapped(entry, s, 0))
        hooks = webhooks(s, entry, number) if entry.way == "event" else []
        out += [{"ts": entry.at, "dir": "in", "path": "/hooks/agents", "body": hook} for hook in hooks]
        count += record.units(entry) + len(hooks)
    return record.jsonl(out, s.rng), count


def only_webhooks(s: Server, entries: list[Entry]) -> tuple[bytes, int]:
    hooks = [hook for number, entry in enumerate(entries) if entry.way == "event" for hook in webhooks(s, entry, number)]
    return record.jsonl(hooks, s.rng), len(hooks)


# what was fetched


def objects(s: Server, rng: random.Random) -> tuple[bytes, int]:
    """Objects without a page around them: alone, a line each, or in plain lists."""
    kinds = [[s.retrieved()], list(s.turns.values()), list(s.subs.values()), list(s.items.values())]
    values = [one for kind in kinds for one in kind]
    if rng.random() < 0.5:
        return record.jsonl(values, rng), len(values)
    return record.jsonl([kind for kind in kinds if kind], rng), len(values)


def har(s: Server, rng: random.Random) -> tuple[bytes, int]:
    """A browser's archive of the GETs; bodies are text, or base64 of it."""
    bodies = got(s, rng)
    entries = []
    for path, body in bodies:
        text = record.dump(body)
        content: Json = {"size": len(text), "mimeType": "application/json", "text": text}
        if rng.random() < 0.3:
            content |= {"text": base64.b64encode(text.encode()).decode(), "encoding": "base64"}
        entries.append(
            {
                "startedDateTime": record.stamp(s.now),
                "time": 12.5,
                "request": {"method": "GET", "url": f"https://api.example/v1/agents/sessions/{s.id}{path}", "headers": []},
                "response": {"status": 200, "statusText": "OK", "headers": [], "content": content},
                "timings": {"send": 0, "wait": 12, "receive": 0.5},
            }
        )
    archive = {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": entries}}
    return record.dump(archive).encode(), sum(values_in(body) for _, body in bodies)


def traces(s: Server, rng: random.Random) -> tuple[bytes, int]:
    """The session, its pages, and its trace pages (fact sheet G), of which the spans are nobody's evidence."""
    spans = [
        {"traceId": "0a" * 16, "spanId": "0b" * 8, "name": one["type"], "attributes": [_attribute("call_id", one["call_id"])]}
        for one in s.items.values()
        if one["type"] == "function_call"
    ]
    otlp = {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {"name": "agents"}, "spans": spans}]}]}
    published = [
        {"id": turn["id"], "object": "agent.session.trace", "created_at": turn["created_at"], "session_id": s.id, "otlp": otlp}
        for turn in record.turns_of(s)
    ]
    bodies: Got = [*got(s, rng), ("/traces", record.page(published))]
    rows = [
        {"method": "GET", "path": f"/v1/agents/sessions/{s.id}{path}", "status": 200, "body": body} for path, body in bodies
    ]
    return record.jsonl(rows, rng), sum(values_in(body) for _, body in bodies)


def sdk_objects(s: Server, rng: random.Random) -> tuple[bytes, int]:
    """`model_dump()` of what the SDK fetched: no envelopes of HTTP, nulls for what was absent."""
    from openai.types.beta.agent_session import AgentSession
    from openai.types.beta.agent_session_item import AgentSessionItem
    from openai.types.beta.agents.sessions.turn import Turn
    from openai.types.beta.subagent import Subagent
    from pydantic import TypeAdapter

    def page(kind: Any, values: list[Json]) -> Json:
        adapter: TypeAdapter[Any] = TypeAdapter(kind)
        return {**record.page([]), "data": [adapter.validate_python(one).model_dump() for one in values[::-1]]}

    parts: Json = {
        "session": AgentSession.model_validate(s.retrieved()).model_dump(),
        "turns": page(Turn, list(s.turns.values())),
        "items": page(AgentSessionItem, list(s.items.values())),
        "subagents": page(Subagent, list(s.subs.values())),
    }
    return record.dump(parts).encode(), 4 + len(s.turns) + len(s.items) + len(s.subs)


def article(s: Server) -> tuple[bytes, int]:
    """The simplified shapes of fact sheet K: items without id, turn and status, in a page with nothing but `data`.

    Nothing where no reader could tell: where the items are those of the Responses API to the last member (a plain talk), or a
    call_id stands in two turns.
    """
    root = [one for one in s.items.values() if s.turns[one["turn_id"]]["subagent_id"] is None]
    called = [one["call_id"] for one in root if one["type"] == "function_call"]
    sure = any(one["type"] == "function_call" and isinstance(one["arguments"], dict) for one in root)
    if len({*called}) < len(called) or not (sure or any(one["type"].endswith("_subagent_call") for one in root)):
        return b"", 0
    items = [_plain(one) for one in root]
    return record.dump({"session": s.retrieved(), "items": {"data": items}}).encode(), 2 + len(items)


def _plain(item: Json) -> Json:
    kind = item["type"]
    text = next((part["text"] for part in item.get("content", []) if isinstance(part, dict) and part.get("text")), "")
    if kind == "create_subagent_call":
        return {"type": kind, "agent_id": item["agent_id"], "task": text}
    if kind == "send_subagent_input_call":
        return {"type": kind, "subagent_id": item["recipient_agent_id"], "input": text}
    if kind == "agent_message":
        return {"type": kind, "from": item["sender_agent_id"], "text": text}
    return {name: value for name, value in item.items() if name not in ("id", "turn_id", "status")}


def _attribute(name: str, value: str) -> Json:
    return {"key": name, "value": {"stringValue": value}}


# compression and folders


PACKED = (bytes, gzip.compress, record.zstd)


def rotated(s: Server, entries: list[Entry], rng: random.Random) -> list[tuple[str, bytes, int]]:
    """The log over several files of a folder, some packed: (name, content, JSON values). The names do not sort by time."""
    cuts = sorted(rng.sample(range(1, len(entries)), min(2, len(entries) - 1)))
    names = ["b/agents.log.2", "a/agents.log.1", "agents.log"]
    return [
        (
            name,
            rng.choice(PACKED)(record.jsonl([record.wrapped(entry, s, 1) for entry in entries[start:stop]], rng)),
            sum(record.units(entry) for entry in entries[start:stop]),
        )
        for name, start, stop in zip(names, [0, *cuts], [*cuts, len(entries)], strict=False)
    ]
