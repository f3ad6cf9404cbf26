"""The official client and tracelink, fed the same events, think the same; where they do not, the reason stands here.

The differences, each of which is demanded below (so a change on either side fails a test):

1. *Answered in part.* The helper empties its list of required actions all at once (`in_progress`, the turn's end, `idle` behind it) and
   knows nothing of outputs in between. tracelink takes a call off the list when its `function_call_output` is recorded, and a computer
   approval when its `…_result` item is (fact sheet D.6.2). So the helper's list is ours and what was recorded since the last snapshot.
2. *Snapshots that are none to the helper.* Only `requires_action` fills its list. `created`, `idle` without a turn that ended, `failed`
   and `budget_reached` carry a list too; tracelink reads each (D.6.1). A failed session awaits nobody; the helper keeps the old list,
   and says `failed` before it would say `requires_action`.
3. *Other turns.* The helper follows one root turn, and its list loses all actions when that turn ends. tracelink clears those of the
   turn that ended. As at most one root turn is open (C.2), the lists are equal.
4. *Handled calls.* The dispatcher handles a call when `item.added` arrives, whether or not an action requires it, once a pair, whosever
   turn it is. tracelink counts it as a call at once, and as awaited only when a snapshot lists it (D.3.1): it says `unknown` until then.
5. *Unknown to the helper.* A stream that begins within a turn has no `turn.created`: the helper has no turn, so it sees no end, and
   keeps its list over `idle`. tracelink takes the turn's end, and the snapshot, for what they say.
6. *Duplicates.* The helper forgets an event id after 1,024 others, and a repeated `requires_action` beyond that would fill its list
   again. tracelink never forgets.
"""

import copy
from typing import Any

import pytest

from tests.client.sides import Client, open_keys, ours, root_turns
from tests.world import app
from tests.world.faults import FAULTS
from tests.world.model import Entry, Server

SEEDS = range(16)
OUTPUT = "function_call_output"


def worlds() -> list[Any]:
    some: list[Any] = [pytest.param(("clean", seed), id=f"clean-{seed}") for seed in SEEDS]
    return some + [pytest.param((name, 11), id=name) for name in FAULTS]


def server(which: tuple[str, int]) -> Server:
    name, seed = which
    return app.clean(seed) if name == "clean" else app.faulty(seed, [FAULTS[name]])


def events(s: Server) -> list[Entry]:
    return [entry for entry in s.log if entry.way == "event"]


