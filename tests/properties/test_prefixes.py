"""For every prefix of a stream the verdict is the truth at that moment, or `unknown`: nothing that later lines take back unless the
server itself changed its mind (issue 4.2). The truth at each entry comes from the server's state, not from the lines.
"""

import os

import pytest

import tracelink
from tests.properties.worlds import some
from tests.world import check, record
from tests.world.check import Tally
from tests.world.dice import dice

PREFIXES = int(os.environ.get("TRACELINK_PREFIXES", "16"))
"""How many prefixes of a session are tried."""


def wrong(seed: int, view: str, start: int, end: int) -> list[str]:
    """What the report on entries start to end says that is not so (it may know less where it begins late)."""
    s = some(seed)
    entries = [entry for entry in s.log[start:end] if view == "log" or entry.way == "event"]
    if not entries:
        return []
    data = record.jsonl([record.wrapped(entry, s, seed) if view == "log" else entry.value for entry in entries], s.rng)
    one = check.session(tracelink.report(data), s)
    if one is None:
        return []
    truth = s.log[end - 1].state
    right = truth.awaits if view == "log" else truth.deaf_awaits
    problems = []
    if one.verdict.awaits not in {*right, "unknown"}:
        problems.append(f"{view}[{start}:{end}]: {one.verdict.awaits}, right is {sorted(right)}: {one.verdict.reason}")
    open_ids = {name for name, _ in truth.open}
    said = {seen.action.call_id or seen.action.request_id or seen.action.environment_id for seen in one.verdict.actions}
    if one.verdict.awaits != "unknown" and said - open_ids:
        problems.append(f"{view}[{start}:{end}]: says that {said - open_ids} is open, and it is not")
    return problems


@pytest.mark.parametrize("seed", range(0, 30))
def test_every_prefix(seed: int) -> None:
    view, s, rng = ("log", "stream")[seed % 2], some(seed * 3 + 1 + seed % 2), dice(seed)
    ends = range(1, len(s.log) + 1)
    chosen = ends if len(ends) <= PREFIXES else sorted(rng.sample(ends, PREFIXES))
    assert [one for end in chosen for one in wrong(seed * 3 + 1 + seed % 2, view, 0, end)] == []


@pytest.mark.parametrize("seed", range(30, 50))
def test_every_window(seed: int) -> None:
    """Started late, and cut: it may know less, never something else."""
    s, rng = some(seed), dice(seed)
    problems = []
    for _ in range(PREFIXES):
        start = rng.randrange(len(s.log))
        problems += wrong(seed, rng.choice(["log", "stream"]), start, rng.randrange(start, len(s.log)) + 1)
    assert problems == []


@pytest.mark.parametrize("seed", range(50, 62))
def test_a_late_start_accuses_nobody(seed: int) -> None:
    """What lies before the recording may explain everything: no finding but those that the whole recording calls for."""
    s, rng = some(seed), dice(seed)
    for _ in range(8):
        start = rng.randrange(1, len(s.log))
        values = [record.wrapped(entry, s, seed) for entry in s.log[start:]]
        report = tracelink.report(record.jsonl(values, rng))
        expected = [check.Expected(one.code, one.ids, must=False) for one in s.expected if "log" in one.views]
        expected += [check.Expected(one.code, one.ids, must=False) for one in check.waiting(s.log[-1].state, "log")]
        assert check.findings(report, expected, len(s.log), "log", Tally()) == [], start
