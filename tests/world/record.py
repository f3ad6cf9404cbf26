"""Recordings of a session, in every shape of DESIGN 4, each with the number of JSON values in it.

The idea: a `Tape` is what was recorded (a list of entries, in order); a wrapper makes one JSON value of an entry; a frame makes
bytes of a list of values. Pages are made of the server's final state. Nothing here knows what is right or wrong.
"""

import gzip
import json
import random
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from tests.world.model import Entry, Json, Server


def dump(value: Any, **more: Any) -> str:
    return json.dumps(value, ensure_ascii=False, **more)


def units(entry: Entry) -> int:
    """JSON values of the wire in an entry: a post holds one an input."""
    return len(entry.value["events"]) if entry.way == "post" else 1


# wrappers: entry → JSON value


def bare(entry: Entry, s: Server) -> Json:
    return entry.value


def stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def wrapped(entry: Entry, s: Server, style: int = 0) -> Json:
    """A line of an app's log: time and direction beside the payload, under the names that loggers use."""
    payload, time, way = (
        ("event", "ts", "dir"),
        ("payload", "timestamp", "direction"),
        ("data", "time", "dir"),
        ("body", "received_at", "direction"),
    )[style % 4]
    when: Any = stamp(entry.at) if style % 3 else entry.at
    if style % 5 == 4:
        when = int(entry.at * 1000)
    line: Json = {time: when, way: "out" if entry.way == "post" else "in"}
    if entry.way != "event":
        line["path"] = f"/v1/agents/sessions/{s.id}/events"
        line["method"] = "POST"
    if entry.status is not None:
        line["status"] = entry.status
    return {**line, ("body" if entry.way != "event" else payload): entry.value}


# frames: values → bytes


def jsonl(values: list[Any], rng: random.Random) -> bytes:
    return "".join(dump(value) + "\n" for value in values).encode()


def jsonl_crlf(values: list[Any], rng: random.Random) -> bytes:
    return "\r\n".join(dump(value) for value in values).encode()


def jsonl_bom(values: list[Any], rng: random.Random) -> bytes:
    return b"\xef\xbb\xbf" + "\n\n".join(dump(value, separators=(",", ":")) for value in values).encode() + b"\n"


def array(values: list[Any], rng: random.Random) -> bytes:
    return dump(values, indent=rng.choice([None, 2])).encode()


def arrays(values: list[Any], rng: random.Random) -> bytes:
    parts, rest = [], list(values)
    while rest:
        size = rng.randrange(1, 5)
        parts.append(rest[:size])
        rest = rest[size:]
    return dump(parts).encode()


def concatenated(values: list[Any], rng: random.Random) -> bytes:
    return rng.choice(["", " ", "\n"]).join(dump(value) for value in values).encode()


def pretty(values: list[Any], rng: random.Random) -> bytes:
    return "\n".join(dump(value, indent=2) for value in values).encode()


def gzipped(values: list[Any], rng: random.Random) -> bytes:
    return gzip.compress(jsonl(values, rng))


