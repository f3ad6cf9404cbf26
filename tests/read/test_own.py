"""What this program wrote itself: quotes and proposals, and no record of a post."""

import json
from typing import Any

import pytest

from tracelink.model.record import Kind
from tracelink.read import Reading

RESULT = {"type": "agent.session.input.tool_result", "turn_id": "turn_1", "call_id": "call_1", "success": True, "output": "12"}
DECIDED = {"type": "agent.session.input.mcp_approval_request_result", "request_id": "req_1"}


def body(event: dict[str, Any]) -> dict[str, Any]:
    return {"events": [event]}


GAPS = [
    RESULT | {"output": "<output of read_gauge as text>"},
    RESULT | {"output": "<the output of read\ngauge that holds>"},
    RESULT | {"success": "<true or false>"},
    DECIDED | {"response": {"type": "mcp_tool_call", "decision": "<approve, deny or cancel>"}},
    DECIDED | {"response": {"fields": [{"field_id": "a", "value": "x"}, {"field_id": "b", "value": "<value from the user>"}]}},
    DECIDED | {"response": {"selected_option": "<id of the chosen option>"}},
]


def kinds(text: str) -> list[Kind]:
    return [record.kind for record in Reading([text.encode()])]


@pytest.mark.parametrize("event", GAPS)
def test_a_body_with_a_gap_is_a_proposal(event: dict[str, Any]) -> None:
    assert kinds(json.dumps(body(event))) == [Kind.OBJECT]
    assert kinds("to do\n" + json.dumps(body(event), indent=2)) == [Kind.UNREADABLE, Kind.OBJECT]


@pytest.mark.parametrize("event", GAPS)
def test_what_a_recorder_saw_sent_was_sent_whatever_it_says(event: dict[str, Any]) -> None:
    assert kinds(json.dumps({"ts": "2026-10-01T00:00:00Z", "direction": "out", "body": body(event)})) == [Kind.INPUT]


@pytest.mark.parametrize(
    "event",
    [RESULT, RESULT | {"output": "see <output of read_gauge as text>"}, RESULT | {"output": None}, DECIDED | {"response": 1}],
)
def test_a_body_without_a_gap_may_be_the_apps_own(event: dict[str, Any]) -> None:
    assert kinds(json.dumps(body(event))) == [Kind.INPUT]


REPORTS = [
    "sess_1  requires_action\n\nAWAITING: f (call_1) is required.\n  Decided by x.\n  What would change this: a right answer.\n",
    "post-mortem of turn_1  in_progress\n  agent agent_1 in session sess_1\n",
    "# Post-mortem: turn `turn_1`\n\n- Session: `sess_1`\n",
]


@pytest.mark.parametrize("head", REPORTS)
def test_a_report_in_text_is_no_recording(head: str) -> None:
    reading = Reading([(head + json.dumps(body(RESULT), indent=2)).encode()])
    assert list(reading) == []
    assert "a report that tracelink wrote" in (reading.sources[0].problem or "")
    assert reading.sources[0].format == "text"


@pytest.mark.parametrize(
    "head",
    ["AWAITING: the deployment\n", "post-mortem of last night\nwe looked\n", "# Post-mortem: the outage\n\nIt began.\n"],
)
def test_a_note_before_a_recording_hides_nothing(head: str) -> None:
    assert kinds(head + json.dumps(body(RESULT)))[-1] is Kind.INPUT


def test_a_sarif_file_is_one_object_and_what_only_resembles_one_is_looked_into() -> None:
    held = {"runs": [{"tool": body(RESULT)}]}
    assert kinds(json.dumps({"$schema": "x", "version": "2.1.0", **held})) == [Kind.OBJECT]
    assert kinds(json.dumps({"version": "2.0", **held})) == [Kind.INPUT]
