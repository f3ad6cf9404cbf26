"""Events → files, one at a time: JSON lines (compact, or as the SDK's Python dumps them), SSE, gzip, many files, interleaved.

Every writer returns how many events it wrote. Files hold nothing that the clock or the machine decides.
"""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from benchmarks.wire import Event

BLOCK = 1 << 20
"""Bytes written at once, and so all that is held."""


def jsonl(events: Iterable[Event], path: Path) -> int:
    """JSON lines without spaces, as servers send them and `model_dump_json` writes them."""
    with path.open("wb") as out:
        return _write(out, (orjson.dumps(event, option=orjson.OPT_APPEND_NEWLINE) for event in events))


def sdk_jsonl(events: Iterable[Event], path: Path) -> int:
    """JSON lines as `json.dumps(event.to_dict())` of the `openai` package gives them: other order of members, and spaces."""
    with path.open("wb") as out:
        return _write(out, (json.dumps(_sdk_order(event)).encode() + b"\n" for event in events))


def _sdk_order(event: Event) -> Event:
    """The members in the order of the package's classes: required ones by name, then `obfuscation`; `type` is near the end."""
    return dict(sorted(event.items(), key=lambda member: (member[0] == "obfuscation", member[0])))


def sse(events: Iterable[Event], path: Path) -> int:
    """An event stream with `event:` lines."""
    with path.open("wb") as out:
        return _write(out, (b"event: %b\ndata: %b\n\n" % (e["type"].encode(), orjson.dumps(e)) for e in events))


def gzipped(events: Iterable[Event], path: Path) -> int:
    """The JSON lines of `jsonl`, compressed at the level that gzip(1) uses."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as out:
        return _write(out, (orjson.dumps(event, option=orjson.OPT_APPEND_NEWLINE) for event in events))


def folder(sessions: Iterable[Iterable[Event]], path: Path) -> int:
    """A folder with one file of JSON lines a session."""
    path.mkdir(exist_ok=True)
    return sum(jsonl(events, path / f"{n:05d}.jsonl") for n, events in enumerate(sessions))


def interleaved(sessions: Iterable[Iterable[Event]], path: Path) -> int:
    """One file of JSON lines: an event of each session in turn, until all are through. All are open at once."""
    return jsonl(_in_turn(list(sessions)), path)


def _in_turn(sessions: list[Iterable[Event]]) -> Iterator[Event]:
    running = [iter(one) for one in sessions]
    while running:
        going = []
        for one in running:
            if (event := next(one, None)) is not None:
                going.append(one)
                yield event
        running = going


def _write(out: Any, lines: Iterable[bytes]) -> int:
    count, block = 0, bytearray()
    for line in lines:
        count += 1
        block += line
        if len(block) >= BLOCK:
            out.write(block)
            block.clear()
    out.write(block)
    return count
