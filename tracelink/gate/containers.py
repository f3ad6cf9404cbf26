"""A JSON value → the parts of a history in it, whatever container it is (fact sheet G).

The idea: ask what the value is by the members that only one container has; a list is asked member by member; what is nothing is taken for
a wrapper and looked into. Nothing is judged here, and order is kept.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tracelink.gate.kinds import AGENTS_ONLY, BOUND, CORE, guessed, text
from tracelink.gate.texts import body, holds
from tracelink.read.foreign import RESPONSES, envelope
from tracelink.read.places import Path
from tracelink.read.shapes import ITEMS

ITEM, EVENT, RESPONSE, REQUEST, PAGE, CODEX, AGENTS, RAW_AGENTS, FOREIGN, RUN_ITEM, RUN_STATE, ERROR, EMPTY = (
    "item",
    "event",
    "response",
    "request",
    "page",
    "codex",
    "agents",
    "raw_agents",
    "foreign",
    "run_item",
    "run_state",
    "error",
    "empty",
)
_DEEPEST, _DEEPEST_TEXT = 30, 12
"""Levels that are looked through for items, and so many of them for texts that hold JSON."""
_CODEX = frozenset(("response_item", "event_msg", "session_meta", "turn_context", "compacted"))
_BODY = ("model", "tools", "tool_choice", "previous_response_id", "conversation", "instructions", "prompt", "store", "stream")
_STATE = (
    "$schemaVersion",
    "generatedItems",
    "generated_items",
    "modelResponses",
    "model_responses",
    "originalInput",
    "original_input",
)
_ENDS = ("completed", "failed", "incomplete")
_LOOKS = ("id", "call_id", "status", "role", "content", "output", "arguments")


class Part(NamedTuple):
    """kind: one of the names above. path: where in the value it stands. detail: which foreign envelope."""

    kind: str
    value: Any
    path: Path
    detail: str | None = None


Read = Callable[[str], Iterator[tuple[Any, str | None]]]
"""Reads a text inside a value: the values in it, each with the type that only an SSE frame gives."""


def parts(value: Any, read: Read, event: str | None = None, opened: frozenset[int] = frozenset()) -> list[Part]:
    """The parts of a value. event: the type that only an SSE frame gives. opened: containers that are not whole, none of which is an item."""
    return list(_Look(read, opened).at(typed(value, event), (), 0))


def typed(value: Any, event: str | None) -> Any:
    """An SSE frame's value with the type that only the frame gives."""
    if isinstance(value, dict) and event and event != "message" and not isinstance(value.get("type"), str):
        return {"type": event, **{key: member for key, member in value.items() if key != "type"}}
    return value


def is_item(value: Any) -> bool:
    """An item as Responses and Open Responses have them, by its type or, without one, by its members."""
    if not isinstance(value, dict):
        return False
    type_ = value.get("type")
    if isinstance(type_, str):
        return type_ in CORE or type_ in BOUND or (":" in type_ and not type_.startswith("response."))
    return guessed(value) != "other"


def is_agents(value: Any) -> bool:
    """An item, event or object of the Agents API."""
    if not isinstance(value, dict):
        return False
    type_, object_ = value.get("type"), value.get("object")
    if isinstance(type_, str):
        if type_ in AGENTS_ONLY or (type_ in ITEMS and text(value, "turn_id") is not None):
            return True
        if type_.startswith(("agent.session.", "agent.environment.", "session.input.")):
            return True
        if is_item(value):
            return False  # whatever its `object` says: an item is an item
    return isinstance(object_, str) and object_.startswith("agent.")


def foreign(value: Any) -> str | None:
    """Which other API's message this is, None where it is none."""
    if not isinstance(value, dict):
        return None
    found = envelope(value)
    return None if found == RESPONSES else found


