"""The truth: what is so, at each moment of a session, and which findings it calls for. Derived from the server's state only."""

from dataclasses import dataclass, field
from typing import Any

Key = tuple[str, str]


@dataclass(frozen=True)
class Expected:
    """A finding that must (or may) be there in recordings that hold the first `since` entries, and not the first `until`.

    ids: the finding has to name each of them. views: `log` (events, posts, errors), `stream` (events), `pages` (objects).
    """

    code: str
    ids: tuple[str, ...]
    since: int = 0
    until: int | None = None
    views: frozenset[str] = frozenset(("log", "stream", "pages"))
    must: bool = True

    def holds(self, entries: int, view: str) -> bool:
        return view in self.views and entries >= self.since and (self.until is None or entries < self.until)


@dataclass(frozen=True)
class State:
    """awaits: the verdicts that are right. open: action id → how it was answered. parents: subagent → parent.

    `deaf_open` and `deaf_awaits` are the same for somebody who does not see what the app posted. Counts are those of what the
    stream showed; `posted_results` are different results that stand only in posts.
    """

    awaits: frozenset[str] = frozenset(("unknown",))
    open: tuple[tuple[str, str], ...] = ()
    deaf_awaits: frozenset[str] = frozenset(("unknown",))
    turns: int = 0
    calls: int = 0
    results: int = 0
    posted_results: int = 0
    parents: dict[str, str] = field(default_factory=dict)
    unapplied: tuple[str, ...] = ()


def state_of(server: Any) -> State:
    """The truth as a reader of everything so far can know it."""
    ids = {key: key[1] for key in server.pending}
    answered = {key: server.answered.get(key, "no") for key in ids}
    return State(
        awaits=_awaits(server, list(answered.values()), heard=True),
        open=tuple(sorted((ids[key], how) for key, how in answered.items())),
        deaf_awaits=_awaits(server, ["no" for _ in answered]),
        turns=sum(turn_id in server.spoken for turn_id in server.turns),
        calls=len(server.known_calls),
        results=len(server.known_results),
        posted_results=len(server.posted - server.known_results),
        parents={sub["id"]: sub["parent_agent_id"] for sub in server.subs.values() if sub["id"] in server.spoken},
        unapplied=tuple(ids[key] for key, how in answered.items() if how == "unapplied"),
    )


def _awaits(server: Any, answered: list[str], *, heard: bool = False) -> frozenset[str]:
    """heard: by somebody who sees what the app posts."""
    if not server.snapshots_heard:
        return frozenset(("unknown",))
    if server.failed and server.session["status"] == "failed":
        return frozenset(("not_awaiting",))
    if answered and server.cancelling and heard:
        return frozenset(("unknown",))  # a cancel was posted, and nothing says yet what became of it (D.3.10)
    if answered and all(how == "unapplied" for how in answered):
        return frozenset(("answered_unapplied",))
    if answered:
        return frozenset(("awaiting",))
    if server.announced:
        return frozenset(("unknown",))  # called, and no snapshot tells yet whether the app has to answer (DESIGN 5.7)
    return frozenset(("not_awaiting",))
