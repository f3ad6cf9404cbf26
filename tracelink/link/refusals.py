"""Which post did the server refuse? An HTTP error body says so only in words (fact sheet D.5).

In this order: the post of the same log entry (one that holds no other refusal); the last post before it, not refused yet, whose call_id or request_id the
message names; the post right before it in the same source, if it is close, unless the message names a call that this post does not, or
its result was recorded in between; where no post stands before it in its own source (a log that was rotated in between), the last post
of another source that came right before it by receive time. A refusal of something else (a 404, a 401) is tied to nothing by position alone. An error of the server
(a 500, a 503) refuses nothing: what it was given may have been taken before it failed.
"""

from bisect import bisect_left, bisect_right
from collections import Counter

from tracelink.model.facts import InputSeen, ItemSeen, RefusalSeen
from tracelink.model.location import Origin, order
from tracelink.model.recording import Recording

REPLY_SECONDS = 30.0
REPLY_RECORDS = 8
"""How far a refusal may stand from the post that it is tied to by position alone."""

_OF_INPUT = frozenset(("invalid_request_error", "conflict_error", "invalid_request", "conflict"))
_STATUS = frozenset((None, 400, 409, 422))
_OF_SERVER = frozenset(
    ("server_error", "internal_error", "internal_server_error", "service_unavailable_error", "server_is_overloaded")
)


def match(recording: Recording) -> dict[int, RefusalSeen]:
    """id() of a post's origin → the refusal that answers it."""
    matched: dict[int, RefusalSeen] = {}
    if not recording.refusals:
        return matched
    by_id: dict[str, list[InputSeen]] = {}
    by_doc: dict[tuple[int, int], list[InputSeen]] = {}
    for post in recording.inputs:
        by_doc.setdefault((post.at.index, post.at.doc), []).append(post)
        for one in (post.call_id, post.request_id):
            if one is not None:
                by_id.setdefault(one, []).append(post)
    outputs = _outputs(recording)
    refusals_of = Counter((refusal.at.index, refusal.at.doc) for refusal in recording.refusals)
    ordered = sorted(recording.inputs, key=lambda post: (post.at.index, post.at.seq))
    ends = _ends(ordered)
    for refusal in recording.refusals:
        if _of_server(refusal):
            continue
        lone = refusals_of[refusal.at.index, refusal.at.doc] == 1
        for post in _refused(refusal, by_id, by_doc, (ordered, ends), matched, lone, outputs):
            matched[id(post.at)] = refusal
    return matched


def _refused(
    refusal: RefusalSeen,
    by_id: dict[str, list[InputSeen]],
    by_doc: dict[tuple[int, int], list[InputSeen]],
    ordered: tuple[list[InputSeen], list[InputSeen]],
    matched: dict[int, RefusalSeen],
    lone: bool,
    outputs: dict[tuple[str | None, str], list[ItemSeen]],
) -> list[InputSeen]:
    named = [by_id[word] for word in _words(refusal.message) if word in by_id]
    same_doc = by_doc.get((refusal.at.index, refusal.at.doc), [])
    if lone and same_doc and _right_before(same_doc, refusal):
        return same_doc  # one POST is taken or refused as a whole
    for posts in named:
        for post in reversed(posts):
            if order(post.at, refusal.at) != 1 and id(post.at) not in matched:
                return [post]
    if named or not may_be_of_input(refusal):
        return []
    before = _before(*ordered, refusal)
    if before is None or id(before.at) in matched or not _close(before.at, refusal.at):
        return []
    if refusal.unknown_call not in (None, before.call_id) or _taken(before, refusal, outputs):
        return []
    return [before]


def _outputs(recording: Recording) -> dict[tuple[str | None, str], list[ItemSeen]]:
    """(turn id, call id) → the results that the server recorded."""
    found: dict[tuple[str | None, str], list[ItemSeen]] = {}
    for seen in recording.items.values():
        for one in seen:
            if one.type == "function_call_output" and one.call_id is not None:
                found.setdefault((one.turn_id, one.call_id), []).append(one)
    return found


def _taken(post: InputSeen, refusal: RefusalSeen, outputs: dict[tuple[str | None, str], list[ItemSeen]]) -> bool:
    """Whether what was posted is recorded between the post and a refusal: then something else was refused."""
    return any(
        order(post.at, one.at) == -1 and order(one.at, refusal.at) == -1 and one.value.get("output") == post.value.get("output")
        for one in outputs.get((post.turn_id, post.call_id or ""), ())
    )


def may_be_of_input(refusal: RefusalSeen) -> bool:
    """Whether status and code are those of a refused input, and not of something else (a 404, a 401)."""
    return refusal.http_status in _STATUS and (refusal.code or refusal.type) in (*_OF_INPUT, None)


def _of_server(error: RefusalSeen) -> bool:
    """Whether the server failed, which does not tell what became of the input. Timeouts on the way (408) tell as little."""
    if error.http_status is not None:
        return error.http_status >= 500 or error.http_status == 408
    return (error.code or error.type) in _OF_SERVER


def _right_before(posts: list[InputSeen], refusal: RefusalSeen) -> bool:
    """Whether all posts of the log entry stand, one after the other, right before its refusal: a request and its reply."""
    return [post.at.seq for post in posts] == list(range(refusal.at.seq - len(posts), refusal.at.seq))


def _ends(ordered: list[InputSeen]) -> list[InputSeen]:
    """The last post of each source, of those with a receive time; by that time."""
    last = {post.at.index: post for post in ordered}
    return sorted((post for post in last.values() if post.at.received is not None), key=_received)


def _received(post: InputSeen) -> float:
    return post.at.received or 0.0


def _before(ordered: list[InputSeen], ends: list[InputSeen], refusal: RefusalSeen) -> InputSeen | None:
    place = bisect_left(ordered, (refusal.at.index, refusal.at.seq), key=lambda post: (post.at.index, post.at.seq))
    if place and ordered[place - 1].at.index == refusal.at.index:
        return ordered[place - 1]
    if refusal.at.received is None:
        return None
    place = bisect_right(ends, refusal.at.received, key=_received)
    if place and ends[place - 1].at.index == refusal.at.index:
        place -= 1
    return ends[place - 1] if place else None


def _close(post: Origin, refusal: Origin) -> bool:
    """Whether a refusal follows a post closely enough to be the reply to it, when nothing else ties the two."""
    if post.received is not None and refusal.received is not None:
        return refusal.received - post.received <= REPLY_SECONDS
    return refusal.seq - post.seq <= REPLY_RECORDS


def _words(message: str) -> list[str]:
    """The words of a message, without quotes and full stops, so that an id in it can be looked up."""
    return [word.strip("\"'`.,;:()[]") for word in message[:2000].split()]
