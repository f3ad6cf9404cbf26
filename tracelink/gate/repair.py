"""A history that may not be sent → one that may, as far as that is safe, with every change listed.

The idea: the checks themselves propose what is safe (`Fix`); here it is only carried out. One kind of change a round, in a fixed order, then
all is judged again, until nothing is proposed; what came out is then judged as it would be read from the new file, and the like: so a
repaired history is a fixed point. A history that passes is left as it is. Nothing here makes up a result, an approval, or the rest of
cut-off arguments.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tracelink.gate.checks.context import call_key
from tracelink.gate.checks.ids import LONGEST, renamed
from tracelink.gate.item import Fix, Item
from tracelink.gate.judge import BLOCK, NOTE, Judged, Reason, judge
from tracelink.gate.kinds import OUTPUT, OUTPUTS, PAIRS, text, type_of
from tracelink.gate.schemas import Checker
from tracelink.gate.written import read_again, still_text

ORDER = ("replace", "drop-field", "rename", "rename-pair", "reverse", "move", "drop-bound", "drop", "insert")
ON_REQUEST = frozenset(("insert", "drop-bound"))
_MOST_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class Change:
    """One change. index: position in the history as it was read, None where it is about no single item. before, after: JSON values."""

    change: str
    reason: str
    index: int | None
    call_id: str | None
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Repaired:
    """judged: the repaired history, judged again. changes: what was done, in order; what reading changed comes first."""

    judged: Judged
    changes: tuple[Change, ...]

    @property
    def left(self) -> tuple[Reason, ...]:
        """What still blocks."""
        return tuple(reason for reason in self.judged.reasons if reason.severity == BLOCK)


def repair(judged: Judged, checker: Checker | None = None, *, synthesize: bool = False, drop_bound: bool = False) -> Repaired:
    """Repair a history under the profile that it was judged by.

    synthesize: close open calls that are whole with an output that says that no result was recorded.
    drop_bound: leave out what is bound to its provider, each item with all that goes with it.
    """
    changes = [
        Change("read-as", "form", item.index, text(item.value, "call_id"), None, told)
        for item in ([] if still_text(judged.history) else judged.history.items)
        for told in item.changes
    ]
    if judged.sendable:
        return Repaired(judged, tuple(changes))
    asked = frozenset(what for what, wanted in (("insert", synthesize), ("drop-bound", drop_bound)) if wanted)
    for _ in range(_MOST_ROUNDS):
        wanted = _wanted(judged, asked)
        if not wanted:
            read = read_again(judged, checker)
            made = _read_as(judged, read)
            judged = read
            changes += made
            wanted = _wanted(judged, asked)
            if made and not wanted:
                continue  # what is read in another form is written in it, and read once more
        if not wanted:
            break
        kind = next(kind for kind in ORDER if any(fix.what == kind for fix, _ in wanted))
        items, made = _DO[kind](list(judged.history.items), [(fix, reason) for fix, reason in wanted if fix.what == kind])
        if not made:
            break
        changes += made
        judged = judge(replace(judged.history, items=tuple(items)), judged.profile, checker)
    return Repaired(judged, tuple(changes))


def _read_as(judged: Judged, read: Judged) -> list[Change]:
    """What reading the new file makes of an item that is not in the form in which it is read."""
    return [
        Change("read-as", "form", new.index, text(new.value, "call_id"), old.value, new.value)
        for old, new in zip(judged.history.items, read.history.items, strict=True)
        if old.value != new.value
    ]


def _wanted(judged: Judged, asked: frozenset[str]) -> list[tuple[Fix, str]]:
    return [
        (fix, reason.reason)
        for reason in judged.reasons
        for fix in reason.fixes
        if reason.severity != NOTE
        and (reason.severity == BLOCK or fix.mild)
        and (fix.what not in ON_REQUEST or fix.what in asked)
    ]


_Work = list[tuple[Fix, str]]
_Done = tuple[list[Item], list[Change]]


def _replace(items: list[Item], work: _Work) -> _Done:
    made: dict[int, Change] = {}
    for fix, reason in work:
        if fix.at not in made:  # each was made of the value as it stands; a second one waits for the next round
            item = items[fix.at]
            made[fix.at] = Change("replace", reason, item.index, text(item.value, "call_id"), item.value, fix.value)
            items[fix.at] = replace(item, value=fix.value)
    return items, list(made.values())


def _drop_field(items: list[Item], work: _Work) -> _Done:
    made = []
    for fix, reason in work:
        item = items[fix.at]
        if fix.value in item.value:
            before = {fix.value: item.value[fix.value]}
            made.append(Change("drop-field", reason, item.index, text(item.value, "call_id"), before, None))
            items[fix.at] = replace(item, value={name: member for name, member in item.value.items() if name != fix.value})
    return items, made


def _rename(items: list[Item], work: _Work) -> _Done:
    """All that bear an id get the same new one: both halves, second outputs, and callers that are named by it."""
    used = _used(items)
    new: dict[str, str] = {}
    made = []
    for fix, reason in work:
        if fix.value not in new:
            new[fix.value] = renamed(fix.value, used)
            used.add(new[fix.value])
            made.append(Change("rename", reason, items[fix.at].index, fix.value, fix.value, new[fix.value]))
    return [replace(item, value=_with_names(item.value, new)) for item in items], made


def _with_names(value: Any, new: dict[str, str]) -> Any:
    if not isinstance(value, dict):
        return value
    if (type_of(value) in PAIRS or type_of(value) in OUTPUTS) and text(value, "call_id") in new:
        value = value | {"call_id": new[value["call_id"]]}
    caller = value.get("caller")
    if isinstance(caller, dict) and text(caller, "caller_id") in new:
        value = value | {"caller": caller | {"caller_id": new[caller["caller_id"]]}}
    return value


def _rename_pair(items: list[Item], work: _Work) -> _Done:
    """A call whose id was used before, with the outputs that follow it before the next call of that id."""
    used, made = _used(items), []
    where: dict[str, list[int]] = {}
    for at, item in enumerate(items):
        if (key := call_key(item.value)) is not None:
            where.setdefault(key, []).append(at)
    for fix, reason in work:
        call = items[fix.at]
        old = text(call.value, "call_id")
        if old is None:
            continue
        new = next((f"{old}_dup{number}" for number in range(2, len(where[old]) + 2) if f"{old}_dup{number}" not in used), "")
        if not new or len(new) > LONGEST:
            new = renamed(old, used, str(call.index))
        used.add(new)
        made.append(Change("rename", reason, call.index, old, old, new))
        items[fix.at] = replace(call, value=call.value | {"call_id": new})
        for at in where[old]:
            if at > fix.at:
                if type_of(items[at].value) in PAIRS:
                    break
                items[at] = replace(items[at], value=items[at].value | {"call_id": new})
    return items, made


def _used(items: list[Item]) -> set[str]:
    return {key for item in items if (key := call_key(item.value)) is not None}


def _reverse(items: list[Item], work: _Work) -> _Done:
    return items[::-1], [Change("reverse", work[0][1], None, None, None, None)]


def _move(items: list[Item], work: _Work) -> _Done:
    """Each item goes in front of the one that stood at its target; those with one target keep their order."""
    moved: dict[int, str] = {}
    before: dict[int, list[int]] = {}
    for fix, reason in work:
        if fix.at not in moved:
            moved[fix.at] = reason
            before.setdefault(fix.value, []).append(fix.at)
    result: list[Item] = []
    made: list[Change] = []
    for at in range(len(items) + 1):
        for source in before.get(at, ()):
            item = items[source]
            made.append(Change("move", moved[source], item.index, text(item.value, "call_id"), source, len(result)))
            result.append(item)
        if at < len(items) and at not in moved:
            result.append(items[at])
    return result, made


def _drop(items: list[Item], work: _Work) -> _Done:
    gone: dict[int, str] = {}
    for fix, reason in work:
        gone.setdefault(fix.at, reason)
    made = [
        Change("drop", reason, items[at].index, text(items[at].value, "call_id"), items[at].value, None)
        for at, reason in sorted(gone.items())
    ]
    return [item for at, item in enumerate(items) if at not in gone], made


def _drop_bound(items: list[Item], work: _Work) -> _Done:
    """Each item with all that goes with it; what has no reason of its own goes for that of its group."""
    own = {fix.at: reason for fix, reason in work}
    groups = {fix.value: reason for fix, reason in work}
    gone = {at: own.get(at, reason) for members, reason in groups.items() for at in members}
    return _drop(items, [(Fix("drop", at), reason) for at, reason in gone.items()])


def _insert(items: list[Item], work: _Work) -> _Done:
    """An output behind the group of calls that its call is in, and the outputs that follow the group already."""
    after: dict[int, list[Item]] = {}
    made = []
    for fix, reason in work:
        call = items[fix.at]
        value = {"type": OUTPUT, "call_id": call.value["call_id"], "output": fix.value}
        at = fix.at + 1
        while at < len(items) and type_of(items[at].value) in PAIRS:
            at += 1
        while at < len(items) and type_of(items[at].value) in OUTPUTS:
            at += 1
        after.setdefault(at, []).append(Item(value, call.location, response=call.response))
        made.append(Change("insert", reason, None, call.value["call_id"], None, value))
    result: list[Item] = []
    for at in range(len(items) + 1):
        result.extend(after.get(at, ()))
        if at < len(items):
            result.append(items[at])
    return result, made


_DO: dict[str, Callable[[list[Item], _Work], _Done]] = {
    "replace": _replace,
    "drop-field": _drop_field,
    "rename": _rename,
    "rename-pair": _rename_pair,
    "reverse": _reverse,
    "move": _move,
    "drop-bound": _drop_bound,
    "drop": _drop,
    "insert": _insert,
}
