"""What the property tests share: sessions of the world with faults or without, and a report without the places it speaks of."""

import random
import re
from collections.abc import Iterable
from typing import Any

from tests.world import app, record
from tests.world.faults import FAULTS
from tests.world.known import is_open
from tests.world.model import Json, Server
from tracelink.model.run import Report
from tracelink.render.json import as_dict

PLACE = re.compile(r"<bytes>(?:\[\d+\]|#\d+)?(?::\d+)*|source \d+:\d+")
OF_PLACES = frozenset(
    ("sources", "locations", "location", "evidence", "as_of", "source", "line", "byte", "first", "places", "origins")
)


def some(seed: int) -> Server:
    """Every second session has a fault."""
    names = list(FAULTS)
    return app.clean(seed) if seed % 2 else app.faulty(seed, [FAULTS[names[seed // 2 % len(names)]]])


def arrays_lie(s: Server) -> bool:
    """One array with a refusal in it is read wrongly, as long as that bug is open."""
    return is_open("refusal-in-one-array") and any(entry.way == "error" for entry in s.log)


def frames(s: Server) -> list[record.Frame]:
    return [one for one in record.JSON_FRAMES if not (arrays_lie(s) and one in (record.array, record.arrays))]


def bare(report: Report, without: Iterable[str] = (), ignore: frozenset[str] = frozenset()) -> Any:
    """The report as JSON without sources, places and the findings of these codes; in an order that does not hang on places."""
    value = as_dict(report)
    drop = set(without)
    for part in (value, *value["sessions"]):
        part["findings"] = [one for one in part["findings"] if one["code"] not in drop]
    out = _strip(value, OF_PLACES | ignore)
    out["sessions"].sort(key=lambda one: str(one["session_id"]))
    return out


def _strip(value: Any, drop: frozenset[str]) -> Any:
    if isinstance(value, dict):
        out = {name: _strip(one, drop) for name, one in value.items() if name not in drop}
        if "findings" in out:
            out["findings"].sort(key=str)
        if "agents" in out:
            out["agents"].sort(key=lambda one: str(one["agent_id"]))
        if isinstance(out.get("spawned_by"), dict) and out["spawned_by"]["confidence"] == "low":
            out["spawned_by"] = "a guess by order"  # where pages do not show which way they run, or files come in any order
        return out
    if isinstance(value, list):
        return [_strip(one, drop) for one in value]
    return PLACE.sub("(place)", value) if isinstance(value, str) else value


def shuffled(value: Any, rng: random.Random) -> Any:
    """The same JSON with its members in another order."""
    if isinstance(value, dict):
        names = rng.sample(list(value), len(value))
        return {name: shuffled(value[name], rng) for name in names}
    return [shuffled(one, rng) for one in value] if isinstance(value, list) else value


def grown(value: Any, depth: int = 0) -> Any:
    """Members that nobody knows, in each object of the wire; what the model or the app wrote stays as it is."""
    if not isinstance(value, dict):
        return [grown(one, depth) for one in value] if isinstance(value, list) else value
    payload = ("arguments", "output", "response", "request", "error", "parameters", "tools", "metadata", "content")
    out: Json = {name: one if name in payload else grown(one, depth + 1) for name, one in value.items()}
    return {**out, "x_new_member": {"level": depth}} if "type" in out or "object" in out or not depth else out
