"""Hostile recordings: a recording of the world, spoiled step by step, as JSON values and then as bytes.

The idea: an input is a *plan* - which recording, which steps, which frame, which steps on bytes - made of small numbers, so that
hypothesis can draw and shrink it, and a plain random generator can make millions of them. A step takes three numbers and uses them
modulo whatever is there, so every plan is possible.
"""

import gzip
import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.fuzz.hostile import STRINGS, TYPES, VALUES, WORDS
from tests.world import app, record
from tests.world.dice import dice
from tests.world.faults import FAULTS
from tests.world.model import Server

Rows = list[Any]
Step = tuple[str, int, int, int]
KINDS = ("log", "stream", "few", "pages", "bundle", "wild", "gate")
LIMIT = 200_000
"""Bytes: more is cut off, so that time stays comparable."""


@dataclass(frozen=True)
class Plan:
    kind: str
    seed: int
    steps: tuple[Step, ...] = ()
    frame: str = "jsonl"
    spoils: tuple[Step, ...] = ()


# recordings


@cache
def _server(seed: int) -> Server:
    names = list(FAULTS)
    return app.clean(seed, 2) if seed % 3 == 0 else app.faulty(seed, [FAULTS[names[seed // 3 % len(names)]]])


@cache
def _text(kind: str, seed: int) -> str:
    rng = dice(seed)
    if kind == "wild":
        return json.dumps([wild(rng) for _ in range(rng.randrange(1, 12))])
    if kind == "gate":
        return json.dumps([_gate_item(rng) for _ in range(rng.randrange(1, 8))])
    s = _server(seed)
    if kind == "pages":
        return json.dumps([body for _, body in [("", s.retrieved()), *record.lists(s, rng)]])
    if kind == "bundle":
        return json.dumps([json.loads(record.bundle(s, rng)[0])])
    if kind == "stream":
        return json.dumps([entry.value for entry in record.stream(s)])
    rows = [record.wrapped(entry, s, seed) for entry in s.log]
    if kind == "few":  # a window of it: short enough to read, and started late
        at = rng.randrange(len(rows))
        rows = rows[at : at + rng.randrange(1, 9)]
    return json.dumps(rows)


def wild(rng: random.Random, depth: int = 0) -> Any:
    """A value that has nothing of the wire but its words."""
    roll = rng.random()
    if depth > 4 or roll < 0.25:
        return rng.choice((rng.choice(TYPES), rng.choice(("s1", "t1", "c1", "a1", "a2", "i1", None)), rng.choice(VALUES)))
    if roll < 0.35 and depth:
        return [wild(rng, depth + 1) for _ in range(rng.randrange(4))]
    row = {rng.choice(WORDS): wild(rng, depth + 1) for _ in range(rng.randrange(1, 7))}
    row["type" if rng.random() < 0.8 else "object"] = rng.choice(TYPES)
    for name in ("session_id", "turn_id", "call_id", "id"):
        if rng.random() < 0.5:
            row[name] = rng.choice(("s1", "t1", "c1", "a1", "i1"))
    return row


def _gate_item(rng: random.Random) -> Any:
    call = rng.choice(("c1", "c2", "c3"))
    return rng.choice(
        (
            {
                "type": "function_call",
                "id": f"fc_{call}",
                "call_id": call,
                "name": "f",
                "arguments": "{}",
                "status": "completed",
            },
            {"type": "function_call_output", "call_id": call, "output": "ok"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "AAAA"},
            {"type": "item_reference", "id": f"fc_{call}"},
            {"object": "response", "id": "r1", "status": "completed", "output": [{"type": "message", "role": "assistant"}]},
        )
    )


# steps on values


Path = tuple[Any, ...]


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place below the top, in order."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*path, key)
        yield from places(one, (*path, key))


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def strings(value: Any) -> list[str]:
    """The different strings in it (not names of members)."""
    known: dict[str, None] = {}
    todo = [value]
    while todo:  # not by recursion: it may be deep
        one = todo.pop()
        if isinstance(one, str):
            known[one] = None
        todo += reversed(list(one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()))
    return list(known)


def replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {key: replaced(one, old, new) for key, one in value.items()}
    if isinstance(value, list):
        return [replaced(one, old, new) for one in value]
    return new if value == old else value


def _place(rows: Rows, a: int, b: int) -> tuple[Any, Any] | None:
    """The container and key of a place: row a, place b."""
    paths = list(places(rows[a % len(rows)]))
    if not paths:
        return None
    path = paths[b % len(paths)]
    return at(rows[a % len(rows)], path[:-1]), path[-1]


def _put(rows: Rows, a: int, b: int, value: Any) -> Rows:
    place = _place(rows, a, b)
    if place is None:
        rows[a % len(rows)] = value
    else:
        place[0][place[1]] = value
    return rows


def _copied(value: Any) -> Any:
    return json.loads(json.dumps(value))


def drop(rows: Rows, a: int, b: int, c: int) -> Rows:
    del rows[a % len(rows)]
    return rows


def double(rows: Rows, a: int, b: int, c: int) -> Rows:
    rows.insert(b % (len(rows) + 1), _copied(rows[a % len(rows)]))
    return rows


def swap(rows: Rows, a: int, b: int, c: int) -> Rows:
    a, b = a % len(rows), b % len(rows)
    rows[a], rows[b] = rows[b], rows[a]
    return rows


def cut(rows: Rows, a: int, b: int, c: int) -> Rows:
    first = b % (a % len(rows) + 1)
    return rows[first : a % len(rows) + 1]


def retype(rows: Rows, a: int, b: int, c: int) -> Rows:
    return _put(rows, a, b, deepcopy(VALUES[c % len(VALUES)]))  # a later step may change it


def hostile(rows: Rows, a: int, b: int, c: int) -> Rows:
    return _put(rows, a, b, STRINGS[c % len(STRINGS)])


def word(rows: Rows, a: int, b: int, c: int) -> Rows:
    return _put(rows, a, b, TYPES[c % len(TYPES)])


def everywhere(rows: Rows, a: int, b: int, c: int) -> Rows:
    """One string, wherever it stands: an id stays the same id."""
    known = strings(rows)
    return replaced(rows, known[a % len(known)], STRINGS[c % len(STRINGS)]) if known else rows


def same(rows: Rows, a: int, b: int, c: int) -> Rows:
    """Two strings become one: a call id is a turn id, two agents are the same."""
    known = strings(rows)
    return replaced(rows, known[a % len(known)], known[b % len(known)]) if known else rows


def near(rows: Rows, a: int, b: int, c: int) -> Rows:
    """A string, changed a little, in one place."""
    place = _place(rows, a, b)
    if place is None or not isinstance(old := place[0][place[1]], str):
        return rows
    at_ = c % (len(old) + 1)
    new = (old + "x", old[:at_], old.upper(), f" {old}", old[:at_] + old[at_ + 1 :], old * 2, f"{old}#2", f"{old}/x")
    place[0][place[1]] = new[c % len(new)]
    return rows


def without(rows: Rows, a: int, b: int, c: int) -> Rows:
    place = _place(rows, a, b)
    if place is not None:
        del place[0][place[1]]
    return rows


def rename(rows: Rows, a: int, b: int, c: int) -> Rows:
    place = _place(rows, a, b)
    if place is not None and isinstance(place[0], dict):
        names = WORDS + STRINGS
        place[0][names[c % len(names)]] = place[0].pop(place[1])
    return rows


def graft(rows: Rows, a: int, b: int, c: int) -> Rows:
    """A part of one row in a place of another."""
    donor = rows[c % len(rows)]
    paths = [(), *places(donor)]
    return _put(rows, a, b, _copied(at(donor, paths[(b + c) % len(paths)])))


def nest(rows: Rows, a: int, b: int, c: int) -> Rows:
    row, depth = rows[a % len(rows)], (1, 2, 5, 60, 150, 199, 201, 900)[c % 8]
    for _ in range(depth):
        row = [row] if b % 3 == 0 else {("payload", "x", "item", "session")[b % 4]: row}
    rows[a % len(rows)] = row
    return rows


def splice(rows: Rows, a: int, b: int, c: int) -> Rows:
    other = json.loads(_text(("log", "stream", "pages", "wild", "gate")[c % 5], b % 50))
    return [*rows[: a % len(rows)], *other[: 1 + c % 9], *rows[a % len(rows) :]]


def grow(rows: Rows, a: int, b: int, c: int) -> Rows:
    place = _place(rows, a, b)
    if place is not None and isinstance(old := place[0][place[1]], list):
        place[0][place[1]] = old * (2 + c % 40)
    return rows


def as_text(rows: Rows, a: int, b: int, c: int) -> Rows:
    """A value becomes JSON text, as HTTP logs keep bodies."""
    place = _place(rows, a, b)
    if place is not None:
        place[0][place[1]] = json.dumps(place[0][place[1]])
    else:
        rows[a % len(rows)] = json.dumps(rows[a % len(rows)])
    return rows


STEPS: dict[str, Callable[[Rows, int, int, int], Rows]] = {
    one.__name__: one
    for one in (
        everywhere, hostile, retype, same, near, without, rename, word, graft, drop, double, swap, cut, nest, splice, grow, as_text,
    )
}  # fmt: skip

# frames and steps on bytes


def _dump(value: Any, **more: Any) -> str:
    return json.dumps(value, ensure_ascii=False, **more)


def _sse(rows: Rows) -> str:
    return "".join(f"event: {row.get('type') if isinstance(row, dict) else ''}\ndata: {_dump(row)}\n\n" for row in rows)


FRAMES: dict[str, Callable[[Rows], str]] = {
    "jsonl": lambda rows: "".join(_dump(row) + "\n" for row in rows),
    "ascii": lambda rows: "".join(json.dumps(row) + "\r\n" for row in rows),
    "array": lambda rows: _dump(rows),
    "pretty": lambda rows: _dump(rows, indent=1),
    "together": lambda rows: "".join(_dump(row) for row in rows),
    "sse": _sse,
    "sse lines": lambda rows: "".join(
        ": c\n" + "".join(f"data:{x}\r\n" for x in _dump(r, indent=1).split("\n")) + "\n" for r in rows
    ),
    "body": lambda rows: _dump({"events": rows, "input": rows, "model": "m"}),
    "page": lambda rows: _dump({"object": "list", "data": rows, "has_more": True}),
}
JUNK = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r", b"{", b"}", b"[", b"]", b'"', b"\\", b",", b"data: ", b"event: ", b"\n\n",
    b"\x1b[2J", b"\xed\xa0\x80", b"\\ud800", b"1e999", b"NaN", b"9" * 500, b"[" * 300, b"INFO \xe2\x80\xae start\n", b"\x1f\x8b\x08",
    b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"data: [DONE]\n\n", b": \x1b[31m\n", b"\\u0000", b'{"a":1,"a":2}', b"::error::x\n",
)  # fmt: skip


def spoil(data: bytes, name: str, a: int, b: int, c: int) -> bytes:
    here, there = sorted((a % (len(data) + 1), b % (len(data) + 1)))
    match name:
        case "insert":
            return data[:here] + JUNK[c % len(JUNK)] + data[here:]
        case "flip" if data:
            here = a % len(data)
            return data[:here] + bytes((data[here] ^ (1 << c % 8),)) + data[here + 1 :]
        case "lose":
            return data[:here] + data[there:]
        case "end":
            return data[:here]
        case "again":
            return data + data[here:there]
        case "gzip":
            packed = gzip.compress(data, 1, mtime=0)
            return packed if c % 3 else packed[: a % (len(packed) + 1)]
        case "utf16":
            return data.decode("utf-8", "replace").encode("utf-16")
    return data


SPOILS = ("insert", "flip", "lose", "end", "again", "gzip", "utf16")


def rows_of(plan: Plan) -> Rows:
    rows: Rows = json.loads(_text(plan.kind, plan.seed))
    for name, a, b, c in sorted(plan.steps, key=lambda step: step[0] == "nest"):  # last: the others walk by recursion
        if not rows or (len(rows) > 2000):
            break
        try:
            rows = STEPS[name](rows, a, b, c)
        except RecursionError:  # grafted into itself until even we cannot walk it
            break
    return rows


def bytes_of(plan: Plan) -> bytes:
    """The input that a plan describes."""
    try:
        text = FRAMES[plan.frame](rows_of(plan))
    except RecursionError:
        text = "[" * 2000
    data = text.encode("utf-8", "surrogatepass")[:LIMIT]
    for name, a, b, c in plan.spoils:
        data = spoil(data, name, a, b, c)[:LIMIT]
    return data


def any_plan(rng: random.Random) -> Plan:
    """A plan by plain chance, for long hunts."""

    def step(names: tuple[str, ...]) -> Step:
        return (rng.choice(names), rng.randrange(1 << 16), rng.randrange(1 << 16), rng.randrange(1 << 16))

    return Plan(
        rng.choice(KINDS),
        rng.randrange(400),
        tuple(step(tuple(STEPS)) for _ in range(rng.choice((0, 1, 2, 3, 5, 8, 13)))),
        rng.choice(("jsonl", *FRAMES)),
        tuple(step(SPOILS) for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 4)))),
    )
