"""The faults of recordings (TL0xx), and those that only a certain recording shows (TL004, TL112, TL113, TL504).

Each function takes a seed and gives the sources, the number of JSON values in each, the sessions in them with the truth, and what must
be found. Nothing is wrong with the run itself unless it says so.
"""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.world import app, record
from tests.world.app import calls, close_turn, open_turn, opening, result
from tests.world.dice import dice
from tests.world.model import Entry, Server
from tests.world.truth import Expected, State


@dataclass
class Spoiled:
    """truths: (session, the truth, the view, entries that it holds, whether counts are to be compared)."""

    sources: list[bytes]
    values: list[int]
    expected: list[Expected]
    truths: list[tuple[Server, State, str, int, bool]] = field(default_factory=list)


Spoil = Callable[[int], Spoiled]
SPOILS: dict[str, Spoil] = {}


def spoil(code: str) -> Callable[[Spoil], Spoil]:
    def register(function: Spoil) -> Spoil:
        SPOILS[f"{code} {function.__name__.replace('_', ' ')}"] = function
        return function

    return register


def count(entries: list[Entry]) -> int:
    return sum(record.units(entry) for entry in entries)


def log_of(s: Server, entries: list[Entry], seed: int) -> list[str]:
    return [record.dump(record.wrapped(entry, s, seed)) for entry in entries]


def lines(texts: list[str]) -> bytes:
    return ("\n".join(texts) + "\n").encode()


def with_line(seed: int, code: str, text: str, *ids: str) -> Spoiled:
    """A log with one line more, in the middle."""
    s, rng = app.clean(seed), dice(seed)
    texts = log_of(s, s.log, seed)
    texts.insert(rng.randrange(len(texts)), text)
    state = unsure(s.log[-1].state) if code in ("TL001", "TL011") else s.log[-1].state
    whole = (s, state, "log", len(s.log), True)
    return Spoiled([lines(texts)], [count(s.log) + 1], [Expected(code, ids)], [whole])


def unsure(state: State) -> State:
    """A record that could not be read may have been a snapshot: whoever says that it cannot be told is right too."""
    return replace(state, awaits=state.awaits | {"unknown"}, deaf_awaits=state.deaf_awaits | {"unknown"})


@spoil("TL001")
def junk_line(seed: int) -> Spoiled:
    return with_line(seed, "TL001", ['{"type": "agent.session.idle", "session":', "{not json}", "ok 12:01"][seed % 3])


@spoil("TL002")
def torn_tail(seed: int) -> Spoiled:
    s, rng = app.clean(seed), dice(seed)
    entries = rng.randrange(1, len(s.log))
    texts = log_of(s, s.log[: entries + 1], seed)
    torn = texts.pop()
    data = lines(texts) + torn.encode()[: rng.randrange(2, 60)]  # before anything inside is whole
    whole = (s, unsure(s.log[entries - 1].state), "log", entries, True)
    return Spoiled([data], [count(s.log[:entries]) + 1], [Expected("TL002", ())], [whole])


@spoil("TL003")
def unknown_event(seed: int) -> Spoiled:
    kind = "agent.session.turn.rewound"
    return with_line(seed, "TL003", record.dump({"type": kind, "event_id": "evt_new", "turn_id": None, "depth": 2}), kind)


