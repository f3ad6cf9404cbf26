"""Holds a report to what its recording was made of, so that no figure comes from a run that skipped something.

    python -m benchmarks.verify ABOUT.json REPORT.json

Prints each thing that is wrong, and ends with 1 if there is one.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson


def problems(about: dict[str, Any], report: dict[str, Any]) -> Iterator[str]:
    """`about`: the values of a `make.Recording`; `report`: what `tracelink build --format json` printed of it."""
    counts: Counter[str] = Counter()
    for source in report["sources"]:
        counts.update(source["counts"])
    records = sum(source["records"] for source in report["sources"])
    if (records, counts["used"]) != (about["events"], about["events"]):
        yield f"{about['events']} events were written, {records} were read and {counts['used']} used"
    found = Counter(one["code"] for part in (report, *report["sessions"]) for one in part["findings"])
    if set(found) != set(about["findings"]):
        yield f"the findings are {dict(found)}; meant were {', '.join(about['findings']) or 'none'}"
    of_sessions: Counter[str] = Counter()
    for session in report["sessions"]:
        of_sessions.update(session["counts"])
    by_unit = {
        "calls": of_sessions["results"],
        "subagents": of_sessions["subagents"],
        "waiting subagents": of_sessions["subagents"],
        "files": len(report["sessions"]),
        "sessions": len(report["sessions"]),
        "near misses": found["TL105"],
    }
    if by_unit.get(about["unit"], about["size"]) != about["size"]:
        yield f"{about['size']} {about['unit']} were written, {by_unit[about['unit']]} were told"


def main() -> int:
    about, report = (orjson.loads(Path(name).read_bytes()) for name in sys.argv[1:3])
    wrong = list(problems(about, report))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