def moments(entries: list[Entry]) -> list[int]:
    """Where it is worth to stop and compare: behind what changes a state, and a few others."""
    some = ("requires_action", "in_progress", "idle", "failed", "completed", "cancelled", "budget_reached", "item.added")
    at = [n + 1 for n, entry in enumerate(entries) if entry.value["type"].endswith(some)]
    return [*at[:: max(1, len(at) // 8)], len(entries)]


def recorded_since_snapshot(entries: list[Entry]) -> set[tuple[str, str]]:
    """Actions whose answer was recorded as an item behind the last snapshot that filled the helper's list."""
    out: set[tuple[str, str]] = set()
    for entry in entries:
        if entry.value["type"] == "agent.session.requires_action":
            out = set()
        item = entry.value.get("item", {})
        if item.get("type") == OUTPUT:
            out.add((item["turn_id"], item["call_id"]))
        if item.get("type") == "computer_use_approval_request_result":
            out.add(("computer_use_approval_request", item["request_id"]))
    return out


@pytest.mark.parametrize("which", worlds())
def test_pending_done_and_failed(which: tuple[str, int]) -> None:
    s = server(which)
    entries = events(s)
    for turn_id, start, end in root_turns(entries):
        client, at = Client(s.id), start
        for stop in [one for one in moments(entries) if start < one <= end]:
            for entry in entries[at:stop]:
                client.hear(entry.value)
            at = stop
            here, one = entries[:stop], ours(entries[:stop], s)
            told = f"turn {turn_id}, after {stop} events ({here[-1].value['type']})"
            theirs, mine = client.pending, open_keys(one)
            if client.over and stop > start:  # the helper has left; what comes later it does not hear
                last = next(n for n in range(start, stop) if _ends(entries, n, turn_id))
                if last + 1 < stop:
                    continue
            # pending
            if client.collector.session_failed:
                assert mine == set(), told  # difference 2
            else:
                assert theirs - recorded_since_snapshot(here) == mine, told  # difference 1
                assert mine <= theirs, told
            # done
            turn = one.trace.turns[turn_id]
            assert client.turn_status in (turn.status, "queued", "in_progress"), told
            ended = client.turn_status in ("completed", "failed", "cancelled")
            assert (turn.outcome is not None) == ended, told
            if ended:
                assert turn.outcome == client.turn_status, told
            # calls
            theirs_called = {key for key in client.dispatched if key[0] == turn_id}
            mine_called = {
                key for key, call in one.trace.calls.items() if key[0] == turn_id and call.name in client.dispatcher.handlers
            }
            assert theirs_called <= mine_called, told
            listed = {key for key in mine_called - theirs_called if not one.trace.calls[key].item_ids}
            assert mine_called - theirs_called == listed, (
                told
            )  # only what a snapshot names and no item: the helper never handles it
        reason, one = client.reason(), ours(entries[:end], s)
        turn = one.trace.turns[turn_id]
        match reason:
            case "ok":
                assert turn.outcome == "completed"
            case "failed":
                assert turn.outcome == "failed" or one.trace.latest[-1].status == "failed" or client.collector.session_failed
            case "cancelled":
                assert turn.outcome == "cancelled"
            case "requires_action":
                assert turn.outcome is None
                assert one.verdict.awaits in ("awaiting", "answered_unapplied", "unknown", "not_awaiting")
            case "incomplete":
                assert not client.over or turn.outcome is None


def _ends(entries: list[Entry], n: int, turn_id: str) -> bool:
    """Entry n is the idle or failed event at which the helper leaves."""
    kind = entries[n].value["type"]
    if kind == "agent.session.failed":
        return True
    ended = any(
        entry.value.get("turn_id") == turn_id
        and entry.value["type"].endswith(("turn.completed", "turn.failed", "turn.cancelled"))
        for entry in entries[:n]
    )
    return kind == "agent.session.idle" and ended


# the differences, one by one


def one_call() -> tuple[Server, str, list[Any]]:
    s = app.clean(3, 0)
    app.opening(s)
    turn_id = app.open_turn(s)
    return s, turn_id, app.calls(s, turn_id, 2)


def heard(s: Server, entries: list[Entry]) -> Client:
    client = Client(s.id)
    for entry in entries:
        client.hear(entry.value)
    return client


def test_1_a_recorded_output_takes_one_call_off_our_list_only() -> None:
    s, turn_id, actions = one_call()
    s.output(turn_id, actions[0]["call_id"], "12")
    assert len(heard(s, events(s)).pending) == 2
    assert open_keys(ours(s.log, s)) == {(turn_id, actions[1]["call_id"])}
    s.snapshot("in_progress")
    assert heard(s, events(s)).pending == open_keys(ours(s.log, s)) == set()


def test_2_a_failed_session_awaits_nobody_and_the_helper_says_failed_first() -> None:
    s, _, _ = one_call()
    s.fail_session("no more")
    client = heard(s, events(s))
    assert len(client.pending) == 2
    assert client.reason() == "failed"
    one = ours(s.log, s)
    assert (one.verdict.awaits, open_keys(one)) == ("not_awaiting", set())


def test_2_the_helper_reads_no_list_of_another_snapshot() -> None:
    s, turn_id, actions = one_call()
    entries = copy.deepcopy(events(s))
    last = next(entry for entry in reversed(entries) if entry.value["type"].endswith("requires_action"))
    last.value["type"] = "agent.session.budget_reached"
    last.value["session"]["status"] = "budget_reached"
    client = heard(s, entries)
    assert client.pending == set()
    assert not client.collector.is_done()  # the turn is open, so to the helper the budget ends nothing
    assert open_keys(ours(entries, s)) == {(turn_id, one["call_id"]) for one in actions}


def test_3_the_end_of_the_turn_clears_both_lists() -> None:
    s, turn_id, _ = one_call()
    s.end(turn_id, "cancelled")
    assert heard(s, events(s)).pending == open_keys(ours(s.log, s)) == set()
    assert heard(s, events(s)).reason() == "cancelled"


def test_4_a_call_is_handled_when_announced_and_awaited_when_listed() -> None:
    s, turn_id, actions = one_call()
    entries = events(s)
    first = next(n for n, entry in enumerate(entries) if entry.value.get("item", {}).get("type") == "function_call")
    client, one = heard(s, entries[: first + 1]), ours(entries[: first + 1], s)
    assert client.dispatched == [(turn_id, actions[0]["call_id"])]
    assert client.pending == open_keys(one) == set()
    assert one.verdict.awaits == "unknown"


def test_5_a_stream_that_begins_within_the_turn() -> None:
    s, turn_id, actions = one_call()
    app.answer(s, actions)
    at = next(n for n, e in enumerate(events(s)) if e.value["type"].endswith("requires_action") and e.value["session"]["required_actions"]
              and e.value["session"]["required_actions"][0]["type"] == "function_call")  # fmt: skip
    app.close_turn(s, turn_id)
    late = [entry for entry in events(s)[at:] if not entry.value["type"].endswith("session.in_progress")]
    client = heard(s, late)
    assert client.turn_status is None
    assert len(client.pending) == 2  # kept over completed and idle
    assert client.reason() == "requires_action"
    one = ours(late, s)
    assert (one.verdict.awaits, open_keys(one)) == ("not_awaiting", set())


def test_6_the_helper_forgets_event_ids_and_we_do_not() -> None:
    s, turn_id, actions = one_call()
    required = next(entry for entry in reversed(s.log) if entry.value.get("type") == "agent.session.requires_action")
    app.answer(s, actions)
    item = s.item(turn_id, "message", role="assistant", phase="final_answer", status="in_progress", content=[])
    s.added(item)
    for _ in range(1100):
        s.delta(item, "x")
    entries = [*events(s), required]
    assert len(heard(s, entries).pending) == 2
    assert open_keys(ours(entries, s)) == set()
    nearer = [*entries[:60], required]
    assert heard(s, nearer).pending == set() == open_keys(ours(nearer, s))


def test_a_repeated_call_is_dispatched_once_and_counted_once() -> None:
    s, turn_id, actions = one_call()
    entries = copy.deepcopy(events(s))
    again = copy.deepcopy(next(entry for entry in entries if entry.value.get("item", {}).get("type") == "function_call"))
    again.value["event_id"] = "evt_other"
    entries.append(again)
    client, one = heard(s, entries), ours(entries, s)
    assert sorted(client.dispatched) == sorted((turn_id, one["call_id"]) for one in actions)
    assert sorted(one.trace.calls) == sorted(client.dispatched)


def test_the_retry_after_a_race_is_told_by_the_same_words() -> None:
    """The helper retries a result that came before the call was registered: by status 400 and this exact text (D.5)."""
    import httpx2
    from openai import BadRequestError
    from openai.lib.streaming.agents._tools import is_pending_call_race

    s, turn_id, actions = one_call()
    call_id = actions[0]["call_id"]
    s.post(app.result(actions[0]))
    s.refuse(f"Unknown pending tool call: {call_id}")
    body = s.log[-1].value["error"]
    request = httpx2.Request("POST", "http://x")
    error = BadRequestError("refused", response=httpx2.Response(400, request=request), body=body)
    assert is_pending_call_race(error, call_id)
    from tests.world.record import dump, wrapped

    report = tracelink_report("".join(dump(wrapped(entry, s)) + "\n" for entry in s.log))
    (refused,) = [one for one in report.sessions[0].verdict.actions if one.answered == "refused"]
    assert (refused.action.turn_id, refused.action.call_id) == (turn_id, call_id)


def tracelink_report(text: str) -> Any:
    import tracelink

    return tracelink.report(text.encode())
