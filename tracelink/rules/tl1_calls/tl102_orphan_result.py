"""A result that answers no call, nor anything near one."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls.resend import FETCH, LACKING, doubt, named, often, times


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for result in context.trace.results:
        if result.problem != "TL102":
            continue
        severity, confidence = doubt(result)
        if severity is not None:
            yield rule.finding(
                f"A recorded result names {named(result.call_id)} in turn {named(result.turn_id)} at {place(result.first)}{often(result)}, and its call is not in the "
                f"recording: {LACKING}",
                at=(result.first, *result.repeated[:3]),
                times=times(result),
                ids={"call_id": result.call_id, "turn_id": result.turn_id},
                severity=severity,
                confidence=confidence,
                hint=FETCH,
            )
            continue
        yield rule.finding(
            f"A posted result names {named(result.call_id)} in turn {named(result.turn_id)} at {place(result.first)}{often(result)}, and no call of this session "
            "has that pair, nor is an open call's like it: nothing was answered by it.",
            at=(result.first, *result.repeated[:3]),
            times=times(result),
            ids={"call_id": result.call_id, "turn_id": result.turn_id},
        )


RULE = Rule(
    code="TL102",
    name="orphan-result",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="A result names a pair of ids that no call has, nor anything near it.",
    proves="The recording covers the turn from its beginning up to the result, and holds no such call.",
    cannot=(
        "For a recorded item (a warning of low confidence): that the server has no such call; it stores no mismatched result, so"
        " a filtered recording is likelier."
    ),
    quiet=(
        "Results whose turn's beginning is not recorded, whose call may lie on a page that was not fetched, or that"
        " came after the recording of their turn ends: they are listed as not checked."
    ),
    example="tool_result{turn_1, call_zz9} while the turn's only call is call_a1.",
    remedy="Compare with required_actions, and copy turn_id and call_id from there unchanged.",
    check=check,
)
