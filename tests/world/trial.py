"""One seed: a session, how it was recorded, what tracelink says of it, what is wrong with that. Used by the tests and by `score`."""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import tracelink
from tests.world import app, check, record, shapes
from tests.world.check import Tally
from tests.world.dice import dice
from tests.world.faults import FAULTS
from tests.world.known import is_open
from tests.world.model import Server
from tests.world.spoil import SPOILS, Spoiled
from tests.world.truth import State
from tracelink.model.run import Report

HIDE_EACH_OTHER = ("TL401", "TL402", "TL407")
"""A create without a child and a child without a create explain each other, so neither is told for sure."""

VIEWS = ("log", "log bodies", "stream", "sse", "sdk", "bundle", "responses")
MORE_VIEWS = ("loggers", "webhooks beside", "webhooks", "objects", "har", "traces", "sdk objects", "article")
"""Views that say the same in other words, or less. `VIEWS` are those in which every fault is tried."""

FETCHED = ("bundle", "responses", "objects", "har", "traces", "sdk objects", "article")
ABSENCE = ("TL101", "TL102", "TL113", "TL303", "TL305", "TL401", "TL402", "TL404", "TL407")
"""Codes that say that something is missing: silent where no page and no stream shows that it would be there."""


ONE_STREAM = ("TL116", "TL304", "TL408")
"""Codes that rest on what one source shows without a hole: a request that was never made, a turn whose end would have come, subagents
that are active at once."""


def recorded(s: Server, view: str, entries: int, seed: int) -> tuple[bytes, int]:
    """The recording of the first entries (of everything, for what is fetched at the end) and its number of JSON values."""
    rng = dice(seed)
    if view == "bundle":
        return record.bundle(s, rng)
    if view == "responses":
        return record.responses(s, rng, newest_first=rng.random() < 0.7)
    if view in ("objects", "har", "traces", "sdk objects"):
        return {"objects": shapes.objects, "har": shapes.har, "traces": shapes.traces}.get(view, shapes.sdk_objects)(s, rng)
    if view == "article":
        return shapes.article(s)
    if view == "webhooks":
        return shapes.only_webhooks(s, s.log[:entries])
    if view == "webhooks beside":
        return shapes.with_webhooks(s, s.log[:entries])
    taken = record.log(s, entries) if view.startswith("log") else record.stream(s, entries)
    count = sum(record.units(entry) for entry in taken)
    if view == "loggers":
        return shapes.log(s, taken, rng), count
    if view == "sse":
        return rng.choice(record.SSE_FRAMES)([entry.value for entry in taken], rng), count
    if view == "sdk":
        return record.sdk([entry.value for entry in taken]), count
    values = [record.wrapped(entry, s, seed) if view == "log" else record.bare(entry, s) for entry in taken]
    frames = list(record.JSON_FRAMES)
    if is_open("refusal-in-one-array") and any(entry.way == "error" for entry in taken):
        frames = [frame for frame in frames if frame not in (record.array, record.arrays)]
    return rng.choice(frames)(values, rng), count


def kind(view: str) -> str:
    """What can be seen in it: `log`, `stream` or `pages`."""
    if view in FETCHED:
        return "pages"
    return {"sse": "stream", "sdk": "stream", "stream": "stream"}.get(view, "log")


def counted(report: Report, values: list[int]) -> list[str]:
    """Nothing vanishes: a source's counts sum to its JSON values."""
    got = [sum(counts.values()) for counts in report.run.counts]
    said = [source.records for source in report.run.sources]
    return [] if got == said == values else [f"values {got} counted, {said} said, {values} written"]


def judge(s: Server, view: str, seed: int, tally: Tally, entries: int | None = None) -> list[str]:
    """What is wrong with the report on a recording that ends after so many entries."""
    entries = len(s.log) if entries is None else entries
    data, values = recorded(s, view, entries, seed)
    if not data or not values:  # this view has nothing to show
        return []
    report = tracelink.report(data)
    seen = kind(view)
    truth = check.final(s) if seen == "pages" else s.log[entries - 1].state
    shown = len(s.log) if seen == "pages" else entries
    expected = s.expected + check.waiting(truth, seen)
    if view == "webhooks":
        truth = State()  # a webhook has no ids of calls (D.6.6)
        expected = [want for want in expected if want.code == "TL302"]
    elif view == "log bodies":
        expected = [want for want in expected if want.code != "TL505"]  # needs receive times
    elif view == "objects":  # fetched one by one, each at a moment of its own
        expected = [replace(want, must=want.must and want.code not in (*ABSENCE, "TL408")) for want in expected]
    elif view == "article":
        expected = [replace(want, must=False) for want in s.expected] + check.waiting(truth, seen)
        if any(want.code == "TL302" for want in s.expected):  # no turn tells which calls the failed session left open
            expected.append(check.Expected("TL114", (), must=False))
        if is_open("repeated-result-without-turns"):
            expected.append(check.Expected("TL106", (), must=False))
    one = check.session(report, s)
    problems = check.state(one, truth, seen, tally, counts=view != "article", tree=view != "article")
    if one is not None:
        problems += check.spawns(one, s)
    problems += check.findings(report, expected, shown, seen, tally)
    return [f"{view}[:{entries}]: {problem}" for problem in problems + counted(report, [values])]


