"""One call, two different results."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.trace import Result
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls import decisions
from tracelink.rules.tl1_calls.differing import differing, failed
from tracelink.rules.tl1_calls.namesake import post_to_namesake

TWO_CALLS = "Clear up first which calls share the pair (TL109): the results may be one of each."


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for call in context.trace.calls.values():
        if len(call.results) < 2:
            continue
        mine = differing(context.trace, call)
        if not mine:
            continue
        first, second = mine[0], mine[1]
        more = f" ({len(mine)} different ones in all)" if len(mine) > 2 else ""
        kept = [one for one in mine if one.recorded is not None]
        end = (
            f"only the one recorded at {place(kept[0].recorded)} is known to have been taken."
            if len(kept) == 1
            else "the server takes the first and answers a different one with a conflict, so which one the model was given is in doubt."
        )
        yield rule.finding(
            f"{call.call_id} ({call.name or 'no name'}) has two results that differ, at {place(first.first)} and {place(second.first)}{more}{_failures(mine)}: "
            f"{end}",
            at=(second.first, first.first, call.first),
            ids={"call_id": call.call_id, "turn_id": call.turn_id},
            hint=TWO_CALLS if call.variants else post_to_namesake(context, call.call_id, call.turn_id, mine[-1].posted),
        )
    for request_id, answers in context.once(decisions.decisions).items():
        said = decisions.differing(answers)
        if not said:
            continue
        yield rule.finding(
            f"The approval {request_id} has two answers that differ, at {place(said[0].posted.at)} and {place(said[1].posted.at)}: "
            "which of them was taken is not recorded.",
            at=(said[1].posted.at, said[0].posted.at, context.trace.actions[said[0].action or 0].last),
            ids={"request_id": request_id},
            hint="Find out who answered twice, and look whether what was asked for was done.",
        )


def _failures(mine: list[Result]) -> str:
    """Which of them say that the function failed: TL207 leaves that to this finding."""
    bad = [one for one in mine if failed(one)]
    if len(bad) == len(mine):
        return ", each of which says that the function failed"
    return f", of which the one at {place(bad[0].first)} says that the function failed" if bad else ""


RULE = Rule(
    code="TL106",
    name="conflicting-results",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="One call has two different results, or one approval two different answers.",
    proves=(
        "Two results under exactly the call's pair, be it one item that changed what it says, differ in output, error or success; or two "
        "posted answers to one request_id differ."
    ),
    cannot="Which of the two the model was given, unless only one stands as a recorded item.",
    quiet=(
        "Identical results (TL107); a post and the item that confirms it; an output that is null in a list while an"
        " event carried the text; a post that the server refused for another reason than the conflict; a call_id that stands twice"
        " and names no turn."
    ),
    example="tool_result{call_a1, output: ok}, tool_result{call_a1, output: failed}.",
    remedy="Find the two workers that answered, and key finished work by session, turn and call.",
    check=check,
)
