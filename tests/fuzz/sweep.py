"""Every member of every kind of record, with a value of each other JSON type: `python -m tests.fuzz.sweep [PART PARTS [SECONDS]]`.

The idea: a member is known by the type of its record and its path (numbers of lists left out), so each is tried once and not wherever
it stands; only the rows that stand for something are kept beside it.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.fuzz import hunt
from tests.fuzz.commands import COMMANDS, Command
from tests.fuzz.mutate import at, places
from tests.world import app, record
from tests.world.faults import FAULTS

WRONG: tuple[Any, ...] = (7, True, "x", [], ["x", 1], {}, {"a": 1}, None, 1.5, -(10**20))
LINES = (
    "build {file} --full --silence 0.001", "build {file} --format json", "build {file} --to mermaid --detail all",
    "build {file} --to graphml --detail all", "build {file} --to links", "check {file} --full --fail-on never",
    "check {file} --format sarif", "awaits {file} --format json", "awaits {file} --emit payload", "postmortem {file} --full",
    "postmortem {file} --format json", "timeline {file}", "timeline {file} --format chrome", "query --ids {file}", "gate {file}",
)  # fmt: skip
CHOSEN: list[Command] = [one for one in COMMANDS if str(one) in LINES]


@cache
def recordings() -> tuple[str, ...]:
    """Logs that hold every kind of event, item, action and post that the world knows, as JSON texts."""
    out = []
    for number, name in enumerate(["", *FAULTS]):
        s = app.faulty(number, [FAULTS[name]]) if name else app.clean(1)
        out.append(json.dumps([record.wrapped(entry, s) for entry in s.log]))
    s = app.clean(4)
    out.append(json.dumps([body for _, body in record.lists(s, s.rng)] + [s.retrieved()]))
    return tuple(out)


def _name(row: Any, path: tuple[Any, ...]) -> str:
    """A member's name: the types on the way to it, and the names of members."""
    parts = []
    here = row
    for key in path:
        if isinstance(here, dict):
            parts += [str(kind) for kind in (here.get("type"),) if kind and key != "type"] + [key]
        here = here[key]
    return ".".join(parts)


@cache
def members() -> tuple[tuple[str, int, int, tuple[Any, ...]], ...]:
    """(name, recording, row, path) of each different member."""
    seen: dict[str, tuple[str, int, int, tuple[Any, ...]]] = {}
    for number, text in enumerate(recordings()):
        for index, row in enumerate(json.loads(text)):
            for path in places(row):
                if isinstance(path[-1], str):
                    seen.setdefault(_name(row, path), (_name(row, path), number, index, path))
    return tuple(seen.values())


def inputs(member: tuple[str, int, int, tuple[Any, ...]]) -> Iterator[tuple[Any, bytes]]:
    """The recording with a wrong value in this one place, for each wrong value."""
    _, number, index, path = member
    for value in WRONG:
        rows = json.loads(recordings()[number])
        at(rows[index], path[:-1])[path[-1]] = value
        yield value, "".join(json.dumps(row) + "\n" for row in rows).encode()


def sweep(part: int = 0, parts: int = 1, seconds: float = 1e9) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    runs = done = 0
    end = time.monotonic() + seconds
    folder = Path(tempfile.mkdtemp(prefix="sweep"))
    for member in members()[part::parts]:
        if time.monotonic() > end:
            break
        done += 1
        for value, data in inputs(member):
            for command in CHOSEN[runs % 3 :: 3]:
                runs += 1
                try:
                    hunt.trial(command, data, folder, seconds=60)
                except AssertionError as error:
                    kind = hunt.kind_of(command, error)
                    if kind not in found:
                        print(kind, "|", member[0], "=", value, "|", str(error).split("\n")[0][:500], flush=True)
                    found.setdefault(kind, []).append(f"{member[0]} = {value!r}")
    print(f"{done} of {len(members()[part::parts])} members, {runs:,} runs, {len(found)} kinds of fault")
    for kind, where in found.items():
        print(len(where), kind, where[:12])
    return found


if __name__ == "__main__":
    import tests.conftest  # noqa: F401

    sys.exit(bool(sweep(*map(int, sys.argv[1:4]))))
