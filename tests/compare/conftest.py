"""The program in this process: a new one for each of many small runs would take minutes."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.story.conftest import FIXTURES, plain_program, program
from tracelink.cli import main

__all__ = ["plain_program", "program"]


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


class Inside:
    """`tracelink` in a folder of its own, with stalled.log in it."""

    def __init__(self, folder: Path, capsys: Any, monkeypatch: Any) -> None:
        self.folder, self.capsys, self.monkeypatch = folder, capsys, monkeypatch
        monkeypatch.chdir(folder)
        for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
            monkeypatch.delenv(name, raising=False)

    def __call__(self, *arguments: str) -> Done:
        self.monkeypatch.setattr(sys, "argv", ["tracelink", *arguments])
        code = main()
        out, err = self.capsys.readouterr()
        return Done(code, out, err)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def inside(tmp_path: Path, capsys: Any, monkeypatch: Any) -> Inside:
    (tmp_path / "stalled.log").write_bytes((FIXTURES / "stalled/wrapped.log").read_bytes())
    return Inside(tmp_path, capsys, monkeypatch)
