"""Items of an Agents API recording → Open Responses items (fact sheet H): what changes, what is lost, what has no portable form.

The idea: one table row a type. Items are taken once (done over announced, an item over the post that made it), in order of arrival;
those of subagents and of other sessions are other histories and are only counted.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tracelink.gate.exact import dumps
from tracelink.gate.item import Item
from tracelink.gate.kinds import CALL, MESSAGE, OUTPUT, REASONING, text
from tracelink.gate.schemas import declared
from tracelink.model.location import Location
from tracelink.model.record import Kind
from tracelink.read.unwrap import Found

_INPUTS = ("agent.session.input.", "session.input.")


def compact(value: Any) -> str:
    """JSON without spaces, members in their order, numbers as they were written; NaN stays, so that it is found to be no JSON."""
    return dumps(value, constants=True)


def raw(value: Any) -> bool:
    """Whether an item has the form that only the Agents API has: a turn, and arguments or an outcome as no Responses item has them."""
    if not isinstance(value, dict) or text(value, "turn_id") is None:
        return False
    if value.get("type") == CALL:
        return isinstance(value.get("arguments"), dict)
    return value.get("type") == OUTPUT and ("error" in value or value.get("output") is None)


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
        value["output"] = "" if error is None else error if isinstance(error, str) else compact(error)
        changes.append("a missing output becomes an empty text" if error is None else "its error becomes the output")
    return Item(value, location, changes=tuple(changes), agents=True)


@dataclass(slots=True)
class Recorded:
    """What was taken of an Agents recording. aside: why items were left out → how many."""

    items: list[Item] = field(default_factory=list)
    tools: dict[str, Any] | None = None
    aside: dict[str, int] = field(default_factory=dict)


class _Entry(NamedTuple):
    item: dict[str, Any]
    location: Location
    session: str | None


@dataclass(slots=True)
class Agents:
    """Feed it the records in order, then take `recorded`, as often as something else comes between.

    wanted: the session whose items are the history, or the beginning of its id; None: the first that is named. sessions: all that are named.
    """

    wanted: str | None = None
    sessions: list[str] = field(default_factory=list)
    _items: dict[tuple[str, ...], _Entry] = field(default_factory=dict)
    _posted: dict[tuple[str, ...], _Entry] = field(default_factory=dict)
    _owner: dict[str, str] = field(default_factory=dict)
    _turns: dict[str, str] = field(default_factory=dict)
    _tools: dict[str | None, dict[str, Any] | None] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)
    _renamed: dict[tuple[str, str], str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self._items or self._posted or self._tools)

    def record(self, found: Found, location: Location) -> bool:
        """Takes a record. False where it is none that the gate knows what to do with."""
        value = found.value
        if not isinstance(value, dict):
            return False
        session = self._session_of(found)
        type_ = text(value, "type")
        if (found.kind is Kind.ITEM and type_) or (found.kind is Kind.UNKNOWN and type_ and not type_.startswith("agent.")):
            self._item(value, text(value, "turn_id") or found.context.turn_id, location, session)
        elif found.kind is Kind.ITEM_EVENT and isinstance(value.get("item"), dict):
            turn = text(value, "turn_id") or text(value["item"], "turn_id")
            self._item(value["item"], turn, location, session)
        elif found.kind is Kind.INPUT:
            self._input(value, location, session)
        elif found.kind in (Kind.TURN, Kind.TURN_EVENT):
            turn_ = value.get("turn") if found.kind is Kind.TURN_EVENT else value
            owner, id_ = text(turn_, "subagent_id"), text(turn_, "id")
            if owner is not None and id_ is not None:
                self._owner[id_] = owner
            if session is not None and id_ is not None:
                self._turns[id_] = session
        elif found.kind in (Kind.SESSION, Kind.SESSION_EVENT):
            object_ = value.get("session") if found.kind is Kind.SESSION_EVENT else value
            agent = object_.get("agent") if isinstance(object_, dict) else None
            if isinstance(agent, dict) and isinstance(agent.get("tools"), list):
                self._tools[session] = declared(agent["tools"])
        else:
            return found.kind not in (Kind.UNKNOWN, Kind.FOREIGN)
        return True

    def _session_of(self, found: Found) -> str | None:
        value = found.value
        id_ = text(value, "session_id") or text(value.get("session"), "id") or text(value.get("turn"), "session_id")
        if found.kind is Kind.SESSION:
            id_ = text(value, "id") or id_
        id_ = id_ or found.context.session_id
        if id_ is not None and id_ not in self.sessions:
            self.sessions.append(id_)
        return id_

    def _item(self, item: dict[str, Any], turn: str | None, location: Location, session: str | None) -> None:
        """An item, once: a later record of the same one replaces it, and one that says something else stands beside it."""
        type_, call_id, id_ = text(item, "type") or "", text(item, "call_id"), text(item, "id")
        key = (type_, turn or "", call_id) if call_id is not None else (type_, turn or "", "", id_ or f"#{len(self._items)}")
        if turn is not None and "turn_id" not in item:
            item = item | {"turn_id": turn}
        if turn is not None and session is not None:
            self._turns[turn] = session
        known = self._items.get(key)
        if known is not None and _contradicts(known.item, item):
            key = (*key, id_ or "")
            known = self._items.get(key)
        self._items[key] = _Entry(item, known.location if known is not None else location, session)

    def _input(self, value: dict[str, Any], location: Location, session: str | None) -> None:
        """A post: one input, or `{"events": […]}`. It stands in only where no item shows it."""
        if isinstance(value.get("events"), list):
            for event in value["events"]:
                if isinstance(event, dict):
                    self._input(event, location, session)
            return
        type_ = text(value, "type") or ""
        name = next((type_.removeprefix(start) for start in _INPUTS if type_.startswith(start)), type_)
        turn = text(value, "turn_id") or ""
        if name == "tool_result":
            item = {"type": OUTPUT, "call_id": value.get("call_id"), "output": value.get("output"), "turn_id": turn}
            if value.get("output") is None and isinstance(value.get("error"), str):
                item["output"] = value["error"]
            key: tuple[str, ...] = (OUTPUT, turn, text(value, "call_id") or f"#{len(self._posted)}")
            known = self._posted.get(key)
            if known is not None and known.item != item:
                key = (*key, f"#{len(self._posted)}")
            self._posted.setdefault(key, _Entry(item, location, session))

    def recorded(self) -> Recorded:
        """The root's history since the last time. A post counts where no item of the same call is recorded."""
        mine = self._mine()
        result = Recorded(tools=self._tools.get(mine, self._tools.get(None)))
        merged = dict(self._items)
        for key, entry in self._posted.items():
            if key[:3] not in self._items:
                merged.setdefault(key, entry)
        order = {source: number for number, source in enumerate(dict.fromkeys(one.location.source for one in merged.values()))}
        entries = list(merged.values())
        if self._posted:
            entries.sort(key=lambda one: (order[one.location.source], one.location.byte))
        for item, location, session in entries:
            turn = text(item, "turn_id")
            why = self._not_mine(mine, turn, session)
            if why is not None:
                result.aside[why] = result.aside.get(why, 0) + 1
            else:
                result.items.append(_renamed(portable(item, location), turn or "", self._used, self._renamed))
        self._items, self._posted, self._tools = {}, {}, {}
        return result

    def _mine(self) -> str | None:
        wanted = self.wanted
        if wanted is None:
            return self.sessions[0] if self.sessions else None
        return next((one for one in (wanted, *self.sessions) if one in self.sessions and one.startswith(wanted)), wanted)

    def _not_mine(self, mine: str | None, turn: str | None, session: str | None) -> str | None:
        """Why an item is part of another history, None where it is not."""
        session = session or (self._turns.get(turn) if turn is not None else None)
        if session is None and len(self.sessions) > 1:
            return "items that do not say of which session they are"
        if session is not None and session != mine:
            return f"items of the session {session}"
        if turn is not None and turn in self._owner:
            return f"items of the subagent {self._owner[turn]}"
        return None


def _contradicts(known: dict[str, Any], item: dict[str, Any]) -> bool:
    """Whether two records under one call_id are two items: both have an id of their own, both are whole, and they say different things."""
    one, other = text(known, "id"), text(item, "id")
    if one is None or other is None or one == other:
        return False
    if item.get("type") == OUTPUT:
        return any(known.get(name) != item.get(name) for name in ("output", "error"))
    whole = known.get("status") == item.get("status") == "completed"
    return whole and any(known.get(name) != item.get(name) for name in ("name", "arguments"))


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
