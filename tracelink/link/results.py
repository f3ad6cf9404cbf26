"""Results: posts and function_call_output items of one (turn, call) pair, merged into what was really said.

Posts of one pair are taken in order; a post that says the same as an earlier one is that one again. Then the items, in
order: each confirms the first result that says the same and has no item yet; if all have one, it is that one again; if
none says the same, it is a result of its own. An item that says first one thing and then another is two. A post that the
server refused, and that was sent again, is no repetition.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from tracelink.link import plain as lane
from tracelink.link.payload import digest, plain, same_result
from tracelink.link.plain import last_said, versions
from tracelink.link.shelves import Pair, Part, Parts
from tracelink.model.facts import InputSeen, ItemSeen, RefusalSeen
from tracelink.model.location import Origin
from tracelink.model.trace import CallKey, Result

TOOL_RESULTS = frozenset(
    (
        "agent.session.input.tool_result",
        "agent.session.input.function_call_output",
        "session.input.tool_result",
        "session.input.function_call_output",
    )
)
"""The official input type that carries a tool's result, and the names that people write instead (fact sheet L.1)."""


def is_result(post: InputSeen) -> bool:
    """Whether a post means to be the result of a call."""
    return post.type in TOOL_RESULTS or (not post.official and post.call_id is not None)


class _Draft:
    __slots__ = ("again", "error", "item", "item_says", "output", "post", "posts", "recorded")

    def __init__(self, output: Any, error: Any) -> None:
        self.output, self.error = output, error
        self.post: InputSeen | None = None
        self.posts: list[InputSeen] = []
        self.item: ItemSeen | None = None
        self.item_says: tuple[Any, Any] = (None, None)
        self.recorded: list[Origin] = []
        self.again: list[Origin] = []

    @property
    def says(self) -> tuple[Any, Any]:
        return (self.output, self.error)


def results(
    inputs: Iterable[InputSeen], items: dict[Pair, list[list[ItemSeen]]], refusals: dict[int, RefusalSeen], parts: Parts
) -> list[Result]:
    """All results, in order of first appearance, those of exactly a call's pair tied to it.

    items: the outputs of each pair. refusals: id() of a post's origin → its refusal. parts: the calls, which get the indices of theirs.
    """
    posts: dict[Pair, list[InputSeen]] = {}
    refused: set[Pair] = set()
    for post in inputs:
        if is_result(post):
            pair = (post.turn_id, post.call_id)
            posts.setdefault(pair, []).append(post)
            if refusals and id(post.at) in refusals:
                refused.add(pair)
    found: list[Result] = []
    by_pair: Mapping[Pair, Part] = parts  # type: ignore[assignment]  # what is no pair of two ids is no key
    pairs = [(pair, items.get(pair)) for pair in {**posts, **items}] if posts else items.items()
    for pair, said in pairs:
        turn_id, call_id = pair
        part = by_pair.get(pair) if turn_id and call_id else None
        key = part.key if part is not None else None
        if lane.PLAIN and turn_id is not None and call_id is not None and not (refused and pair in refused):
            result = lane.plain_result(pair, posts.get(pair) if posts else None, said, key)
            if result is not None:
                if part is not None:
                    part.results.append(len(found))
                found.append(result)
                continue
        for draft in _merge(posts.get(pair, []), said or [], pair):
            if part is not None:
                part.results.append(len(found))
            found.append(_result(pair, draft, refusals, key))
    if not _in_order(found):
        found.sort(key=_place)
        tie(found, parts)
    return found


def tie(results: Iterable[Result], parts: Parts) -> None:
    """Gives the calls the indices of their results, anew."""
    for part in parts.values():
        part.results.clear()
    for index, result in enumerate(results):
        if result.call is not None:
            parts[result.call].results.append(index)


def _in_order(results: Iterable[Result]) -> bool:
    """Whether they stand in order of arrival already, as those of one stream do."""
    index = seq = -1
    for result in results:
        at = result.first
        if at.index != index:
            if at.index < index:
                return False
            index = at.index
        elif at.seq < seq:
            return False
        seq = at.seq
    return True


def _place(result: Result) -> tuple[int, int]:
    at = result.posted or result.recorded
    return (at.index, at.seq) if at is not None else (0, 0)


def _merge(posts: list[InputSeen], items: list[list[ItemSeen]], pair: Pair) -> list[_Draft]:
    drafts: list[_Draft] = []
    by_text: dict[bytes, _Draft] = {}
    by_post: dict[bytes, _Draft] = {}
    for post in posts:
        output, error = post.value.get("output"), post.value.get("error")
        text = digest([plain(output), plain(error), post.value.get("success")])
        # Without both ids nothing shows that two posts speak of one call.
        draft = by_post.get(text) if None not in pair else None
        if draft is None:
            draft = by_post[text] = _Draft(output, error)
            draft.post = post
            drafts.append(draft)
            if None not in pair:
                by_text.setdefault(_text(output, error), draft)
        draft.posts.append(post)
    # Items of the simplified shape name no turn (fact sheet K): what they say again they say of each other, and of no post.
    known = drafts if None not in pair else []
    for seen in (version for item in items for version in versions(item)):
        final = seen[-1]
        output, error = last_said(seen, "output"), last_said(seen, "error")
        draft = _confirmed(known, by_text.get(_text(output, error)), (output, error)) if pair[1] is not None else None
        if draft is None:
            draft = by_text[_text(output, error)] = _Draft(output, error)
            drafts.append(draft)
            if known is not drafts:
                known.append(draft)
        if draft.item is None:
            draft.item = final
            draft.item_says = (output, error)
            draft.recorded = [one.at for one in seen]
        else:
            draft.again.append(seen[0].at)
    return drafts


COMPARED = 64
"""Results of one pair that an item with a null half is held against."""


def _confirmed(drafts: list[_Draft], exact: _Draft | None, says: tuple[Any, Any]) -> _Draft | None:
    """The result that an item says again: literally, or as far as neither leaves a half out."""
    if exact is not None:
        return exact
    alike = [one for one in drafts[:COMPARED] if same_result(one.says, says)]
    return next((one for one in alike if one.item is None), alike[0] if alike else None)


def _text(output: Any, error: Any) -> bytes:
    return digest([plain(output), plain(error)])


def _result(pair: Pair, draft: _Draft, refusals: dict[int, RefusalSeen], key: CallKey | None) -> Result:
    refused = [refusals.get(id(post.at)) for post in draft.posts]
    accepted = [post for post, refusal in zip(draft.posts, refused, strict=True) if refusal is None]
    # A result of no call is told where it was posted first, whatever became of each post.
    kept = (accepted or draft.posts[:1]) if key is not None else draft.posts
    # An item that stands again is a resend too; the resent post and its item are one resend.
    again = [post.at for post in kept[1:]]
    again = again if len(again) >= len(draft.again) else draft.again
    post = kept[0] if kept else None
    return Result(
        pair[0],
        pair[1],
        draft.output if draft.output is not None else draft.item_says[0],
        draft.error if draft.error is not None else draft.item_says[1],
        success=post.value.get("success") if post else None,
        has_output=(post is not None and "output" in post.value) or draft.item is not None,
        status=draft.item.status if draft.item else None,
        item_id=draft.item.item_id if draft.item else None,
        posted=post.at if post else None,
        recorded=draft.recorded[0] if draft.recorded else None,
        repeated=tuple(again),
        recorded_again=tuple(draft.again),
        official=post.official if post else True,
        type=post.type if post else None,
        call=key,
        refused=None if accepted and key is not None else next((one for one in refused if one is not None), None),
    )
