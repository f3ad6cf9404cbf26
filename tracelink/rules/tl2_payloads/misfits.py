"""The open calls that do not fit what the session declares, for the next action: what their answer should say (TL204, TL205)."""

from tracelink.judge.declared import Declarations
from tracelink.judge.next_action import Misfit
from tracelink.model.trace import CallKey, Trace
from tracelink.model.verdict import AWAITING, Verdict
from tracelink.rules.tl2_payloads.asked import actions_by_call
from tracelink.rules.tl2_payloads.bounded import Checker, Schemas
from tracelink.rules.tl2_payloads.declared import root_calls
from tracelink.rules.tl2_payloads.tl204_arguments_against_schema import SHOWN, misfitting
from tracelink.rules.tl2_payloads.tl205_undeclared_tool import undeclared


def misfits(trace: Trace, verdict: Verdict, schemas: Schemas) -> dict[CallKey, Misfit]:
    """Key of an open call that nobody answered → what is wrong with the call itself. Empty where nobody is awaited.

    schemas: what is known of them; one for all sessions of a run.
    """
    if verdict.awaits != AWAITING:
        return {}
    keys = [(one.action.turn_id or "", one.action.call_id or "") for one in verdict.actions if one.answered == "no"]
    calls = [trace.calls[key] for key in keys if key in trace.calls]
    if not calls:
        return {}
    declared_at = Declarations(trace)
    rooted = list(root_calls(trace, declared_at, calls=calls))
    found = {
        call.key: Misfit("TL205", f"There is no function {call.name}.")
        for call, declared in rooted
        if undeclared(call, declared, declared_at)
    }
    for call, _, _, outcome in misfitting(rooted, lambda: actions_by_call(trace), Checker(len(calls), schemas)):
        if outcome.problems:
            found[call.key] = Misfit("TL204", f"The arguments do not fit the schema: {'; '.join(outcome.problems[:SHOWN])}.")
    return found
