"""A stream of Responses events → its responses and their items (fact sheet G).

The idea: a slot an item. Events find their slot by item id, else by output index; a slot keeps text only until the item is done. Of two
values for one item the later stage wins: the response's final list over `output_item.done`, that over the pieces.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tracelink.gate.kinds import REASONING, text, type_of
from tracelink.model.location import Location

TERMINAL = frozenset(("response.completed", "response.failed", "response.incomplete", "response.cancelled"))
_OPENING = frozenset(("response.created", "response.queued", "response.in_progress"))
_JOINED = {
    "response.function_call_arguments": ("arguments", "arguments"),
    "response.mcp_call_arguments": ("arguments", "arguments"),
    "response.custom_tool_call_input": ("input", "input"),
}
_PARTS = {
    "response.output_text": ("content", "content_index", "output_text", "text"),
    "response.refusal": ("content", "content_index", "refusal", "refusal"),
    "response.reasoning_summary_text": ("summary", "summary_index", "summary_text", "text"),
    "response.reasoning_text": ("content", "content_index", "reasoning_text", "text"),
    "response.reasoning": ("content", "content_index", "reasoning_text", "text"),
}
_STATELESS = frozenset((REASONING, "mcp_list_tools", "mcp_approval_request", "compaction", "program"))


class Rebuilt(NamedTuple):
    """An item of a stream. done: it was finished, as the stream says itself. ids: every item id that its events bore."""

    value: dict[str, Any]
    location: Location
    response: int
    done: bool
    ids: tuple[str, ...]


@dataclass(slots=True)
class _Slot:
    index: int | None
    arrival: int
    value: dict[str, Any]
    location: Location
    done: bool = False
    ids: list[str] = field(default_factory=list)
    joined: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[tuple[str, int], tuple[str, str, list[str]]] = field(default_factory=dict)

    def rename(self, item_id: str | None) -> None:
        if item_id is not None and item_id not in self.ids:
            self.ids.append(item_id)


@dataclass(slots=True)
class Response:
    """One response of a stream, while it is read. `value` is the latest response object, without its output."""

    number: int
    location: Location
    value: dict[str, Any] = field(default_factory=dict)
    status: str | None = None
    ended: bool = False
    error: str | None = None
    last: int | None = None
    slots: list[_Slot] = field(default_factory=list)
    by_id: dict[str, _Slot] = field(default_factory=dict)


class Stream:
    """Feed it events in order; then `responses` and `items` hold what they say. Unknown events are counted in `skipped`."""

    def __init__(self) -> None:
        self.responses: list[Response] = []
        self.skipped = 0

    def event(self, event: dict[str, Any], location: Location) -> int | None:
        """Take one event. Returns the number of the response if this event began it."""
        type_ = event["type"]
        current, began = self._response(type_, event, location)
        if type_ in _OPENING or type_ in TERMINAL:
            response = event.get("response")
            if isinstance(response, dict):
                current.value |= {key: member for key, member in response.items() if key != "output"}
                status = text(response, "status")
                current.status = status or current.status
                error = response.get("error")
                if isinstance(error, dict):
                    current.error = text(error, "code") or text(error, "message") or current.error
                if type_ in TERMINAL:
                    self._final(current, response.get("output"), location)
            if type_ in TERMINAL:
                current.status = (
                    current.status if current.status not in (None, "in_progress", "queued") else type_.rpartition(".")[2]
                )
                current.ended = True
        elif type_ == "error":
            inner = event.get("error")
            told = inner if isinstance(inner, dict) else event
            current.error = text(told, "code") or text(told, "message") or "error"
            current.ended = True
        elif type_ in ("response.output_item.added", "response.output_item.done"):
            self._item(current, event, location, type_.endswith("done"))
        else:
            self._piece(current, type_, event)
        return began

    def _response(self, type_: str, event: dict[str, Any], location: Location) -> tuple[Response, int | None]:
        """The response that the event belongs to, and its number if it is a new one (rule 1 of the fact sheet)."""
        number = event.get("sequence_number")
        number = number if isinstance(number, int) and not isinstance(number, bool) else None
        current = self.responses[-1] if self.responses else None
        fresh = current is None
        if current is not None:
            response = event.get("response")
            id_ = text(response, "id")
            known = text(current.value, "id")
            if id_ is not None and known is not None and id_ != known and type_ in _OPENING:
                # An id that changes with each event is one response, unless a new one is opened.
                fresh = type_ == "response.created" or current.ended
            elif type_ == "response.created" and (current.ended or (id_ is None and current.slots)):
                fresh = id_ is None or id_ != known
            elif (
                number is not None and current.last is not None and number < current.last and current.ended and type_ != "error"
            ):
                fresh = type_ not in TERMINAL and (id_ is None or id_ != known)
        if fresh or current is None:
            current = Response(len(self.responses), location)
            self.responses.append(current)
        if number is not None:
            current.last = number
        return current, current.number if fresh else None

    def _item(self, response: Response, event: dict[str, Any], location: Location, done: bool) -> None:
        item = event.get("item")
        if not isinstance(item, dict):
            self.skipped += 1
            return
        index = _index(event)
        slot = self._find(response, item, index, done)
        if slot is None:
            slot = _Slot(index, len(response.slots), dict(item), location)
            response.slots.append(slot)
        if done or not slot.done:
            slot.value, slot.location = dict(item), location
        if done:
            slot.done = True
            slot.joined.clear()
            slot.parts.clear()
        self._known(response, slot, text(item, "id"))

    def _find(self, response: Response, item: dict[str, Any], index: int | None, done: bool) -> _Slot | None:
        """By id, then by place: the same index, type and call (rule 2)."""
        id_ = text(item, "id")
        if id_ is not None and id_ in response.by_id:
            return response.by_id[id_]
        call_id = text(item, "call_id")
        for slot in reversed(response.slots):
            same_call = call_id is not None and text(slot.value, "call_id") == call_id
            fits = type_of(slot.value) == type_of(item) and (
                call_id is None or same_call or text(slot.value, "call_id") is None
            )
            if fits and (same_call or (index is not None and slot.index == index)) and (done or not slot.done or same_call):
                return slot
        return None

    def _known(self, response: Response, slot: _Slot, id_: str | None) -> None:
        slot.rename(id_)
        if id_ is not None:
            response.by_id[id_] = slot

    def _piece(self, response: Response, type_: str, event: dict[str, Any]) -> None:
        """A delta or its end, kept for an item that may never be done."""
        stem, _, last = type_.rpartition(".")
        if last not in ("delta", "done") or (stem not in _JOINED and stem not in _PARTS):
            self.skipped += 1
            return
        id_ = text(event, "item_id")
        slot = response.by_id.get(id_) if id_ is not None else None
        if slot is None:
            index = _index(event)
            open_ = [one for one in response.slots if not one.done and one.index == index]
            if not open_:
                return
            slot = open_[-1]
            self._known(response, slot, id_)
        if slot.done:
            return
        if stem in _JOINED:
            name, whole = _JOINED[stem]
            piece = event.get("delta" if last == "delta" else whole)
            if isinstance(piece, str):
                slot.joined[name] = _added(slot.joined.get(name), piece, last)
            return
        member, counter, part, whole = _PARTS[stem]
        at = event.get(counter)
        piece = event.get("delta" if last == "delta" else whole)
        if isinstance(piece, str) and isinstance(at, int):
            known = slot.parts.get((member, at))
            slot.parts[(member, at)] = (part, whole, _added(known[2] if known else None, piece, last))

    def _final(self, response: Response, output: Any, location: Location) -> None:
        """The final list: it corrects the items that are known and adds those that were not announced (rule 3)."""
        if not isinstance(output, list):
            return
        items = [item for item in output if isinstance(item, dict)]
        ordered = sorted(response.slots, key=_order)
        if len(items) == len(ordered) and all(type_of(a) == type_of(b.value) for a, b in zip(items, ordered, strict=True)):
            matches: list[_Slot | None] = list(ordered)
        else:
            matches = [self._final_slot(response, item) for item in items]
        for number, (item, slot) in enumerate(zip(items, matches, strict=True)):
            if slot is None:
                slot = _Slot(number, len(response.slots), dict(item), location)
                response.slots.append(slot)
            else:
                slot.value = dict(item)
            slot.done = True
            self._known(response, slot, text(item, "id"))

    def _final_slot(self, response: Response, item: dict[str, Any]) -> _Slot | None:
        id_, call_id = text(item, "id"), text(item, "call_id")
        if id_ is not None and id_ in response.by_id:
            return response.by_id[id_]
        same = (slot for slot in response.slots if call_id is not None and text(slot.value, "call_id") == call_id)
        return next((slot for slot in same if type_of(slot.value) == type_of(item)), None)

    def items(self, response: Response) -> list[Rebuilt]:
        """The items of a response by their index. One that was never done keeps what its pieces say and is in progress (rule 4)."""
        return [
            Rebuilt(slot.value if slot.done else _so_far(slot), slot.location, response.number, slot.done, tuple(slot.ids))
            for slot in sorted(response.slots, key=_order)
        ]


def _added(known: list[str] | None, piece: str, last: str) -> list[str]:
    """Pieces so far; a `done` event holds the whole and stands for all of them."""
    if last == "done" or known is None:
        return [piece]
    known.append(piece)
    return known


def _order(slot: _Slot) -> tuple[int, int]:
    return (slot.index if slot.index is not None else slot.arrival, slot.arrival)


def _index(event: dict[str, Any]) -> int | None:
    found = event.get("output_index")
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _so_far(slot: _Slot) -> dict[str, Any]:
    value = dict(slot.value)
    for name, pieces in slot.joined.items():
        value[name] = "".join(pieces)
    for member in ("content", "summary"):
        made = [
            (at, {"type": part, whole: "".join(pieces)})
            for (of, at), (part, whole, pieces) in slot.parts.items()
            if of == member
        ]
        if made:
            value[member] = [part for _, part in sorted(made, key=lambda one: one[0])]
    if type_of(value) not in _STATELESS:
        value["status"] = "in_progress"
    return value
