"""Who runs against whom on which recording, and what is left out because it is not installed or not there yet."""

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks import process
from benchmarks.make import Recording

ROOT = Path(__file__).parent.parent
BASELINES = ROOT / "benchmarks" / "baselines"

US = "tracelink"
ONE = "tracelink --jobs 1"
TWO = "tracelink --jobs 2"
DRAWN = "tracelink -o FILE.dot"
LOOP = "orjson loop"
OPENAI = "openai events"
HANDMADE = "handmade script"
JQ = "jq .type"
DUCKDB = "DuckDB anti-join"
VERSION = "tracelink --version"
BARE = "python -c pass"
IMPORTS = "python -c 'import typer, networkx, orjson'"

QUARTER, FULL = "quarter", "full"
START = "short"
"""The recording that is all start-up: what the others take beyond it is theirs."""

SINGLE = ("deltas-1gb", "giant", START)
"""Run in one size only."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A name, and the command for one recording."""

    name: str
    command: Callable[[Recording], list[str]]


def _build(*options: str) -> Callable[[Recording], list[str]]:
    return lambda made: [sys.executable, "-m", "tracelink", "build", "--format", "json", *options, made.path]


def _script(path: Path, framed: bool = True) -> Callable[[Recording], list[str]]:
    return lambda made: [sys.executable, str(path), *([made.framing] if framed else []), *_files(made)]


def _files(made: Recording) -> list[str]:
    path = Path(made.path)
    return [made.path] if path.is_file() else [str(file) for file in sorted(path.iterdir())]


def _python(*arguments: str) -> Callable[[Recording], list[str]]:
    return lambda made: [sys.executable, *arguments]


COMMANDS: dict[str, Callable[[Recording], list[str]]] = {
    US: _build(),
    ONE: _build("--jobs", "1"),
    TWO: _build("--jobs", "2"),
    DRAWN: lambda made: [*_build()(made), "-o", f"{made.path}.dot"],
    LOOP: _script(BASELINES / "orjson_loop.py"),
    OPENAI: _script(BASELINES / "openai_events.py"),
    HANDMADE: _script(ROOT / "benchmarks" / "handmade.py", framed=False),
    JQ: lambda made: [shutil.which("jq") or "jq", ".type", *_files(made)],
    DUCKDB: _script(BASELINES / "duckdb_antijoin.py"),
    VERSION: _python("-m", "tracelink", "--version"),
    BARE: _python("-c", "pass"),
    IMPORTS: _python("-c", "import typer, networkx, orjson"),
}


def missing(folder: Path) -> dict[str, str]:
    """Contender → why it is left out on this machine."""
    left = {}
    if shutil.which("jq") is None:
        left[JQ] = "jq is not installed"
    for name, package in ((OPENAI, "openai"), (DUCKDB, "duckdb")):
        if find_spec(package) is None:
            left[name] = f"the package {package} is not installed"
    told = folder / "help.txt"
    process.run([sys.executable, "-m", "tracelink", "build", "--help"], ROOT, told)
    if "--jobs" not in told.read_text():
        left[ONE] = left[TWO] = "`tracelink build` has no --jobs"
    return left


def lineup(made: Recording, part: str, left: dict[str, str]) -> list[Contender]:
    """The contenders for one recording in one size, tracelink first; without those that are `left` out."""
    return [Contender(name, COMMANDS[name]) for name in _names(made, part) if name not in left]


def _names(made: Recording, part: str) -> Iterator[str]:
    yield US
    if made.name == START:
        yield from (IMPORTS, VERSION, BARE)
        return
    yield LOOP
    if part == QUARTER:
        if made.name in ("deltas", "snapshots"):
            yield OPENAI  # it takes a minute and more for a million events: the quarter must do, for both
        return
    if made.letter in "abcef" and made.name != "giant":
        yield ONE
    if made.name in ("files", "interleaved", "deltas-1gb"):
        yield TWO
    if made.name in SINGLE:
        return
    yield HANDMADE
    if made.framing in ("jsonl", "folder"):
        yield from (JQ, DUCKDB)
    if made.name == "calls":
        yield DRAWN
