"""The arguments of a call fail the JSON Schema of its own tool."""

from collections.abc import Iterable, Iterator
from typing import Any

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.trace import Call, Trace, Unlinkable
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl2_payloads.asked import Asked, actions_by_call, asked, decode
from tracelink.rules.tl2_payloads.bounded import Checker, Outcome
from tracelink.rules.tl2_payloads.declared import Declarations, Declared, is_open, root_calls

SHOWN = 3


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for call, arguments, declared, outcome in _outcomes(context):
        if not outcome.problems:
            continue
        shown = "; ".join(outcome.problems[:SHOWN])
        more = f"; and {len(outcome.problems) - SHOWN} more" if len(outcome.problems) > SHOWN else ""
        yield rule.finding(
            f"The arguments of {call.call_id or 'a call'} ({call.name}) at {place(arguments.at)} do not fit the schema "
            f"that the session declares at {place(declared.at)}: {shown}{more}.",
            at=(arguments.at, declared.at, call.first),
            ids={"call_id": call.call_id or None, "turn_id": call.turn_id or None},
        )


def unchecked(context: Context) -> Iterable[Unlinkable]:
    """Why the arguments of some calls were not held against their schema: once a tool and reason."""
    told = set()
    for call, arguments, declared, outcome in _outcomes(context):
        if outcome.unchecked is not None and (call.name, outcome.unchecked) not in told:
            told.add((call.name, outcome.unchecked))
            ids = {"call_id": call.call_id, "turn_id": call.turn_id}
            yield Unlinkable(f"the arguments of {call.name}", outcome.unchecked, ids, arguments.at or declared.at)


_Checked = tuple[Call, Asked, Declared, Outcome]


def _outcomes(context: Context) -> list[_Checked]:
    """What is not simply good; both halves of the rule need it."""
    kept: list[_Checked] | None = context.kept.get(RULE.code)
    if kept is None:
        kept = context.kept[RULE.code] = [one for one in _checked(context.trace) if one[3] != Outcome()]
    return kept


def _checked(trace: Trace) -> Iterator[_Checked]:
    actions, checker = actions_by_call(trace), Checker(len(trace.calls))
    for call, declared in root_calls(trace, Declarations(trace)):
        schema: Any = declared.functions.get(call.name or "", {}).get("parameters")
        if schema is None or schema is True or schema == {}:
            continue
        arguments = asked(call, actions.get(call.key))
        try:
            value = decode(arguments.value) if isinstance(arguments.value, str) else arguments.value
        except (ValueError, RecursionError):
            continue  # TL203 tells
        if value is None or (is_open(schema) and isinstance(value, dict)):
            continue  # null may stand for what a recorder left out (L.2.14)
        yield call, arguments, declared, checker.check(schema, value)


RULE = Rule(
    code="TL204",
    name="arguments-against-schema",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="A call's arguments fail the JSON Schema that the session declares for the tool.",
    proves=(
        "Held against Draft 2020-12 without formats, the final arguments break the schema of the last snapshot before "
        "the call in its source (or the first after it); text is decoded first."
    ),
    cannot="Whether the function would have coped.",
    quiet=(
        "Arguments that are null or absent, or no JSON (TL203); tools that are not declared (TL205); calls of "
        "subagents; schemas that are broken, refer to another place, or are too large or too costly to check; patterns "
        "that may not be run."
    ),
    example='parameters: {"required": ["sku"]} and arguments: {"code": "BX-9"}.',
    remedy=(
        "Check arguments before the function runs, and answer with success false and what is wrong, so that the model "
        "can mend them."
    ),
    check=check,
    unchecked=unchecked,
)
