"""Where the time goes within one process: reading and folding, linking, judging, the rules; beside the plain loop.

    python -m benchmarks.steps [--scale 1.0] [--only calls,near] [--repeat 3]

What it is for: the rules together must cost less than the reading on 100,000 calls, and grow linearly, near misses and wait cycles
included (where each record is a finding, the rules cost more than the reading). Each recording is taken at a quarter of the size and
at the whole one; seconds are medians, imports done before, the garbage collector off as in the program itself. The exponent is that
of the rules (1 is linear).
"""

import argparse
import gc
import math
import statistics
import tempfile
import time
from pathlib import Path

import orjson

from benchmarks.make import Recording, make
from tracelink.fold import divide, fold
from tracelink.judge import next_actions, stall, verdict
from tracelink.link import link
from tracelink.model.run import Run
from tracelink.read import Reading
from tracelink.rules import check

SCALES = {"calls": 1 / 3, "deltas": 0.2, "snapshots": 0.25, "subagents": 1.0, "cycle": 1.0, "near": 1.0, "near-alike": 1.0}
"""Recording → its size here, as a part of `make.KINDS`: 100,000 calls, 200,000 deltas, 100 MB of snapshots, the others whole."""

STEPS = ("loop", "read", "link", "judge", "rules")
HEAD = ("recording", *STEPS, "all to the loop", "rules to reading", "growth of the rules")
TOO_SHORT = 0.02
"""Seconds of rules at a quarter of the size below which their growth is noise."""


def measure(path: Path) -> dict[str, float]:
    """Seconds a step for one file of JSON lines."""
    gc.collect()
    gc.disable()
    marks = [time.perf_counter()]
    with path.open("rb") as lines:
        for line in lines:
            orjson.loads(line)
    marks.append(time.perf_counter())
    reading = Reading([path], skim=True)
    facts = fold(reading.skimmed())
    marks.append(time.perf_counter())
    traces = link(divide(facts).recordings, (str(path),))
    marks.append(time.perf_counter())
    answers = [verdict(trace) for trace in traces]
    for trace, answer in zip(traces, answers, strict=True):
        stall(trace, answer)
        next_actions(trace, answer)
    marks.append(time.perf_counter())
    run = Run(tuple(reading.sources), traces)
    for trace, answer in zip(traces, answers, strict=True):
        check(run, trace, answer)
    check(run)
    marks.append(time.perf_counter())
    gc.enable()
    return {step: after - before for step, before, after in zip(STEPS, marks, marks[1:], strict=False)}


def rows(name: str, folder: Path, scale: float, repeat: int) -> list[list[str]]:
    """The two lines of the table for one recording."""
    lines, before = [], None
    for part in (0.25, 1.0):
        made: Recording = make(name, folder, SCALES[name] * scale * part)
        measure(Path(made.path))  # imports and the file cache
        runs = [measure(Path(made.path)) for _ in range(repeat)]
        times = {step: statistics.median(run[step] for run in runs) for step in STEPS}
        total = sum(times[step] for step in STEPS if step != "loop")
        growth = "–"
        if before and before[1] > TOO_SHORT:
            growth = f"{math.log(times['rules'] / before[1]) / math.log(made.events / before[0]):.2f}"
        ratios = [f"{total / times['loop']:.1f} ×", f"{times['rules'] / times['read']:.2f} ×", growth]
        lines.append([f"{name}, {made.size:,} {made.unit}", *(f"{times[step]:.3f} s" for step in STEPS), *ratios])
        before = (made.events, times["rules"])
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default=",".join(SCALES), help="names, with commas")
    options = parser.parse_args()
    print(f"| {' | '.join(HEAD)} |\n| --- |{' ---: |' * (len(HEAD) - 1)}")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only.split(","):
            for line in rows(name, Path(folder), options.scale, options.repeat):
                print(f"| {' | '.join(line)} |", flush=True)


if __name__ == "__main__":
    main()
