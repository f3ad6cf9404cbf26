"""Every container that a recording comes in gives the same items, and says what it lacks."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.gate.examples import TOOLS, USER, call, lines, out, request, said, without
from tracelink.gate import COLUMNS, judge, read_history
from tracelink.gate.item import History
from tracelink.gate.judge import Judged
from tracelink.read import Values
from tracelink.rules.tl2_payloads.bounded import Checker

REAL = Path(__file__).resolve().parents[3] / "shared" / "real"
ITEMS = [USER, call(id="fc_1"), out(), said(id="msg_1")]


def read(data: Any) -> History:
    return read_history(Values([data if isinstance(data, bytes) else json.dumps(data).encode()]))


def verdict(data: Any, profile: str = "openresponses") -> Judged:
    return judge(read(data), profile, Checker(20))


def named(judged: Judged, severity: str = "block") -> list[str]:
    return [one.reason for one in judged.reasons if one.severity == severity]


def codex(*payloads: Any, type_: str = "response_item") -> list[Any]:
    return [{"timestamp": "2026-10-01T10:00:00Z", "type": type_, "payload": one} for one in payloads]


CONTAINERS: dict[str, Any] = {
    "array": ITEMS,
    "pretty array": json.dumps(ITEMS, indent=1).encode(),
    "JSONL of items": lines(*ITEMS),
    "gzip": gzip.compress(json.dumps(ITEMS).encode()),
    "request": {"model": "m", "input": ITEMS},
    "response": {"object": "response", "id": "resp_1", "status": "completed", "output": ITEMS},
    "request with the items of its response": lines(
        {"model": "m", "input": ITEMS[:1]}, {"object": "response", "id": "resp_1", "status": "completed", "output": ITEMS[1:]}
    ),
    "list page": {"object": "list", "data": ITEMS, "has_more": False},
    "conversation": {"items": ITEMS},
    "codex": lines(*codex({"id": "thread_1"}, type_="session_meta"), *codex(*ITEMS)),
    "codex after a compaction": lines(
        *codex(call("gone")), *codex({"message": "", "replacement_history": ITEMS}, type_="compacted")
    ),
    "WebSocket frame": {"type": "response.create", "model": "m", "input": ITEMS},
    "HTTP log": {
        "request": {"url": "u", "body": {"model": "m", "input": ITEMS[:1]}},
        "response": {"body": json.dumps({"object": "response", "output": ITEMS[1:], "status": "completed"})},
    },
    "run state": {
        "$schemaVersion": "1.0",
        "originalInput": ITEMS[:1],
        "generatedItems": [{"type": "tool_call_item", "rawItem": one} for one in ITEMS[1:]],
    },
    "run state of Python": {
        "$schemaVersion": "1.0",
        "original_input": ITEMS[:1],
        "generated_items": [{"type": "tool_call_item", "raw_item": one} for one in ITEMS[1:]],
    },
    "run items": lines(*({"type": "message_output_item", "raw_item": one} for one in ITEMS)),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_each_container_gives_the_same_items(name: str) -> None:
    history = read(CONTAINERS[name])
    assert [item.value for item in history.items] == ITEMS
    assert judge(history).sendable


def test_places_are_lines_and_bytes_of_the_source() -> None:
    data = json.dumps(ITEMS, indent=1).encode()
    for item in read(data).items:
        at = item.location
        assert data[: at.byte].count(b"\n") + 1 == at.line
        assert json.JSONDecoder().raw_decode(data[at.byte :].decode())[0] == item.value


def test_a_text_as_input_is_one_message() -> None:
    assert [item.value for item in read({"model": "m", "input": "go"}).items] == [USER]


def test_a_later_request_replaces_what_was_before_it() -> None:
    judged = verdict(lines({"model": "m", "input": [USER, call()]}, {"model": "m", "input": ITEMS}))
    assert [item.value for item in judged.history.items] == ITEMS
    assert named(judged, "note") == ["set_aside"]


def test_a_request_that_goes_on_from_a_recorded_response_has_its_state_here() -> None:
    first = {"model": "m", "input": [USER]}
    answer = {"object": "response", "id": "resp_1", "status": "completed", "output": [call()]}
    second = {"model": "m", "previous_response_id": "resp_1", "input": [out()]}
    judged = verdict(lines(first, answer, second))
    assert [item.value for item in judged.history.items] == [USER, call(), out()]
    assert judged.sendable


def test_an_output_after_an_unrecorded_response_is_no_orphan_but_state_elsewhere() -> None:
    judged = verdict({"model": "m", "previous_response_id": "resp_0", "input": [out()]})
    assert named(judged) == ["state_elsewhere"]
    assert named(verdict({"model": "m", "previous_response_id": "resp_0", "input": [out()]}, "own")) == []


@pytest.mark.parametrize(
    "member", [{"conversation": "conv_1"}, {"conversation": {"id": "conv_1"}}, {"prompt": {"id": "pmpt_1"}}]
)
def test_other_holders_of_state(member: dict[str, Any]) -> None:
    assert named(verdict({"model": "m", "input": [USER], **member})) == ["state_elsewhere"]


def test_a_page_that_has_more_says_that_pairs_may_be_cut() -> None:
    judged = verdict({"object": "list", "data": [USER, out()], "has_more": True})
    assert [one.detail for one in judged.reasons if one.reason == "torn_line"] == ["page"]


def test_a_page_newest_first_is_told_as_such() -> None:
    two = [said(), out("call_2"), call("call_2"), out(), call(), USER]
    judged = verdict({"object": "list", "data": two, "has_more": False})
    assert [one.detail for one in judged.reasons if one.reason == "order"] == ["reversed_page", "reversed_page"]


def test_an_aborted_codex_turn_gives_the_reason_of_an_open_call() -> None:
    judged = verdict(lines(*codex(call()), *codex({"type": "turn_aborted", "reason": "interrupted"}, type_="event_msg")))
    assert "aborted (interrupted)" in judged.reasons[0].message


def test_the_javascript_sdk_s_names_become_the_wire_s() -> None:
    raw = [
        {"type": "function_call", "callId": "c1", "name": "f", "arguments": "{}", "status": "completed", "providerData": {}},
        {
            "type": "function_call_result",
            "callId": "c1",
            "name": "f",
            "status": "completed",
            "output": {"type": "text", "text": "ok"},
        },
    ]
    history = read(lines(*({"type": "tool_call_item", "rawItem": one} for one in raw)))
    assert [item.value for item in history.items] == [call("c1"), out("c1")]
    assert all(item.changes for item in history.items)
    assert judge(history).sendable


def agents(*items: Any) -> bytes:
    return lines(
        *(
            {
                "type": "agent.session.turn.item.done",
                "event_id": f"ev_{n}",
                "session_id": "s",
                "turn_id": one["turn_id"],
                "output_index": n,
                "item": one,
            }
            for n, one in enumerate(items)
        )
    )


AGENTS_CALL = {
    "type": "function_call",
    "id": "item_1",
    "turn_id": "t1",
    "call_id": "c1",
    "name": "f",
    "arguments": {"b": 1, "a": [2]},
    "status": "completed",
}
AGENTS_OUTPUT = {
    "type": "function_call_output",
    "id": "item_2",
    "turn_id": "t1",
    "call_id": "c1",
    "output": None,
    "error": "no such file",
}


def test_agents_items_become_portable_ones() -> None:
    history = read(agents(AGENTS_CALL, AGENTS_OUTPUT))
    assert [item.value for item in history.items] == [
        {
            "type": "function_call",
            "id": "item_1",
            "call_id": "c1",
            "name": "f",
            "arguments": '{"b":1,"a":[2]}',
            "status": "completed",
        },
        {"type": "function_call_output", "id": "item_2", "call_id": "c1", "output": "no such file"},
    ]
    assert history.items[0].changes == ("turn_id falls away", "arguments become a string")
    assert judge(history).sendable


def test_a_call_id_of_two_turns_gets_two_names_on_both_halves() -> None:
    later = [AGENTS_CALL | {"turn_id": "t2", "id": "item_3"}, AGENTS_OUTPUT | {"turn_id": "t2", "id": "item_4"}]
    ids = [item.value["call_id"] for item in read(agents(AGENTS_CALL, AGENTS_OUTPUT, *later)).items]
    assert ids == ["c1", "c1", "c1_turn2", "c1_turn2"]


@pytest.mark.parametrize(
    "type_",
    [
        "command_execution",
        "create_subagent_call",
        "wait_for_subagents_call",
        "mcp_call",
        "web_search_call",
        "agent_message",
        "computer_use_call",
    ],
)
def test_agents_items_without_a_portable_form_are_named(type_: str) -> None:
    judged = verdict(agents({"type": type_, "id": "item_1", "turn_id": "t1", "status": "completed"}))
    assert named(judged) == ["provider_bound"]
    assert type_ in judged.reasons[0].message


def test_a_posted_result_stands_in_where_no_item_shows_it() -> None:
    post = {"type": "agent.session.input.tool_result", "turn_id": "t1", "call_id": "c1", "success": True, "output": "ok"}
    history = read(agents(AGENTS_CALL) + lines({"events": [post]}))
    assert [item.value.get("output") for item in history.items] == [None, "ok"]
    both = read(agents(AGENTS_CALL) + lines({"events": [post]}) + agents(AGENTS_OUTPUT | {"output": "ok", "error": None}))
    assert len(both.items) == 2


def test_items_of_a_subagent_are_another_history() -> None:
    turn = {
        "type": "agent.session.turn.created",
        "event_id": "e",
        "session_id": "s",
        "turn": {"id": "t2", "object": "agent.session.turn", "subagent_id": "sub_1", "status": "in_progress"},
    }
    history = read(agents(AGENTS_CALL, AGENTS_OUTPUT) + lines(turn) + agents(AGENTS_CALL | {"turn_id": "t2"}))
    assert len(history.items) == 2
    assert [one.reason for one in history.remarks] == ["set_aside"]


def test_raw_agents_items_among_responses_items_are_a_mixture() -> None:
    assert named(verdict([USER, AGENTS_CALL, out("c1")])) == ["foreign_envelope"]
    raw_output = {"type": "function_call_output", "call_id": "c1", "turn_id": "t1", "output": None, "error": "no"}
    assert named(verdict([USER, call("c1"), raw_output])) == ["foreign_envelope"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"status": "failed"}, "status"),
        ({"status": "in_progress"}, "status"),
        ({"arguments": None}, "arguments_type"),
        ({"arguments": [1]}, "arguments_type"),
        ({"arguments": None, "status": None}, "status"),
    ],
)
@pytest.mark.parametrize("profile", COLUMNS)
def test_an_agents_call_without_a_portable_form_has_one_voice(more: dict[str, Any], told: str, profile: str) -> None:
    judged = judge(read(agents(AGENTS_CALL | more, AGENTS_OUTPUT)), profile)
    assert [one.reason for one in judged.reasons if one.severity == "block"] == [told]
    assert not judged.portable(0)


def test_tools_come_from_the_recording() -> None:
    assert read({"model": "m", "tools": TOOLS, "input": ITEMS}).tools == {"f": TOOLS[0]["parameters"]}
    assert read({"object": "response", "tools": TOOLS, "status": "completed", "output": ITEMS}).tools == {
        "f": TOOLS[0]["parameters"]
    }


@pytest.mark.parametrize(
    "data",
    [
        b"[1, 2, 3]",
        b'{"a": 1}',
        b'"text"',
        b"[[[[]]]]",
        b'{"input": 3}',
        b'{"data": {}}',
        b"[" * 150 + b"]" * 150,
        b'{"output": [null]}',
    ],
)
def test_other_json_is_no_history(data: bytes) -> None:
    assert read(data).items == ()


@pytest.mark.parametrize("cut", range(3, 400, 13))
def test_a_torn_array_gives_what_is_whole(cut: int) -> None:
    data = json.dumps([USER, call(), out(), said()]).encode()[:cut]
    history = read(data)
    assert [item.value for item in history.items] == [USER, call(), out(), said()][: len(history.items)]
    assert history.items or history.remarks


@pytest.mark.skipif(not REAL.exists(), reason="real recordings of others are not part of the package")
@pytest.mark.parametrize("path", sorted(REAL.glob("*/*.*")) if REAL.exists() else [], ids=lambda path: path.name)
def test_real_recordings_are_read_without_a_wrong_word(path: Path) -> None:
    """What may be said of real output: an open call at the end, hosted items, what is empty or cut. Never a damaged or doubled item."""
    judged = verdict(path.read_bytes())
    for reason in judged.reasons:
        assert reason.reason in {
            "missing_output", "provider_bound", "approval_unanswered", "reasoning_empty", "reasoning_content", "reasoning_unpaired", "unknown_field",
            "item_incomplete", "empty_input", "foreign_envelope", "encrypted_bound", "program_owned", "item_id_form", "ids_rotate",
        }  # fmt: skip
        if reason.reason == "missing_output":
            assert reason.detail == "tail"
        if reason.reason == "foreign_envelope":
            assert b"chat.completion.chunk" in path.read_bytes()
    assert not any(
        item.value.get("status") == "in_progress" and "program" not in str(item.value) for item in judged.history.items
    )
    assert all(item.done for item in judged.history.items)


def test_request_helper_and_absent_status() -> None:
    judged = verdict(request(input=[without(call(), "status"), out()]))
    assert judged.sendable
    assert judged.verdicts[0].verdict == "status"
