"""Measures whole processes of `tracelink build --format json` beside other ways to read the same files, in the same run.

    python -m benchmarks.run [--only a,calls] [--scale 1.0] [--repeat 3] [--out table.md --out all.json] [--giant] [--steps]

The contenders of one recording run in alternation, in an order that moves on with each round, so that a machine that slows down
slows down all of them. Before the rounds one run of tracelink warms the file cache, is watched for memory, and has its report
held to what the recording was made of. Nothing is fetched; recordings are made in a temporary folder, or kept in `--folder`.
Ends with 1 if a contender failed or a report was wrong; a target that is not met is no failure.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import contenders, machine, process, table
from benchmarks.contenders import FULL, QUARTER, ROOT, SINGLE, START, US, Contender
from benchmarks.make import KINDS, Recording
from benchmarks.results import Results, Row

SHORT_ROUNDS = 7
"""Times `--repeat`: how often the runs are done that take milliseconds."""


def main() -> int:
    options = _options()
    started = machine.describe(ROOT)
    results = Results()
    with tempfile.TemporaryDirectory(prefix="tracelink-benchmarks-") as scratch:
        folder = (options.folder or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        left = contenders.missing(Path(scratch))
        for name in options.names:
            for part in (FULL,) if name in SINGLE else (QUARTER, FULL):
                scale = 1.0 if name == START else options.scale * (0.25 if part == QUARTER else 1.0)
                made = _make(name, folder, scale, options.seed)
                results.recordings[name, part] = made
                field = contenders.lineup(made, part, left)
                _measure(results, made, part, field, options.repeat * (SHORT_ROUNDS if name == START else 1), Path(scratch))
                if options.folder is None:
                    _remove(Path(made.path))
    chosen = {"scale": options.scale, "repeat": options.repeat, "seed": options.seed, "only": options.names}
    text = table.markdown(results, started, chosen, left)
    if options.steps:
        command = [sys.executable, "-m", "benchmarks.steps", "--scale", str(options.scale), "--repeat", str(options.repeat)]
        text += "\n" + subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout  # noqa: S603 - ours
    print(text)
    for target in options.out:
        whole = json.dumps(table.as_json(results, started, chosen, left), indent=2) + "\n"
        target.write_text(whole if target.suffix == ".json" else text)
    return 1 if any(row.problem for row in results.rows) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names or letters, with commas: " + ", ".join(KINDS))
    parser.add_argument("--scale", type=float, default=1.0, help="of every recording (default: 1.0)")
    parser.add_argument("--repeat", type=int, default=3, help="timed runs of each contender (default: 3)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, action="append", default=[], help="write here too: Markdown, or JSON by its ending")
    parser.add_argument("--folder", type=Path, help="keep recordings here, and use those that are there")
    parser.add_argument("--giant", action="store_true", help="also a stream of 5 GB")
    parser.add_argument("--steps", action="store_true", help="also the seconds of reading, linking, judging and the rules")
    options = parser.parse_args()
    wanted = [one for one in options.only.split(",") if one]
    unknown = [one for one in wanted if one not in KINDS and one not in {kind.letter for kind in KINDS.values()}]
    if unknown:
        parser.error(f"no recording is called {unknown[0]}; there are {', '.join(KINDS)}")
    names = [name for name, kind in KINDS.items() if not wanted or name in wanted or kind.letter in wanted]
    names = [name for name in names if name not in (START, "giant")]
    options.names = [START, *names, *(["giant"] if options.giant or "giant" in wanted else [])]
    return options


def _make(name: str, folder: Path, scale: float, seed: int) -> Recording:
    """Made in a process of its own: this one stays small (see `process`)."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "benchmarks.make", name, str(folder), "--scale", repr(scale), "--seed", str(seed)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603 - our own commands
    made = Recording(**json.loads(done.stdout))
    _say(f"{name} at scale {scale:g}: {made.events:,} events, {made.bytes / 1e6:,.1f} MB ({time.perf_counter() - begin:.1f} s)")
    return made


def _measure(results: Results, made: Recording, part: str, field: list[Contender], rounds: int, scratch: Path) -> None:
    rows = {one.name: Row(made.name, part, one.name) for one in field}
    results.rows += rows.values()
    for one in field:
        if one.name.startswith("tracelink") or made.name == START:
            report = scratch / "report"
            _note(rows[one.name], process.run(one.command(made), ROOT, report, watch=True), timed=False)
            if one.name == US and not rows[US].problem:
                rows[US].problem = _verify(made, report, scratch)
            report.unlink()
    for number in range(rounds):
        turn = number % len(field)
        for one in field[turn:] + field[:turn]:
            if not rows[one.name].problem:
                _note(rows[one.name], process.run(one.command(made), ROOT))
    Path(f"{made.path}.dot").unlink(missing_ok=True)
    for row in rows.values():
        used = f"{table.seconds(statistics.median(row.cpu))} of processors, {row.peak / 1e6:.0f} MB" if row.cpu else ""
        told = f"{table.seconds(row.median)}, {used}" if row.seconds and not row.problem else row.problem
        _say(f"    {row.contender}: {told}")


def _note(row: Row, run: process.Measured, timed: bool = True) -> None:
    row.peak = max(row.peak, run.peak)
    if run.code != 0:
        row.problem = f"ended with {run.code}: {run.error}"
    elif timed:
        row.seconds.append(run.seconds)
        row.cpu.append(run.cpu)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def _verify(made: Recording, report: Path, scratch: Path) -> str:
    about = scratch / "about.json"
    about.write_text(json.dumps(asdict(made)))
    command: list[Any] = [sys.executable, "-m", "benchmarks.verify", str(about), str(report)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own commands
    return (done.stdout + done.stderr).strip() if done.returncode else ""


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
