"""A long run that coverage guides: `pip install atheris`, then `python -m tests.fuzz.guided SECONDS [FOLDER]`.

The idea: atheris (libFuzzer) keeps what reaches new code of ours. An input's first byte says what is done with the rest: mostly it is
read as it stands and reported on in this process; for some it goes through one command; for some it is numbers that make a `Plan` of
`mutate.py`. Nothing stops the run: each new kind of fault is told, and its input saved in FOLDER/found. FOLDER/corpus keeps what was
worth keeping, so that the next run goes on from there.
"""

import hashlib
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

import atheris

LONGEST = 20_000
"""Bytes of an input: more is slow, and shows nothing that less does not."""

with atheris.instrument_imports(include=["tracelink"]):
    import tests.conftest  # noqa: F401 - the secret scanner's patterns are compiled once
    import tracelink
    from tests.fuzz import hunt, known
    from tests.fuzz.commands import COMMANDS, WITH_AN_ID, Command
    from tests.fuzz.mutate import FRAMES, KINDS, STEPS, Plan, bytes_of
    from tests.fuzz.mutate import SPOILS as BYTE_STEPS
    from tests.world import app, trial
    from tests.world.faults import FAULTS
    from tracelink.model.limits import Limits
    from tracelink.render import json as render_json

    tracelink.report(hunt.SECRET)  # compiles the scanner's patterns, which may take longer than a command may
    LIGHT = [one for one in COMMANDS if not one.heavy]
    with tempfile.TemporaryDirectory(prefix="guided") as first:  # everything is imported late: now, where it is instrumented
        for command in (*LIGHT, *WITH_AN_ID):
            hunt.trial(command, trial.recorded(app.clean(3, 2), "log", 40, 3)[0], Path(first), seconds=300)

LIMITS = Limits(record_bytes=10_000, total_bytes=50_000, depth=60)


def plan_of(numbers: atheris.FuzzedDataProvider) -> Plan:
    def number() -> int:
        return int(numbers.ConsumeIntInRange(0, (1 << 16) - 1))

    def steps(names: tuple[str, ...], most: int) -> tuple[tuple[str, int, int, int], ...]:
        count = numbers.ConsumeIntInRange(0, most)
        return tuple((names[number() % len(names)], number(), number(), number()) for _ in range(count))

    kind, seed, frame = KINDS[number() % len(KINDS)], number() % 400, list(FRAMES)[number() % len(FRAMES)]
    return Plan(kind, seed, steps(tuple(STEPS), 8), frame, steps(BYTE_STEPS, 3))


class Target:
    """What is called with each input."""

    def __init__(self, folder: Path) -> None:
        self.found = folder / "found"
        self.found.mkdir(parents=True, exist_ok=True)
        self.work = Path(tempfile.mkdtemp(prefix="guided"))
        self.kinds = set(known.open_kinds())

    def __call__(self, data: bytes) -> None:
        first, rest = (data[0], data[1:LONGEST]) if data else (0, b"")
        if first < 200:
            self.report(rest)
        elif first < 216:
            self.command(LIGHT[first * 7 % len(LIGHT)], rest)
        else:
            data = bytes_of(plan_of(atheris.FuzzedDataProvider(rest)))[:LONGEST]
            self.report(data) if first < 248 else self.command(LIGHT[len(rest) % len(LIGHT)], data)

    def report(self, data: bytes) -> None:
        try:
            report = tracelink.report(data, limits=LIMITS)
            render_json.render(report)
            counted = [sum(one.values()) for one in report.run.counts]
            assert counted == [one.records for one in report.run.sources], f"something vanished: {counted}"
        except BaseException as error:  # whatever it is, a panic of a library too
            frames = [
                f"{frame.filename.rpartition('/')[2]}:{frame.name}" for frame in traceback.extract_tb(error.__traceback__)
            ]
            self.tell(f"{type(error).__name__} {' '.join(frames[-2:])}", data, traceback.format_exc())

    def command(self, command: Command, data: bytes) -> None:
        try:
            hunt.trial(command, data, self.work, b"{}", seconds=30)
        except AssertionError as error:
            self.tell(hunt.kind_of(command, error), data, f"{command}\n{error}")

    def tell(self, kind: str, data: bytes, what: str) -> None:
        if kind not in self.kinds:
            self.kinds.add(kind)
            name = hashlib.sha256(kind.encode()).hexdigest()[:12]
            (self.found / name).write_bytes(data)
            (self.found / f"{name}.txt").write_text(f"{kind}\n{what}", "utf-8", "backslashreplace")
            print(f"\nfound: {kind} ({self.found / name})", flush=True)


def seeds(corpus: Path) -> None:
    """Sessions of the world in every shape, and plans."""
    corpus.mkdir(parents=True, exist_ok=True)
    views = (*trial.VIEWS, *trial.MORE_VIEWS)
    for number, name in enumerate(["", *FAULTS]):
        s = app.faulty(number, [FAULTS[name]]) if name else app.clean(1, 1)
        data = trial.recorded(s, views[number % len(views)], min(len(s.log), 25), number)[0]
        (corpus / f"bytes-{number}").write_bytes(bytes((number % 216,)) + data[:LONGEST])
        (corpus / f"plan-{number}").write_bytes(bytes((216 + number % 40,)) + hashlib.sha512(name.encode()).digest())


def main(seconds: int, folder: Path) -> None:
    seeds(folder / "corpus")
    options: list[Any] = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=0", "-rss_limit_mb=2500"]
    atheris.Setup([sys.argv[0], *options, "-print_final_stats=1", str(folder / "corpus")], Target(folder))
    atheris.Fuzz()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else Path(tempfile.mkdtemp(prefix="guided")))
