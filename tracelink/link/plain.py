"""The plain case, which is nearly every one: a call with one item, and one result under its pair, with no doubt about either.

It needs none of the comparing and merging that `calls` and `results` do, and comes out as they would have it: a test holds
both together. `PLAIN` is there for that test.
"""

from operator import attrgetter
from typing import Any

import orjson

from tracelink.link.latest import Life
from tracelink.link.payload import same as alike
from tracelink.link.payload import same_result
from tracelink.link.shelves import Pair, Part
from tracelink.model.facts import ActionSeen, InputSeen, ItemSeen
from tracelink.model.location import Origin
from tracelink.model.quick import quick
from tracelink.model.trace import Action, Call, CallKey, Result, Turn

PLAIN = True

_result, _call, _action = quick(Result), quick(Call), quick(Action)
_at = attrgetter("at")


def plain_result(
    pair: Pair, posts: list[InputSeen] | None, items: list[list[ItemSeen]] | None, key: CallKey | None
) -> Result | None:
    """The one result of a pair: a post, an item, or a post that its item says again literally; None if it is not so plain.

    No post may have been refused, and both ids must be there. key: that of the call, where there is one.
    """
    turn_id, call_id = pair
    if posts is None and items is not None and len(items) == 1 and len(items[0]) == 1:
        only = items[0][0]
        value = only.value
        # fmt: off
        return _result(
            turn_id, call_id, value.get("output"), value.get("error"), None, True, only.status, only.item_id, None, only.at,
            (), (), True, None, key, None, None, None,
        )
        # fmt: on
    output = error = success = status = item_id = type_ = None
    posted: Origin | None = None
    recorded: Origin | None = None
    has, official = True, True
    if items is not None:
        if len(items) != 1:
            return None
        seen = items[0]
        if len(seen) > 1 and len(versions(seen)) > 1:
            return None
        last = seen[-1]
        output, error = last_said(seen, "output"), last_said(seen, "error")
        status, item_id, recorded = last.status, last.item_id, seen[0].at
    if posts is not None:
        if len(posts) != 1:
            return None
        post = posts[0]
        said = post.value
        if items is None:
            output, error, has = said.get("output"), said.get("error"), "output" in said
        elif not (_same_text(said.get("output"), output) and _same_text(said.get("error"), error)):
            return None
        success, posted, official, type_ = said.get("success"), post.at, post.official, post.type
    # fmt: off
    return _result(
        turn_id, call_id, output, error, success, has, status, item_id, posted, recorded, (), (), official, type_, key,
        None, None, None,
    )
    # fmt: on


