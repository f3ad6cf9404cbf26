"""The arguments of a call fail the JSON Schema of its own tool."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tracelink.judge.declared import Declarations, Declared
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.trace import Action, Call, CallKey, Unlinkable
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl2_payloads.asked import Asked, actions_by_call, asked, decode
from tracelink.rules.tl2_payloads.bounded import FITS, Checker, Outcome, Schemas
from tracelink.rules.tl2_payloads.declared import root_calls
from tracelink.rules.tl2_payloads.forms import FLAT

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
        rooted = root_calls(context.trace, context.once(Declarations))
        checker = Checker(len(context.trace.calls), context.lasting.get(Schemas))
        kept = list(misfitting(rooted, lambda: context.once(actions_by_call), checker))
        context.kept[RULE.code] = kept
    return kept


def misfitting(
    rooted: Iterable[tuple[Call, Declared]], actions: Callable[[], dict[CallKey, Action]], checker: Checker
) -> Iterator[_Checked]:
    """The calls whose arguments do not fit their schema, or could not be held against it. rooted: as `root_calls` gives them; actions:
    `actions_by_call`."""
    held: Declared | None = None
    good: set[tuple[Any, ...]] = set()  # function, member names and their types, of plain calls that fit what is held
    for call, declared in rooted:
        if call.plain:
            if declared is not held:
                held, good = declared, set()
            shape = (call.name, *call.arguments, *map(type, call.arguments.values()))
            if shape in good:
                continue
        schema: Any = declared.schemas.get(call.name or "")
        if schema is None:
            continue
        if call.plain and checker.known(schema, call.arguments):
            # What the action asks for is written alike. Where no member has members, the form is names and types.
            if FLAT.issuperset(map(type, call.arguments.values())):
                good.add(shape)
            continue
        action = actions().get(call.key)
        value: Any = action.seen.arguments if action is not None else None
        if value.__class__ is dict and checker.known(schema, value):
            continue
        arguments = asked(call, action)
        value = arguments.value
        if isinstance(value, str):
            try:
                value = decode(value)
            except (ValueError, RecursionError):
                continue  # TL203 tells
        if value is None or (call.name in declared.open and isinstance(value, dict)):
            continue  # null may stand for what a recorder left out (L.2.14)
        outcome = checker.check(schema, value)
        if outcome != FITS:
            yield call, arguments, declared, outcome


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
