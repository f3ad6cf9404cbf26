"""What the program is meant to reach, each as a number that the results give and a limit."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.contenders import BARE, DRAWN, IMPORTS, JQ, LOOP, ONE, TWO, US, VERSION
from benchmarks.results import Results

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Target:
    """`value(results)` is None where it was not measured. `least`: the limit is a lower one."""

    text: str
    limit: float
    value: Callable[[Results], float | None]
    least: bool = False
    unit: str = "×"

    def met(self, results: Results) -> bool | None:
        """None: not measured."""
        value = self.value(results)
        if value is None:
            return None
        return value >= self.limit if self.least else value <= self.limit


def _times(text: str, recording: str, over: str, under: str, limit: float, least: bool = False) -> Target:
    return Target(text, limit, lambda results: results.ratio(recording, over, under), least)


def _peak(text: str, recording: str) -> Target:
    def megabytes(results: Results) -> float | None:
        row = results.row(recording)
        return row.peak / MB if row else None

    return Target(text, 150, megabytes, unit="MB")


def _growth(text: str, recording: str, memory: bool) -> Target:
    what = "memory" if memory else "time"
    return Target(f"{what} grows with {text}", 1.1, lambda results: results.growth(recording, memory), unit="exponent")


GROWING = {
    "deltas": "events (a)",
    "snapshots": "snapshots (b)",
    "calls": "calls (c)",
    "subagents": "nested agents (d)",
    "cycle": "agents in a cycle",
    "interleaved": "sessions (e)",
    "near": "near misses (g)",
    "near-alike": "near misses among like ids (g)",
}

TARGETS = (
    _times("(a) deltas, to the orjson loop", "deltas", US, LOOP, 1.0),
    _times("(b) snapshots, to the orjson loop", "snapshots", US, LOOP, 1.0),
    _times("(c) calls, no graph asked for, to the orjson loop", "calls", US, LOOP, 3.0),
    _times("(c) calls, with the graph as DOT, to the orjson loop", "calls", DRAWN, LOOP, 8.0),
    _times("(f) SSE, to the orjson loop over its data lines", "sse", US, LOOP, 1.5),
    _times("(a) jq selecting one field, to tracelink", "deltas", JQ, US, 3.0, least=True),
    _peak("(a) deltas, peak memory", "deltas"),
    _peak("(b) snapshots, peak memory", "snapshots"),
    _peak("5 GB of (a), peak memory", "giant"),
    *(_growth(text, name, memory) for name, text in GROWING.items() for memory in (False, True)),
    _times("(h) twelve events, to importing typer, networkx and orjson", "short", US, IMPORTS, 1.3),
    _times("--version, to python -c pass", "short", VERSION, BARE, 5.0),
    _times("(e) 2,000 files, one job to two", "files", ONE, TWO, 1.7, least=True),
    _times("1 GB of (a), one job to two", "deltas-1gb", ONE, TWO, 1.7, least=True),
)
