"""What to do now: for each open action one sentence and, where something is to be posted, the body to post.

Ids are copied, never made up. What only the app can know is an obvious placeholder (`NextAction.placeholders` says where). Where
the result was already computed and went astray, the body carries it under the right pair (DESIGN 6).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from tracelink.judge.open_actions import MISADDRESSED, NO, REFUSED, UNAPPLIED
from tracelink.model.facts import ActionSeen, RefusalSeen
from tracelink.model.trace import Answer, CallKey, Result, Trace
from tracelink.model.verdict import ANSWERED_UNAPPLIED, AWAITING, NextAction, OpenAction, Placeholder, Verdict

SIDE_EFFECTS = "before running the function again, look whether it already ran and had effects"
TRUE_OR_FALSE = Placeholder("<true or false>")
DECISION = Placeholder("<approve, deny or cancel>")


class Misfit(NamedTuple):
    """What is wrong with a call itself: the finding that tells it, and one sentence for the model that made the call."""

    code: str
    told: str


def next_actions(trace: Trace, verdict: Verdict, misfits: Mapping[CallKey, Misfit] | None = None) -> tuple[NextAction, ...]:
    """One entry an open action, in order; without one, at most a word on what to read again.

    misfits: open calls that do not fit what the session declares (`rules` knows them), by key.
    """
    if verdict.awaits in (AWAITING, ANSWERED_UNAPPLIED):
        wrong = misfits or {}
        steps = [
            _for(trace, action, wrong.get((action.action.turn_id or "", action.action.call_id or "")))
            for action in verdict.actions
        ]
        return tuple(_where_to_look(trace, verdict.actions, steps))
    if verdict.awaits == "unknown":
        name = trace.session_id or "{id}"
        return (NextAction(f"Read the session again (GET …/agents/sessions/{name}) and build once more with it."),)
    return ()


def _where_to_look(trace: Trace, actions: Sequence[OpenAction], steps: list[NextAction]) -> Iterator[NextAction]:
    """The steps; the first for which the recording holds no answer says so, for all of them, and where one would show."""
    silent = [
        at for at, (one, step) in enumerate(zip(actions, steps, strict=True)) if _unanswered(one) and step.body is not None
    ]
    for at, step in enumerate(steps):
        if at not in silent[:1]:
            yield step
            continue
        seen, others = actions[at].action, len(silent) - 1
        more = f" nor to {others} other open action{'s' if others > 1 else ''}" if others else ""
        yield replace(
            step,
            text=f"{step.text} The recording holds no answer to {seen.call_id or seen.request_id}{more} and cannot show whether one was "
            f"sent and lost or never sent: look first into the app's own log of posts to {events_endpoint(trace)}.",
        )


def _unanswered(action: OpenAction) -> bool:
    return action.answered == NO and action.astray is None


def events_endpoint(trace: Trace) -> str:
    """Where the app posts what a session of this id waits for (fact sheet D.2)."""
    return f"…/agents/sessions/{trace.session_id or '{id}'}/events"


def _for(trace: Trace, action: OpenAction, misfit: Misfit | None) -> NextAction:
    seen = action.action
    nothing = no_post(seen)
    if nothing is not None:
        return NextAction(nothing)
    if seen.type == "function_call":
        return _tool_result(trace, action, misfit)
    if seen.type in ("mcp_approval_request", "computer_use_approval_request") and action.answered in (UNAPPLIED, REFUSED):
        posted = _posted(trace, seen)
        if posted is not None:
            return _same_answer(action, posted)
    nearly = _posted_nearly(trace, action)
    if nearly is not None:
        return nearly
    if seen.type == "mcp_approval_request":
        return _mcp(action)
    return _computer(action)


def no_post(seen: ActionSeen) -> str | None:
    """What to do about an action for which nothing can be posted; None where something can."""
    missing = [name for name in _KEYS.get(seen.type, ()) if not getattr(seen, name)]
    if missing:
        return f"The {seen.type} is listed without {' and '.join(missing)}, so nothing can be posted for it: read the session again."
    if seen.type in _KEYS:
        return None
    if seen.type == "environment_connection":
        return (
            f"Start the executor for environment {seen.environment_id}; nothing is posted, "
            "the API clears the action when it connects (it waits about five minutes)."
        )
    return f"Nobody documents how a {seen.type} action is answered; look into the API's current reference."


_KEYS = {
    "function_call": ("turn_id", "call_id"),
    "mcp_approval_request": ("request_id",),
    "computer_use_approval_request": ("request_id",),
}
"""What an answer must name (fact sheet D.2)."""


def _tool_result(trace: Trace, action: OpenAction, misfit: Misfit | None) -> NextAction:
    seen = action.action
    name = seen.name or "the function"
    result = trace.results[action.result] if action.result is not None else None
    if result is None and action.answered == MISADDRESSED:
        text = (
            f"Several different results were posted for {seen.call_id} under ids that are not its own: find out which holds and "
            f"post that one; do not run {name} again."
        )
        return NextAction(text, _body(_result(seen, TRUE_OR_FALSE, Placeholder(f"<the output of {name} that holds>"))))
    if result is None and _cut_off(seen.arguments):
        text = (
            f"The arguments of {seen.call_id} are no complete JSON: do not guess what they were to be, answer that {name} could "
            "not be run."
        )
        return NextAction(text, _failed(seen, "The arguments were no complete JSON."))
    if result is None and misfit is not None:
        return _misfit(seen, name, misfit)
    if result is None and action.astray is not None:
        text = (
            f"If what was posted at {action.astray.at.short} was meant for {seen.call_id}, post that result again under these ids; "
            f"else run {name} and post its result; {SIDE_EFFECTS}."
        )
        return NextAction(text, _body(_result(seen, True, Placeholder(f"<output of {name} as text>"))))
    if result is None:
        text = f"Run {name} and post its result for {seen.call_id}; {SIDE_EFFECTS}."
        return NextAction(text, _body(_result(seen, True, Placeholder(f"<output of {name} as text>"))))
    event = _again(seen, result)
    body = _body(event)
    if action.answered == UNAPPLIED:
        text = (
            f"Read the session again; if it still lists {seen.call_id}, post the same result once more under the same ids "
            "(an identical resend is accepted)."
        )
    elif action.answered == REFUSED:
        said = f" ({result.refused.message})" if result.refused is not None else ""
        again = f"post it again, without running {name} again"
        text = f"The server refused the result of {seen.call_id}{said}: {_if_listed(result.refused, seen.call_id, again)}."
    elif action.answered == MISADDRESSED and result.call == (seen.turn_id, seen.call_id):
        text = f"Post the result that is already there as agent.session.input.tool_result; do not run {name} again."
    elif action.answered == MISADDRESSED:
        text = f"Post the result that is already there under the right pair, {seen.turn_id} and {seen.call_id}; do not run {name} again."
    else:
        text = f"Post the result of {name} for {seen.call_id}."
    if not isinstance(event["success"], bool):
        text += " Whether it succeeded was not posted as true or false: fill that in."
    return NextAction(text, body)


def _misfit(seen: ActionSeen, name: str, misfit: Misfit) -> NextAction:
    """A call that the model should mend: the handler is not run on a guess."""
    if misfit.code == "TL205":
        text = (
            f"The session declares no function {name} (TL205): answer {seen.call_id} that there is none, unless your app has it all "
            "the same."
        )
    else:
        text = (
            f"The arguments of {seen.call_id} do not fit the schema that the session declares for {name} ({misfit.code}): check them "
            f"before {name} runs, and answer what is wrong if it cannot run with them, so that the model can mend them."
        )
    return NextAction(text, _failed(seen, misfit.told))


def _failed(seen: ActionSeen, error: str) -> dict[str, Any]:
    event = _result(seen, False, None)
    del event["output"]
    return _body({**event, "error": error})


def _cut_off(arguments: Any) -> bool:
    """Whether arguments are text that is no complete JSON (TL203)."""
    if not isinstance(arguments, str):
        return False
    try:
        orjson.loads(arguments)
    except ValueError:
        return True
    return False


def _again(seen: ActionSeen, result: Result) -> dict[str, Any]:
    """The event that says again what a result said, with the ids of the action."""
    failed = result.success is False or (result.success is None and result.error is not None)
    # Items and the unofficial inputs that imitate them have no `success`; a tool_result without one leaves it open.
    shapeless = result.success is None and (result.posted is None or not result.official)
    told = isinstance(result.success, bool) or failed or shapeless
    event = _result(seen, not failed if told else TRUE_OR_FALSE, None)
    if result.output is not None or not failed:
        event["output"] = _text(result.output, seen)
    else:
        del event["output"]
    if result.error is not None:
        event["error"] = result.error if isinstance(result.error, str) else _text(result.error, seen)
    return event


def _text(output: Any, seen: ActionSeen) -> Any:
    """An output as the API takes it: text or content parts stay, other JSON becomes text (fact sheet B.3)."""
    if output is None:
        return Placeholder(f"<output of {seen.name or 'the function'} as text>")
    if isinstance(output, str):
        return output
    if isinstance(output, list) and output and all(_is_part(part) for part in output):
        return output
    try:
        return orjson.dumps(output).decode()
    except TypeError:
        return str(output)


def _is_part(part: object) -> bool:
    return isinstance(part, dict) and part.get("type") in ("input_text", "input_image")


def _result(seen: ActionSeen, success: bool | str, output: str | None) -> dict[str, Any]:
    return {
        "type": "agent.session.input.tool_result",
        "turn_id": seen.turn_id,
        "call_id": seen.call_id,
        "success": success,
        "output": output,
    }


def _mcp(action: OpenAction) -> NextAction:
    seen = action.action
    request = seen.request if isinstance(seen.request, dict) else {}
    server = request.get("server_label")
    tool = f"{seen.name or 'a tool'}{f' of {server}' if isinstance(server, str) else ''}"
    event = {
        "type": "agent.session.input.mcp_approval_request_result",
        "request_id": seen.request_id,
        "response": {"type": "mcp_tool_call", "decision": DECISION},
    }
    return NextAction(
        f"{_lead(action)}Decide whether {tool} may run and post the decision for {seen.request_id}.", _body(event)
    )


def _computer(action: OpenAction) -> NextAction:
    seen = action.action
    request = seen.request if isinstance(seen.request, dict) else {}
    if request.get("type") == "browser_origin_access":
        response: dict[str, Any] = {"type": "browser_origin_access", "decision": DECISION}
        text = f"Decide whether the browser may open {request.get('origin') or 'the origin'} and post the decision for {seen.request_id}."
    else:
        fields = request.get("fields")
        wanted = [field.get("id") for field in fields if isinstance(field, dict)] if isinstance(fields, list) else []
        response = {
            "type": "browser_authentication",
            "action": "submit",
            "fields": [{"field_id": one, "value": Placeholder("<value from the user>")} for one in wanted],
        }
        options = request.get("options")
        if isinstance(options, list) and options:
            response["selected_option"] = Placeholder("<id of the chosen option>")
        text = f"Ask the user to sign in and post the fields for {seen.request_id}, or cancel it."
    event = {
        "type": "agent.session.input.computer_use_approval_request_result",
        "request_id": seen.request_id,
        "response": response,
    }
    return NextAction(_lead(action) + text, _body(event))


def _posted(trace: Trace, seen: ActionSeen) -> Answer | None:
    """The last answer that was rightly posted to an approval."""
    return next((one for one in reversed(trace.answers) if one.request_id == seen.request_id and one.problem is None), None)


def _same_answer(action: OpenAction, posted: Answer) -> NextAction:
    """An answer that was already given is not decided anew."""
    seen = action.action
    event = {"type": posted.posted.type, "request_id": seen.request_id, "response": posted.posted.value.get("response")}
    if action.answered == REFUSED:
        said = f" ({posted.refused.message})" if posted.refused is not None and posted.refused.message else ""
        text = f"The server refused the answer to {seen.request_id}{said}: {_if_listed(posted.refused, seen.request_id, 'post it again')}."
    else:
        text = f"Read the session again; if it still lists {seen.request_id}, post the same answer once more."
    return NextAction(text, _body(event))


def _if_listed(refusal: RefusalSeen | None, id_: str | None, again: str) -> str:
    """After a conflict the turn may be over, or another answer taken (fact sheet D.5): the session is to be read first."""
    if refusal is not None and (refusal.http_status == 409 or "conflict" in (refusal.code or refusal.type or "")):
        return f"a conflict means that its turn is over or another answer was taken; read the session, and if it still lists {id_}, {again}"
    return again


def _posted_nearly(trace: Trace, action: OpenAction) -> NextAction | None:
    """The answer that was given under a request_id nearly this one's, under the right one; None where there are none or several."""
    seen = action.action
    if action.answered != MISADDRESSED or seen.request_id is None:
        return None
    nearly = [one for one in trace.answers if one.near == seen.request_id]
    said = [one.posted.value.get("response") for one in nearly]
    if (
        not nearly
        or any(one != said[0] for one in said[1:])
        or len(nearly) < sum(one.request_id == seen.request_id for one in trace.answers)
    ):
        return None
    text = (
        f"If the answer posted for {nearly[-1].request_id} ({nearly[-1].posted.at.location.short}) was meant for {seen.request_id}, post it "
        "again under this request_id; else decide anew."
    )
    return NextAction(text, _body({"type": nearly[-1].posted.type, "request_id": seen.request_id, "response": said[0]}))


def _lead(action: OpenAction) -> str:
    if action.answered == MISADDRESSED:
        return "What was posted does not answer this request. "
    return ""


def _body(event: dict[str, Any]) -> dict[str, Any]:
    return {"events": [event]}
