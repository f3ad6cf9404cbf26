"""Recordings add up: `fold(a + b) == fold(a) + fold(b)` for any cut of a record sequence (DESIGN 3)."""

import pytest

import tracelink
from tests.properties.worlds import some
from tests.world import record, trial
from tests.world.dice import dice
from tracelink.fold import fold
from tracelink.model.record import Record
from tracelink.model.recording import Recordings


def records(seed: int) -> list[Record]:
    """The records of two or three sources, in any shape, with junk between."""
    s, rng = some(seed), dice(seed)
    sources = [trial.recorded(s, view, len(s.log), seed)[0] for view in rng.sample(trial.VIEWS, 2)]
    sources.append(record.jsonl([{"hello": 1}, entry_with_time(s.log[0]), [], "text"], rng) + b"{torn")
    return list(tracelink.read(*sources))


def entry_with_time(entry: record.Entry) -> record.Json:
    return {"ts": entry.at, "event": entry.value}


@pytest.mark.parametrize("seed", range(40))
def test_any_cut(seed: int) -> None:
    whole = records(seed)
    rng = dice(seed)
    expected = fold(whole)
    for cut in {0, len(whole), *(rng.randrange(len(whole) + 1) for _ in range(8))}:
        assert fold(whole[:cut]) + fold(whole[cut:]) == expected


@pytest.mark.parametrize("seed", range(10))
def test_many_cuts(seed: int) -> None:
    """Any number of parts, in any grouping, and nothing of the parts is changed by adding."""
    whole = records(seed + 100)
    rng = dice(seed)
    cuts = sorted(rng.randrange(len(whole) + 1) for _ in range(6))
    parts = [fold(whole[a:b]) for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    copies = [fold(whole[a:b]) for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    left = Recordings()
    for part in parts:
        left = left + part
    right = Recordings()
    for part in reversed(parts):
        right = part + right
    assert left == right == fold(whole)
    assert parts == copies


def test_a_lost_record_is_noticed() -> None:
    whole = records(3)
    assert fold(whole[:-1]) != fold(whole)
