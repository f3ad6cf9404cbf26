"""Faults of the gate that damaged histories written from the rules' pages alone brought to light."""

import json
from typing import Any

import pytest

from tests.gate.examples import APPROVAL, FILED, INLINE, PARTS, USER, YES, call, out, reasoning, request, said
from tests.gate.test_profiles import history
from tracelink.gate import judge
from tracelink.gate.repair import repair
from tracelink.gate.written import written

CHAT = said("hm", tool_calls=[{"id": "call_9", "type": "function", "function": {"name": "f", "arguments": "{}"}}])
NO = YES | {"approve": False}


def told(items: Any, profile: str = "openresponses") -> list[tuple[str, str, str | None]]:
    """(reason, severity, detail) of everything but notes."""
    found = judge(history(items), profile).reasons
    return [(one.reason, one.severity, one.detail) for one in found if one.severity != "note"]


def test_the_calls_of_another_apis_message_are_never_dropped_as_an_unknown_member() -> None:
    judged = judge(history([USER, CHAT, USER | {"turn_id": "turn_1"}]))
    assert [(one.reason, one.items) for one in judged.reasons] == [("foreign_envelope", (1,)), ("unknown_field", (2,))]
    result = repair(judged)
    assert written(result.judged) == [USER, CHAT, USER]
    assert [one.reason for one in result.left] == ["foreign_envelope"]


def test_an_id_that_the_profile_requires_of_reasoning_is_not_dropped() -> None:
    items = [USER, reasoning(), said(), USER, reasoning(summary=[]), said()]
    left = repair(judge(history(items), "openrouter"))
    assert (left.changes, [one.reason for one in left.left]) == ((), ["duplicate_item_id"])
    assert repair(judge(history(items), "openresponses")).judged.sendable
    assert repair(judge(history([said(id="a"), said("b", id="a")]), "openrouter")).judged.sendable


def test_two_answers_to_one_request_for_approval() -> None:
    assert told([USER, APPROVAL, NO, YES, said()], "own") == [("duplicate_output", "block", "conflict")]
    assert told([USER, APPROVAL, YES, YES | {"id": "mcprr_2"}, said()], "own") == [("duplicate_output", "warn", "identical")]
    assert told([USER, APPROVAL, YES, said()], "own") == []
    other = [APPROVAL | {"id": "mcpr_2"}, NO | {"approval_request_id": "mcpr_2"}]
    assert told([USER, APPROVAL, YES, *other, said()], "own") == []
    assert told([USER, NO, YES], "own") == [("approval_orphan", "block", None)] * 2
    assert not repair(judge(history([USER, APPROVAL, NO, YES]), "own")).changes


@pytest.mark.parametrize("digits", [4301, 5000])
def test_a_number_too_long_to_read_is_told_in_our_words(digits: int) -> None:
    judged = judge(history([call(arguments=f'{{"n":-{"9" * digits}}}'), out()]))
    assert judged.verdicts[0].told == f"its arguments are no JSON: a number of {digits:,} digits is more than is read here"
    assert judge(history([call(arguments=f'{{"n":{"9" * 4300}}}'), out()])).verdicts[0].verdict == "ok"


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({}, "a message with no role and no content"),
        ({"role": "wizard", "content": "x"}, "a message with a role that is no user, assistant, system or developer"),
        ({"role": "user", "content": {"a": 1}}, "a message with a content that is no text or list of parts"),
        ({"role": "user", "content": ["go"]}, "a message with a content that is no text or list of parts"),
        ({"role": 7, "content": None}, "a message with a role that is no user, assistant, system or developer and a content that is no text or list of parts"),
    ],
)  # fmt: skip
def test_a_message_without_role_or_content_is_not_called_sendable(message: dict[str, Any], words: str) -> None:
    judged = judge(history([USER, {"type": "message"} | message]))
    assert [(one.reason, one.severity) for one in judged.reasons] == [("message_shape", "block")]
    assert judged.reasons[0].message == f"{words[:1].upper()}{words[1:]}."
    assert repair(judged).changes == ()


def test_a_message_that_other_reasons_tell_has_no_shape_of_its_own() -> None:
    torn = [
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {"type": "message", "id": "msg_1", "role": "assistant"},
        }
    ]
    stream = b"".join(json.dumps(one).encode() + b"\n" for one in torn)
    assert "message_shape" not in {one.reason for one in judge(history(stream)).reasons}
    assert [one[0] for one in told([USER, {"type": "message", "role": "tool", "tool_call_id": "call_1", "content": "x"}])] == [
        "foreign_envelope"
    ]


def test_each_role_has_its_own_parts() -> None:
    wrote = [{"type": "output_text", "text": "a", "annotations": []}, {"type": "refusal", "refusal": "no"}]
    assert told([USER | {"content": [*PARTS, *FILED, *INLINE]}, said(wrote), USER | {"role": "system", "content": PARTS}]) == []
    assert told([said(PARTS)]) == [("content_part_bound", "warn", "input_text")]
    assert told([USER | {"content": wrote}]) == [("content_part_bound", "warn", part) for part in ("output_text", "refusal")]
    for role in ("system", "developer"):
        assert told([USER | {"role": role, "content": INLINE}]) == [("content_part_bound", "warn", "input_image")]
        assert told([USER | {"role": role, "content": INLINE}], "openai") == []


def test_a_text_as_input_stays_a_text() -> None:
    asked = {"model": "m", "conversation": "conv_1", "input": "go"}
    for body in (asked, {"model": "m", "input": "go"}):
        result = repair(judge(history(json.dumps(body).encode())))
        assert (written(result.judged), result.changes) == (body, ())
    result = repair(judge(history(request(input=[USER]))))
    assert written(result.judged)["input"] == [USER]


def test_a_history_that_is_cut_off_before_its_first_item_is_said_to_be_cut_off(program: Any) -> None:
    program.write("cut.json", '[{"type":"message","role":"user","conte')
    program.write("none.json", "{}")
    cut, none = program("gate", "cut.json"), program("gate", "none.json")
    assert (cut.returncode, cut.stdout) == (3, "")
    assert "1 record cut off or damaged" in cut.stderr
    assert "nothing at all" in none.stderr


def test_articles_and_the_width_of_the_profiles_legend(program: Any) -> None:
    assert "An mcp_call belongs" in judge(history([{"type": "mcp_call", "id": "mcp_1"}])).reasons[0].message
    assert "A web_search_call belongs" in judge(history([{"type": "web_search_call", "id": "ws_1"}])).reasons[0].message
    legend = program("gate", "--profiles").stdout.partition("\n\n")[2].splitlines()
    assert legend
    assert all(len(line) <= 80 for line in legend)
