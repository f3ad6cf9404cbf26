"""An action was cleared, and the result that cleared it is not in the recording."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    cleared = [call for call in context.trace.calls.values() if call.state == "cleared"]
    if not cleared:
        return
    required = {(one.seen.turn_id, one.seen.call_id): one for one in context.trace.actions if one.seen.call_id}
    streamed = {fact.at.index for item in context.trace.calls.values() for fact in item.history if fact.phase != "listed"}
    # Only work that went on shows that the call was answered; idle or a reached budget may have ended it unanswered.
    at_work = {one.at for one in context.trace.snapshots if one.body.status == "in_progress" or one.body.actions}
    # The one open call that a recorded result without an id fits: TL111 tells of both.
    fitting = {
        (one.meant.turn_id, one.meant.call_id)
        for one in context.trace.results
        if one.problem == "TL111" and one.posted is None and one.meant is not None and not one.meant.others
    }
    for call in cleared:
        if call.key in fitting:
            continue
        action = required.get(call.key)
        if action is None or action.cleared is None or action.cleared.index not in streamed or action.cleared not in at_work:
            continue
        yield rule.finding(
            f"{call.call_id} ({call.name or 'no name'}) was required at {place(action.last)} and no longer is at {place(action.cleared)}, but no "
            "result for it is recorded up to there: who answered it, and with what, lies outside of this recording.",
            at=(action.cleared, action.last, call.first),
            ids={"call_id": call.call_id, "turn_id": call.turn_id},
        )


RULE = Rule(
    code="TL113",
    name="result-not-recorded",
    severity=Severity.NOTE,
    confidence=Confidence.MEDIUM,
    summary="A required call was cleared, but its result is not in the recording.",
    proves=(
        "A snapshot lists the call as required, a later one in the same stream does not, and neither a post nor an "
        "item with its result is recorded up to there."
    ),
    cannot="Who answered and with what.",
    quiet=(
        "Recordings without any item events (nothing is said of what they lack); calls cleared by the end of their turn; calls that a "
        "recorded result without an id fits (TL111)."
    ),
    example="requires_action[call_a1], then in_progress[], and no function_call_output.",
    remedy="Fetch the items of the session, or join the app's own log to this run.",
    check=check,
)
