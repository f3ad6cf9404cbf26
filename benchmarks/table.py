"""The results as Markdown, ready for the README, and as JSON."""

from dataclasses import asdict
from typing import Any

from benchmarks import machine
from benchmarks.contenders import DUCKDB, FULL, HANDMADE, JQ, LOOP, OPENAI, QUARTER, START, US
from benchmarks.results import Results, Row
from benchmarks.targets import MB, TARGETS

BESIDE = (LOOP, HANDMADE, JQ, DUCKDB)
NOTHING = "–"


def markdown(results: Results, about: dict[str, str], options: dict[str, Any], left: dict[str, str]) -> str:
    """Everything: recordings, further contenders, targets, what was left out, problems, and the machine."""
    parts = [_recordings(results), _others(results), _targets(results)]
    notes = [
        f"Medians of {options['repeat']} whole processes in alternation, each wall time with start-up, output thrown away; "
        f"scale {options['scale']:g}, seed {options['seed']}. In brackets: how many times tracelink's own time.",
        "Peak: the larger of the biggest process (`wait4`) and, in a run that is not timed, the sum of the proportional set "
        f"sizes of all its processes, looked at every 20 ms; {about['least peak']} is the least that can be told. Growth: "
        "the exponent from a quarter of the size to the whole, start-up taken off; 1 is linear, 0 flat. DuckDB uses every core.",
        *(f"Left out: {name} ({why})." for name, why in left.items()),
        *(f"Wrong: {row.contender} on {row.recording} ({row.part}): {row.problem}" for row in results.rows if row.problem),
        f"Machine: {machine.sentence(about)}",
    ]
    return "\n\n".join(part for part in [*parts, *notes] if part) + "\n"


def as_json(results: Results, about: dict[str, str], options: dict[str, Any], left: dict[str, str]) -> dict[str, Any]:
    """The same, every run's seconds included."""
    return {
        "schema": "tracelink.benchmarks/1",
        "machine": about,
        "options": options,
        "recordings": [{"part": part, **asdict(made)} for (_, part), made in results.recordings.items()],
        "rows": [{**asdict(row), "median": row.median if row.seconds else None} for row in results.rows],
        "growth": {
            name: {"time": results.growth(name), "memory": results.growth(name, memory=True)}
            for name, part in results.recordings
            if part == QUARTER
        },
        "targets": [
            {
                "text": one.text,
                "limit": one.limit,
                "least": one.least,
                "unit": one.unit,
                "value": one.value(results),
                "met": one.met(results),
            }
            for one in TARGETS
        ],
        "left_out": left,
    }


def seconds(value: float) -> str:
    """Three figures and the unit."""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.3g} s"


def _grid(head: list[str], rows: list[list[str]]) -> str:
    if not rows:
        return ""
    line = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, line, *rows])


def _beside(us: Row | None, row: Row | None) -> str:
    if row is None:
        return NOTHING
    return seconds(row.median) + (f" ({row.median / us.median:.2g} ×)" if us else "")


def _recordings(results: Results) -> str:
    head = [
        "recording",
        "size",
        "tracelink",
        *BESIDE,
        f"{OPENAI}, on a quarter",
        "to the loop",
        "peak",
        "growth: time",
        "memory",
    ]
    rows = []
    for (name, part), made in results.recordings.items():
        if part != FULL or name == START:
            continue
        us, small = results.row(name), results.row(name, part=QUARTER)
        ratio = results.ratio(name, US, LOOP)
        growth = [results.growth(name), results.growth(name, memory=True)]
        rows.append(
            [
                f"({made.letter}) {name}, {made.events:,} events",
                f"{made.bytes / MB:,.1f} MB",
                seconds(us.median) if us else NOTHING,
                *(_beside(us, results.row(name, other)) for other in BESIDE),
                _beside(small, results.row(name, OPENAI, QUARTER)),
                f"{ratio:.2f} ×" if ratio else NOTHING,
                f"{us.peak / MB:.0f} MB" if us else NOTHING,
                *(NOTHING if value is None else f"{value:.2f}" for value in growth),
            ]
        )
    return _grid(head, rows)


def _others(results: Results) -> str:
    """Contenders without a column: other ways to run tracelink, and start-up."""
    rows = []
    for row in results.rows:
        shown = row.contender not in (*BESIDE, OPENAI, US) or (row.recording == START and row.contender == US)
        if shown and row.seconds and not row.problem:
            us = results.row(row.recording)
            rows.append([f"`{row.contender}`", row.recording, _beside(us, row), f"{row.peak / MB:.0f} MB"])
    return _grid(["other runs", "recording", "median", "peak"], rows)


def _targets(results: Results) -> str:
    rows = []
    for one in TARGETS:
        value, met = one.value(results), one.met(results)
        limit = f"{'at least' if one.least else 'at most'} {one.limit:g} {one.unit}"
        verdict = {True: "met", False: "**not met**", None: "not measured"}[met]
        rows.append(
            [one.text, limit, NOTHING if value is None else f"{value:.2f}" if one.unit != "MB" else f"{value:.0f}", verdict]
        )
    return _grid(["target", "limit", "measured", ""], rows)
