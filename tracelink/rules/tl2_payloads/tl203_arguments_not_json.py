"""The arguments of a call are text that is no complete JSON."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.plain import odd_calls
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl2_payloads.asked import actions_by_call, asked, decode, is_json


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for call in context.once(odd_calls):
        action = context.once(actions_by_call).get(call.key)
        if action is not None and action.seen.arguments.__class__ is dict:
            continue
        arguments = asked(call, action)
        if not isinstance(arguments.value, str) or is_json(arguments.value):
            continue
        turn = context.trace.turns.get(call.turn_id)
        if arguments.status == "incomplete" and turn is not None and turn.outcome in ("failed", "cancelled"):
            continue
        try:
            decode(arguments.value)
        except ValueError as error:
            why = str(error)
        except RecursionError:
            continue  # nested too deep to tell
        else:
            continue
        yield rule.finding(
            f"The arguments of {call.call_id or 'a call'} ({call.name or 'no name'}) at {place(arguments.at)} {why}: "
            "a handler that decodes them cannot run the function.",
            at=(arguments.at, call.first),
            ids={"call_id": call.call_id or None, "turn_id": call.turn_id or None},
        )


RULE = Rule(
    code="TL203",
    name="arguments-not-json",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="A call's arguments are text that is no complete JSON.",
    proves="The required action, or else the finished item, holds arguments as a string that does not decode.",
    cannot="Whether the model, the server or whoever recorded it cut the text.",
    quiet=(
        "Arguments that are an object, null or absent; JSON text of any kind; an item that was only announced or is "
        "still in progress; an unfinished item of a turn that failed or was cancelled."
    ),
    example='item.done{function_call, arguments: "{\\"sku\\": \\"BX-"}',
    remedy="Answer the call with success false and say that its arguments could not be read; do not guess the missing part.",
    check=check,
)
