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
from collections.abc import Iterable
from dataclasses import replace

from tracelink.link.latest import ActionKey
from tracelink.link.near import NearIndex
from tracelink.link.payload import plain, same
from tracelink.model.facts import ItemSeen
from tracelink.model.location import order
from tracelink.model.recording import Recording
from tracelink.model.trace import Action, Call, CallKey, Meant, Result, Turn, Unlinkable

VARIANTS = 8
"""Different calls under one key that are told apart; more say no more."""

WHAT = "which call a result answers"


def calls(recording: Recording, actions: dict[ActionKey, Action]) -> dict[CallKey, Call]:
    """All calls by key, in order of first appearance, not yet tied to results."""
    items: dict[CallKey, list[list[ItemSeen]]] = defaultdict(list)
    for (turn_id, _), seen in recording.items.items():
        if seen[0].type == "function_call":
            items[turn_id or "", seen[-1].call_id or ""].append(seen)
    required = {
        (action.seen.turn_id or "", action.seen.call_id or ""): action
        for action in actions.values()
        if action.seen.type == "function_call"
    }
    found = [_call(key, items.get(key, []), required.get(key)) for key in {**items, **required}]
    found.sort(key=lambda call: (call.first.index, call.first.seq) if call.first else (0, 0))
    return {call.key: call for call in found}


def call_keys(recording: Recording, actions: Iterable[Action]) -> set[CallKey]:
    """The keys of all calls, without the calls."""
    keys = {(action.seen.turn_id or "", action.seen.call_id or "") for action in actions if action.seen.type == "function_call"}
    for (turn_id, _), seen in recording.items.items():
        if seen[0].type == "function_call":
            keys.add((turn_id or "", seen[-1].call_id or ""))
    return keys


def _call(key: CallKey, items: list[list[ItemSeen]], action: Action | None) -> Call:
    finals = [next((one for one in reversed(seen) if one.phase != "added"), seen[-1]) for seen in items]
    # An item that was only announced may not have its arguments yet: it differs by its name alone.
    variants: list[tuple[str | None, object]] = []
    announced: list[tuple[str | None, object]] = []
    for one in finals:
        whole = one.phase != "added" or one.status == "completed"
        (variants if whole else announced).append((one.value.get("name"), one.value.get("arguments")))
    if action is not None:
        variants.append((action.seen.name, action.seen.arguments))
    variants += [(name, None) for name, _ in announced] if variants else announced
    distinct: list[tuple[str | None, object]] = []
    for variant in variants:
        if len(distinct) < VARIANTS and not any(_same_call(variant, other) for other in distinct):
            distinct.append(variant)
    history = items[0] if len(items) == 1 else sorted((one for seen in items for one in seen), key=_arrival)
    name, arguments = distinct[0]
    return Call(
        key[0],
        key[1],
        name if name is not None else next((one for one, _ in distinct if one is not None), None),
        arguments,
        finals[-1].status if finals else None,
        "unknown",
        tuple(dict.fromkeys(one.item_id for one in finals if one.item_id is not None)),
        tuple(distinct) if len(distinct) > 1 else (),
        tuple(one.at for one in history),
        (action.first, action.last) if action is not None else (),
        history=tuple(history),
    )


def _arrival(seen: ItemSeen) -> tuple[int, int]:
    return (seen.at.index, seen.at.seq)


def _same_call(a: tuple[str | None, object], b: tuple[str | None, object]) -> bool:
    """An absent name or absent arguments contradict nothing (the article's and partial shapes)."""
    names = a[0] is None or b[0] is None or a[0] == b[0]
    return names and (a[1] is None or b[1] is None or same(plain(a[1]), plain(b[1])))


class Linker:
    """Ties the results of one session; `homes` maps a pair to the sessions that have such a call."""

    def __init__(
        self,
        found: dict[CallKey, Call],
        turns: dict[str, Turn],
        actions: Iterable[Action],
        homes: dict[CallKey, set[str]],
        session_id: str | None,
        whole: bool,
    ) -> None:
        self.calls, self.turns, self.homes, self.session_id = found, turns, homes, session_id
        self.whole = whole
        self.requests = {action.seen.request_id: action for action in actions if action.seen.request_id}
        self.by_call_id: dict[str, list[CallKey]] = defaultdict(list)
        self.by_item_id: dict[str, list[CallKey]] = defaultdict(list)
        for call in found.values():
            self.by_call_id[call.call_id].append(call.key)
            for item_id in call.item_ids:
                self.by_item_id[item_id].append(call.key)
        self.answered: dict[CallKey, Result] = {}
        self._near: NearIndex | None = None
        self.unlinkable: list[Unlinkable] = []

    def tie(self, results: list[Result]) -> list[Result]:
        """The same results, each tied to its call or with what is wrong with it."""
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
            return replace(result, call=("", call_id))  # the simplified shape: neither side has a turn (fact sheet K)
        if not turn_id or not call_id:
            return replace(result, problem="TL111", meant=self._only_candidate(result))
        key = (turn_id, call_id)
        if call_id in self.requests:
            seen = self.requests[call_id].seen
            meant = Meant(seen.turn_id, None, "approval", f"{call_id} is the request_id of {_an(seen.type)}", call_id)
            return replace(result, problem="TL116", meant=meant)
        elsewhere = sorted(self.homes.get(key, set()) - {self.session_id or ""})
        if elsewhere and self.session_id is None:
            unsure = "the post names no session, and more than one session of this run has a call of this pair"
            self.unlinkable.append(Unlinkable(WHAT, unsure, {"turn_id": turn_id, "call_id": call_id}, result.first))
            return result
        if elsewhere:
            home = elsewhere[0]
            meant = Meant(turn_id, call_id, "other-session", f"the call belongs to session {home}", session_id=home)
            return replace(result, problem="TL112", meant=meant)
        if call_id in self.by_call_id:
            best, others = self._best(self.by_call_id[call_id], result)
            meant = Meant(best[0], best[1], "other-turn", f"the call is in turn {best[0]}", others=others)
            return replace(result, problem="TL103", meant=meant)
        if call_id in self.by_item_id:
            best, others = self._best(self.by_item_id[call_id], result)
            meant = Meant(best[0], best[1], "item-id", f"{call_id} is the call's item id", others=others)
            return replace(result, problem="TL104", meant=meant)
        near = self._nearest(result)
        if near is not None:
            return replace(result, problem="TL105", meant=near)
        why = self._may_lie_outside(result)
        if why is None:
            return replace(result, problem="TL102")
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
        words = {
            "space": "differs only by spaces or quotes",
            "case": "differs only by case",
            "prefix": "differs only by its prefix",
            "truncated": "is the same but for a piece cut off or added at the end",
            "edits-1": "differs by one character",
            "edits-2": "differs by two characters",
        }[best.reason]
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
        return Meant(keys[0][0], keys[0][1], "missing-id", f"{keys[0][1]} of turn {keys[0][0]} is the only open call it fits")

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
