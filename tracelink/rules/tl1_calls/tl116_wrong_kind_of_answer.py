"""An approval answered as a tool call, or an answer to a request that is not there."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.trace import Call, Trace
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls.decisions import home
from tracelink.rules.tl1_calls.resend import often, resend, times


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
    calls: dict[str, Call] | None = None
    for answer in trace.answers:
        if answer.problem != "TL116" or home(context.run, trace, answer) is not None:
            continue
        near = open_.get(answer.near) if answer.near is not None else None
        if calls is None:
            calls = {call.call_id: call for call in trace.calls.values()}
        call = calls.get(answer.request_id or "") if near is None else None
        action = trace.actions[answer.action] if answer.action is not None else near
        said = f"answers {answer.request_id}, but {answer.detail}" if answer.request_id is not None else answer.detail
        yield rule.finding(
            f"The {answer.posted.type.removeprefix('agent.session.input.')} at {place(answer.posted.at)} {said}: nothing was answered by it.",
            at=(answer.posted.at, action.last if action is not None else None),
            ids={
                "request_id": answer.near or answer.request_id,
                "posted_request_id": answer.request_id if answer.near else None,
            },
            hint=f"If {answer.near} was meant, post the same answer again with that request_id."
            if near is not None
            else _of_call(trace, call),
        )


def _of_call(trace: Trace, call: Call | None) -> str | None:
    if call is None:
        return None
    if call.state == "unapplied":
        return f"Read the session: a result of {call.call_id} was posted as well, and the recording neither confirms nor refuses it."
    again = f"Run the function and answer it by a tool_result with turn_id {call.turn_id} and call_id {call.call_id}."
    return resend(trace, call, again)


RULE = Rule(
    code="TL116",
    name="wrong-kind-of-answer",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="An answer is of a kind that does not answer what it names.",
    proves=(
        "A tool_result names an approval's request_id, an approval result names a function call or a request of "
        "another kind, or a request that the session's list of actions would show if it were there, or lacks the request_id."
    ),
    cannot="What the server replied, unless its refusal is recorded too (TL307).",
    quiet="Approvals from before the recording begins; those of another session of the run (TL112).",
    example='An mcp_approval_request appr_1, answered by tool_result{call_id: "appr_1"}.',
    remedy=(
        "Answer an MCP approval by mcp_approval_request_result, a computer-use approval by "
        "computer_use_approval_request_result, with the request_id from required_actions."
    ),
    check=check,
)