class _Look:
    """The walk through one value."""

    def __init__(self, read: Read, opened: frozenset[int]) -> None:
        self._read = read
        self._opened = opened

    def at(self, value: Any, path: Path, level: int) -> Iterator[Part]:
        if level > _DEEPEST:
            return
        if isinstance(value, list):
            yield from self._list(value, path, level)
        elif isinstance(value, dict):
            if id(value) in self._opened:
                yield from self._torn(value, path, level)
            else:
                yield from self._dict(value, path, level)

    def _torn(self, value: dict[str, Any], path: Path, level: int) -> Iterator[Part]:
        """A container that is not whole. What is whole in an event of a stream is that stream's, and stands there but once."""
        of_stream = is_torn_event(value)
        for part in self._members(value, path, level):
            event = _event_of(value, part) if of_stream else None
            yield part if event is None else Part(EVENT, event, part.path)

    def _dict(self, value: dict[str, Any], path: Path, level: int) -> Iterator[Part]:
        type_ = value.get("type")
        type_ = type_ if isinstance(type_, str) else None
        other = foreign(value)
        if is_agents(value):
            yield Part(AGENTS, value, path)
        elif type_ == "response.create":
            yield Part(REQUEST, value.get("response") if isinstance(value.get("response"), dict) else value, path)
        elif (type_ is not None and type_.startswith("response.")) or (type_ == "error" and _error_event(value)):
            yield Part(EVENT, value, path)
        elif type_ in _CODEX and isinstance(value.get("payload"), dict):
            yield Part(CODEX, value, path)
        elif type_ is not None and isinstance(raw := value.get("raw_item", value.get("rawItem")), dict):
            yield Part(RUN_ITEM, raw, (*path, "raw_item" if "raw_item" in value else "rawItem"))
        elif isinstance(value.get("messages"), list) and type_ is None and "input" not in value:
            yield Part(FOREIGN, value, path, other or "chat_completions")
        elif other is not None:
            yield Part(FOREIGN, value, path, other)
        elif is_item(value):
            yield Part(ITEM, value, path)
        elif value.get("object") == "response" or _is_response(value):
            yield Part(RESPONSE, value, path)
        elif any(name in value for name in _STATE):
            yield Part(RUN_STATE, value, path)
        elif isinstance(value.get("input"), str | list) and _is_body(value):
            yield Part(REQUEST, value, path)
        elif isinstance(value.get("data"), list) and (value.get("object") == "list" or "has_more" in value):
            yield from self._page(value, path, level)
        else:
            yield from self._rest(value, type_, path, level)

    def _rest(self, value: dict[str, Any], type_: str | None, path: Path, level: int) -> Iterator[Part]:
        error = value.get("error")
        if isinstance(error, dict) and isinstance(error.get("message"), str):
            yield Part(ERROR, error, path)
        found = False
        for part in self._members(value, path, level):
            found = True
            yield part
        if not found and type_ is not None and sum(name in value for name in _LOOKS) >= 2:
            yield Part(ITEM, value, path)  # a type that nobody documents yet

    def _members(self, value: dict[str, Any], path: Path, level: int) -> Iterator[Part]:
        """A wrapper's members; a text that holds JSON or a stream is looked into as well, as logs of HTTP bodies have them."""
        for key, member in value.items():
            if isinstance(member, str):
                encoding = value.get("encoding") if key in ("text", "body") else None
                yield from self._text(body(member, encoding), (*path, key), level)
            elif isinstance(member, dict) or (isinstance(member, list) and member):
                yield from self.at(member, (*path, key), level + 1)

    def _text(self, text: str, path: Path, level: int) -> Iterator[Part]:
        if level >= _DEEPEST_TEXT or not holds(text):
            return
        for value, event in self._read(text):
            for part in self.at(typed(value, event), (), level + 1):
                yield part._replace(path=path)

    def _list(self, value: list[Any], path: Path, level: int) -> Iterator[Part]:
        if not value:
            if level == 0:
                yield Part(EMPTY, value, path)
            return
        whole = [member for member in value if id(member) not in self._opened]
        if not any(isinstance(member, dict) and (is_item(member) or foreign(member) or _unknown(member)) for member in whole):
            for index, member in enumerate(value):
                if isinstance(member, str):
                    yield from self._text(member, (*path, index), level)
                else:
                    yield from self.at(member, (*path, index), level + 1)
            return
        mixed = any(map(is_agents, whole)) and any(is_item(member) and not is_agents(member) for member in whole)
        for index, member in enumerate(value):
            here = (*path, index)
            if id(member) in self._opened:
                continue
            if is_agents(member):
                yield Part(RAW_AGENTS if mixed else AGENTS, member, here)
            elif isinstance(member, dict) and not is_item(member) and not foreign(member):
                inner = list(self.at(member, here, level + 1))
                yield from inner or [Part(ITEM, member, here)]
            elif isinstance(member, dict) and foreign(member):
                yield Part(FOREIGN, member, here, foreign(member))
            else:
                yield Part(ITEM, member, here)

    def _page(self, value: dict[str, Any], path: Path, level: int) -> Iterator[Part]:
        members = value["data"]
        if any(map(is_agents, members)) and not any(is_item(member) and not is_agents(member) for member in members):
            yield Part(AGENTS, value, path)
            return
        yield Part(PAGE, {key: member for key, member in value.items() if key != "data"}, path)
        yield from self.at(value["data"], (*path, "data"), level + 1)


def is_torn_event(value: dict[str, Any]) -> bool:
    """Whether a damaged object was an event of a stream: by its type, or, where that is lost, by the members beside it."""
    type_ = value.get("type")
    if isinstance(type_, str):
        return type_.startswith("response.")
    alone = not value.keys() - {"response", "sequence_number"} and text(value.get("response"), "object") == "response"
    return alone or ("item" in value and "output_index" in value)


def _event_of(value: dict[str, Any], part: Part) -> dict[str, Any] | None:
    """What a whole item or response in a damaged event says, as an event of its own; None for anything else."""
    type_, status = text(value, "type"), text(part.value, "status")
    if part.kind == RESPONSE:
        return {"type": f"response.{status if status in _ENDS else 'in_progress'}", "response": part.value}
    if part.kind != ITEM:
        return None
    begun = type_.endswith(".added") if type_ is not None else status in (None, "in_progress")
    index = {"output_index": value["output_index"]} if "output_index" in value else {}
    return {"type": f"response.output_item.{'added' if begun else 'done'}", "item": part.value, **index}


def _unknown(value: dict[str, Any]) -> bool:
    return isinstance(value.get("type"), str) and "call_id" in value and ("name" in value or "output" in value)


def _is_response(value: dict[str, Any]) -> bool:
    output = value.get("output")
    return isinstance(output, list) and "type" not in value and "status" in value and all(map(is_item, output))


def _is_body(value: dict[str, Any]) -> bool:
    given = value["input"]
    return any(name in value for name in _BODY) or (isinstance(given, list) and any(map(is_item, given)))


def _error_event(value: dict[str, Any]) -> bool:
    return "sequence_number" in value or isinstance(value.get("error"), dict) or ("message" in value and "code" in value)


def inside(part: Part) -> list[tuple[str | int, ...]]:
    """Paths, within a part, of the items that it lists."""
    value = part.value
    for kind, path in (
        (RESPONSE, ("output",)),
        (REQUEST, ("input",)),
        (FOREIGN, ("messages",)),
        (CODEX, ("payload", "replacement_history")),
        (AGENTS, ("data",)),
    ):
        listed = value
        for name in path:
            listed = listed.get(name) if isinstance(listed, dict) else None
        if part.kind == kind and isinstance(listed, list):
            return [(*path, index) for index in range(len(listed))]
    return []
