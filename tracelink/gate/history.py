"""Values of recordings → one history: the items that would be sent next, in order, and what the recording says about the rest.

The idea: parts are taken in order of arrival. A stream or an Agents recording becomes items when something else follows it or the input ends.
A new request that does not go on from an earlier response replaces what was before it, as a Codex compaction does.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tracelink.gate import containers as kinds
from tracelink.gate.agents import Agents
from tracelink.gate.containers import Part, parts
from tracelink.gate.item import TEXT_INPUT, History, Item, Problem, Responded
from tracelink.gate.kinds import MESSAGE, text
from tracelink.gate.schemas import allowed, declared
from tracelink.gate.sdk import state_items, wire
from tracelink.gate.stream import Response, Stream
from tracelink.gate.texts import Texts
from tracelink.model.location import Location
from tracelink.model.record import Kind
from tracelink.read import Value, Values
from tracelink.read.context import NOTHING
from tracelink.read.unwrap import Found, Unwrapper

_FOLLOWS = frozenset(
    (kinds.ITEM, kinds.RUN_ITEM, kinds.RUN_STATE, kinds.RESPONSE, kinds.REQUEST, kinds.CODEX, kinds.RAW_AGENTS)
)
"""What stands behind an Agents recording that came before it."""
_UNTOLD = "; whether what is missing may be sent cannot be told"
_HOLDERS = ("previous_response_id", "conversation", "prompt")


def read_history(values: Values, session: str | None = None) -> History:
    """All sources as one history, in the order in which they are given.

    session: of an Agents API recording that holds several, the one that counts, by its id or the beginning of it; None: the first.
    """
    collector = _Collector(Texts(values), session)
    source = None
    for value in values:
        if value.location.source != source:
            collector.flush(agents=False)  # one Agents session may lie in several files
            source = value.location.source
        collector.take(value)
    for info in values.sources:
        if info.problem is not None:
            collector.lacks(Location(info.name, 0, 0))
    return collector.history()


def history_of(items: Iterable[Any], source: str = "<items>") -> History:
    """A history of items that are at hand already: no borders, nothing remarked."""
    return History(tuple(Item(value, Location(source, 0, 0), index) for index, value in enumerate(items)))


class _Collector:
    def __init__(self, texts: Texts, session: str | None) -> None:
        self._texts = texts
        self._unwrapper = Unwrapper(texts)
        self._items: list[Item] = []
        self._remarks: list[Problem] = []
        self._responses: list[Responded] = []
        self._known: set[str] = set()  # ids of responses whose items are here
        self._stream: Stream | None = None
        self._agents = Agents(session)
        self._tools: dict[str, Any] | None = None
        self._allowed: frozenset[str] | None = None
        self._body: dict[str, Any] | None = None
        self._shapes: Counter[str] = Counter()
        self._aside: Counter[str] = Counter()
        self._aborted: str | None = None
        self._errors: list[str] = []
        self._strangers: dict[str, list[Location]] = {}

    def take(self, value: Value) -> None:
        where = value.location
        if value.fault is not None:  # what is complete of a damaged text comes as a value of its own
            self._remark("torn_line", f"a record cannot be read ({value.fault}){_UNTOLD}", where)
            return
        given, doubts = self._texts.whole(value)
        found = parts(given, self._texts, value.event, value.open)
        for doubt in dict.fromkeys((*doubts, *self._texts.bent)):
            self._remark("torn_line", f"a record could only be read by bending it: {doubt}", where, detail="bent")
        torn, self._texts.torn, self._texts.bent = self._texts.torn, [], []
        self._take(value, given, found)
        for why in torn:
            self._remark("torn_line", f"a text inside a record cannot be read whole ({why}){_UNTOLD}", where)

    def _take(self, value: Value, given: Any, found: list[Part]) -> None:
        where = value.location
        if not found:
            if given not in ([], {}) and value.whole:
                self._shapes["unrecognised"] += 1
            return
        if all(part.kind == kinds.AGENTS for part in found):
            self.flush(agents=False)
            self._shapes[kinds.AGENTS] += len(found)
            self._records(value, given)
            return
        inner = {index: state_items(part.value) for index, part in enumerate(found) if part.kind == kinds.RUN_STATE}
        wanted = [part.path for part in found if part.path]
        wanted += [(*found[index].path, *path) for index, listed in inner.items() for _, path in listed]
        wanted += [(*part.path, *path) for part in found for path in kinds.inside(part)]
        places = value.at(wanted) if wanted else {}
        for index, part in enumerate(found):
            self._shapes[part.kind] += 1
            if part.kind != kinds.EVENT:  # what was streamed before it stands before it
                self.flush(agents=part.kind in _FOLLOWS)
            elif self._stream is None:
                self.flush()
            if part.kind == kinds.RUN_STATE:
                for raw, path in inner[index]:
                    self._add(wire(raw, places.get((*part.path, *path), where)))
            else:
                self._part(part, places, where)

    def _part(self, part: Part, places: dict[Any, Location], whole: Location) -> None:
        where = places.get(part.path, whole)
        value = part.value
        match part.kind:
            case kinds.EVENT:
                self._stream = self._stream or Stream()
                self._stream.event(value, where)
            case kinds.ITEM | kinds.RUN_ITEM:
                self._add(wire(value, where))
            case kinds.FOREIGN if isinstance(value, dict) and isinstance(value.get("messages"), list):
                self._messages(part, places, where)
            case kinds.FOREIGN if "role" in value or len(part.path) > 0:
                self._add(Item(value, where))
            case kinds.FOREIGN:
                self._strangers.setdefault(part.detail or "other", []).append(where)
            case kinds.RAW_AGENTS:
                self._add(Item(value, where))
            case kinds.AGENTS:
                for found in self._unwrapper.find(value, NOTHING, None):
                    self._record(found, places.get((*part.path, *found.path), where))
            case kinds.RESPONSE:
                self._response(part, places, where)
            case kinds.REQUEST:
                self._request(part, places, where)
            case kinds.CODEX:
                self._codex(part, places, where)
            case kinds.PAGE if value.get("has_more") is True:
                self._cut(where)
            case kinds.ERROR:
                self._errors.append(text(value, "code") or text(value, "type") or "error")

    def _records(self, value: Value, given: Any) -> None:
        """A value in which all is the Agents API's: found as everywhere else in the program, with what stands beside it."""
        try:
            found = self._unwrapper.find(given, NOTHING, value.event, value.open)
        except RecursionError:
            self._remark("torn_line", f"a record is nested too deeply to be read{_UNTOLD}", value.location)
            return
        self._texts.torn, self._texts.bent = [], []  # told already
        places = value.at([one.path for one in found if one.path])
        for one in found:
            self._record(one, places.get(one.path, value.location))

    def _record(self, found: Found, where: Location) -> None:
        if not self._agents.record(found, where):
            self._shapes["unrecognised"] += 1
        if found.kind is Kind.PAGE and found.value.get("has_more") is True:
            self._cut(where)

    def _add(self, item: Item, response: int | None = None) -> None:
        self._items.append(replace(item, index=len(self._items), response=response if response is not None else item.response))

    def _messages(self, part: Part, places: dict[Any, Location], where: Location) -> None:
        self._remark(
            "foreign_envelope",
            f"this is a list of messages of another API ({part.detail})",
            where,
            row="foreign_envelope/container",
        )
        for index, message in enumerate(part.value["messages"]):
            self._add(Item(message, places.get((*part.path, "messages", index), where)))

    def _response(self, part: Part, places: dict[Any, Location], where: Location) -> None:
        value = part.value
        status = text(value, "status")
        number = len(self._responses)
        self._responses.append(Responded(status, text(value, "id")))
        self._echo(value, where)
        for index, item in enumerate(value.get("output") or () if isinstance(value.get("output"), list) else ()):
            self._add(wire(item, places.get((*part.path, "output", index), where)), number)
        if (id_ := text(value, "id")) is not None:
            self._known.add(id_)

    def _echo(self, value: dict[str, Any], where: Location) -> None:
        """What a response repeats of its request."""
        if isinstance(value.get("tools"), list):
            self._tools = (self._tools or {}) | (declared(value["tools"]) or {})
        for name in ("previous_response_id", "conversation"):
            holder = value.get(name)
            if holder is not None and not (self._body is not None and name in self._body):
                self._elsewhere(name, holder, where)
                if not isinstance(holder, str) or holder not in self._known:
                    self._body = (self._body or {}) | {name: holder}

    def _elsewhere(self, name: str, holder: Any, where: Location) -> None:
        id_ = holder if isinstance(holder, str) else text(holder, "id")
        if id_ is None or (name == "previous_response_id" and id_ in self._known):
            return
        message = f"the {name} {id_} stands for something that the server keeps and the recording does not hold"
        self._remark("state_elsewhere", message, where, detail=name, ids={name: id_})

    def _request(self, part: Part, places: dict[Any, Location], where: Location) -> None:
        value = part.value
        goes_on = text(value, "previous_response_id") in self._known
        if self._items and not goes_on:
            self._aside["items before a later request, which has a history of its own"] += len(self._items)
            self._items, self._responses = [], []
            self._remarks = [one for one in self._remarks if one.reason == "torn_line"]
        if not goes_on:
            self._remarks = [_earlier(one) if one.reason == "torn_line" else one for one in self._remarks]
        self._body = {name: member for name, member in value.items() if name not in ("input", "has_more")}
        if value.get("has_more") is True:  # as a repair writes it where something is missing
            self._cut(where)
        if goes_on:
            self._body.pop("previous_response_id")
        for name in _HOLDERS:
            if value.get(name) is not None:
                self._elsewhere(name, value[name], where)
        if isinstance(value.get("tools"), list):
            self._tools = declared(value["tools"])
        chosen = value.get("allowed_tools", value.get("tool_choice"))
        self._allowed = allowed(chosen) if chosen is not None else self._allowed
        given = value.get("input")
        if isinstance(given, str):
            self._add(Item({"type": MESSAGE, "role": "user", "content": given}, where, changes=(TEXT_INPUT,)))
        elif isinstance(given, list):
            for index, item in enumerate(given):
                self._add(wire(item, places.get((*part.path, "input", index), where)))

    def _codex(self, part: Part, places: dict[Any, Location], where: Location) -> None:
        type_, payload = part.value["type"], part.value["payload"]
        if type_ == "response_item":
            self._add(Item(payload, where))
        elif type_ == "event_msg" and payload.get("type") == "turn_aborted":
            self._aborted = text(payload, "reason") or "aborted"
        elif type_ == "event_msg" and payload.get("type") == "task_started":
            self._aborted = None
        elif type_ == "compacted":
            self._aside["items before a compaction"] += len(self._items)
            self._items = []
            self._remarks = [_earlier(one) if one.reason == "torn_line" else one for one in self._remarks]
            kept = payload.get("replacement_history")
            if isinstance(kept, list):
                for index, item in enumerate(kept):
                    self._add(Item(item, places.get((*part.path, "payload", "replacement_history", index), where)))
            elif isinstance(payload.get("message"), str):
                said = {"type": MESSAGE, "role": "user", "content": [{"type": "input_text", "text": payload["message"]}]}
                self._add(Item(said, where, changes=("the summary of the compaction becomes a user message",)))

    def flush(self, *, agents: bool = True) -> None:
        """Turn a stream (and an Agents recording) into items."""
        stream, self._stream = self._stream, None
        if stream is not None:
            for response in stream.responses:
                self._streamed(stream, response)
        if agents and self._agents:
            recorded = self._agents.recorded()
            self._aside.update(recorded.aside)
            if recorded.tools is not None:
                self._tools = (self._tools or {}) | recorded.tools
            for item in recorded.items:
                self._add(item)

    def _streamed(self, stream: Stream, response: Response) -> None:
        number = len(self._responses)
        id_ = text(response.value, "id")
        self._responses.append(Responded(response.status, id_))
        self._echo(response.value, response.location)
        if response.error is not None:
            self._errors.append(response.error)
        if not response.ended:
            self._remark(
                "stream_unfinished",
                "the stream ends without saying how its response ended; whether more was to come cannot be told",
                response.location,
            )
        for rebuilt in stream.items(response):
            item = wire(rebuilt.value, rebuilt.location)
            if not rebuilt.done:
                message = "an item was announced and never done; what is known of it comes from its pieces"
                self._remark("stream_unfinished", message, rebuilt.location, detail="item", ids=_ids(rebuilt.value))
            if len(rebuilt.ids) > 1:
                message = f"one item bears {len(rebuilt.ids)} different ids in its events; they are good for nothing elsewhere"
                self._remark("ids_rotate", message, rebuilt.location, ids=_ids(rebuilt.value))
            self._add(replace(item, done=rebuilt.done), number)
        if id_ is not None:
            self._known.add(id_)

    def lacks(self, where: Location) -> None:
        self._remark("torn_line", f"a source could not be read, or not to its end{_UNTOLD}", where, detail="source")

    def _cut(self, where: Location) -> None:
        self._remark(
            "torn_line", f"the page says that there is more (has_more), so a pair may be cut{_UNTOLD}", where, detail="page"
        )

    def _remark(self, reason: str, message: str, where: Location, **more: Any) -> None:
        self._remarks.append(Problem(reason, message, locations=(where,), **more))

    def history(self) -> History:
        self.flush()
        for why, count in self._aside.items():
            if count:
                message = f"{count} {why} {'is' if count == 1 else 'are'} not part of this history"
                self._remarks.append(Problem("set_aside", message))
        for name, places in self._strangers.items():
            message = f"{len(places)} values are of another API ({name}) and hold no Responses item"
            self._remarks.append(Problem("foreign_envelope", message, locations=(places[0],)))
        return History(
            tuple(self._items),
            tuple(self._remarks),
            tuple(self._responses),
            self._tools,
            self._allowed,
            self._body,
            dict(self._shapes),
            self._aborted,
            tuple(dict.fromkeys(self._errors)),
            tuple(self._agents.sessions),
        )


def _earlier(remark: Problem) -> Problem:
    """What was torn before a history began takes nothing from it."""
    return replace(remark, detail="earlier") if remark.detail != "bent" else remark


def _ids(value: Any) -> dict[str, str]:
    found = {"call_id": text(value, "call_id"), "item_id": text(value, "id")}
    return {name: id_ for name, id_ in found.items() if id_ is not None}
