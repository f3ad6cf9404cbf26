"""Measures where the time goes, beside a plain `orjson.loads` loop over the same file, in the same process and run.

    python -m benchmarks.run [--scale 1.0] [--only calls,near]

For each recording of `generate`, at a quarter of the size and at the full size: seconds for reading and folding, linking,
judging and the rules; the ratio to the plain loop; rules to reading; and the exponent of growth (1.0 is linear). Medians of
`--repeat` runs, the garbage collector off as in the program itself.
"""

import argparse
import gc
import math
import platform
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson

import tracelink
from benchmarks import forms, generate
from tracelink.fold import divide, fold
from tracelink.judge import next_actions, stall, verdict
from tracelink.link import link
from tracelink.model.run import Run
from tracelink.rules import check

Maker = Callable[[int], Iterator[dict[str, Any]]]

RECORDINGS: dict[str, tuple[Maker, int]] = {
    "calls": (generate.calls, 100_000),
    "deltas": (generate.deltas, 200_000),
    "snapshots": (generate.snapshots, 100_000_000),
    "subagents": (generate.subagents, 2_000),
    "cycle": (generate.wait_cycle, 2_000),
    "near": (generate.near_misses, 20_000),
}
"""Name → (generator, its argument at scale 1)."""

STEPS = ("loop", "read", "link", "judge", "rules")


def measure(path: Path) -> dict[str, float]:
    """Seconds a step for one file."""
    gc.collect()
    gc.disable()
    marks = [time.perf_counter()]
    with path.open("rb") as lines:
        for line in lines:
            orjson.loads(line)
    marks.append(time.perf_counter())
    reading = tracelink.read(path)
    facts = fold(reading)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    chosen = options.only.split(",") if options.only else list(RECORDINGS)
    print(f"{platform.machine()}, Python {platform.python_version()}, scale {options.scale}, median of {options.repeat}")
    print(
        f"{'recording':12}{'size':>10}"
        + "".join(f"{step:>9}" for step in STEPS)
        + f"{'all/loop':>10}{'rules/read':>12}{'exponent':>10}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            maker, full = RECORDINGS[name]
            totals: list[tuple[int, float]] = []
            for part in (0.25, 1.0):
                size = max(4, int(full * options.scale * part))
                path = Path(folder) / f"{name}.jsonl"
                forms.jsonl(maker(size), path)
                runs = [measure(path) for _ in range(options.repeat)]
                times = {step: statistics.median(run[step] for run in runs) for step in STEPS}
                total = sum(times[step] for step in STEPS if step != "loop")
                totals.append((path.stat().st_size, total))
                row = f"{name:12}{path.stat().st_size / 1e6:>8.1f}MB" + "".join(f"{times[step]:>9.3f}" for step in STEPS)
                row += f"{total / times['loop']:>10.1f}{times['rules'] / times['read']:>12.2f}"
                if len(totals) == 2:
                    (small, before), (large, after) = totals
                    row += f"{math.log(after / before) / math.log(large / small):>10.2f}"
                print(row, flush=True)
    print(f"peak memory of the whole run: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
