"""Posts that name no session and fit several: an action that such a post may have answered is not known to be open still."""

from tracelink.model.facts import ActionSeen, SnapshotSeen
from tracelink.model.location import order
from tracelink.model.trace import Adrift, Trace
from tracelink.model.verdict import OpenAction

CANCEL = "agent.session.input.cancel"


def surely_open(
    trace: Trace, snapshot: SnapshotSeen, waiting: tuple[OpenAction, ...]
) -> tuple[tuple[OpenAction, ...], str | None]:
    """The actions that no such post may have answered or cancelled; and of the others why that cannot be told, or None."""
    posts = [one for one in trace.adrift if one.refused is None]
    if not posts:
        return waiting, None
    cancel = next((one for one in posts if one.post.type == CANCEL and order(snapshot.at, one.post.at) == -1), None)
    if cancel is not None:
        return (), (
            f"but the app posted a cancel after it ({cancel.post.at.location.short}) that names no session, so it may be for "
            f"{_others(cancel)} or for this one"
        )
    sure = tuple(one for one in waiting if not any(_fits(post, one.action) for post in posts))
    first = next((post for one in waiting for post in posts if _fits(post, one.action)), None)
    if first is None:
        return waiting, None
    return sure, (
        f"but an answer was posted ({first.post.at.location.short}) that names no session and fits {_others(first)} as well, so "
        "whose it is cannot be told"
    )


def _fits(one: Adrift, seen: ActionSeen) -> bool:
    post = one.post
    if seen.call_id is not None:
        return (post.turn_id, post.call_id) == (seen.turn_id, seen.call_id)
    return seen.request_id is not None and post.request_id == seen.request_id


def _others(one: Adrift) -> str:
    more = f" and {len(one.others) - 2} more" if len(one.others) > 2 else ""
    return " or ".join(one.others[:2]) + more if not more else ", ".join(one.others[:2]) + more
