"""The plain lane of linking makes exactly what the whole algorithm makes: all fixtures, and sessions of the world in every view."""

import json
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest

import tracelink
from tests.world import trial
from tracelink.link import plain
from tracelink.model.quick import quick
from tracelink.model.trace import Call, Result
from tracelink.render.json import render

ROOT = Path(__file__).parents[2]
FIXTURES = sorted(path for path in (ROOT / "fixtures").rglob("*") if path.is_file())


def said(*sources: Any) -> tuple[str, bytes]:
    """All that is in the traces, and the report."""
    run = tracelink.trace(*sources)
    return repr(run.traces), render(tracelink.report(run))


def both(monkeypatch: pytest.MonkeyPatch, *sources: Any) -> None:
    quick = said(*sources)
    with monkeypatch.context() as patch:
        patch.setattr(plain, "PLAIN", False)
        assert said(*sources) == quick


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: str(path.relative_to(ROOT)))
def test_fixtures(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both(monkeypatch, str(path))


@pytest.mark.parametrize("seed", range(24))
def test_world(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _, s = trial.session(seed)
    recorded = [trial.recorded(s, view, len(s.log), seed)[0] for view in trial.VIEWS]
    for data in recorded:
        both(monkeypatch, data)
    both(monkeypatch, recorded[trial.VIEWS.index("log")], recorded[trial.VIEWS.index("responses")])


TURN = {"type": "agent.session.turn.created", "event_id": "evt_0", "session_id": "sess_p", "turn_id": "turn_p"}


def events(*items: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {**TURN, "turn": {"id": "turn_p", "session_id": "sess_p", "subagent_id": None, "status": "queued"}},
        *(
            {
                "type": "agent.session.turn.item.done",
                "event_id": f"evt_{number}",
                "session_id": "sess_p",
                "turn_id": "turn_p",
                "item": {"turn_id": "turn_p", "call_id": "call_p", "status": "completed", **item},
            }
            for number, item in enumerate(items, 1)
        ),
    ]


def lines(values: list[dict[str, Any]]) -> bytes:
    return "\n".join(json.dumps(value) for value in values).encode()


def post(**members: Any) -> dict[str, Any]:
    ids = {"turn_id": "turn_p", "call_id": "call_p"}
    return {"type": "agent.session.input.tool_result", "session_id": "sess_p", **ids, **members}


CALL = {"type": "function_call", "id": "fc_p", "name": "count_stock", "arguments": {"key": "k", "limit": 1}}
OUTPUT = {"type": "function_call_output", "id": "fco_p", "output": '{"n": 1}', "error": None}


@pytest.mark.parametrize(
    "values",
    [
        [*events(CALL, OUTPUT), post(success=True, output='{"n": 1}')],
        [*events(CALL, OUTPUT), post(success=True, output={"n": 1})],
        [*events(CALL, OUTPUT), post(success=True, output='{"n": 1.0}')],
        [*events(CALL, OUTPUT), post(success=True, output='{"n": true}')],
        [*events(CALL, {**OUTPUT, "output": None, "error": "no"}), post(success=False, error="no")],
        [*events(CALL, {**OUTPUT, "output": None}), post(success=True, output="seven")],
        [*events(CALL, {**OUTPUT, "output": None}), post(success=False, error="no such key")],
        [*events(CALL, {**OUTPUT, "error": "no such key"}), post(success=True, output='{"n": 1}')],
        [*events(CALL, {**OUTPUT, "error": "no such key"}), post(success=True, output='{"n": 1}', error="another")],
        [*events(CALL, OUTPUT), post(success=True, output='{"n": 1}', error="late")],
        [*events(CALL, OUTPUT, {**OUTPUT, "output": None}), post(success=True, output='{"n": 1}')],
        [*events(CALL, {**CALL, "id": "fc_q", "arguments": {"key": "k", "limit": True}}), post(success=True, output="")],
        events({**CALL, "arguments": '{"key": "k", "limit": 1}'}, {**CALL, "arguments": None}),
        [post(success=True, output="a"), post(success=True, output="a"), *events(CALL)],
    ],
)
def test_what_is_nearly_plain(values: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    both(monkeypatch, lines(values))


def test_the_lane_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the tests above would compare a thing with itself."""
    taken: list[object] = []
    lane = plain.plain_result

    def watched(*given: Any) -> Result | None:
        made = lane(*given)
        taken.append(made)
        return made

    monkeypatch.setattr(plain, "plain_result", watched)
    said(lines(events(CALL, OUTPUT)))
    assert any(isinstance(one, Result) for one in taken)


def test_values_made_quickly_are_the_same_values() -> None:
    given = ("turn_p", "call_p", "count_stock", None, None, "open", (), (), (), (), (), (), False)
    made = quick(Call)(*given)
    assert type(made) is Call
    assert made == Call(*given)
    assert replace(made, state="answered").state == "answered"
    with pytest.raises(FrozenInstanceError):
        made.state = "answered"  # type: ignore[misc]
