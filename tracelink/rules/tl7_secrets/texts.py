"""Every text that a trace keeps, with its place: where a credential may stand.

Ciphertext, padding and image data are left out: by the odds, random text holds whatever one looks for.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from tracelink.model.facts import InputSeen
from tracelink.model.location import Origin
from tracelink.model.trace import Trace
from tracelink.rules.tl7_secrets.scanner import may_hold, worth_a_look

_T = TypeVar("_T")

OPAQUE = frozenset(("encrypted_content", "obfuscation", "image_url", "signature"))
"""Members whose strings nobody reads."""

_DATA_URL = re.compile(r"data:[\w.+/-]*;base64,[\w+/=-]*")


class Text(NamedTuple):
    """`where` reads after "in": `the arguments of call_a1`."""

    where: str
    at: Origin
    text: str


class Tools:
    """Which lists of tools are worth a look. Most snapshots of a session hold the very same list, and many sessions do."""

    def __init__(self) -> None:
        self._worth: dict[int, tuple[bool, Any]] = {}

    def worth(self, tools: Any) -> bool:
        known = self._worth.get(id(tools))
        if known is None:
            known = self._worth[id(tools)] = may_hold(tools) and worth_a_look("\n".join(_lines(tools))), tools
        return known[0]


def texts(trace: Trace, tools: Tools) -> Iterator[Text]:
    """The texts of a trace that are worth a look, in a fixed order; one of a post and of the item that confirms it."""
    for where, at, value in _values(trace, tools):
        lines = list(_lines(value))
        if at is not None and lines:
            text = _DATA_URL.sub("", "\n".join(lines))
            if worth_a_look(text):
                yield Text(where, at, text)


TOGETHER = 32
"""Values that are looked at as one text: enough to save the most of the work, few enough that one hit costs little."""


def _sieved(things: Iterable[_T], said: Callable[[_T], Any]) -> Iterator[_T]:
    """Without those of which no text can be worth a look: what holds for many written as one text holds for each of them."""
    things = iter(things)
    while some := list(islice(things, TOGETHER)):
        if may_hold(list(map(said, some))):
            yield from some


_OF_CALL, _OF_RESULT, _OF_ITEM = attrgetter("variants", "arguments"), attrgetter("output", "error"), attrgetter("value")


def _values(trace: Trace, known: Tools) -> Iterator[tuple[str, Origin | None, Any]]:
    for call in _sieved(trace.calls.values(), _OF_CALL):
        for _, arguments in call.variants or ((call.name, call.arguments),):
            if may_hold(arguments):
                yield f"the arguments of {call.call_id or 'a call'}", call.first, arguments
    for result in _sieved(trace.results, _OF_RESULT):
        if result.posted is None and (may_hold(result.output) or may_hold(result.error)):
            yield f"the result for {result.call_id or 'a call'}", result.first, [result.output, result.error]
    for post in trace.inputs:
        if _plain_post(post):
            continue
        name = post.type.rpartition(".")[2]
        yield f"a posted {name}" + (f" for {post.call_id}" if post.call_id else ""), post.at, post.value
    for item in _sieved(trace.items.values(), _OF_ITEM):
        if may_hold(item.value):
            yield f"{item.type} {item.id}", item.origins[-1], item.value
    for one in trace.coordination.values():
        yield f"the {one.kind} item {one.item_id}", one.first, one.text
    for agent in trace.agents.values():
        yield f"the instructions of {agent.id}", agent.origins[0] if agent.origins else None, agent.instructions
    for turn in trace.turns.values():
        if turn.error_message is not None:
            yield f"the error of turn {turn.id}", turn.ended or (turn.origins[0] if turn.origins else None), turn.error_message
    bodies = {id(snapshot.body): snapshot for snapshot in reversed(trace.snapshots)}
    for snapshot in reversed(bodies.values()):
        body, tools = snapshot.body, snapshot.body.tools
        rest = [body.error, [one.request for one in body.actions if one.request is not None]]
        if known.worth(tools) or (rest != [None, []] and may_hold(rest)):
            yield "the session", snapshot.at, [tools, *rest]
    for error in trace.errors:
        yield "an error event", error.at, error.message
    for refusal in trace.refusals:
        yield "a refusal", refusal.at, refusal.message
    for environment in trace.environments:
        yield "an environment's error", environment.at, environment.error_message


_OF_POSTS = ("type", "turn_id", "call_id", "request_id")


def _plain_post(post: InputSeen) -> bool:
    """Whether a post says nothing that is worth a look: its ids are ids, and the rest is short."""
    value = post.value
    for name in _OF_POSTS:
        one = value.get(name)
        if one is not None and not (one.__class__ is str and _harmless(one)):
            return False
    return not may_hold({name: one for name, one in value.items() if name not in _OF_POSTS})


@lru_cache(1000)
def _harmless(text: str) -> bool:
    return not worth_a_look(text)


def _lines(value: Any, name: str = "") -> Iterator[str]:
    """`name: text` for each string in a JSON value; patterns look at the name too. Not recursive."""
    open_ = [(name, value)]
    while open_:
        name, value = open_.pop()
        if isinstance(value, str):
            yield f"{name}: {value}" if name else value
        elif isinstance(value, dict):
            open_ += [(key, one) for key, one in reversed(value.items()) if key not in OPAQUE or not isinstance(one, str)]
        elif isinstance(value, list):
            open_ += [(name, one) for one in reversed(value)]
