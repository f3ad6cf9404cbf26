"""What posted answers to one approval have in common: whether they differ, which came late, which went to another session."""

from tracelink.model.location import order
from tracelink.model.run import Run
from tracelink.model.trace import Answer, Trace

Decisions = dict[str, list[Answer]]
"""request_id → its answers that fit and that the server did not refuse, in order of reading."""


def decisions(trace: Trace) -> Decisions:
    found: Decisions = {}
    for answer in trace.answers:
        if answer.request_id is not None and answer.action is not None and not answer.problem and answer.refused is None:
            found.setdefault(answer.request_id, []).append(answer)
    return found


def differing(answers: list[Answer]) -> list[Answer]:
    """One answer of each kind, the first; empty where all say the same."""
    found: list[Answer] = []
    for answer in answers:
        said = answer.posted.value.get("response")
        if all(one.posted.value.get("response") != said for one in found):
            found.append(answer)
    return found if len(found) > 1 else []


def late(trace: Trace, answers: list[Answer]) -> Answer | None:
    """The first answer to a request, where it was posted after the request's turn was over."""
    first = answers[0]
    action = trace.actions[first.action] if first.action is not None else None
    turn = trace.turns.get(action.seen.turn_id or "") if action is not None else None
    if turn is None or turn.ended is None or first.recorded is not None:
        return None
    post, ended = first.posted.at, turn.ended
    sooner = post.received is not None and ended.received is not None and post.received < ended.received
    return first if order(ended, post) == -1 and not sooner else None


def home(run: Run, trace: Trace, answer: Answer) -> Trace | None:
    """The other session of the run that alone asks for what this answer names, where its post says that it went to this one."""
    if answer.action is not None or answer.request_id is None or answer.posted.session_id is None:
        return None
    homes = [
        one
        for one in run.traces
        if one is not trace and any(action.seen.request_id == answer.request_id for action in one.actions)
    ]
    return homes[0] if len(homes) == 1 else None
