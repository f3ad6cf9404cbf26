"""Items of an Agents API recording → Open Responses items (fact sheet H): what changes, what is lost, what has no portable form.

The idea: one table row a type. Items are taken once (done over announced, an item over the post that made it), in order of arrival;
those of subagents are another history and are only counted.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from tracelink.gate.item import Item
from tracelink.gate.kinds import CALL, MESSAGE, OUTPUT, REASONING, text
from tracelink.gate.schemas import declared
from tracelink.model.location import Location
from tracelink.model.record import Kind
from tracelink.read.unwrap import Found

_INPUTS = ("agent.session.input.", "session.input.")


def compact(value: Any) -> str:
    """JSON without spaces, members in their order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def portable(item: dict[str, Any], location: Location) -> Item:
    """One Agents item as Open Responses has it. What has no such form stays as it is, with the loss named."""
    type_ = text(item, "type")
    if type_ == MESSAGE:
        return _kept(item, location, ("type", "id", "role", "content", "phase", "status"))
    if type_ == REASONING:
        value: dict[str, Any] = {
            "type": REASONING,
            "summary": item.get("summary") if isinstance(item.get("summary"), list) else [],
        }
        return Item(value, location, changes=("only the summary is kept; its id is unknown elsewhere",), agents=True)
    if type_ == CALL:
        return _call(item, location)
    if type_ == OUTPUT:
        return _output(item, location, item.get("error"))
    return Item(item, location, loss=f"a {type_} of the Agents API has no form in Open Responses", agents=True)


def _kept(item: dict[str, Any], location: Location, names: tuple[str, ...]) -> Item:
    value = {name: item[name] for name in names if item.get(name) is not None}
    gone = [name for name in item if name not in value and item[name] is not None]
    return Item(value, location, changes=tuple(f"{name} falls away" for name in gone), agents=True)


def _call(item: dict[str, Any], location: Location) -> Item:
    kept = _kept(item, location, ("type", "id", "call_id", "name", "arguments", "status"))
    value, changes = dict(kept.value), list(kept.changes)
    arguments = item.get("arguments")
    loss = None
    if isinstance(arguments, dict):
        value["arguments"] = compact(arguments)
        changes.append("arguments become a string")
    if item.get("status") not in ("completed", None):
        loss = f"a function call that is {item.get('status')} has no form that may be sent"
    elif not isinstance(arguments, dict | str):
        loss = "a function call without arguments that are an object or a text has no form that may be sent"
    return Item(value, location, changes=tuple(changes), loss=loss, agents=True)


def _output(item: dict[str, Any], location: Location, error: Any) -> Item:
    kept = _kept(item, location, ("type", "id", "call_id", "output"))
    value, changes = dict(kept.value), list(kept.changes)
    if "output" not in value:
        value["output"] = error if isinstance(error, str) else ""
        changes.append(
            "the text of its error becomes the output" if isinstance(error, str) else "a missing output becomes an empty text"
        )
    return Item(value, location, changes=tuple(changes), agents=True)


