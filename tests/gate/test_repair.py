"""What each repair does, one by one, and what it does not do."""

import json
from typing import Any

import pytest

from tests.gate.examples import EXAMPLES, LONG_ID, USER, call, out, reasoning, said, without
from tests.gate.test_profiles import history
from tracelink.gate import history_of, judge
from tracelink.gate.checks.pairs import NOT_RECORDED
from tracelink.gate.repair import Repaired, repair
from tracelink.gate.written import written

BROKEN = [USER, out("call_gone")]
"""An orphan makes a history need repair, so that mild faults are repaired as well."""


def repaired(items: list[Any], profile: str = "openresponses", synthesize: bool = False) -> Repaired:
    return repair(judge(history_of(items), profile), synthesize=synthesize)


def values(result: Repaired) -> list[Any]:
    return [item.value for item in result.judged.history.items]


def test_an_orphan_output_is_dropped() -> None:
    result = repaired([USER, call(), out(), out("call_gone")])
    assert values(result) == [USER, call(), out()]
    (change,) = result.changes
    assert (change.change, change.index, change.before, change.after) == ("drop", 3, out("call_gone"), None)


def test_an_open_call_is_closed_only_on_request_and_openly() -> None:
    items = [USER, call(), call("call_2"), out("call_2"), USER]
    assert [one.reason for one in repaired(items).left] == ["missing_output"]
    result = repaired(items, synthesize=True)
    assert values(result) == [*items[:4], out("call_1", NOT_RECORDED), USER]
    assert "No result" in NOT_RECORDED
    assert "may or may not" in NOT_RECORDED


@pytest.mark.parametrize(
    "change", [{"arguments": '{"a": '}, {"arguments": ""}, {"status": "incomplete"}, {"status": "in_progress"}]
)
def test_a_call_that_is_not_whole_is_never_closed_or_completed(change: dict[str, Any]) -> None:
    items = [USER, call(**change)]
    result = repaired(items, synthesize=True)
    assert values(result) == items
    assert result.left


def test_a_call_without_a_status_may_be_closed() -> None:
    items = [USER, without(call(), "status")]
    assert repaired(items, synthesize=True).judged.sendable


def test_a_long_id_is_renamed_on_both_halves() -> None:
    result = repaired([call(LONG_ID), call(LONG_ID + "y"), out(LONG_ID + "y"), out(LONG_ID)])
    first, second, answer, other = (value["call_id"] for value in values(result))
    assert first == other != second == answer
    assert len(first) <= 64
    assert result.judged.sendable


def test_a_new_name_never_meets_one_in_use() -> None:
    taken = values(repaired([call(LONG_ID), out(LONG_ID)]))[0]["call_id"]
    result = repaired([call(taken), out(taken), call(LONG_ID), out(LONG_ID)])
    ids = [value["call_id"] for value in values(result)]
    assert ids[0] == ids[1] == taken != ids[2] == ids[3]


def test_arguments_that_are_an_object_become_a_text_in_their_order() -> None:
    assert values(repaired([call(arguments={"b": 1, "a": "ä"}), out()])) == [call(arguments='{"b":1,"a":"ä"}'), out()]


def test_copies_are_folded() -> None:
    items = [USER, call(id="fc_1"), call(id="fc_1"), out(), out(), said(id="msg_1"), said(id="msg_1")]
    result = repaired(items)
    assert values(result) == [USER, call(id="fc_1"), out(), said(id="msg_1")]
    assert result.judged.sendable


def test_what_differs_is_not_folded() -> None:
    items = [call(), out(), out(output="no")]
    result = repaired(items)
    assert values(result) == items
    assert [one.reason for one in result.left] == ["duplicate_output"]


def test_an_id_that_two_items_share_leaves_the_later_one() -> None:
    result = repaired([said(id="msg_1"), said("again", id="msg_1")])
    assert values(result) == [said(id="msg_1"), said("again")]


def test_ciphertext_keeps_its_id() -> None:
    items = [reasoning(encrypted_content="g"), said(), reasoning(encrypted_content="h"), said()]
    assert values(repaired(items)) == items


def test_an_id_used_again_is_renamed_with_its_output() -> None:
    result = repaired([*BROKEN, call(), out(), call(), out(output="later"), out(output="later")])
    assert [value.get("call_id") for value in values(result)] == [None, "call_1", "call_1", "call_1_dup2", "call_1_dup2"]


def test_the_item_id_is_replaced_by_the_call_id() -> None:
    assert values(repaired([call(id="fc_1"), out("fc_1")])) == [call(id="fc_1"), out()]


def test_an_object_as_output_becomes_a_text_and_a_null_stays() -> None:
    assert values(repaired([call(), out(output={"ok": True})])) == [call(), out(output='{"ok":true}')]
    items = [call(), out(output=None)]
    assert values(repaired(items)) == items


def test_a_page_newest_first_is_turned_round() -> None:
    items = [USER, call(), out(), call("call_2"), out("call_2"), said()]
    assert values(repaired(items[::-1], "adjacent")) == items


def test_outputs_move_behind_their_calls_where_that_matters() -> None:
    items = [call(), call("call_2"), USER, out("call_2"), said(), out()]
    assert values(repaired(items, "adjacent")) == [call(), call("call_2"), out("call_2"), out(), USER, said()]
    assert values(repaired(items)) == items


def test_nothing_moves_past_what_is_bound() -> None:
    items = [call(), {"type": "web_search_call", "id": "ws_1", "status": "completed"}, out()]
    result = repaired(items, "adjacent")
    assert values(result) == items
    assert "adjacency" in [one.reason for one in result.left]


def test_parts_become_a_text_where_only_text_is_taken() -> None:
    parts = [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]
    assert values(repaired([call(), out(output=parts)], "hf")) == [call(), out(output="ab")]


def test_fields_that_are_refused_fall_away() -> None:
    assert values(repaired([reasoning(status="completed"), said()], "openai")) == [reasoning(), said()]
    assert values(repaired([call(id=None), out()], "hf")) == [call(), out()]


@pytest.mark.parametrize(
    "row",
    ["namespaced", "arguments_parse", "arguments_schema", "output_type_mismatch", "missing_call_id", "name_pattern", "provider_bound", "program_owned",
     "encrypted_bound/compaction", "state_elsewhere", "file_elsewhere", "unknown_type", "approval_unanswered", "type_missing/other", "empty_input"],
)  # fmt: skip
def test_what_cannot_be_repaired_safely_stays_and_is_named(row: str) -> None:
    given = history(EXAMPLES[row][0])
    result = repair(
        judge(given, checker=None) if row != "arguments_schema" else judge(given, checker=_NeverFits()),
        _NeverFits(),
        synthesize=True,
    )
    assert row.partition("/")[0] in [one.reason for one in result.left]
    assert [item.value for item in given.items if item.value in values(result)] == [item.value for item in given.items]


class _NeverFits:
    def check(self, schema: Any, value: Any) -> Any:
        from tracelink.rules.tl2_payloads.bounded import Outcome

        return Outcome(("the whole lacks a (required)",))


def test_a_request_is_written_as_a_request() -> None:
    body = {"model": "m", "tools": [], "input": [USER, out("call_gone")]}
    result = repair(judge(history(json.dumps(body).encode())))
    assert written(result.judged) == {"model": "m", "tools": [], "input": [USER]}


def test_the_input_is_not_touched() -> None:
    items = [USER, call(LONG_ID, arguments={"a": 1}), out(LONG_ID), out("call_gone")]
    before = json.dumps(items)
    repaired(items)
    assert json.dumps(items) == before
