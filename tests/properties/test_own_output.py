"""What this program wrote, saved beside the recording, is no recording: nothing that it quotes or proposes was posted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tracelink
from tests.fuzz.run import run
from tests.properties.worlds import bare, some
from tests.world import record
from tests.world.dice import dice

SAVED = (
    "build {} --format json", "build {} --to json --detail all", "build {} --to links", "check {} --format json", "check {} --format jsonl",
    "check {} --format sarif", "awaits {} --format json", "postmortem {} --format json", "timeline {} --format chrome",
    "gate {} --format json", "check {} --write-baseline {}.base.json --fail-on never", "build {}", "build {} --full", "build {} --to mermaid",
    "build {} --to graphml", "check {}", "check {} --format github", "check {} --format junit", "awaits {}", "awaits {} --emit payload",
    "postmortem {} --full", "postmortem {} --format markdown --full", "timeline {}",
)  # fmt: skip
COUNTS = frozenset(("records",))
AWAITS = 88
"""A seed whose session waits: what is to be posted is proposed in every form."""


def cases() -> Iterator[Any]:
    for line in SAVED:
        for seed in (8, AWAITS):
            yield pytest.param(seed, line, id=f"{line.replace('{} ', '')} {seed}")


@pytest.mark.parametrize(("seed", "line"), list(cases()))
def test_saved_beside_the_recording(seed: int, line: str, tmp_path: Path) -> None:
    s = some(seed)
    path = tmp_path / "session.jsonl"
    path.write_bytes(record.jsonl([record.wrapped(entry, s, 1) for entry in s.log], dice(seed)))
    alone = tracelink.report(path)
    done = run(*(word.replace("{}", str(path)) for word in line.split()))
    assert done.code in (0, 1, 3, 4), done
    (tmp_path / "saved.json").write_bytes(done.out)
    both = tracelink.report(tmp_path)
    assert told(both) == told(alone)


def told(report: Any) -> Any:
    return bare(report, ignore=COUNTS)["sessions"]
