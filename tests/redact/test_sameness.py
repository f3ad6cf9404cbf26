"""build, check and awaits say of a redacted recording what they say of the original: of all fixtures, of all sessions of the test world
with every fault in every shape, and of the contract's cases where they lie beside the project."""

from pathlib import Path

import pytest

import tracelink
from tests.redact.compare import recordings, redacted, renaming, said
from tests.world import app, trial
from tests.world.faults import FAULTS
from tests.world.spoil import SPOILS

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
FOLDERS = [
    *sorted(path for path in (ROOT / "fixtures").rglob("*") if path.is_dir()),
    *sorted((ROOT / "tests").glob("*/found")),
    CASES,
]


def differences(*sources: bytes, ids: bool) -> list[str]:
    before = said(tracelink.report(*sources), renaming(ids=ids))
    after = said(tracelink.report(*(redacted(one, ids=ids) for one in sources)))
    return [f"{name}: {before[name]} became {after[name]}" for name in before if before[name] != after[name]]


@pytest.mark.parametrize("ids", [False, True], ids=["ids stay", "ids renamed"])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: "/".join(path.parts[-2:]))
def test_recordings(folder: Path, ids: bool) -> None:
    if not folder.is_dir():
        pytest.skip("the cases are not beside the project")
    for path in sorted(one for one in folder.iterdir() if one.is_file()):
        data = path.read_bytes()
        assert differences(data, ids=ids) == [], path
        assert redacted(data).count(b"\n") == data.count(b"\n"), path


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault(name: str) -> None:
    session = app.faulty(7, [FAULTS[name]])
    for number, view in enumerate(trial.VIEWS):
        assert differences(trial.recorded(session, view, len(session.log), 7)[0], ids=number % 2 == 1) == [], view


@pytest.mark.parametrize("name", SPOILS)
def test_each_spoiled_recording(name: str) -> None:
    for seed, ids in ((3, False), (4, True)):
        assert differences(*SPOILS[name](seed).sources, ids=ids) == [], seed


def test_the_comparison_sees_a_difference() -> None:
    """A recording without its last line says something else."""
    data = (ROOT / "fixtures" / "stalled" / "wrapped.log").read_bytes()
    before, after = (said(tracelink.report(one)) for one in (data, data[: data.rindex(b"\n", 0, -1)]))
    assert before != after


def test_there_is_something_to_compare() -> None:
    assert len(recordings(ROOT / "fixtures")) > 100
