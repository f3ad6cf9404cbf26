"""Which recordings there are, how large they are at scale 1, and the making of one on disk.

    python -m benchmarks.make NAME FOLDER [--scale 1.0] [--seed 0]

The file is `FOLDER/NAME-SCALE-SEED.*`; beside it lies a `.json` that says how many events it holds and what the reader has to
find in it. What is there already is not made again.
"""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from benchmarks import forms, generate

SMALL_FILE_CALLS = 5


@dataclass(frozen=True, slots=True)
class Kind:
    """A recording that can be made. `write(path, size, seed)` returns the number of events; `size` counts `unit`s."""

    letter: str  # of the list
    size: int  # at scale 1
    unit: str
    ending: str
    write: Callable[[Path, int, int], int]
    framing: str = "jsonl"  # jsonl, sse, gzip or folder
    findings: tuple[str, ...] = ()  # codes that are meant to be found, and no others


@dataclass(frozen=True, slots=True)
class Recording:
    """One that lies on disk. `bytes` is what lies there, so the compressed size of a compressed one."""

    name: str
    letter: str
    path: str
    framing: str
    scale: float
    events: int
    bytes: int
    size: int
    unit: str
    findings: tuple[str, ...]


def _deltas_of_bytes(path: Path, size: int, seed: int) -> int:
    sample = [len(orjson.dumps(event)) + 1 for event in generate.deltas(20_000, seed)]
    return forms.jsonl(generate.deltas(size * len(sample) // sum(sample), seed), path)


def _small_sessions(count: int, seed: int) -> Any:
    return (generate.calls(SMALL_FILE_CALLS, SMALL_FILE_CALLS, seed, n) for n in range(count))


def _of(events: Any, form: Any = forms.jsonl) -> Callable[[Path, int, int], int]:
    """Writes what `events(size, seed=seed)` yields in that form."""
    return lambda path, size, seed: form(events(size, seed=seed), path)


DELTAS = 1_000_000
KINDS: dict[str, Kind] = {
    "deltas": Kind("a", DELTAS, "events", ".jsonl", _of(generate.deltas)),
    "deltas-sdk": Kind("a", DELTAS, "events", ".jsonl", _of(generate.deltas, forms.sdk_jsonl)),
    "deltas-1gb": Kind("a", 10**9, "bytes", ".jsonl", _deltas_of_bytes),
    "giant": Kind("a", 5 * 10**9, "bytes", ".jsonl", _deltas_of_bytes),
    "snapshots": Kind("b", 400_000_000, "bytes", ".jsonl", _of(generate.snapshots)),
    "calls": Kind("c", 300_000, "calls", ".jsonl", _of(generate.calls)),
    "subagents": Kind("d", 2_000, "subagents", ".jsonl", _of(generate.subagents)),
    "files": Kind("e", 2_000, "files", "", lambda path, n, seed: forms.folder(_small_sessions(n, seed), path), "folder"),
    "interleaved": Kind(
        "e",
        2_000,
        "sessions",
        ".jsonl",
        lambda path, n, seed: forms.interleaved(_small_sessions(n, seed), path),
        findings=("TL006",),
    ),
    "sse": Kind("f", DELTAS, "events", ".sse", _of(generate.deltas, forms.sse), "sse"),
    "gzip": Kind("f", DELTAS, "events", ".jsonl.gz", _of(generate.deltas, forms.gzipped), "gzip"),
    "near": Kind("g", 20_000, "near misses", ".jsonl", _of(generate.near_misses), findings=("TL105", "TL501")),
    "near-alike": Kind("g", 20_000, "near misses", ".jsonl", _of(generate.near_alike), findings=("TL105", "TL501")),
    "short": Kind(
        "h",
        12,
        "events",
        ".jsonl",
        lambda path, _, seed: forms.jsonl(generate.short_session(seed), path),
        findings=("TL501", "TL502"),
    ),
    "cycle": Kind("–", 2_000, "waiting subagents", ".jsonl", _of(generate.wait_cycle), findings=("TL405",)),
}


def make(name: str, folder: Path, scale: float = 1.0, seed: int = 0) -> Recording:
    """The recording of that name in `folder`, made if it is not there. Raises KeyError for an unknown name."""
    kind = KINDS[name]
    path = folder / f"{name}-{scale:g}-{seed}{kind.ending}"
    about = folder / f"{name}-{scale:g}-{seed}.json"
    if about.exists():
        return Recording(**json.loads(about.read_text()))
    size = max(4, round(kind.size * scale))
    events = kind.write(path, size, seed)
    files = [path] if path.is_file() else sorted(path.iterdir())
    weight = sum(file.stat().st_size for file in files)
    made = Recording(name, kind.letter, str(path), kind.framing, scale, events, weight, size, kind.unit, kind.findings)
    about.write_text(json.dumps(asdict(made), indent=2))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=KINDS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    print(json.dumps(asdict(make(options.name, options.folder, options.scale, options.seed))))


if __name__ == "__main__":
    main()
