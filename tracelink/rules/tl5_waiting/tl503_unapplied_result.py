"""A result that was posted, and of which nothing more is known."""

from collections.abc import Iterable

from tracelink.model.facts import InputSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import order
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls import decisions
from tracelink.rules.tl1_calls import tl106_conflicting_results as tl106
from tracelink.rules.tl2_payloads import tl201_output_not_text as tl201
from tracelink.rules.tl2_payloads import tl202_contradictory_result as tl202
from tracelink.rules.tl5_waiting.replies import replied, replies


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    listed = {action.seen.call_id: action.last for action in trace.actions if action.listed_latest}
    faulty: dict[tuple[str | None, str | None], str] | None = None
    for call in trace.calls.values():
        if call.state != "unapplied":
            continue
        posts = [trace.results[index] for index in call.results if trace.results[index].posted is not None]
        last = next((one for one in reversed(posts) if one.refused is None), posts[-1])  # a refused one is told by TL307
        turn = trace.turns.get(call.turn_id)
        ended = turn.ended if turn is not None else None
        if ended is not None and last.posted is not None and order(ended, last.posted) == -1:
            continue  # posted too late: TL110 tells
        if faulty is None:
            faulty = _faulty(context)
        outcome = (
            f"the call is not pending any more, since its turn ended at {place(ended)}, and whether the model saw the result is not known"
            if ended is not None
            else "the call may still be pending"
        )
        again = listed.get(call.call_id)
        still = again is not None and last.posted is not None and order(last.posted, again) == -1
        said = (
            f"a later snapshot ({place(again)}) still lists the call"
            if still
            else "the recording neither confirms nor refuses it"
        )
        reply = replied(context.once(replies), last.posted) if last.posted is not None else ""
        yield rule.finding(
            f"The result for {call.call_id} ({call.name or 'no name'}) was posted at {place(last.posted)}, and {said}{reply}: {outcome}.",
            at=(last.posted, again if still else call.first),
            hint="Do not post it again: look into the items of the session whether it was recorded."
            if ended is not None
            else _mend(faulty.get(call.key)),
            ids={"call_id": call.call_id, "turn_id": call.turn_id},
        )
    for request_id, answers in context.once(decisions.decisions).items():
        answer = answers[-1]
        action = trace.actions[answer.action] if answer.action is not None else None
        if any(one.recorded for one in answers) or action is None or not action.listed_latest or action.cleared:
            continue
        yield rule.finding(
            f"The answer to {request_id} was posted at {place(answer.posted.at)}, and the recording neither confirms nor refuses it"
            f"{replied(context.once(replies), answer.posted.at)}: the approval may still be pending.",
            at=(answer.posted.at, action.last),
            ids={"request_id": request_id},
            hint="Read the session; post neither of the two answers again before it is clear which of them is right (TL106)."
            if decisions.differing(answers)
            else _decide(answer.posted),
        )


def _decide(posted: InputSeen) -> str | None:
    """What to do where the answer to an MCP approval decides nothing that is documented (fact sheet D.2)."""
    response = posted.value.get("response")
    decision = response.get("decision") if isinstance(response, dict) else None
    if posted.type != "agent.session.input.mcp_approval_request_result" or decision in ("approve", "deny", "cancel"):
        return None
    return "Read the session; if the action is still listed, answer it with the decision approve, deny or cancel, which this post does not have."


def _faulty(context: Context) -> dict[tuple[str | None, str | None], str]:
    """(turn id, call id) of results that another rule finds fault with → its code."""
    found: dict[tuple[str | None, str | None], str] = {}
    for rule in (tl106.RULE, tl201.RULE, tl202.RULE):
        for finding in rule.check(rule, context):
            found.setdefault((finding.ids.get("turn_id"), finding.ids.get("call_id")), rule.code)
    return found


def _mend(code: str | None) -> str | None:
    """What to do where the same answer again would not help; None where it does."""
    if code == "TL106":
        return "Read the session and its items; post neither of the two results again before it is clear which of them is right (TL106)."
    if code is not None:
        return f"Mend the result first ({code}); then read the session, and post it if the action is still listed."
    return None


RULE = Rule(
    code="TL503",
    name="unapplied-result",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="A result or approval was posted, and the recording does not show what became of it.",
    proves="No later snapshot, recorded item or refusal speaks of it.",
    cannot=(
        "That it was lost: HTTP 202 means accepted, and the recording may just end. An HTTP error of another kind than a refused input "
        "(401, 403, 404, 429, 500) on the line after the post is told with it; whether it is the reply is not known. In the post's own log entry it is, "
        "and refuses the post (TL307), but for one of the server (408, 500, 503): that does not tell whether the post was taken."
    ),
    quiet=(
        "Posts followed by their item, by a snapshot without the action, or by the completion of their turn; posts after the end of their "
        "turn (TL110; of an async function nothing is said)."
    ),
    example="tool_result as the last line.",
    remedy="Read the session; if the action is still listed, post the same answer again (an identical resend is accepted).",
    check=check,
)
