"""What the checks share: the verdict on each item, and which output answers which call."""

from dataclasses import dataclass, field
from typing import Any

from tracelink.gate.call import Verdict
from tracelink.gate.item import History
from tracelink.gate.kinds import OUTPUTS, PAIRS, text, type_of


@dataclass(slots=True)
class Pairing:
    """The outcome of pairing, by position.

    answers: call → its output. reversed_: outputs that stand before their call. mismatched: output → the call of another type that
    has its id, the open one where there is one.
    twice: second call → the first, still open, with its id. reused: call → the earlier, answered one. again: output → the first output.
    orphans: outputs without a call. open: calls without an output.
    """

    answers: dict[int, int] = field(default_factory=dict)
    reversed_: list[int] = field(default_factory=list)
    mismatched: dict[int, int] = field(default_factory=dict)
    twice: dict[int, int] = field(default_factory=dict)
    reused: dict[int, int] = field(default_factory=dict)
    again: dict[int, int] = field(default_factory=dict)
    orphans: list[int] = field(default_factory=list)
    open: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Context:
    """history, the verdicts of its items by position, and their pairing."""

    history: History
    verdicts: tuple[Verdict, ...]
    pairs: Pairing
    elsewhere: bool

    def value(self, position: int) -> Any:
        return self.history.items[position].value


def call_key(value: Any) -> str | None:
    """The id that a call or output is paired by: `call_id`, and where `local_shell_call` has none, its `id` (J.9)."""
    found = text(value, "call_id")
    if found is None and type_of(value) in ("local_shell_call", "local_shell_call_output"):
        return text(value, "id")
    return found


def pair(history: History) -> Pairing:
    """Pair calls and outputs by id and type, in one walk (fact sheet D).

    An output answers the call with its id that is open at that point. If none is, and an answered one has the id, it is a second output; if a
    call with the id comes later, it stands before its call. An output whose id only calls of other types have is no orphan: it is mismatched,
    and such a call is not open. Empty or missing ids pair with nothing.
    """
    result = Pairing()
    waiting: dict[str, list[int]] = {}  # calls that no output answers yet
    answered: dict[str, int] = {}  # the last answered call of an id
    early: dict[str, list[int]] = {}  # outputs that no call precedes
    mixed: set[str] = set()  # ids of which calls cannot be told apart
    called: dict[str, int] = {}  # the first call of an id
    for position, item in enumerate(history.items):
        type_, key = type_of(item.value), call_key(item.value)
        if key is None:
            continue
        if type_ in PAIRS:
            called.setdefault(key, position)
            if waiting.get(key):
                result.twice[position] = waiting[key][0]
                mixed.add(key)
            elif key in answered:
                result.reused[position] = answered[key]
            before = next((one for one in early.get(key, ()) if _fits(history, position, one)), None)
            if before is not None and not waiting.get(key):
                early[key].remove(before)
                result.answers[position] = before
                result.reversed_.append(before)
                answered[key] = position
                continue
            waiting.setdefault(key, []).append(position)
        elif type_ in OUTPUTS:
            calls = waiting.get(key, [])
            fitting = next((call for call in calls if _fits(history, call, position)), None)
            if fitting is not None:
                calls.remove(fitting)
                result.answers[fitting] = position
                answered[key] = fitting
            elif calls:
                result.mismatched[position] = calls[0]
                result.answers[calls[0]] = position
                answered[key] = calls.pop(0)
            elif key in answered and _fits(history, answered[key], position):
                result.again[position] = result.answers[answered[key]]
            else:
                early.setdefault(key, []).append(position)
    for key, ones in early.items():
        if key in mixed:
            continue
        if key in called:
            call = next(iter(waiting.pop(key, ())), called[key])
            result.mismatched |= dict.fromkeys(ones, call)
        else:
            result.orphans += ones
    result.orphans.sort()
    result.open = sorted(one for key, ones in waiting.items() if key not in mixed for one in ones)
    return result


def _fits(history: History, call: int, output: int) -> bool:
    return PAIRS.get(type_of(history.items[call].value) or "") == type_of(history.items[output].value)
