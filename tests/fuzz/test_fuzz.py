"""Nothing that is read hurts: any spoiled recording, any command, any form.

A normal run takes some seconds; TRACELINK_FUZZ_EXAMPLES=20000 makes it long. `python -m tests.fuzz.hunt SECONDS` is a hunt that goes on
after the first fault and makes each small.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import tracelink
from tests.fuzz.commands import COMMANDS, WITH_AN_ID, Command, hold, strict
from tests.fuzz.hostile import STRINGS
from tests.fuzz.hunt import SECRET, arguments
from tests.fuzz.known import trial, unless_known
from tests.fuzz.mutate import FRAMES, KINDS, SPOILS, STEPS, Plan, bytes_of, rows_of, strings
from tests.fuzz.run import emptied, run
from tracelink.model.limits import Limits
from tracelink.render.escape import escape

EXAMPLES = int(os.environ.get("TRACELINK_FUZZ_EXAMPLES") or 0)
SECONDS = 10.0
SLOW = settings(
    deadline=None,
    max_examples=EXAMPLES or 6,
    derandomize=not EXAMPLES,
    phases=(Phase.explicit, Phase.reuse, Phase.generate) if EXAMPLES else (Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
"""Not shrunk here: `tests.fuzz.hunt.smaller` makes an input small in a fraction of the time."""
NUMBERS = st.integers(0, (1 << 16) - 1)


def steps(names: Any, most: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(st.tuples(st.sampled_from(list(names)), NUMBERS, NUMBERS, NUMBERS), max_size=most).map(tuple)


PLANS = st.builds(
    Plan, st.sampled_from(KINDS), st.integers(0, 400), steps(STEPS, 8), st.sampled_from(list(FRAMES)), steps(SPOILS, 3)
)
LIGHT = [one for one in COMMANDS if not one.heavy]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    tracelink.report(SECRET)  # the scanner's patterns are compiled once, which is slow and is nobody's input
    with tempfile.TemporaryDirectory(prefix="fuzz") as name:
        yield Path(name)


@SLOW
@given(PLANS, PLANS, st.lists(st.sampled_from(LIGHT), min_size=3, max_size=5, unique_by=str))
def test_any_command(folder: Path, plan: Plan, other: Plan, commands: list[Command]) -> None:
    data, beside = bytes_of(plan), bytes_of(other)
    for command in commands:
        trial(command, data, folder, beside, seconds=SECONDS)


@settings(SLOW, max_examples=EXAMPLES or 2)
@given(PLANS, st.sampled_from([one for one in COMMANDS if one.heavy]))
def test_pictures(folder: Path, plan: Plan, command: Command) -> None:
    trial(command, bytes_of(plan), folder, seconds=SECONDS)


@SLOW
@given(PLANS, NUMBERS, st.lists(st.sampled_from(WITH_AN_ID), min_size=2, max_size=3, unique_by=str))
def test_an_id_as_argument(folder: Path, plan: Plan, number: int, commands: list[Command]) -> None:
    known = [*strings(rows_of(plan))[:300], *STRINGS]
    for command in commands:
        trial(command, bytes_of(plan), folder, chosen=known[number % len(known)], seconds=SECONDS)


@settings(SLOW, max_examples=EXAMPLES or 12)
@given(
    st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from(LIGHT),
)
def test_any_bytes(folder: Path, data: bytes, command: Command) -> None:
    trial(command, data, folder, data[::-1], seconds=SECONDS)


@SLOW
@given(PLANS)
def test_commands_agree(folder: Path, plan: Plan) -> None:
    """The report, `awaits` and `check` speak of one input: exit codes and lists are the same."""
    (folder / "in.jsonl").write_bytes(bytes_of(plan))
    name = str(folder / "in.jsonl")
    built, waits, checked = run("build", name, "--format", "json"), run("awaits", name), run("check", name, "--format", "jsonl")
    assert (built.code == 3) == (waits.code == 3) == (checked.code == 3)
    report = strict(built.out.decode())
    said = {one["verdict"]["awaits"] for one in report["sessions"]}
    if built.code == 0:
        want = 0 if "awaiting" in said else 4 if not said or said & {"unknown", "answered_unapplied"} else 1
        assert waits.code == want
        every = [*report["findings"], *(one for session in report["sessions"] for one in session["findings"])]
        assert len(every) == len(checked.out.splitlines())
        assert checked.code == any(one["severity"] == "error" for one in every)


@SLOW
@given(PLANS)
def test_the_public_functions(plan: Plan) -> None:
    """Bytes in, values out, and nothing raised; every value read is counted once; every graph is made."""
    data = bytes_of(plan)
    run_ = tracelink.trace(data, limits=Limits(record_bytes=50_000, total_bytes=150_000, depth=60))
    report = tracelink.report(run_)
    assert [sum(one.values()) for one in run_.counts] == [one.records for one in run_.sources]
    assert str(run_)
    for one in run_:
        for detail in ("calls", "items", "all"):
            assert tracelink.graph(one, detail=detail) is not None
        for agent in list(one.agents)[:3]:
            tracelink.graph(one, agent=agent)
    for finding in report.all_findings():
        plain = finding.message.replace("\n", "")
        assert escape(plain) == plain


@settings(SLOW, max_examples=EXAMPLES or 5)
@given(PLANS, st.sampled_from(STRINGS), st.sampled_from(LIGHT))
def test_any_file_name(folder: Path, plan: Plan, name: str, command: Command) -> None:
    """File names are as hostile as what is in them."""
    safe = name.replace("\x00", "").replace("/", "_").encode("utf-8", "replace")[:200].decode("utf-8", "ignore")
    safe = safe if safe.strip("-. ") and not safe.startswith("-") else f"x{safe}"
    emptied(folder)
    (folder / safe).write_bytes(bytes_of(plan))
    (folder / "other.jsonl").write_bytes(b"{}")
    with unless_known(command):
        hold(command, run(*arguments(command, folder, safe)), SECONDS)
