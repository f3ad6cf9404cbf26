"""Lists: what a member is in the light of its neighbours, what a page lists, and in which order (fact sheets E, L.2.15)."""

from typing import Any

from tracelink.model.record import Kind
from tracelink.read.foreign import ANTHROPIC, CHAT, RESPONSES
from tracelink.read.shapes import ITEMS, STREAMED, Shape, text_of

_PAGE_OF = {Kind.ITEM: "item", Kind.TURN: "turn", Kind.SUBAGENT: "subagent", Kind.SESSION: "session"}
_EVENT_KINDS = STREAMED - {Kind.FOREIGN, Kind.UNKNOWN, Kind.UNREADABLE, Kind.HTTP_ERROR, Kind.WEBHOOK}


def in_list(shapes: list[Shape | None], values: list[Any]) -> list[Shape | None]:
    """The shapes of a list's members, in the light of each other: where one is an Agents item, so are those of the shared types;
    where one is another API's message, so is a plain `{role, content}`."""
    ours = any(shape is not None and shape.kind is Kind.ITEM for shape in shapes)
    foreign = None
    for shape in shapes:
        if shape is not None and shape.kind is Kind.FOREIGN and shape.detail in (CHAT, RESPONSES, ANTHROPIC):
            foreign = shape.detail
            break
    result: list[Shape | None] = []
    for shape, value in zip(shapes, values, strict=True):
        if ours and shape is not None and not shape.sure and shape.type in ITEMS:
            shape = Shape(Kind.ITEM, shape.type)
        elif foreign and not ours and shape is None and isinstance(value, dict) and "role" in value and "content" in value:
            shape = Shape(Kind.FOREIGN, text_of(value, "type"), foreign)
        result.append(shape)
    return result


def page_of(shapes: list[Shape | None]) -> str:
    """What a list page lists, by the first member that says."""
    for shape in shapes:
        if shape is not None:
            if shape.kind in _PAGE_OF:
                return _PAGE_OF[shape.kind]
            if shape.kind in _EVENT_KINDS:
                return "event"
    return "other"


def page_order(of: str, members: list[Any]) -> str | None:
    """asc, desc or None (fact sheet L.2.15): a call comes before its output, a user's message before the answer in its turn,
    and objects are ordered by their times."""
    if of in ("turn", "subagent", "session"):
        return _by_times(members)
    if of != "item":
        return None
    calls: dict[Any, int] = {}
    outputs: dict[Any, int] = {}
    said: dict[Any, dict[str, int]] = {}
    for index, item in enumerate(members):
        if not isinstance(item, dict):
            continue
        turn = text_of(item, "turn_id")
        type_ = item.get("type")
        key = (turn, text_of(item, "call_id") or text_of(item, "request_id"))
        if type_ in ("function_call", "computer_use_approval_request"):
            calls.setdefault(key, index)
        elif type_ in ("function_call_output", "computer_use_approval_request_result"):
            outputs.setdefault(key, index)
        elif type_ == "message" and turn is not None and isinstance(item.get("role"), str):
            said.setdefault(turn, {}).setdefault(item["role"], index)
    for key, index in calls.items():
        if key[1] is not None and key in outputs:
            return "asc" if index < outputs[key] else "desc"
    for roles in said.values():
        if "user" in roles and "assistant" in roles:
            return "asc" if roles["user"] < roles["assistant"] else "desc"
    return None


def _by_times(members: list[Any]) -> str | None:
    times = [
        time
        for member in members
        if isinstance(member, dict)
        for time in (member.get("created_at", member.get("opened_at")),)
        if isinstance(time, (int, float))
    ]
    if len(times) < 2 or times[0] == times[-1]:
        return None
    return "asc" if times[0] < times[-1] else "desc"
