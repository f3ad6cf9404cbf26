"""A called tool whose schema accepts any object."""

from collections.abc import Iterable

from tracelink.judge.declared import Declarations
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl2_payloads.asked import actions_by_call, asked
from tracelink.rules.tl2_payloads.declared import root_calls


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    declarations = context.once(Declarations)
    if not declarations.open:
        return
    actions, told = context.once(actions_by_call), set()
    for call, declared in root_calls(context.trace, declarations):
        if call.name in told or call.name not in declared.open:
            continue
        value = asked(call, actions.get(call.key)).value
        if not value or (isinstance(value, str) and value.strip() in ("", "{}", "null")):
            continue
        told.add(call.name)
        yield rule.finding(
            f"The schema of {call.name} at {place(declared.at)} accepts any object, so it rules out "
            f"nothing in the arguments of {call.call_id or 'its call'} at {place(call.first)} nor of any other call.",
            at=(declared.at, call.first),
            ids={"call_id": call.call_id or None, "turn_id": call.turn_id or None},
        )


RULE = Rule(
    code="TL206",
    name="open-schema",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="A tool is called with arguments, and its schema accepts any object.",
    proves="The parameters that the session declares are true, {}, or an object without declared members.",
    cannot="That the app checks nothing itself.",
    quiet=(
        "Tools that were not called, or only without arguments; calls of subagents (TL406); tools whose declaration has no parameters; schemas that"
        " declare any member."
    ),
    example='{"type": "function", "name": "count_stock", "parameters": {"type": "object"}}',
    remedy="Declare the members that the function reads, the required ones, and additionalProperties false.",
    check=check,
)
