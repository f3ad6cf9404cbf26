"""A trace as what is compared: agents as a tree, each with its turns, each with what the session asked of the app in it.

A unit is a function_call, or a required action that is none (an approval, an environment to connect).
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from tracelink.link.payload import digest, plain
from tracelink.model.location import Origin
from tracelink.model.trace import Action, Agent, Answer, Call, Result, Trace, Turn


@dataclass(frozen=True, slots=True)
class Unit:
    """kind: `function_call` or the action's type. said: results (of a call) or answers (of an approval), in order."""

    kind: str
    id: str
    name: str | None
    asks: Any
    at: Origin | None
    call: Call | None = None
    action: Action | None = None
    results: tuple[Result, ...] = ()
    answers: tuple[Answer, ...] = ()

    @property
    def plain_key(self) -> bytes:
        return f"{self.kind} {self.name or ''}".encode("utf-8", "backslashreplace")

    @property
    def full_key(self) -> bytes:
        return self.plain_key + b" " + digest(plain(self.asks))


@dataclass(slots=True)
class TurnPart:
    """turn is None where only calls name it. strays: results that answer no call, by the turn they belong to."""

    id: str
    turn: Turn | None
    units: list[Unit] = field(default_factory=list)
    strays: list[Result] = field(default_factory=list)
    asked: list[tuple[str, Origin]] = field(default_factory=list)
    items: Counter[str] = field(default_factory=Counter)

    @property
    def at(self) -> Origin | None:
        """Where it is first seen."""
        if self.turn is not None and (self.turn.began or self.turn.origins):
            return self.turn.began or self.turn.origins[0]
        first = next((one.at for one in self.units if one.at is not None), None)
        return first or next((one.first for one in self.strays), None)

    @property
    def text(self) -> str | None:
        return "\n".join(text for text, _ in self.asked) if self.asked else None


@dataclass(slots=True)
class Parts:
    """children: agent id → its subagents, None for those whose parent is not among the agents.

    posts: the recording holds posts of the app; watched: it holds snapshots as they came, and not only as retrieved later, so it would
    show an action that was required for a while.
    """

    trace: Trace
    turns: dict[str, list[TurnPart]]
    children: dict[str | None, list[Agent]]
    posts: bool
    watched: bool

    @property
    def everything(self) -> list[TurnPart]:
        return [one for turns in self.turns.values() for one in turns]


def parts(trace: Trace) -> Parts:
    """The trace, taken apart. Linear in what it holds."""
    root = next((one.id for one in trace.agents.values() if one.root), "")
    turns = {turn.id: TurnPart(turn.id, turn) for turn in trace.turns.values()}
    loose: dict[str, TurnPart] = {}

    def part(turn_id: str | None) -> TurnPart:
        name = turn_id or ""
        return turns.get(name) or loose.setdefault(name, TurnPart(name, None))

    for call in trace.calls.values():
        part(call.turn_id).units.append(
            Unit("function_call", call.call_id, call.name, call.arguments, call.first, call,
                 results=tuple(trace.results[at] for at in call.results))
        )  # fmt: skip
    answers: dict[int, list[Answer]] = defaultdict(list)
    for answer in trace.answers:
        if answer.action is not None:
            answers[answer.action].append(answer)
    for number, action in enumerate(trace.actions):
        seen = action.seen
        if seen.type != "function_call":
            asks = seen.arguments if seen.arguments is not None else seen.request
            part(seen.turn_id).units.append(
                Unit(seen.type, action.id or "", seen.name, asks, action.first, action=action, answers=tuple(answers[number]))
            )
    for result in trace.results:
        if result.call is None:
            meant = result.meant.turn_id if result.meant is not None and not result.meant.others else None
            part(meant or result.turn_id).strays.append(result)
    for item in trace.items.values():
        place = part(item.turn_id)
        text = item.value.get("text")
        if item.type == "message" and item.value.get("role") == "user":
            if isinstance(text, str):
                place.asked.append((text, item.first))
        else:
            place.items[item.type] += 1
    for sent in trace.coordination.values():
        part(sent.turn_id).items[sent.kind] += 1

    owned: dict[str, list[TurnPart]] = {agent_id: [] for agent_id in trace.agents}
    for one in turns.values():
        owner = one.turn.agent_id if one.turn is not None else root
        owned.setdefault(owner if owner in trace.agents else root, []).append(one)
    owned.setdefault(root, []).extend(loose.values())
    children: dict[str | None, list[Agent]] = defaultdict(list)
    for agent in trace.agents.values():
        if not agent.root:
            children[agent.parent_id if agent.parent_id in trace.agents else None].append(agent)
    return Parts(trace, owned, children, bool(trace.inputs), any(one.at.stream for one in trace.snapshots))


def turn_ids(part: TurnPart | None) -> dict[str, str]:
    return {"turn_id": part.id} if part is not None and part.id else {}