def joined(s: Server, seed: int, tally: Tally) -> list[str]:
    """The log and everything that was fetched afterwards, in two files: which snapshot is the later one may be unknown, nothing else."""
    (log, values), (pages, more) = recorded(s, "log", len(s.log), seed), recorded(s, "responses", len(s.log), seed)
    report = tracelink.report(log, pages)
    one, truth = check.session(report, s), check.final(s)
    problems = counted(report, [values, more])
    last = s.log[-1].state
    if one is not None and one.verdict.awaits not in last.awaits | truth.awaits | {"unknown"}:
        problems.append(f"verdict {one.verdict.awaits}, right is {sorted(last.awaits | truth.awaits)}")
    if one is not None and one.trace.counts["turns"] != truth.turns:
        problems.append(f"turns {one.trace.counts['turns']}, right is {truth.turns}")
    may = [check.Expected(want.code, want.ids, must=False) for want in (*s.expected, *check.waiting(last, "log"))]
    may.append(check.Expected("TL504", (), must=False))
    return [f"joined: {problem}" for problem in problems + check.findings(report, may, 0, "log", tally)]


def folder(s: Server, seed: int, tally: Tally) -> list[str]:
    """A folder of rotated logs, some packed, beside a file that is none. Between two files there may be a hole: absence may be silent."""
    rng = dice(seed)
    with tempfile.TemporaryDirectory(prefix="world") as name:
        values = {}
        for path, data, count in shapes.rotated(s, s.log, rng):
            (Path(name) / path).parent.mkdir(exist_ok=True)
            (Path(name) / path).write_bytes(data)
            values[path] = count
        (Path(name) / "README.txt").write_text("Logs of the app, newest last.\n")
        report = tracelink.report(Path(name))
    truth, one = s.log[-1].state, check.session(report, s)
    problems = check.state(one, truth, "log", tally)
    expected = [replace(want, must=want.must and want.code not in (*ABSENCE, *ONE_STREAM)) for want in s.expected]
    problems += check.findings(report, expected + check.waiting(truth, "log"), len(s.log), "log", tally)
    got = {source.name.removeprefix(f"{name}/"): source.records for source in report.run.sources if source.records}
    problems += [] if got == values else [f"values {got}, written {values}"]
    return [f"folder: {problem}" for problem in problems]


def session(seed: int) -> tuple[str, Server]:
    """A third of the seeds are clean, the others have one or two faults."""
    rng = dice(seed)
    if seed % 3 == 0:
        return "clean", app.clean(seed)
    names = rng.sample([*FAULTS], rng.choice([1, 1, 2]))
    if sum(name[:5] in HIDE_EACH_OTHER for name in names) > 1:
        names.pop()
    names.sort(key=lambda name: "ends" in name)
    return " + ".join(names), app.faulty(seed, [FAULTS[name] for name in names])


def trial(seed: int, tally: Tally) -> Iterator[str]:
    """The differences for one seed: three views of one session, and a spoiled recording."""
    rng = dice(seed)
    name, s = session(seed)
    for view in rng.sample(VIEWS, 2):
        entries = len(s.log) if rng.random() < 0.6 else rng.randrange(1, len(s.log) + 1)
        yield from (f"seed {seed} ({name}) {problem}" for problem in judge(s, view, seed, tally, entries))
    view = rng.choice((*MORE_VIEWS, "folder"))
    more = folder(s, seed, tally) if view == "folder" else judge(s, view, seed, tally)
    yield from (f"seed {seed} ({name}) {problem}" for problem in more)
    if seed % 2:
        yield from (f"seed {seed} ({name}) {problem}" for problem in joined(s, seed, tally))
    name = list(SPOILS)[seed % len(SPOILS)]
    yield from (f"seed {seed} ({name}) {problem}" for problem in spoiled(SPOILS[name](seed), tally))


def spoiled(one: Spoiled, tally: Tally) -> list[str]:
    report = tracelink.report(*one.sources)
    problems = counted(report, one.values)
    expected = list(one.expected)
    for s, state, view, entries, counts in one.truths:
        problems += check.state(check.session(report, s), state, view, tally, counts=counts)
        for want in s.expected + check.waiting(state, view):
            if want.holds(entries, view):
                expected.append(check.Expected(want.code, want.ids, must=want.must and counts))
    return problems + check.findings(report, expected, 0, "log", tally)
