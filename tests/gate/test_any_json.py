"""Whatever JSON comes, in whatever container, the gate answers: it never raises, and its work grows with the input."""

import json
import time
from pathlib import PurePath
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.gate.examples import call, out
from tests.gate.test_cli import SCHEMA
from tests.gate.worlds import items
from tracelink.gate import COLUMNS, history_of, judge, read_history
from tracelink.gate.diff import diff_items
from tracelink.gate.kinds import BOUND, CORE
from tracelink.gate.repair import repair
from tracelink.gate.written import written
from tracelink.read import Values
from tracelink.render import gate_diff, gate_json, gate_sarif, gate_text
from tracelink.render.page import Page
from tracelink.rules.tl2_payloads.bounded import Checker

WORDS = (
    "type", "object", "input", "output", "data", "items", "payload", "item", "response", "tools", "tool_choice", "messages", "role", "content", "id",
    "call_id", "name", "arguments", "status", "events", "event", "raw_item", "rawItem", "originalInput", "generatedItems", "modelResponses", "error",
    "message", "code", "previous_response_id", "conversation", "has_more", "turn_id", "session", "session_id", "agent", "delta", "item_id",
    "output_index", "sequence_number", "content_index", "summary", "encrypted_content", "caller", "annotations", "replacement_history", "parameters",
    "callId", "providerData", "turn", "subagent_id", "part", "text", "refusal", "tool_calls", "function",
)  # fmt: skip
TYPES = (
    *sorted(CORE | BOUND), "response.created", "response.output_item.added", "response.output_item.done", "response.function_call_arguments.delta",
    "response.function_call_arguments.done", "response.output_text.delta", "response.completed", "response.create", "error", "response_item",
    "event_msg", "compacted", "turn_aborted", "function_call_result", "agent.session.turn.item.done", "agent.session.input.tool_result",
    "agent.session.created", "agent.session.turn.created", "a:b", "function", "list", "response", "agent.session", "command_execution",
)  # fmt: skip
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from(TYPES),
    st.sampled_from(("", "c1", "completed", "in_progress", "user", "{}", '{"input":[]}')),
    items,
)
documents = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=6),
    max_leaves=25,
)
typed = st.tuples(st.sampled_from(TYPES), st.dictionaries(st.sampled_from(WORDS), documents, max_size=6)).map(
    lambda one: one[1] | {"type": one[0]}
)
recordings = st.lists(st.one_of(documents, typed, typed), min_size=1, max_size=6)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(recordings, st.booleans(), st.sampled_from(COLUMNS))
def test_any_json_is_answered(values: list[Any], as_lines: bool, profile: str) -> None:
    text = "\n".join(map(json.dumps, values)) if as_lines else json.dumps(values)
    history = read_history(Values([text.encode()]))
    checker = Checker(len(history.items))
    judged = judge(history, profile, checker)
    repaired = repair(judged, checker, synthesize=True)
    again = repair(repaired.judged, checker, synthesize=True)
    assert [item.value for item in again.judged.history.items] == [item.value for item in repaired.judged.history.items]
    json.dumps(written(repaired.judged))
    shown = json.loads(gate_json.render(judged, (), repaired, "new.json"))
    assert list(Draft202012Validator(SCHEMA).iter_errors(shown)) == []
    gate_json.lines(judged)
    gate_text.render(judged, Page(80, True), repaired, "new.json")
    gate_sarif.render(judged, ["<bytes>"], PurePath("/"))
    gate_sarif.github(judged, PurePath("/"))
    matched = diff_items(history, repaired.judged.history)
    gate_diff.as_json(history, repaired.judged.history, matched)
    gate_diff.text(history, repaired.judged.history, matched, Page(80))


def test_the_work_grows_with_the_input() -> None:
    pairs = [one for n in range(800) for one in (call(f"c{n}", id=f"fc_{n}"), out(f"c{n}"))]
    orphans = [out(f"gone{n}") for n in range(500)]
    same = [call("same") for _ in range(500)] + [out("same") for _ in range(500)]
    reversed_ = [out(f"r{n}") for n in range(500)] + [call(f"r{n}") for n in range(500)]
    again = [one for _ in range(250) for one in (call("again"), out("again"))]
    begun = time.monotonic()
    for profile in ("openresponses", "adjacent"):
        judged = judge(history_of([*pairs, *orphans, *same, *reversed_, *again]), profile)
        repair(judged, synthesize=True)
        diff_items(judged.history, judged.history)
    assert time.monotonic() - begun < 60
