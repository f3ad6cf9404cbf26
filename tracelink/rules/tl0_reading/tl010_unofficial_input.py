"""An input event type that the API does not take."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    taken = {result.posted: result.recorded for result in context.trace.results if result.recorded is not None}
    for post in context.trace.inputs:
        if post.official or (post.turn_id is None and post.call_id is None and post.request_id is None):
            continue
        recorded = taken.get(post.at)
        told = (
            f"the result is recorded all the same at {place(recorded)}, so something on the way took it or sent it in the right form"
            if recorded is not None
            else f"nothing shows that {post.call_id or post.request_id or 'the action'} was answered by it"
        )
        yield rule.finding(
            f"The app posted {post.type} at {place(post.at)}, which is no input type of the API: {told}.",
            at=(post.at, recorded),
            severity=Severity.WARNING if recorded is not None else None,
            ids={"call_id": post.call_id, "turn_id": post.turn_id, "request_id": post.request_id, "type": post.type},
        )


RULE = Rule(
    code="TL010",
    name="unofficial-input",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="The app posted an input event of a type that the API does not take; as a warning: its result is recorded all the same.",
    proves="The type is none of the five that the API takes, and the post carries ids of something to be answered.",
    cannot="What a compatible server of another vendor makes of it, or a gateway in between.",
    quiet="Inputs without ids (TL003).",
    example='{"type": "agent.session.input.function_call_output", "call_id": …}',
    remedy="Post agent.session.input.tool_result with turn_id, call_id, success and output.",
    check=check,
)
