"""The actions of one snapshot: which are open, which are answered without the snapshot knowing, how each was answered."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from tracelink.judge.times import moment
from tracelink.model.facts import ActionSeen, SnapshotSeen
from tracelink.model.location import Origin, order
from tracelink.model.trace import Action, Answer, Trace
from tracelink.model.verdict import Astray, OpenAction

NO, UNAPPLIED, MISADDRESSED, REFUSED = "no", "unapplied", "misaddressed", "refused"


class View(NamedTuple):
    """A snapshot's actions under the assumption that it is the latest.

    open: not cleared. stale: listed, although the recording holds its result or the end of its turn, with where that is.
    cleared: by what came after.
    """

    open: tuple[OpenAction, ...]
    stale: tuple[tuple[ActionSeen, Origin], ...]
    cleared: tuple[tuple[ActionSeen, Origin], ...]


def view(trace: Trace, snapshot: SnapshotSeen) -> View:
    """Sorts the snapshot's `required_actions` by what the rest of the trace says of each."""
    opened, stale, cleared = _sorted(trace, snapshot)
    if not opened:
        return View((), tuple(stale), tuple(cleared))
    firsts = {one.at: one for one in trace.snapshots}
    posts = _Posts(trace)
    return View(
        tuple(
            _open(posts, firsts.get(action.first), snapshot.at, action, (number, len(opened)))
            for number, action in enumerate(opened, 1)
        ),
        tuple(stale),
        tuple(cleared),
    )


def stale(trace: Trace, snapshot: SnapshotSeen) -> tuple[tuple[ActionSeen, Origin], ...]:
    """Only what `view` finds stale, for those who ask no more."""
    return tuple(_sorted(trace, snapshot)[1])


_Placed = list[tuple[ActionSeen, Origin]]


def _sorted(trace: Trace, snapshot: SnapshotSeen) -> tuple[list[Action], _Placed, _Placed]:
    """The snapshot's actions: open, stale, cleared."""
    opened: list[Action] = []
    stale: _Placed = []
    cleared: _Placed = []
    if not snapshot.body.actions:
        return opened, stale, cleared
    known = {_key(action.seen): action for action in trace.actions}
    replies = _replies(trace) if any(one.request_id is not None for one in snapshot.body.actions) else {}
    for seen in dict.fromkeys(_key(one) for one in snapshot.body.actions):
        action = known[seen]
        recorded = _recorded(trace, action.seen, replies)
        if action.cleared is not None and order(snapshot.at, action.cleared) != 1:
            cleared.append((action.seen, action.cleared))
        elif recorded is not None or action.maybe_cleared is not None:
            stale.append((action.seen, recorded or action.maybe_cleared or snapshot.at))
        elif (ended := _cut_short(trace, action.seen, snapshot)) is not None:
            stale.append((action.seen, ended))
        else:
            opened.append(action)
    return opened, stale, cleared


def _key(seen: ActionSeen) -> tuple[str, str | None, str | None]:
    if seen.call_id is not None:
        return (seen.type, seen.turn_id, seen.call_id)
    return (seen.type, None, seen.request_id or seen.environment_id)


def _replies(trace: Trace) -> dict[str | None, Origin]:
    """request_id → the first item that records an answer to it."""
    found: dict[str | None, Origin] = {}
    for item in trace.items.values():
        if item.type == "computer_use_approval_request_result":
            found.setdefault(item.history[0].request_id, item.first)
    return found


def _recorded(trace: Trace, seen: ActionSeen, replies: dict[str | None, Origin]) -> Origin | None:
    """Where the recording holds the answer that the server confirmed, be it before the snapshot."""
    call = trace.calls.get((seen.turn_id or "", seen.call_id or "")) if seen.call_id else None
    if call is not None:
        for index in call.results:
            if trace.results[index].recorded is not None:
                return trace.results[index].recorded
    return replies.get(seen.request_id) if seen.request_id is not None else None


def _cut_short(trace: Trace, seen: ActionSeen, snapshot: SnapshotSeen) -> Origin | None:
    """Where the action's turn failed or was cancelled before the snapshot, if its status lets it list actions (fact sheet D.6.5).

    Whether a turn can complete before its calls are answered is not documented (D.4).
    """
    turn = trace.turns.get(seen.turn_id or "")
    if turn is None or turn.ended is None or turn.outcome not in ("failed", "cancelled"):
        return None
    if snapshot.body.status in ("idle", "in_progress") or order(turn.ended, snapshot.at) != -1:
        return None
    return turn.ended


