"""How the results of two matched calls, the answers to two matched approvals, and the results that answer no call differ."""

from collections.abc import Callable, Iterable, Sequence

from tracelink.compare.align import staged
from tracelink.compare.match import Matches
from tracelink.compare.notes import Notes, Pinned, Thing
from tracelink.compare.parts import Parts, Unit, turn_ids
from tracelink.compare.values import RESULT
from tracelink.link.payload import digest, plain
from tracelink.model.location import Origin
from tracelink.model.trace import Answer, Result


def of_call(a: Sequence[Result], b: Sequence[Result], call: Thing, notes: Notes, pinned: Pinned) -> None:
    """Results of one call: those that say the same, then in order."""
    keys = (
        [digest([plain(one.output), plain(one.error)]) for one in a],
        [digest([plain(one.output), plain(one.error)]) for one in b],
    )
    partner = dict(staged([keys], len(a), len(b), by_place=True))
    taken = set(partner.values())
    for at, one in enumerate(a):
        other = b[partner[at]] if at in partner else None
        thing = _result_thing(one, other, call.name, call)
        if other is None:
            notes.alone(thing, "a", said(one))
        else:
            _result(one, other, thing, notes, pinned)
    for at, one in enumerate(b):
        if at not in taken:
            notes.alone(_result_thing(None, one, call.name, call), "b", said(one))


def said(result: Result) -> object:
    """What it says: its error if it failed, else its output."""
    return result.error if result.error is not None and not result.output else result.output


def _result_thing(one: Result | None, other: Result | None, name: str | None, call: Thing | None = None) -> Thing:
    at_a, at_b = one.first if one is not None else None, other.first if other is not None else None
    if one is not None and other is not None:  # the item on both sides, else the post on both, else what there is
        both = next(
            (
                (x, y)
                for x, y in ((one.recorded, other.recorded), (one.posted, other.posted))
                if x is not None and y is not None
            ),
            None,
        )
        at_a, at_b = both or (at_a, at_b)
    ids = [result_ids(one), result_ids(other)]
    if call is not None:  # where it is missing
        ids = [
            own or {key: value for key, value in there.items() if key != "item_id"}
            for own, there in zip(ids, (call.ids_a, call.ids_b), strict=True)
        ]
    return Thing(RESULT, name, ids[0], ids[1], at_a, at_b)


def result_ids(result: Result | None) -> dict[str, str]:
    if result is None:
        return {}
    ids = {"turn_id": result.turn_id, "call_id": result.call_id, "item_id": result.item_id}
    return {name: value for name, value in ids.items() if value}


def _result(one: Result, other: Result, thing: Thing, notes: Notes, pinned: Pinned) -> None:
    pinned.append(
        (thing.at_a if isinstance(thing.at_a, Origin) else None, thing.at_b if isinstance(thing.at_b, Origin) else None)
    )
    notes.ids(thing)
    failed = [bool(each.error is not None and each.output is None) for each in (one, other)]
    if failed[0] != failed[1] and None not in (said(one), said(other)):
        notes.known(thing, "error", one.error, other.error)
        notes.known(thing, "output", plain(one.output), plain(other.output))
    else:
        notes.payload(thing, "output", one.output, other.output)
        notes.payload(thing, "error", one.error, other.error)
    notes.plain(thing, "success", one.success, other.success)
    notes.plain(thing, "status", one.status, other.status)
    notes.plain(thing, "problem", one.problem or "none", other.problem or "none")
    if one.posted is not None and other.posted is not None:
        notes.known(thing, "refused", *((each.refused.message if each.refused is not None else None) for each in (one, other)))


def of_approval(one: Unit, other: Unit, sides: tuple[Parts, Parts], thing: Thing, notes: Notes, pinned: Pinned) -> None:
    """Answers to an approval, in order; none where a side holds no posts at all is no difference."""
    for number in range(max(len(one.answers), len(other.answers))):
        x = one.answers[number] if number < len(one.answers) else None
        y = other.answers[number] if number < len(other.answers) else None
        at_a, at_b = x.posted.at if x is not None else None, y.posted.at if y is not None else None
        answer = Thing(RESULT, thing.name, thing.ids_a | _answer_ids(x), thing.ids_b | _answer_ids(y), at_a, at_b)
        if x is not None and y is not None:
            pinned.append((at_a, at_b))
            notes.payload(answer, "response", x.posted.value.get("response"), y.posted.value.get("response"))
        elif x is not None:
            _alone_or_untold(x, answer, "a", sides[1], notes)
        elif y is not None:
            _alone_or_untold(y, answer, "b", sides[0], notes)


def _alone_or_untold(answer: Answer, thing: Thing, side: str, there: Parts, notes: Notes) -> None:
    if there.posts:
        notes.alone(thing, side, answer.posted.value.get("response"))
    else:
        notes.missing(thing, "post", *((True, None) if side == "a" else (None, True)))


def _answer_ids(answer: Answer | None) -> dict[str, str]:
    return {"request_id": answer.request_id} if answer is not None and answer.request_id else {}


def strays(found: Matches, a: Parts, b: Parts, notes: Notes, pinned: Pinned, same_session: bool) -> None:
    """Results that answer no call, turn by turn. Where a side holds no posts at all, a post of the other's is untold there."""
    for part_a, part_b in found.turns:
        left, right = part_a.strays if part_a else [], part_b.strays if part_b else []
        if not left and not right:
            continue
        stages: list[Callable[[Result], bytes]] = [_stray_key, _stray_problem]
        if same_session:
            stages.insert(0, lambda one: digest([one.turn_id, one.call_id, plain(one.output)]))
            stages.insert(1, lambda one: digest([one.turn_id, one.call_id]))
        keys = [([key(one) for one in left], [key(one) for one in right]) for key in stages]
        pairs = staged(keys, len(left), len(right))
        for at_a, at_b in pairs:
            _result(left[at_a], right[at_b], _result_thing(left[at_a], right[at_b], None), notes, pinned)
        turn = Thing(RESULT, None, turn_ids(part_a), turn_ids(part_b), None, None)
        _alone(left, {at for at, _ in pairs}, "a", b.posts, turn, notes)
        _alone(right, {at for _, at in pairs}, "b", a.posts, turn, notes)


def _stray_key(one: Result) -> bytes:
    return digest([one.problem, plain(one.output), plain(one.error)])


def _stray_problem(one: Result) -> bytes:
    return digest([one.problem])


def _alone(results: Iterable[Result], taken: set[int], side: str, posts_there: bool, turn: Thing, notes: Notes) -> None:
    for at, one in enumerate(results):
        if at in taken:
            continue
        thing = _result_thing(one, None, None, turn) if side == "a" else _result_thing(None, one, None, turn)
        if one.recorded is None and not posts_there:
            notes.missing(thing, "post", *((said(one) or "", None) if side == "a" else (None, said(one) or "")))
        else:
            notes.alone(thing, side, said(one))
