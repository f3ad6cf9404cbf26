"""One pass over the items of a recording, so that each step of linking looks only at those it is about."""

from dataclasses import dataclass, field

from tracelink.link.latest import Life
from tracelink.model.facts import ItemSeen
from tracelink.model.recording import Recording
from tracelink.model.trace import CallKey

Pair = tuple[str | None, str | None]
"""(turn id, call id) as a result says them."""

KINDS = {
    "create_subagent_call": "create",
    "send_subagent_input_call": "send",
    "wait_for_subagents_call": "wait",
    "interrupt_subagent_call": "interrupt",
    "resume_subagent_call": "resume",
    "close_subagent_call": "close",
    "agent_message": "message",
}
"""Coordination items (fact sheet B.2) and the word each gets here."""


class Part:
    """A call while it is linked: what was seen of each of its items, the required action that names it, the indices of its results."""

    __slots__ = ("items", "key", "life", "results")

    def __init__(self, key: CallKey, items: list[list[ItemSeen]]) -> None:
        self.key, self.items = key, items
        self.life: Life | None = None
        self.results: list[int] = []


Parts = dict[CallKey, Part]
"""The calls by their keys."""

Named = tuple[str | None, str, list[ItemSeen]]
"""(turn id, item id, what was seen of the item)."""


@dataclass(slots=True)
class Shelves:
    """The items by what they are; each list and dictionary in order of first appearance.

    bare: an item that names a call has no turn. owned: an item says whose history it is in, or is of several types.
    """

    calls: Parts = field(default_factory=dict)
    outputs: dict[Pair, list[list[ItemSeen]]] = field(default_factory=dict)
    coordination: list[Named] = field(default_factory=list)
    others: list[Named] = field(default_factory=list)
    bare: bool = False
    owned: bool = False


def shelves(recording: Recording) -> Shelves:
    """Sorts the items of a recording. An item is of the type that it was first seen with."""
    found = Shelves()
    calls, outputs = found.calls, found.outputs
    for (turn_id, item_id), seen in recording.items.items():
        first, last = seen[0], seen[-1]
        type_ = first.type
        if turn_id is None and first.call_id is not None:
            found.bare = True
        if type_ == "function_call":
            key = (turn_id or "", last.call_id or "")
            part = calls.get(key)
            if part is None:
                calls[key] = Part(key, [seen])
            else:
                part.items.append(seen)
        elif type_ == "function_call_output":
            mine = [seen]
            known = outputs.setdefault((turn_id, last.call_id), mine)
            if known is not mine:
                known.append(seen)
        elif type_ in KINDS:
            found.coordination.append((turn_id, item_id, seen))
        else:
            found.others.append((turn_id, item_id, seen))
        if first.subagent_id is not None:
            found.owned = True
        elif last is not first:
            for one in seen:
                if one.subagent_id is not None or one.type != type_:
                    found.owned = True
    return found


def final(seen: list[ItemSeen]) -> ItemSeen:
    """The state of an item that counts: done beats added, later beats earlier."""
    last = seen[-1]
    if last.phase != "added" or len(seen) == 1:
        return last
    return next((one for one in reversed(seen) if one.phase != "added"), last)
