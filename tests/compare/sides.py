"""Two sides to compare: small stories, and what `diff` says of them without places."""

import json
from typing import Any

import tracelink
from tests.rules import cases
from tests.rules.cases import Json, action, added, call, ending, opening, output, snapshot, user
from tracelink.compare import Comparison, diff
from tracelink.judge import stall, verdict
from tracelink.model.run import SessionReport


def data(rows: list[Json]) -> bytes:
    """JSON lines in ASCII, so that half a surrogate pair is written too."""
    return "".join(json.dumps(row) + "\n" for row in cases.numbered(rows)).encode()


def side(source: Any) -> SessionReport:
    """The only session of a recording: rows, or what `tracelink.trace` takes. Verdict and stall, no findings."""
    run = tracelink.trace(data(source) if isinstance(source, list) else source)
    (one,) = run.traces
    answer = verdict(one, run.as_of)
    return SessionReport(one, answer, stall(one, answer, run.until(one), 300.0))


def renamed(rows: list[Json], session: str = "sess_other") -> list[Json]:
    """The same story as another session with ids of its own."""
    text = json.dumps(rows)
    for old, new in (
        ("sess_tide1", session),
        ("turn_", "turn_o"),
        ("call_", "call_o"),
        ("item_", "item_o"),
        ("agent_t", "agent_o"),
    ):
        text = text.replace(f': "{old}', f': "{new}')
    value: list[Json] = json.loads(text)
    return value


def story(
    *calls: Json, said: Any = "2.31 m", asked: str = "How high is the tide?", end: str = "completed", **more: Any
) -> list[Json]:
    """A whole session of one turn: a question, calls with one result each, the end."""
    made = list(calls) or [call()]
    rows = [*opening(user(asked)), *map(added, made), snapshot("requires_action", *map(action, made))]
    rows += [added(output(one["call_id"], value=said)) for one in made]
    return [*rows, *ending(end), *more.get("also", ())]


def found(a: Any, b: Any, only: str | None = None) -> list[tuple[Any, ...]]:
    """(kind, what, field, a, b) of each difference."""
    return [(one.kind, one.what, one.field, one.a, one.b) for one in compared(a, b, only).differences]


def compared(a: Any, b: Any, only: str | None = None) -> Comparison:
    return diff(side(a), side(b), only)
