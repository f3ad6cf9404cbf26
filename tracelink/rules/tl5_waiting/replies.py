"""HTTP errors right after a post that may be its reply, and that are no refusal of an input (a 401, a 403, a 404, a 429, a 500)."""

from tracelink.model.facts import RefusalSeen
from tracelink.model.location import Origin
from tracelink.model.trace import Trace
from tracelink.rules.rule import place

Replies = dict[tuple[int, int], RefusalSeen]
"""(source index, number) of the record before an HTTP error → that error."""


def replies(trace: Trace) -> Replies:
    return {(one.at.index, one.at.seq - 1): one for one in trace.refusals if (one.http_status or 0) >= 400}


def replied(replies_: Replies, post: Origin) -> str:
    """What to add to a sentence on a post: the error that stands right after it, or nothing."""
    error = replies_.get((post.index, post.seq))
    if error is None:
        return ""
    said = f", {error.message.rstrip('.')}" if error.message else ""
    if (error.at.index, error.at.doc) == (post.index, post.doc):
        return f"; the reply in the same log entry is an HTTP error (HTTP {error.http_status}{said}), which does not tell whether it was taken"
    return (
        f"; right after it, at {place(error.at)}, stands an HTTP error (HTTP {error.http_status}{said}), which may be the reply"
    )
