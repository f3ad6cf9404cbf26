"""The plain case, which is nearly every one: a call with one item, and one result under its pair, with no doubt about either.

It needs none of the comparing and merging that `calls` and `results` do, and comes out as they would have it: a test holds
both together. `PLAIN` is there for that test.
"""

from typing import Any

from tracelink.link.payload import same as alike
from tracelink.link.payload import same_result
from tracelink.link.shelves import Pair
from tracelink.model.facts import ActionSeen, InputSeen, ItemSeen
from tracelink.model.location import Origin
from tracelink.model.quick import quick
from tracelink.model.trace import CallKey, Result

PLAIN = True

_result = quick(Result)


def plain_result(
    pair: Pair, posts: list[InputSeen] | None, items: list[list[ItemSeen]] | None, key: CallKey | None
) -> Result | None:
    """The one result of a pair: a post, an item, or a post that its item says again literally; None if it is not so plain.

    No post may have been refused, and both ids must be there. key: that of the call, where there is one.
    """
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
    turn_id, call_id = pair
    # fmt: off
    return _result(
        turn_id, call_id, output, error, success, has, status, item_id, posted, recorded, (), (), official, type_, key,
        None, None, None,
    )
    # fmt: on


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
    same = _same_text(arguments, asked.arguments) or (arguments.__class__ is dict and alike(arguments, asked.arguments))
    return (name, arguments) if same else None