def _open(posts: "_Posts", first: SnapshotSeen | None, listed: Origin, action: Action, place: tuple[int, int]) -> OpenAction:
    """first: the snapshot that lists it first; listed: the one that is looked at; place: which of how many."""
    answered, result, at = posts.answered(action.seen)
    since, clock = moment(first) if first is not None else (None, None)
    astray = posts.astray(action) if answered == NO else None
    return OpenAction(action.seen, since, clock, *place, answered, (at or listed).location, result, astray)


class Lost(NamedTuple):
    """A post that answers nothing known, and the finding that tells of it."""

    at: Origin
    code: str | None


SOURCES = 64
"""Sources whose last lost post is looked at."""


def _last_of_sources(lost: Iterable[Lost]) -> list[Lost]:
    return list({one.at.index: one for one in lost}.values())[-SOURCES:]


class _Posts:
    """What was posted, filed by what it answers or was meant to answer."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.meant: dict[tuple[str | None, str | None], list[int]] = defaultdict(list)
        self.wrong_kind: dict[str | None, list[int]] = defaultdict(list)
        self.answers: dict[str | None, list[Answer]] = defaultdict(list)
        for number, result in enumerate(trace.results):
            if result.meant is not None and not result.meant.others:
                self.meant[result.meant.turn_id, result.meant.call_id].append(number)
            if result.problem == "TL116" and result.meant is not None:
                self.wrong_kind[result.meant.request_id].append(number)
        for answer in trace.answers:
            self.answers[answer.request_id if answer.near is None else answer.near].append(answer)
        self.lost_results = _last_of_sources(
            Lost(result.posted, result.problem)
            for result in trace.results
            if result.posted is not None and result.call is None and (result.meant is None or result.meant.others)
        )
        self.lost_answers = _last_of_sources(
            Lost(one.posted.at, one.problem)
            for one in trace.answers
            if one.problem is not None and one.action is None and one.near is None
        )

    def astray(self, action: Action) -> Astray | None:
        """The last post of the action's kind that answers nothing known, unless it is known to be older than the action."""
        lost = self.lost_results if action.seen.call_id is not None else self.lost_answers
        if action.seen.call_id is None and action.seen.request_id is None:
            return None
        for one in reversed(lost):
            if order(one.at, action.first) != -1:
                return Astray(one.at.location, one.code)
        return None

    def answered(self, seen: ActionSeen) -> tuple[str, int | None, Origin | None]:
        """How an action was answered, by which result (an index), and where."""
        if seen.request_id is not None:
            return self._approval(seen)
        if seen.call_id is None:
            return NO, None, None
        results = self.trace.results
        key = (seen.turn_id or "", seen.call_id)
        call = self.trace.calls.get(key)
        exact = list(call.results) if call is not None else []
        for word, numbers in (
            (UNAPPLIED, [n for n in exact if results[n].refused is None and results[n].official]),
            (REFUSED, [n for n in exact if results[n].refused is not None]),
            (MISADDRESSED, [*self.meant.get((seen.turn_id, seen.call_id), ()), *exact]),
        ):
            if numbers:
                last = results[numbers[-1]]
                # Different results under wrong ids: which was meant to hold is not for us to say.
                unlike = word == MISADDRESSED and any(
                    (results[n].output, results[n].error) != (last.output, last.error) for n in numbers
                )
                return word, None if unlike else numbers[-1], last.first
        return NO, None, None

    def _approval(self, seen: ActionSeen) -> tuple[str, int | None, Origin | None]:
        mine = self.answers.get(seen.request_id, [])
        for answer in reversed(mine):
            if answer.problem is None and answer.refused is None:
                return UNAPPLIED, None, answer.posted.at
        for answer in reversed(mine):
            if answer.problem is None:
                return REFUSED, None, answer.posted.at
        if mine:
            return MISADDRESSED, None, mine[-1].posted.at
        wrong = self.wrong_kind.get(seen.request_id, [])
        return (MISADDRESSED, wrong[-1], self.trace.results[wrong[-1]].first) if wrong else (NO, None, None)