@spoil("TL009")
def foreign(seed: int) -> Spoiled:
    tool_call = {"id": "call_x", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    return with_line(seed, "TL009", record.dump({"role": "assistant", "content": None, "tool_calls": [tool_call]}))


@spoil("TL011")
def too_deep(seed: int) -> Spoiled:
    return with_line(seed, "TL011", '{"a":' * 300 + "1" + "}" * 300)


@spoil("TL004")
def page_gap(seed: int) -> Spoiled:
    """Only the newest page of items was fetched."""
    s, rng = app.clean(seed), dice(seed)
    while len(record.items_of(s)) < 4:
        app.calling(s)
    got = [("", s.retrieved()), ("/turns", record.page(record.turns_of(s)))]
    got.append(("/items", record.pages(record.items_of(s), rng, size=3)[0]))
    texts = [record.dump({"path": f"/v1/agents/sessions/{s.id}{path}", "status": 200, "body": body}) for path, body in got]
    values = sum(1 + len(body["data"]) if body["object"] == "list" else 1 for _, body in got)
    return Spoiled(
        [lines(texts)], [values], [Expected("TL004", ()), *(replace(one, since=0, must=False) for one in s.expected)]
    )


@spoil("TL005")
def reconnect(seed: int) -> Spoiled:
    s, rng = app.clean(seed), dice(seed)
    entries = record.doubled(s.log, rng)
    again = [entry for entry in entries if entries.count(entry) > 1]
    # Deltas are folded to a count as they come (DESIGN 3), so that one was delivered twice is not known.
    told = any(not any(part in entry.value["type"] for part in ("delta", "content_part", "output_text")) for entry in again)
    expected = [Expected("TL005", (), must=told)]
    whole = (s, s.log[-1].state, "log", len(s.log), True)
    return Spoiled([lines(log_of(s, entries, seed))], [count(entries)], expected, [whole])


@spoil("TL006")
def two_sessions(seed: int) -> Spoiled:
    """Two sessions in one log, perhaps with the same call ids."""
    rng = dice(seed)
    both = [app.clean(seed), app.clean(seed + 1_000_000)]
    mixed = record.interleaved(both[0].log, both[1].log, rng)
    texts = [record.dump(record.wrapped(entry, both[side], seed)) for side, entry in mixed]
    truths = [(s, s.log[-1].state, "log", len(s.log), True) for s in both]
    return Spoiled([lines(texts)], [count([entry for _, entry in mixed])], [Expected("TL006", ())], truths)


@spoil("TL007")
def started_late(seed: int) -> Spoiled:
    """The recorder came after the first call was required."""
    s = app.clean(seed, 0)
    while not any(entry.value.get("type") == "agent.session.requires_action" and entry.state.calls for entry in s.log):
        app.calling(s)
    start = next(
        n for n, entry in enumerate(s.log) if entry.value.get("type") == "agent.session.requires_action" and entry.state.calls
    )
    entries = s.log[start:]
    whole = (s, s.log[-1].state, "log", len(s.log), False)
    return Spoiled([lines(log_of(s, entries, seed))], [count(entries)], [Expected("TL007", ())], [whole])


@spoil("TL008")
def out_of_order(seed: int) -> Spoiled:
    """A turn's beginning is delivered after its end."""
    s = app.clean(seed, 0)
    app.plain(s)
    started = next(n for n, entry in enumerate(s.log) if entry.value.get("type") == "agent.session.turn.in_progress")
    turn_id = s.log[started].value["turn_id"]
    entries = [*s.log[:started], *s.log[started + 1 :]]
    ended = next(n for n, entry in enumerate(entries) if entry.value.get("type") == "agent.session.turn.completed")
    entries.insert(ended + 1, s.log[started])
    values = [entry.value for entry in entries]
    whole = (s, s.log[-1].state, "log", len(s.log), True)
    return Spoiled([record.jsonl(values, s.rng)], [count(entries)], [Expected("TL008", (turn_id,))], [whole])


@spoil("TL112")
def other_session(seed: int) -> Spoiled:
    """The queue lost the session: a result goes to the session beside."""
    one, two = app.clean(seed, 1), app.clean(seed + 1_000_000, 1)
    one.short_ids = two.short_ids = False
    one.now = two.now = max(one.now, two.now)  # one recorder's clock
    open_turn(one)
    action = calls(two, open_turn(two), 1)[0]
    one.post(result(action))
    one.refuse(f"Unknown pending tool call: {action['call_id']}")
    texts = log_of(two, two.log, seed) + log_of(one, one.log, seed)
    expected = [Expected("TL112", (action["call_id"],)), Expected("TL307", ())]
    truths = [(s, s.log[-1].state, "log", len(s.log), True) for s in (one, two)]
    return Spoiled([lines(texts)], [count(two.log) + count(one.log)], expected, truths)


@spoil("TL113")
def result_not_recorded(seed: int) -> Spoiled:
    """The app's posts are not in the recording, and the recorder dropped what the app itself had caused."""
    s = app.clean(seed, 0)
    turn_id = open_turn(s)
    actions = calls(s, turn_id)
    app.answer(s, actions)
    close_turn(s, turn_id)
    entries = [e for e in record.stream(s) if e.value.get("item", {}).get("type") != "function_call_output"]
    expected = [Expected("TL113", (action["call_id"],)) for action in actions]
    data = record.jsonl([entry.value for entry in entries], s.rng)
    whole = (s, s.log[-1].state, "stream", len(s.log), False)
    return Spoiled([data], [len(entries)], expected, [whole])


@spoil("TL504")
def stale_snapshot(seed: int) -> Spoiled:
    """The session was saved while it waited, the items were fetched later."""
    s = app.clean(seed, 0)
    opening(s)
    turn_id = open_turn(s)
    actions = calls(s, turn_id, 1)
    stale = copy.deepcopy(s.retrieved())
    app.answer(s, actions)
    document = {"session": stale, "items": record.page(record.items_of(s))}
    state = State(frozenset(("unknown",)), (), frozenset(("unknown",)), 1, 1, 1)
    expected = [Expected("TL504", (actions[0]["call_id"],)), Expected("TL207", (actions[0]["call_id"],), must=False)]
    data = json.dumps(document).encode()
    return Spoiled([data], [2 + len(document["items"]["data"])], expected, [(s, state, "pages", len(s.log), True)])
