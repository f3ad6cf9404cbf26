"""Posts that name no session and fit several: each of these sessions is told of them, since nobody can tell whose they are.

What fits: a result the sessions that have its pair of ids, an answer those that have its request, a cancel or a message (which
name nothing) all sessions of its source, or of the run where its source has none. So does an HTTP error of something else than an input. Where nothing else is without a
session, no session is made up for them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from tracelink.link.calls import Homes
from tracelink.link.refusals import match, may_be_of_input
from tracelink.link.results import is_result
from tracelink.model.facts import InputSeen, RefusalSeen
from tracelink.model.recording import Recording
from tracelink.model.trace import Adrift, Trace, Unlinkable

NAMED = 3


def told_of_adrift(
    recordings: Iterable[Recording],
    traces: tuple[Trace, ...],
    homes: Homes,
) -> tuple[Trace, ...]:
    """The traces, each with the posts that may be its own. homes: which sessions have a call of a pair."""
    loose = next((one for one in recordings if one.session_id is None), None)
    named = [one for one in traces if one.session_id is not None]
    if loose is None or not (loose.inputs or loose.refusals) or len(named) < 2:
        return traces
    refusals = match(loose)
    fitting = _Fitting(named, homes)
    matched = {id(one) for one in refusals.values()}
    left = len(loose.order) + len(loose.bursts) - len(matched)
    groups: dict[_Key, InputSeen] = {}
    for post in loose.inputs:
        key = _key(post)
        if len(fitting.sessions(key)) > 1:
            left -= 1
            if key not in groups or id(post.at) not in refusals:
                groups[key] = post  # of posts that fit alike the last one tells; a refused one answers nothing
    errors = {one.at.source: one for one in loose.refusals if _of_something_else(one, matched)}
    left -= sum(_of_something_else(one, matched) for one in loose.refusals)
    found: dict[str, list[Adrift]] = defaultdict(list)
    for key, post in groups.items():
        fits = fitting.sessions(key)
        first = fits[: NAMED + 1]
        for home in fits:
            found[home].append(Adrift(post, tuple(one for one in first if one != home), refusals.get(id(post.at))))
    kept = (trace for trace in traces if trace.session_id is not None or left > 0)
    return tuple(_with(trace, found.get(trace.session_id or "", ()), errors) for trace in kept)


def _of_something_else(refusal: RefusalSeen, matched: set[int]) -> bool:
    return not may_be_of_input(refusal) and id(refusal) not in matched


_Key = tuple[str, str, str]
"""What a post names: ("call", turn id, call id), ("request", "", request id), or nothing: ("", its source, its type)."""


def _key(post: InputSeen) -> _Key:
    if is_result(post):
        return ("call", post.turn_id or "", post.call_id or "")
    if post.request_id is not None:
        return ("request", "", post.request_id)
    return ("", post.at.source, post.type)


class _Fitting:
    def __init__(self, traces: Iterable[Trace], homes: Homes) -> None:
        self._homes = homes
        self._requests: dict[str, set[str]] = defaultdict(set)
        self._sources: dict[str, list[str]] = defaultdict(list)
        self._known: dict[_Key, list[str]] = {}
        self._all: list[str] = []
        for trace in traces:
            name = trace.session_id or ""
            self._all.append(name)
            for source in trace.sources:
                self._sources[source].append(name)
            for action in trace.actions:
                if action.seen.request_id is not None:
                    self._requests[action.seen.request_id].add(name)

    def sessions(self, key: _Key) -> list[str]:
        """The sessions that a post of this key may be of, sorted."""
        known = self._known.get(key)
        if known is None:
            kind, first, second = key
            if kind == "call":
                known = sorted(self._homes.of((first, second)))
            else:
                known = sorted(self._requests.get(second, ())) if kind else self._sources.get(first) or self._all
            self._known[key] = known
        return known


def _with(trace: Trace, posts: Iterable[Adrift], errors: Mapping[str, RefusalSeen]) -> Trace:
    posts = tuple(posts)
    mine = [errors[source] for source in trace.sources if source in errors]
    if trace.session_id is None or not (posts or mine):
        return trace
    told = (*map(_post, posts), *map(_error, mine))
    return replace(trace, adrift=posts, unlinkable=(*trace.unlinkable, *told))


def _post(one: Adrift) -> Unlinkable:
    post = one.post
    names = ", ".join(one.others[:NAMED]) + (", …" if len(one.others) > NAMED else "")
    ids = {"turn_id": post.turn_id, "call_id": post.call_id, "request_id": post.request_id}
    why = f"the {post.type.rpartition('.')[2]} names no session, and fits {names} as well"
    return Unlinkable("whose post this is", why, {name: value for name, value in ids.items() if value is not None}, post.at)


def _error(one: RefusalSeen) -> Unlinkable:
    status = f"HTTP {one.http_status}" if one.http_status is not None else one.code or one.type or "an error"
    return Unlinkable("whose HTTP error this is", f"{status} names no session, and answers no input", {}, one.at)
