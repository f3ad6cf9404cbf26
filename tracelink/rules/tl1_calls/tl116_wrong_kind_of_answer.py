"""An approval answered as a tool call, or an answer to a request that is not there."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    for result in trace.results:
        if result.problem != "TL116" or result.meant is None:
            continue
        yield rule.finding(
            f"A tool_result at {place(result.first)} names {result.call_id}, but {result.meant.detail}, which an approval result answers: "
            "the approval is still unanswered.",
            at=(result.first,),
            ids={"request_id": result.meant.request_id, "turn_id": result.turn_id, "posted_call_id": result.call_id},
        )
    for answer in trace.answers:
        if answer.problem != "TL116":
            continue
        action = trace.actions[answer.action] if answer.action is not None else None
        yield rule.finding(
            f"The {answer.posted.type.removeprefix('agent.session.input.')} at {place(answer.posted.at)} answers "
            f"{answer.request_id or 'no request'}, but {answer.detail}: nothing was answered by it.",
            at=(answer.posted.at, action.last if action is not None else None),
            ids={"request_id": answer.request_id},
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
