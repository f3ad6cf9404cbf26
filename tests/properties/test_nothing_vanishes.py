"""Nothing vanishes: every JSON value written is counted exactly once, whatever the shape, with junk and strangers between."""

from collections.abc import Callable
from typing import Any

import pytest

import tracelink
from tests.properties.worlds import some
from tests.world import record, trial
from tests.world.dice import dice

STRANGERS: list[Any] = [
    {"hello": "world"},
    {"type": "agent.session.turn.rewound", "event_id": "evt_new"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    },
    {"object": "agent.session.hologram", "id": "holo_1"},
    "a text",
    17,
    None,
]
JUNK = ["{torn", "ok, started", "{'single': 'quotes'}", "]]", "\x00\x01"]


def held(data: bytes, values: int) -> None:
    report = tracelink.report(data)
    (counts,), (source,) = report.run.counts, report.run.sources
    assert (sum(counts.values()), source.records) == (values, values), (counts, source)
    assert min(counts.values()) >= 0


@pytest.mark.parametrize("view", trial.VIEWS)
def test_every_shape(view: str) -> None:
    for seed in range(12):
        s = some(seed)
        held(*trial.recorded(s, view, len(s.log), seed))


@pytest.mark.parametrize("frame", record.JSON_FRAMES)
def test_strangers_between(frame: Callable[..., bytes]) -> None:
    for seed in range(8):
        s, rng = some(seed), dice(seed)
        values: list[Any] = [record.wrapped(entry, s, seed) for entry in s.log]
        count = sum(record.units(entry) for entry in s.log)
        extra = [one for one in STRANGERS if isinstance(one, dict) or frame not in (record.concatenated, record.pretty)]
        for one in extra:
            values.insert(rng.randrange(len(values) + 1), one)
        held(frame(values, rng), count + len(extra))


@pytest.mark.parametrize("seed", range(8))
def test_junk_lines_between(seed: int) -> None:
    s, rng = some(seed), dice(seed)
    lines = [record.dump(record.wrapped(entry, s, seed)) for entry in s.log]
    for one in JUNK[:4]:
        lines.insert(rng.randrange(1, len(lines)), one)
    held("\n".join(lines).encode(), sum(record.units(entry) for entry in s.log) + 4)


@pytest.mark.parametrize("seed", range(6))
def test_everything_in_one_file(seed: int) -> None:
    """A log, the answers to GETs, and bare events below one another."""
    s, rng = some(seed), dice(seed)
    pages, count = record.responses(s, rng)
    log = record.jsonl([record.wrapped(entry, s, seed) for entry in s.log], rng)
    events = record.stream(s)
    held(
        pages + log + record.jsonl([entry.value for entry in events], rng), count + sum(map(record.units, s.log)) + len(events)
    )


def test_several_sources_are_counted_apart() -> None:
    s = some(4)
    sources = [trial.recorded(s, view, len(s.log), 4) for view in trial.VIEWS]
    report = tracelink.report(*(data for data, _ in sources))
    assert [sum(counts.values()) for counts in report.run.counts] == [count for _, count in sources]
