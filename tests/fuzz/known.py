"""Faults that are found and not mended yet (`"open": true` in `found/`): the fuzzer steps over those, so that it shows what is new."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from tests.fuzz import hunt
from tests.fuzz.commands import Command

FOUND = Path(__file__).parent / "found"


@cache
def cases() -> tuple[tuple[str, dict[str, Any]], ...]:
    """(name, expectation) of every input in `found/`."""
    paths = sorted(FOUND.glob("*.expect.json"))
    return tuple((path.name.removesuffix(".expect.json"), json.loads(path.read_text("utf-8"))) for path in paths)


@cache
def open_kinds() -> frozenset[str]:
    return frozenset(kind for _, case in cases() if case["open"] for kind in case["kinds"])


@contextmanager
def unless_known(command: Command) -> Iterator[None]:
    try:
        yield
    except AssertionError as error:
        if hunt.kind_of(command, error) not in open_kinds():
            raise


def trial(command: Command, data: bytes, folder: Path, other: bytes = b"", chosen: str = "x", seconds: float = 10) -> None:
    with unless_known(command):
        hunt.trial(command, data, folder, other, chosen, seconds)
