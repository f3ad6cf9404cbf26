"""Answers to approvals: which posted answer belongs to which approval, and which to none (TL116).

An answer is known by its request_id alone (fact sheet D.2). Its type must fit the approval's. An unknown request_id is a
fault only where the recording would know it: where it lists approvals, or the session's actions, before the post. Where one approval
that nobody answered has nearly this request_id, it is named, and nothing is applied.
"""

from tracelink.link.latest import ActionKey
from tracelink.link.near import WORDS, NearIndex
from tracelink.link.shelves import Named
from tracelink.model.facts import InputSeen, RefusalSeen
from tracelink.model.location import Origin, order
from tracelink.model.recording import Recording
from tracelink.model.trace import Action, Answer

ANSWERS = {
    "agent.session.input.mcp_approval_request_result": "mcp_approval_request",
    "agent.session.input.computer_use_approval_request_result": "computer_use_approval_request",
}
"""Input type → type of the action that it answers."""


def answers(
    recording: Recording, others: list[Named], actions: dict[ActionKey, Action], refusals: dict[int, RefusalSeen]
) -> list[Answer]:
    """All posted answers to approvals, in order. others: the items beside calls, results and coordination."""
    if not any(post.type in ANSWERS for post in recording.inputs):
        return []
    order_of = list(actions)
    by_request = {actions[key].seen.request_id: number for number, key in enumerate(order_of) if actions[key].seen.request_id}
    calls = {actions[key].seen.call_id for key in order_of if actions[key].seen.call_id}
    requested = {seen[0].request_id for _, _, seen in others if seen[0].type == "computer_use_approval_request"}
    recorded = {
        seen[0].request_id: seen[0].at for _, _, seen in others if seen[0].type == "computer_use_approval_request_result"
    }
    answered = {post.request_id for post in recording.inputs if post.type in ANSWERS} | set(recorded)
    index: NearIndex | None = None
    found = []
    for post in recording.inputs:
        if post.type not in ANSWERS:
            continue
        number = by_request.get(post.request_id) if post.request_id is not None else None
        problem, detail, near = None, "", None
        if post.request_id is None:
            problem, detail = "TL116", "has no request_id"
        elif number is not None:
            wanted = actions[order_of[number]].seen.type
            if wanted != ANSWERS[post.type]:
                problem, detail = "TL116", f"the request is {_an(wanted)}"
        elif post.request_id in calls:
            problem, detail = "TL116", "that is the call_id of a function call, which is answered by a tool_result"
        elif post.request_id not in requested and _would_know(post, recording):
            if index is None:
                index = NearIndex(("", request_id) for request_id in by_request if request_id and request_id not in answered)
            problem, detail = "TL116", "no approval with this request_id is in the recording"
            close = index.nearest(post.request_id, None, lambda _: True)
            if len(close) == 1:
                near = close[0].key[1]
                detail = f"no approval has this request_id; that of an open one, {near}, {WORDS[close[0].reason]}"
        found.append(
            Answer(
                post,
                post.request_id,
                number,
                problem,
                detail,
                recorded.get(post.request_id),
                refusals.get(id(post.at)),
                near,
            )
        )
    return found


def _would_know(post: InputSeen, recording: Recording) -> bool:
    """Whether a snapshot before the post, in the same source, lists what the session waits for."""
    return any(snapshot.body.status == "requires_action" and _before(snapshot.at, post.at) for snapshot in recording.snapshots)


def _before(a: Origin, b: Origin) -> bool:
    return a.index == b.index and order(a, b) == -1


def _an(type_: str) -> str:
    return ("an " if type_[:1] in "aeiom" else "a ") + type_