class Between:
    """The calls that are required, answered by one recorded item, and then required no more: in one stream, one after the other.

    Most calls of a turn are listed and dropped by the same snapshots, so what these tell is kept from call to call.
    """

    def __init__(self) -> None:
        self._first: Origin | None = None
        self._last: Origin | None = None
        self._dropped: Origin | None = None
        self._turn: Turn | None = None
        self._index = self._low = self._high = -1
        self._required: tuple[Origin, ...] = ()
        self._rooted = False  # the turn is known, and no subagent's

    def call(self, part: Part, life: Life, result: Result, turn: Turn | None) -> Call | None:
        """The call, its action made too; None if it is not so plain. result: the only one. turn: the call's."""
        first, last = life.first, life.last
        if life.cleared is not self._dropped or last is not self._last or first is not self._first or turn is not self._turn:
            self._first, self._last, self._dropped, self._turn = first, last, life.cleared, turn
            self._required = (first, last)
            self._rooted = turn is not None and turn.subagent_id is None
            self._bounds(last, life.cleared, turn.ended if turn is not None else None)
        at, items = result.recorded, part.items
        if at is None or not self._low < at.seq < self._high or at.index != self._index or not at.stream:
            return None
        if len(items) != 1 or not life.alone or result.recorded_again:
            return None
        history = items[0]
        seen, asked = history[-1], life.seen
        if seen.phase == "added":
            return None
        name, arguments = seen.value.get("name"), seen.value.get("arguments")
        whole = False
        if arguments.__class__ is dict and asked.arguments.__class__ is dict and name == asked.name:
            try:
                if orjson.dumps(arguments) != orjson.dumps(asked.arguments):
                    return None
            except TypeError:  # a number that the library refuses
                return None
            whole = name is not None  # and what is written alike is of the same types: the reader lets no NaN in
        elif plain_said(seen, asked) is None:
            return None
        life.action = _action(asked, first, last, at, life.listed_latest, None)
        turn_id, call_id = part.key
        # fmt: off
        return _call(
            turn_id, call_id, name, arguments, seen.status, "answered", (seen.item_id,) if seen.item_id is not None else (), (),
            tuple(map(_at, history)), self._required, tuple(part.results), tuple(history),
            whole and self._rooted and self._done(history) and _good(result),
        )
        # fmt: on

    def _done(self, history: list[ItemSeen]) -> bool:
        """Whether the item was announced, if it was, and then done, before the action was dropped."""
        done = history[-1]
        if done.phase != "done" or len(history) > 2 or (len(history) == 2 and history[0].phase != "added"):
            return False
        return done.at.index == self._index and done.at.seq < self._high

    def _bounds(self, last: Origin, dropped: Origin | None, ended: Origin | None) -> None:
        """Between which positions a recorded result is sure to be what cleared the action: after the snapshot that lists it last and
        before the one that lacks it, the turn going on until then."""
        self._index = self._low = self._high = -1
        if dropped is None or dropped.index != last.index or not last.stream:
            return
        if ended is None or (ended.index == last.index and ended.seq >= dropped.seq):
            self._index, self._low, self._high = last.index, last.seq, dropped.seq


def _good(result: Result) -> bool:
    """Whether a recorded result that nobody posted is text, and tells of no failure."""
    return result.output.__class__ is str and result.error is None and result.status != "failed" and result.posted is None


def last_said(seen: list[ItemSeen], member: str) -> Any:
    """What the item said last; a later null (a list may lack what an event carried, fact sheet B.5) takes nothing back."""
    if len(seen) == 1:
        return seen[0].value.get(member)
    return next((one.value[member] for one in reversed(seen) if one.value.get(member) is not None), None)


VERSIONS = 64
"""Different things that one item says before what follows is no longer told apart."""


def versions(seen: list[ItemSeen]) -> list[list[ItemSeen]]:
    """What was seen of one output item, told apart by what it said; a missing half, or an item in progress, says nothing of its own."""
    if len(seen) == 1:
        return [seen]
    found: list[list[ItemSeen]] = []
    said: list[tuple[Any, Any]] = []
    for one in seen:
        says = (None, None) if one.status == "in_progress" else (one.value.get("output"), one.value.get("error"))
        number = next((number for number, other in enumerate(said) if same_result(other, says)), len(said))
        if number == len(said) < VERSIONS:
            found.append([one])
            said.append(says)
            continue
        number = min(number, len(said) - 1)
        found[number].append(one)
        output, error = said[number]
        said[number] = (output if output is not None else says[0], error if error is not None else says[1])
    return found


def _same_text(a: object, b: object) -> bool:
    """Whether two halves of a result are the same text, or both missing."""
    return a is b if a is None or b is None else a.__class__ is str and a == b


def plain_said(seen: ItemSeen, asked: ActionSeen | None) -> tuple[str | None, Any] | None:
    """Name and arguments of a call with one item in its final state, and perhaps an action; None where the two may differ."""
    value = seen.value
    name, arguments = value.get("name"), value.get("arguments")
    if asked is None:
        return name, arguments
    if name != asked.name:
        return None
    if seen.phase == "added" and seen.status != "completed":
        return name, asked.arguments  # only announced: its arguments may not be there yet
    if arguments.__class__ is dict:
        return (name, arguments) if alike(arguments, asked.arguments) else None
    return (name, arguments) if _same_text(arguments, asked.arguments) else None
