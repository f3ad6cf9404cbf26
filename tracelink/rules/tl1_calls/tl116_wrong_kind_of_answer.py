"""An approval answered as a tool call, or an answer to a request that is not there."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls.resend import often, times


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    for result in trace.results:
        if result.problem != "TL116" or result.meant is None:
            continue
        yield rule.finding(
            f"A tool_result at {place(result.first)}{often(result)} names {result.call_id}, but {result.meant.detail}, which an approval result answers: "
            "nothing was answered by it.",
            at=(result.first, *result.repeated[:3]),
            times=times(result),
            ids={"request_id": result.meant.request_id, "turn_id": result.turn_id, "posted_call_id": result.call_id},
        )
    open_ = {one.seen.request_id: one for one in trace.actions if one.seen.request_id is not None} if trace.answers else {}
    for answer in trace.answers:
        if answer.problem != "TL116":
            continue
        near = open_.get(answer.near) if answer.near is not None else None
        action = trace.actions[answer.action] if answer.action is not None else near
        yield rule.finding(
            f"The {answer.posted.type.removeprefix('agent.session.input.')} at {place(answer.posted.at)} answers "
            f"{answer.request_id or 'no request'}, but {answer.detail}: nothing was answered by it.",
            at=(answer.posted.at, action.last if action is not None else None),
            ids={
                "request_id": answer.near or answer.request_id,
                "posted_request_id": answer.request_id if answer.near else None,
            },
            hint=f"If {answer.near} was meant, post the same answer again with that request_id." if near is not None else None,
        )


RULE = Rule(
    code="TL116",
    name="wrong-kind-of-answer",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="An answer is of a kind that does not answer what it names.",
    proves=(
        "A tool_result names an approval's request_id, an approval result names a function call or a request of "
        "another kind, or a request that the session's list of actions would show if it were there."
    ),
    cannot="What the server replied, unless its refusal is recorded too (TL307).",
    quiet="Approvals from before the recording begins.",
    example='An mcp_approval_request appr_1, answered by tool_result{call_id: "appr_1"}.',
    remedy=(
        "Answer an MCP approval by mcp_approval_request_result, a computer-use approval by "
        "computer_use_approval_request_result, with the request_id from required_actions."
    ),
    check=check,
)
