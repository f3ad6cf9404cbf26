"""The real program in a folder of its own, with recordings that have findings."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import program as plain_program

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

__all__ = ["plain_program"]


@pytest.fixture
def program(plain_program: Any) -> Any:
    """Beside one.jsonl and two.jsonl: stalled.log (2 errors, 2 notes), clean.jsonl (nothing), warning.jsonl (a failed turn)."""
    for name, source in (
        ("stalled.log", "stalled/wrapped.log"),
        ("clean.jsonl", "clean/stream.jsonl"),
        ("warning.jsonl", "rules/turn-failed/fires.jsonl"),
    ):
        shutil.copy(FIXTURES / source, plain_program.folder / name)
    return plain_program
