"""Calls, and the one algorithm that ties results to them.

A call is everything under one (turn_id, call_id): its items (added, done, listed) and the required actions that name it.
A result answers the call of exactly its pair, wherever either stands in the recording. A result whose pair is no call's is
explained by the first of these that holds, and is tied to nothing:

1. it lacks an id (TL111)
2. its call_id is the request_id of an approval, so it answers with the wrong kind (TL116)
3. the pair is a call of another session of this run (TL112)
4. its call_id is that of a call in another turn: open ones first, then the latest (TL103)
5. its call_id is the item id of a call (TL104)
6. it is near the call_id of a call that was open then (TL105, see `near`)
7. the recording would show the call if there were one: nothing has this pair (TL102)
8. the recording may lack the call: not checked, and said so (`Unlinkable`)
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import attrgetter, itemgetter, le

from tracelink.link import plain as lane
from tracelink.link.latest import Life
from tracelink.link.near import WORDS, NearIndex
from tracelink.link.payload import plain, same
from tracelink.link.shelves import Part, Parts, final
from tracelink.model.facts import ItemSeen
from tracelink.model.location import order
from tracelink.model.quick import quick
from tracelink.model.recording import Recording
from tracelink.model.trace import Call, CallKey, Meant, Result, Turn, Unlinkable

VARIANTS = 8
"""Different calls under one key that are told apart; more say no more."""

WHAT = "which call a result answers"


def _item_ids(items: list[list[ItemSeen]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item_id for seen in items if (item_id := final(seen).item_id) is not None))


def parts(found: Parts, actions: Iterable[Life], *, ordered: bool) -> Parts:
    """All calls, those that only an action names too, in order of first appearance; ordered: the items stand in it (one source)."""
    count = len(found)
    for life in actions:
        key = life.call
        if key is not None:
            part = found.get(key)
            if part is None:
                part = found[key] = Part(key, [])
            part.life = life
    if ordered and len(found) == count:
        return found
    places = [_place(part) for part in found.values()]
    if all(map(le, places, places[1:])):
        return found
    order_of = sorted(zip(places, found.values(), strict=True), key=itemgetter(0))
    return {part.key: part for _, part in order_of}


def _place(part: Part) -> tuple[int, int]:
    """Where a call was first seen, as an item or as a required action."""
    if len(part.items) == 1:
        return _arrival(part.items[0][0])
    if part.items:
        return min(_arrival(seen) for item in part.items for seen in item)
    return (part.life.first.index, part.life.first.seq) if part.life is not None else (0, 0)


_call = quick(Call)
_at = attrgetter("at")


def call(part: Part, state: str) -> Call:
    """A call of its items, the action that names it and its results."""
    key, items, life, results = part.key, part.items, part.life, tuple(part.results)
    required = (life.first, life.last) if life is not None else ()
    if lane.PLAIN and len(items) == 1:
        history = items[0]
        last = history[-1] if history[-1].phase != "added" else final(history)
        said = lane.plain_said(last, life.seen if life is not None else None)
        if said is not None:
            item_ids = (last.item_id,) if last.item_id is not None else ()
            origins = tuple(map(_at, history))
            # fmt: off
            return _call(
                key[0], key[1], said[0], said[1], last.status, state, item_ids, (), origins, required, results, tuple(history), False,
            )
            # fmt: on
    history = sorted((seen for item in items for seen in item), key=_arrival) if len(items) != 1 else items[0]
    name, arguments, variants = _said(items, life)
    status = final(items[-1]).status if items else None
    origins = tuple(map(_at, history))
    # fmt: off
    return _call(
        key[0], key[1], name, arguments, status, state, _item_ids(items), variants, origins, required, results, tuple(history), False,
    )
    # fmt: on


def _said(items: list[list[ItemSeen]], life: Life | None) -> tuple[str | None, object, tuple[tuple[str | None, object], ...]]:
    """Name, arguments, and the variants where there is more than one."""
    finals = [final(seen) for seen in items]
    # An item that was only announced may not have its arguments yet: it differs by its name alone.
    variants: list[tuple[str | None, object]] = []
    announced: list[tuple[str | None, object]] = []
    for one in finals:
        whole = one.phase != "added" or one.status == "completed"
        (variants if whole else announced).append((one.value.get("name"), one.value.get("arguments")))
    if life is not None:
        variants.append((life.seen.name, life.seen.arguments))
    variants += [(name, None) for name, _ in announced] if variants else announced
    distinct: list[tuple[str | None, object]] = []
    for variant in variants:
        if len(distinct) < VARIANTS and not any(_same_call(variant, other) for other in distinct):
            distinct.append(variant)
    name, arguments = distinct[0]
    if name is None:
        name = next((one for one, _ in distinct if one is not None), None)
    return name, arguments, tuple(distinct) if len(distinct) > 1 else ()


def _arrival(seen: ItemSeen) -> tuple[int, int]:
    return (seen.at.index, seen.at.seq)


def _same_call(a: tuple[str | None, object], b: tuple[str | None, object]) -> bool:
    """An absent name or absent arguments contradict nothing (the article's and partial shapes)."""
    names = a[0] is None or b[0] is None or a[0] == b[0]
    return names and (a[1] is None or b[1] is None or same(plain(a[1]), plain(b[1])))


class Homes:
    """Which sessions of the run have a call of a pair. Looked into only where a result fits nothing in its own session."""

    def __init__(self, recordings: Sequence[Recording]) -> None:
        self._recordings = recordings
        self._homes: dict[CallKey, set[str]] | None = None

    def of(self, key: CallKey) -> set[str]:
        if self._homes is None:
            self._homes = {}
            for recording in self._recordings if len(self._recordings) > 1 else ():
                if recording.session_id is not None:
                    for pair in _pairs(recording):
                        self._homes.setdefault(pair, set()).add(recording.session_id)
        return self._homes.get(key, set())


def _pairs(recording: Recording) -> Iterable[CallKey]:
    for (turn_id, _), seen in recording.items.items():
        if seen[0].type == "function_call" and turn_id and seen[-1].call_id:
            yield (turn_id, seen[-1].call_id)
    for snapshot in recording.snapshots:
        for action in snapshot.body.actions:
            if action.call_id and action.turn_id:
                yield (action.turn_id, action.call_id)


_result = quick(Result)


def _amended(one: Result, *, call: CallKey | None = None, meant: Meant | None = None, problem: str | None = None) -> Result:
    """The result of no call, with what was found out about it."""
    # fmt: off
    return _result(
        one.turn_id, one.call_id, one.output, one.error, one.success, one.has_output, one.status, one.item_id,
        one.posted, one.recorded, one.repeated, one.recorded_again, one.official, one.type, call, meant, problem, one.refused,
    )
    # fmt: on


class Linker:
    """Ties those results of one session that have no call of their own pair."""

    def __init__(
        self,
        found: Parts,
        turns: dict[str, Turn],
        actions: Iterable[Life],
        homes: Homes,
        session_id: str | None,
        whole: bool,
    ) -> None:
        self.calls, self.turns, self.homes, self.session_id = found, turns, homes, session_id
        self.whole = whole
        self.requests = {action.seen.request_id: action for action in actions if action.seen.request_id}
        self.by_call_id: dict[str, list[CallKey]] = defaultdict(list)
        self.by_item_id: dict[str, list[CallKey]] = defaultdict(list)
        self.answered: dict[CallKey, Result] = {}
        self._near: NearIndex | None = None
        self.unlinkable: list[Unlinkable] = []

    def tie(self, results: list[Result]) -> list[Result]:
        """The same results, each tied to its call or with what is wrong with it."""
        if all(result.call is not None for result in results):
            return results
        for key, part in self.calls.items():
            self.by_call_id[key[1]].append(key)
            for item_id in _item_ids(part.items):
                self.by_item_id[item_id].append(key)
        for result in results:
            key = (result.turn_id or "", result.call_id or "")
            if result.call_id and key in self.calls and key not in self.answered:
                self.answered[key] = result
        return [self._tie(result) for result in results]

    def _tie(self, result: Result) -> Result:
        if result.call is not None:
            return result
        turn_id, call_id = result.turn_id, result.call_id
        if not turn_id and call_id and result.posted is None and ("", call_id) in self.calls:
            told = (one for seen in self.calls["", call_id].items for one in seen if one.phase != "added")
            if result is self.answered["", call_id] and len(list(told)) > 1:
                several = "the recording has this call_id more than once and names no turn, so that it may be several calls"
                self.unlinkable.append(Unlinkable(WHAT, several, {"call_id": call_id}, result.first))
            return _amended(result, call=("", call_id))  # the simplified shape: neither side has a turn (fact sheet K)
        if not turn_id or not call_id:
            return _amended(result, problem="TL111", meant=self._only_candidate(result))
        key = (turn_id, call_id)
        if call_id in self.requests:
            seen = self.requests[call_id].seen
            meant = Meant(seen.turn_id, None, "approval", f"{call_id} is the request_id of {_an(seen.type)}", call_id)
            return _amended(result, problem="TL116", meant=meant)
        elsewhere = sorted(self.homes.of(key) - {self.session_id or ""})
        if elsewhere and self.session_id is None:
            unsure = "the post names no session, and more than one session of this run has a call of this pair"
            self.unlinkable.append(Unlinkable(WHAT, unsure, {"turn_id": turn_id, "call_id": call_id}, result.first))
            return result
        if elsewhere:
            home = elsewhere[0]
            meant = Meant(turn_id, call_id, "other-session", f"the call belongs to session {home}", session_id=home)
            return _amended(result, problem="TL112", meant=meant)
        if call_id in self.by_call_id:
            best, others = self._best(self.by_call_id[call_id], result)
            meant = Meant(best[0], best[1], "other-turn", f"the call is in turn {best[0]}", others=others)
            return _amended(result, problem="TL103", meant=meant)
        if call_id in self.by_item_id:
            best, others = self._best(self.by_item_id[call_id], result)
            meant = Meant(best[0], best[1], "item-id", f"{call_id} is the call's item id", others=others)
            return _amended(result, problem="TL104", meant=meant)
        near = self._nearest(result)
        if near is not None:
            return _amended(result, problem="TL105", meant=near)
        why = self._may_lie_outside(result)
        if why is None:
            return _amended(result, problem="TL102")
        self.unlinkable.append(Unlinkable(WHAT, why, {"turn_id": turn_id, "call_id": call_id}, result.first))
        return result

    def _best(self, keys: list[CallKey], result: Result) -> tuple[CallKey, tuple[CallKey, ...]]:
        """The call most likely meant: of the same turn, open, latest. Others that are open as well are named."""
        open_ = [key for key in keys if self._open(key, result)]
        pool = [key for key in open_ or keys if key[0] == result.turn_id] or open_ or keys
        best = pool[-1]
        return best, tuple(key for key in open_ if key != best)

    def _open(self, key: CallKey, result: Result) -> bool:
        """Whether the call was open when the result came: nothing that answers it is known to be earlier."""
        answer = self.answered.get(key)
        return answer is None or answer.refused is not None or order(answer.first, result.first) != -1

    def _nearest(self, result: Result) -> Meant | None:
        if self._near is None:
            self._near = NearIndex(self.calls)
        open_ = self._near.nearest(result.call_id or "", result.turn_id, lambda key: self._open(key, result))
        if not open_:
            return None
        best = open_[-1]
        words = WORDS[best.reason]
        others = tuple(near.key for near in open_ if near.key != best.key)
        return Meant(best.key[0], best.key[1], best.reason, f"{best.key[1]} {words}", others=others)

    def _only_candidate(self, result: Result) -> Meant | None:
        """What a result that lacks an id was meant for, if its other id leaves one open call."""
        if result.call_id:
            keys = [key for key in self.by_call_id.get(result.call_id, ()) if self._open(key, result)]
        elif result.turn_id:
            keys = [key for key in self.calls if key[0] == result.turn_id and self._open(key, result)]
        else:
            return None
        if len(keys) != 1:
            return None
        where = f" of turn {keys[0][0]}" if keys[0][0] else ""
        return Meant(keys[0][0], keys[0][1], "missing-id", f"{keys[0][1]}{where} is the only open call it fits")

    def _may_lie_outside(self, result: Result) -> str | None:
        """Why the call of this result may not be in the recording; None if it would be."""
        turn = self.turns.get(result.turn_id or "")
        if turn is None or not (turn.began or turn.covered):
            if self.whole and turn is None and result.posted is not None and self._in_stream(result):
                return None
            return "its turn's beginning is not in the recording, so its call may lie before the start"
        if turn.covered:
            return None
        at = result.first
        if turn.began is not None and turn.began.index == at.index and order(turn.began, at) is not None:
            return None
        return "the recording of its turn ends before its end, so its call may come later"

    def _in_stream(self, result: Result) -> bool:
        """Whether the result stands in the very source that streams the session from its creation."""
        return any(turn.began is not None and turn.began.index == result.first.index for turn in self.turns.values())


def _an(type_: str) -> str:
    return ("an " if type_[:1] in "aeiom" else "a ") + type_
