"""The real program in a folder of its own, and the recordings that the stories are told from."""

from pathlib import Path
from typing import Any

import pytest

import tracelink
from tests.cli.conftest import program as plain_program
from tracelink.model.run import Report

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
STALLED = FIXTURES / "stalled" / "wrapped.log"

__all__ = ["plain_program"]


@pytest.fixture
def program(plain_program: Any) -> Any:
    """Beside one.jsonl and two.jsonl: stalled.log, children.log, children.json, order.jsonl (stalled, without times)."""
    for name, source in (
        ("stalled.log", "stalled/wrapped.log"),
        ("children.log", "subagents/wrapped.log"),
        ("children.json", "subagents/bundle.json"),
        ("order.jsonl", "stalled/stream.jsonl"),
        ("approval.jsonl", "awaiting/mcp_approval.jsonl"),
    ):
        (plain_program.folder / name).write_bytes((FIXTURES / source).read_bytes())
    return plain_program


def recordings() -> list[Path]:
    """Every recording among the fixtures, one of each rule's, and none twice."""
    plain = [path for path in sorted(FIXTURES.glob("*/*")) if path.is_file()]
    return plain + sorted(path for path in FIXTURES.glob("rules/*/*") if path.name.startswith("fires") and path.is_file())


def report(*names: str) -> Report:
    return tracelink.report(*(FIXTURES / name for name in names))