def zstd(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd as library

        return library.compress(data)
    import zstandard

    return zstandard.ZstdCompressor().compress(data)


def zstandard_lines(values: list[Any], rng: random.Random) -> bytes:
    return zstd(jsonl(values, rng))


def sse(values: list[Any], rng: random.Random) -> bytes:
    return "".join(f"event: {value['type']}\ndata: {dump(value)}\n\n" for value in values).encode()


def sse_plain(values: list[Any], rng: random.Random) -> bytes:
    """Data lines only, comments between, an id, no closing blank line."""
    frames = [f"{rng.choice(['', ': ping', 'id: 7', 'retry: 100'])}\ndata: {dump(value)}".lstrip("\n") for value in values]
    return "\n\n".join(frames).encode()


def sse_lines(values: list[Any], rng: random.Random) -> bytes:
    """Several data lines a frame, CRLF, and a [DONE]."""
    frames = ["".join(f"data:{line}\r\n" for line in dump(value, indent=1).split("\n")) + "\r\n" for value in values]
    return ("".join(frames) + "data: [DONE]\r\n\r\n").encode()


def sse_event_line(values: list[Any], rng: random.Random) -> bytes:
    """The type stands only in the event line."""
    rest = [{key: one for key, one in value.items() if key != "type"} for value in values]
    return "".join(f"event: {value['type']}\ndata: {dump(less)}\n\n" for value, less in zip(values, rest, strict=True)).encode()


def sdk(values: list[Json]) -> bytes:
    """Lines of `event.model_dump()` of the Python SDK: nulls for what was absent, Python's names (`async_`)."""
    from openai.types.beta.agent_session_event import AgentSessionEvent
    from pydantic import TypeAdapter

    adapter: TypeAdapter[Any] = TypeAdapter(AgentSessionEvent)
    return "".join(dump(adapter.validate_python(value).model_dump()) + "\n" for value in values).encode()


Frame = Callable[[list[Any], random.Random], bytes]
JSON_FRAMES: list[Frame] = [jsonl, jsonl_crlf, jsonl_bom, array, arrays, concatenated, pretty, gzipped, zstandard_lines]
SSE_FRAMES: list[Frame] = [sse, sse_plain, sse_lines, sse_event_line]


# what is recorded


def log(s: Server, entries: int | None = None) -> list[Entry]:
    return s.log[:entries]


def stream(s: Server, entries: int | None = None) -> list[Entry]:
    return [entry for entry in s.log[:entries] if entry.way == "event"]


def doubled(entries: list[Entry], rng: random.Random) -> list[Entry]:
    """A reconnect: the last events once more, under the same ids, and on."""
    if len(entries) < 2:
        return entries
    at = rng.randrange(1, len(entries))
    again = [entry for entry in entries[max(0, at - rng.randrange(1, 6)) : at] if entry.way == "event"]
    return entries[:at] + again + entries[at:]


def interleaved(one: list[Entry], two: list[Entry], rng: random.Random) -> list[tuple[int, Entry]]:
    """Two logs in one, each in its own order: (0 or 1, entry)."""
    which = [0] * len(one) + [1] * len(two)
    rng.shuffle(which)
    sides = (iter(one), iter(two))
    return [(side, next(sides[side])) for side in which]


# pages


def page(objects: Iterable[Json], *, newest_first: bool = True, more: bool = False) -> Json:
    data = list(objects)
    data = data[::-1] if newest_first else data
    ends = (data[0]["id"], data[-1]["id"]) if data else (None, None)
    return {"object": "list", "data": data, "first_id": ends[0], "last_id": ends[1], "has_more": more}


def pages(objects: list[Json], rng: random.Random, *, newest_first: bool = True, size: int | None = None) -> list[Json]:
    """One list over several pages, which may overlap by an entry where something new came meanwhile."""
    size = size or rng.choice([3, 7, 50])
    rest, out = (objects[::-1] if newest_first else list(objects)), []
    while True:
        chunk, rest = rest[:size], rest[size:]
        out.append(page(chunk, newest_first=False, more=bool(rest)))
        if not rest:
            return out
        if len(chunk) > 1 and rng.random() < 0.4:
            rest = [chunk[-1], *rest]


def items_of(s: Server, subagent: str | None = None) -> list[Json]:
    return [one for one in s.items.values() if s.turns[one["turn_id"]]["subagent_id"] == subagent]


def turns_of(s: Server, subagent: str | None = None) -> list[Json]:
    return [one for one in s.turns.values() if one["subagent_id"] == subagent]


def lists(s: Server, rng: random.Random, *, newest_first: bool = True, size: int | None = None) -> list[tuple[str, Json]]:
    """All pages there are of a session: (path, page)."""
    found: list[tuple[str, Json]] = []
    for path, objects in (
        ("/turns", turns_of(s)),
        ("/items", items_of(s)),
        ("/subagents", list(s.subs.values())),
        *((f"/subagents/{sub}/turns", turns_of(s, sub)) for sub in s.subs),
        *((f"/subagents/{sub}/items", items_of(s, sub)) for sub in s.subs),
    ):
        found += [(path, one) for one in pages(objects, rng, newest_first=newest_first, size=size)]
    return found


def bundle(s: Server, rng: random.Random) -> tuple[bytes, int]:
    """One document with everything: the session, and its pages under names of somebody's own."""
    parts = {
        "turns": page(turns_of(s)),
        "items": page(items_of(s)),
        "subagents": page(s.subs.values()),
        "subagent_turns": {sub: page(turns_of(s, sub)) for sub in s.subs},
        "subagent_items": {sub: page(items_of(s, sub)) for sub in s.subs},
    }
    every = [
        parts["turns"],
        parts["items"],
        parts["subagents"],
        *parts["subagent_turns"].values(),
        *parts["subagent_items"].values(),
    ]
    count = 1 + sum(1 + len(one["data"]) for one in every)
    return dump({"exported_at": "2026-11-20T10:00:00Z", "session": s.retrieved(), **parts}, indent=2).encode(), count


def responses(s: Server, rng: random.Random, *, newest_first: bool = True) -> tuple[bytes, int]:
    """A log of the app's GETs, a line each: the session and all pages."""
    got = lists(s, rng, newest_first=newest_first)
    got.insert(rng.choice([0, len(got)]), ("", s.retrieved()))
    lines = [{"method": "GET", "path": f"/v1/agents/sessions/{s.id}{path}", "status": 200, "body": body} for path, body in got]
    count = sum(1 + len(body["data"]) if body.get("object") == "list" else 1 for _, body in got)
    return jsonl(lines, rng), count
