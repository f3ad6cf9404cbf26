"""What the fuzzer found, made small. `"open": true` marks a bug that is not mended yet: then the test has to fail.

An expectation: `file`, `commands` (lines of `commands.py`), `id` (for commands that take one), `kinds` (how the hunt names it), `why`.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.commands import COMMANDS, WITH_AN_ID
from tests.fuzz.hunt import trial
from tests.fuzz.known import FOUND, cases

BY_LINE = {str(one): one for one in (*COMMANDS, *WITH_AN_ID)}


def found() -> list[Any]:
    out = []
    for name, case in cases():
        marks = [pytest.mark.xfail(strict=True, reason=case["why"], raises=AssertionError)] if case["open"] else []
        out += [pytest.param(case, line, id=f"{name}-{line}", marks=marks) for line in case["commands"]]
    return out


@pytest.mark.parametrize(("case", "line"), found())
def test_found(case: dict[str, Any], line: str, tmp_path: Path) -> None:
    trial(BY_LINE[line], (FOUND / case["file"]).read_bytes(), tmp_path, b"{}", case.get("id", "x"))
