"""A function_call in a subagent's turn."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.plain import odd_calls
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    for call in context.once(odd_calls):
        turn = trace.turns.get(call.turn_id)
        if turn is None or turn.subagent_id is None:
            continue
        yield rule.finding(
            f"{call.call_id} ({call.name or 'no name'}) at {place(call.first)} is a function_call in turn {turn.id} of subagent "
            f"{turn.subagent_id}: by the documents subagents have no function tools, so who answers it is unclear.",
            at=(call.first, turn.origins[0] if turn.origins else None),
            ids={"call_id": call.call_id, "turn_id": turn.id, "subagent_id": turn.subagent_id},
        )


RULE = Rule(
    code="TL406",
    name="subagent-function-call",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary="A function_call stands in a turn of a subagent, which the documentation rules out.",
    proves="The call's turn has a subagent_id.",
    cannot="Whether the API changed: the documents say that subagents cannot call the app's functions.",
    quiet="Turns of the root agent, and turns of which no record says whose they are; mcp_call and other items of subagents.",
    example="item.done{function_call, turn_id: turn_2}, turn_2 has subagent_id sub_1.",
    remedy="If required_actions lists it, answer it like any other; else look whether the recorder mixed up turns.",
    check=check,
)