@dataclass(slots=True)
class Recorded:
    """What was taken of an Agents recording. aside: why items were left out → how many."""

    items: list[Item] = field(default_factory=list)
    tools: dict[str, Any] | None = None
    aside: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Agents:
    """Feed it the records in order, then take `recorded`."""

    _items: dict[tuple[str, ...], tuple[dict[str, Any], Location]] = field(default_factory=dict)
    _posted: dict[tuple[str, ...], tuple[dict[str, Any], Location]] = field(default_factory=dict)
    _owner: dict[str, str] = field(default_factory=dict)
    _tools: dict[str, Any] | None = None
    _session: str | None = None
    _others: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self._items or self._posted or self._tools)

    def record(self, found: Found, location: Location) -> None:
        value = found.value
        if not isinstance(value, dict) or self._of_another_session(found):
            return
        if found.kind in (Kind.ITEM, Kind.UNKNOWN) and isinstance(value.get("type"), str):
            self._item(value, text(value, "turn_id"), location)
        elif found.kind is Kind.ITEM_EVENT and isinstance(value.get("item"), dict):
            self._item(value["item"], text(value, "turn_id") or text(value["item"], "turn_id"), location)
        elif found.kind is Kind.INPUT:
            self._input(value, location)
        elif found.kind in (Kind.TURN, Kind.TURN_EVENT):
            turn = value.get("turn") if found.kind is Kind.TURN_EVENT else value
            owner, id_ = text(turn, "subagent_id"), text(turn, "id")
            if owner is not None and id_ is not None:
                self._owner[id_] = owner
        elif found.kind in (Kind.SESSION, Kind.SESSION_EVENT):
            session = value.get("session") if found.kind is Kind.SESSION_EVENT else value
            agent = session.get("agent") if isinstance(session, dict) else None
            if isinstance(agent, dict) and isinstance(agent.get("tools"), list):
                self._tools = declared(agent["tools"])

    def _of_another_session(self, found: Found) -> bool:
        """The first session that is named is the history; records of any other are counted."""
        session = found.value.get("session")
        id_ = text(found.value, "session_id") or text(session, "id") or found.context.session_id
        if found.kind is Kind.SESSION:
            id_ = text(found.value, "id") or id_
        if id_ is None:
            return False
        self._session = self._session or id_
        if id_ == self._session:
            return False
        why = f"records of the session {id_}"
        self._others[why] = self._others.get(why, 0) + 1
        return True

    def _item(self, item: dict[str, Any], turn: str | None, location: Location) -> None:
        type_, call_id, id_ = text(item, "type") or "", text(item, "call_id"), text(item, "id")
        key = (type_, turn or "", call_id) if call_id is not None else (type_, turn or "", "", id_ or f"#{len(self._items)}")
        if turn is not None and "turn_id" not in item:
            item = item | {"turn_id": turn}
        known = self._items.get(key)
        self._items[key] = (item, known[1] if known is not None else location)

    def _input(self, value: dict[str, Any], location: Location) -> None:
        """A post: one input, or `{"events": […]}`. It stands in only where no item shows it."""
        if isinstance(value.get("events"), list):
            for event in value["events"]:
                if isinstance(event, dict):
                    self._input(event, location)
            return
        type_ = text(value, "type") or ""
        name = next((type_.removeprefix(start) for start in _INPUTS if type_.startswith(start)), type_)
        turn = text(value, "turn_id") or ""
        if name == "tool_result":
            item = {"type": OUTPUT, "call_id": value.get("call_id"), "output": value.get("output"), "turn_id": turn}
            if value.get("output") is None and isinstance(value.get("error"), str):
                item["output"] = value["error"]
            self._posted[(OUTPUT, turn, text(value, "call_id") or f"#{len(self._posted)}")] = (item, location)

    def recorded(self) -> Recorded:
        """The root's history. A post counts where no item of the same call is recorded."""
        result = Recorded(tools=self._tools, aside=dict(self._others))
        merged = dict(self._items)
        for key, entry in self._posted.items():
            merged.setdefault(key, entry)
        order = {source: number for number, source in enumerate(dict.fromkeys(place.source for _, place in merged.values()))}
        entries = list(merged.values())
        if self._posted:
            entries.sort(key=lambda entry: (order[entry[1].source], entry[1].byte))
        used: set[str] = set()
        renamed: dict[tuple[str, str], str] = {}
        for item, location in entries:
            turn = text(item, "turn_id")
            if turn is not None and turn in self._owner:
                why = f"items of the subagent {self._owner[turn]}"
                result.aside[why] = result.aside.get(why, 0) + 1
                continue
            result.items.append(_renamed(portable(item, location), turn or "", used, renamed))
        return result


def _renamed(item: Item, turn: str, used: set[str], renamed: dict[tuple[str, str], str]) -> Item:
    """A call_id is unique only in its turn: a later turn's gets a name of its own, on both halves."""
    call_id = text(item.value, "call_id")
    if call_id is None:
        return item
    new = renamed.get((turn, call_id))
    if new is None:
        new, number = call_id, 2
        while new in used:
            new, number = f"{call_id}_turn{number}", number + 1
        renamed[(turn, call_id)] = new
        used.add(new)
    if new == call_id:
        return item
    changes = (*item.changes, f"call_id {call_id} becomes {new}, for an earlier turn has the same")
    return Item(item.value | {"call_id": new}, item.location, changes=changes, loss=item.loss, agents=True)
