"""What a repair may be trusted with: it is idempotent, names exactly what it leaves, leaves what passes alone, and never makes things up."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gate.worlds import CALL_IDS, histories, sound
from tracelink.gate import COLUMNS, history_of, judge
from tracelink.gate.checks.context import pair
from tracelink.gate.checks.pairs import NOT_RECORDED
from tracelink.gate.containers import is_item
from tracelink.gate.history import read_history
from tracelink.gate.judge import BLOCK
from tracelink.gate.repair import Repaired, repair
from tracelink.gate.written import as_text, written
from tracelink.read import Values

profiles = st.sampled_from(COLUMNS)


def values(repaired: Repaired) -> list[Any]:
    return [item.value for item in repaired.judged.history.items]


def blocks(judged: Any) -> list[tuple[str, Any, tuple[int, ...]]]:
    return [(one.reason, one.detail, one.items) for one in judged.reasons if one.severity == BLOCK]


@settings(max_examples=400, deadline=None)
@given(histories, profiles, st.booleans(), st.booleans())
def test_a_repair_is_idempotent_and_names_what_it_leaves(items: list[Any], profile: str, synthesize: bool, drop: bool) -> None:
    first = repair(judge(history_of(items), profile), synthesize=synthesize, drop_bound=drop)
    # What is left is what a fresh judgement of the result blocks, no more and no less.
    fresh = judge(history_of(values(first)), profile)
    assert [(one.reason, one.detail, one.items) for one in first.left] == blocks(fresh)
    second = repair(fresh, synthesize=synthesize, drop_bound=drop)
    assert values(second) == values(first)
    assert second.changes == ()


@settings(max_examples=200, deadline=None)
@given(histories, profiles, st.booleans())
def test_what_is_written_is_read_as_what_was_judged(items: list[Any], profile: str, drop: bool) -> None:
    items = [
        item for item in items if not (isinstance(item, dict) and "turn_id" in item)
    ]  # Agents items alone are read as such
    repaired = repair(judge(history_of(items), profile), drop_bound=drop)
    text = json.dumps(written(repaired.judged)).encode()
    again = judge(read_history(Values([text])), profile)
    if any(map(is_item, values(repaired))):  # a list without one known item is no history to a reader
        assert [item.value for item in again.history.items] == values(repaired)
        assert blocks(again) == blocks(repaired.judged)


@settings(max_examples=200, deadline=None)
@given(st.one_of(histories, sound()), profiles, st.booleans(), st.booleans())
def test_what_passes_is_unchanged(items: list[Any], profile: str, synthesize: bool, drop: bool) -> None:
    judged = judge(history_of(items), profile)
    if judged.sendable:
        repaired = repair(judged, synthesize=synthesize, drop_bound=drop)
        assert values(repaired) == items
        assert repaired.changes == ()


@given(sound())
def test_a_sound_history_passes_everywhere_it_is_known_to(items: list[Any]) -> None:
    assert judge(history_of(items)).sendable
    assert judge(history_of(items), "openai").sendable


@settings(max_examples=300, deadline=None)
@given(histories, profiles, st.booleans(), st.booleans())
def test_nothing_is_made_up(items: list[Any], profile: str, synthesize: bool, drop: bool) -> None:
    """Every output that is new says that none was recorded; no text of arguments is ever changed; no approval appears."""
    repaired = repair(judge(history_of(items), profile), synthesize=synthesize, drop_bound=drop)
    had = [item.get("output") for item in items if isinstance(item, dict) and item.get("type") == "function_call_output"]
    texts = [item.get("arguments") for item in items if isinstance(item, dict)]
    approvals = [item for item in items if isinstance(item, dict) and item.get("type") == "mcp_approval_response"]
    for value in values(repaired):
        if not isinstance(value, dict):
            continue
        if value.get("type") == "function_call_output" and value.get("output") not in had:
            output = value["output"]
            made_of = [json.dumps(one, separators=(",", ":")) for one in had if not isinstance(one, str)]
            parts = [
                "".join(part["text"] for part in one)
                for one in had
                if isinstance(one, list) and all(isinstance(p, dict) and "text" in p for p in one)
            ]
            assert output in made_of or output in parts or (synthesize and output == NOT_RECORDED)
        if isinstance(value.get("arguments"), str) and value["arguments"] not in texts:
            assert json.loads(value["arguments"]) in texts
        if value.get("type") == "mcp_approval_response":
            assert value in approvals
    if not synthesize:
        assert NOT_RECORDED not in [value.get("output") for value in values(repaired) if isinstance(value, dict)]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([one for one in CALL_IDS if one]), min_size=1, max_size=5, unique=True), st.data())
def test_ids_are_renamed_on_both_halves_and_never_meet(ids: list[str], data: st.DataObject) -> None:
    calls = [{"type": "function_call", "call_id": id_, "name": "f", "arguments": "{}", "status": "completed"} for id_ in ids]
    outputs = [{"type": "function_call_output", "call_id": id_, "output": id_} for id_ in data.draw(st.permutations(ids))]
    before = history_of([*calls, *outputs])
    repaired = repair(judge(before, "openai"))
    after = repaired.judged.history
    assert repaired.judged.sendable
    found = [item.value["call_id"] for item in after.items[: len(ids)]]
    assert len(set(found)) == len(ids)
    assert all(len(id_) <= 64 for id_ in found)
    assert pair(before).answers == pair(after).answers
    assert [item.value["output"] for item in after.items[len(ids) :]] == [output["output"] for output in outputs]


BOUND_REASONS = {"provider_bound", "encrypted_bound", "program_owned", "namespaced"}


@settings(max_examples=500, deadline=None)
@given(histories, profiles)
def test_what_is_bound_goes_whole_or_stays(items: list[Any], profile: str) -> None:
    """A call goes with its outputs, an output with its call, an item with the reasoning before it; each is a change, and the rest is as without."""
    before = history_of(items)
    judged = judge(before, profile)
    gone = {
        change.index
        for change in repair(judged, drop_bound=True).changes
        if change.change == "drop" and change.reason in BOUND_REASONS
    }
    for call, output in pair(before).answers.items():
        assert (call in gone) == (output in gone)
    for at in gone:
        type_ = items[at]["type"]
        assert type_ != "compaction"
        if type_ not in ("reasoning", "mcp_approval_response") and not type_.endswith("_output") and at:
            assert at - 1 in gone or not isinstance(items[at - 1], dict) or items[at - 1].get("type") != "reasoning"
    asked = [one["id"] for one in items if isinstance(one, dict) and one.get("type") == "mcp_approval_request"]
    given_ = [
        one["approval_request_id"] for one in items if isinstance(one, dict) and one.get("type") == "mcp_approval_response"
    ]
    for at in gone:
        if items[at]["type"] == "mcp_approval_request":
            assert items[at]["id"] in given_
        if items[at]["type"] == "mcp_approval_response":
            assert items[at]["approval_request_id"] in asked
    kept = [
        item
        for item in items
        if isinstance(item, dict) and item.get("type") in ("message", "function_call") and "caller" not in item
    ]
    assert all(items[at] not in kept for at in gone)


GAP = b'{"type":"function_call_outp\n'
TURN = {"turn_id": "turn_1"}


def in_shape(items: list[Any], shape: str, cut: int) -> bytes:
    """The items in a container; `torn` and `more` ones lack something."""
    if shape == "array":
        return json.dumps(items).encode()
    if shape == "request":
        return json.dumps({"model": "m", "input": items}).encode()
    if shape in ("page", "more"):
        return json.dumps({"object": "list", "data": items, "has_more": shape == "more"}).encode()
    if shape == "response":
        return json.dumps({"object": "response", "id": "r", "status": "completed", "output": items}).encode()
    rows = [json.dumps(item).encode() + b"\n" for item in items]
    if shape == "agents":
        rows = [
            json.dumps(
                {"type": "agent.session.turn.item.done", "event_id": f"e{n}", "session_id": "s", "item": item | TURN}
            ).encode()
            + b"\n"
            for n, item in enumerate(items)
            if isinstance(item, dict)
        ]
    return b"".join([*rows[:cut], GAP, *rows[cut:]] if shape == "torn" else rows)


shapes = st.sampled_from(("array", "request", "page", "more", "response", "lines", "torn", "agents"))


@settings(max_examples=300, deadline=None)
@given(
    histories,
    profiles,
    st.fixed_dictionaries({"synthesize": st.booleans(), "drop_bound": st.booleans()}),
    shapes,
    st.integers(0, 9),
)
def test_the_new_file_is_what_was_said_of_it(
    items: list[Any], profile: str, asked: dict[str, bool], shape: str, cut: int
) -> None:
    """In every container, whole or not: what is left is what the gate says of the new file, and a second repair changes no byte."""
    judged = judge(read_history(Values([in_shape(items, shape, cut)])), profile)
    first = repair(judged, **asked)
    data = as_text(written(first.judged))
    again = judge(read_history(Values([data])), profile)
    if len(again.history.items) != len(first.judged.history.items):
        return  # a list without one known item is no history to a reader
    if not judged.sendable:
        assert blocks(again) == [(one.reason, one.detail, one.items) for one in first.left]
        assert as_text(written(repair(again, **asked).judged)) == data
    if judged.sendable:
        assert values(first) == [item.value for item in judged.history.items]
    if judged.history.gap:  # nothing is dropped for want of a partner, and no result is said not to be there
        assert NOT_RECORDED not in data.decode()
        dropped = {change.reason for change in first.changes if change.change == "drop"}
        assert dropped <= {"duplicate_item_id", "encrypted_bound"} | (BOUND_REASONS if asked["drop_bound"] else set())
