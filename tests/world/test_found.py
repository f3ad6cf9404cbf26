"""Inputs that the world found trouble with, made small. `"open": true` marks a bug that is not mended yet: then the test has to fail.

An expectation: `files`, `why`; `answered` (id → how), `must` [[code, id]], `never` [code], `status` (agent id → status).
"""

import json
from pathlib import Path

import pytest

import tracelink
from tests.world.check import names

FOUND = Path(__file__).parent / "found"
CASES = sorted(FOUND.glob("*.expect.json"))


def cases() -> list[object]:
    out: list[object] = []
    for path in CASES:
        case = json.loads(path.read_text("utf-8"))
        marks = [pytest.mark.xfail(strict=True, reason=case["why"])] if case["open"] else []
        out.append(pytest.param(case, id=path.name.removesuffix(".expect.json"), marks=marks))
    return out


@pytest.mark.parametrize("case", cases())
def test_found(case: dict[str, object]) -> None:
    files = case["files"]
    assert isinstance(files, list)
    report = tracelink.report(*(FOUND / name for name in files))
    found = list(report.all_findings())
    said = [(one.code, one.message) for one in found]
    if "answered" in case:
        actions = report.sessions[0].verdict.actions
        assert {one.action.call_id: one.answered for one in actions} == case["answered"]
    for code, name in case.get("must", []):  # type: ignore[attr-defined]
        assert any(one.code == code and names(one, (name,)) for one in found), said
    assert not [one for one in said if one[0] in case.get("never", [])]  # type: ignore[operator]
    for agent_id, status in case.get("status", {}).items():  # type: ignore[attr-defined]
        assert report.sessions[0].trace.agents[agent_id].status == status
