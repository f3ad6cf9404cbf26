"""TL4xx: subagents. The files are in `fixtures/rules/<name>/`."""

import time
from typing import Any

import pytest

import tracelink
from tests.rules.cases import (
    AGENT,
    START,
    TURN,
    Case,
    added,
    assert_fires,
    assert_quiet,
    call,
    codes,
    create,
    done,
    ending,
    lines,
    of,
    opening,
    page,
    said,
    session,
    snapshot,
    subagent,
    told,
    turn,
)
from tests.rules.cases import Json as Row

CHILD, SUB = "turn_gull1", "sub_gull1"
NAMES = {
    "send": "send_subagent_input_call",
    "wait": "wait_for_subagents_call",
    "interrupt": "interrupt_subagent_call",
    "close": "close_subagent_call",
}

CASES = (
    Case(
        "TL401", "create-without-subagent", {"item_id": "item_create1"}, 5, "completed, nobody came", "a failed create has none"
    ),
    Case("TL402", "unknown-agent", {"agent_id": "sub_gull2"}, 8, "the stream is whole and lacks it", "the stream begins later"),
    Case("TL403", "closed-agent", {"subagent_id": SUB}, 11, "closed, not resumed", "resumed, the event comes later"),
    Case(
        "TL404", "child-unfinished", {"subagent_id": SUB, "turn_id": CHILD}, 10, "no end of the child's turn", "it ends later"
    ),
    Case("TL405", "wait-cycle", {"agent_id": AGENT}, 10, "each waits for the other", "one of the waits has returned"),
    Case(
        "TL406", "subagent-function-call", {"call_id": "call_ebb1", "subagent_id": SUB}, 10, "in a child's turn", "an mcp_call"
    ),
    Case("TL407", "orphan-subagent", {"subagent_id": SUB}, 5, "created in a covered turn", "created after the covered turn"),
    Case("TL408", "too-many-subagents", {"subagent_id": "sub_gull2"}, 12, "three of two", "one was closed before the third"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_fires(case: Case) -> None:
    assert_fires(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_quiet(case: Case) -> None:
    assert_quiet(case)


def to(kind: str, item_id: str, *who: str, turn_id: str = TURN, sender: str = AGENT, status: str = "completed") -> Row:
    named = {"recipient_agent_ids": list(who)} if kind == "wait" else {"recipient_agent_id": who[0]}
    base = {"type": NAMES[kind], "id": item_id, "turn_id": turn_id, "sender_agent_id": sender, "status": status}
    return {**base, **named, **({"content": []} if kind == "send" else {})}


def message(sender: str, recipient: str) -> Row:
    base = {"type": "agent_message", "id": "item_msg1", "turn_id": TURN, "content": []}
    return {**base, "sender_agent_id": sender, "recipient_agent_id": recipient}


def made(item: Row) -> list[Row]:
    return [added(item | {"status": "in_progress"}), done(item)]


def child(kind: str, turn_id: str = CHILD, subagent_id: str = SUB, **more: Any) -> Row:
    return turn(kind, turn_id, subagent_id=subagent_id, **more)


def born() -> list[Row]:
    return [*opening(), added(create(status="in_progress")), subagent(), done(create())]


TL4 = {case.code for case in CASES}


def quiet(*rows: Row) -> bool:
    return not TL4 & set(codes(told(*rows)))


# B.4: lists, and the edge from a create call to its subagent


def test_trap_B4_items_page_without_a_list_of_subagents() -> None:
    # The root's items tell of create and send, the subagents are listed elsewhere.
    over = turn("completed")["turn"]
    assert quiet(session("idle"), over, page(create(), to("send", "item_send1", SUB)))


def test_trap_B4_whole_list_of_subagents() -> None:
    over = turn("completed")["turn"]
    other = subagent()["subagent"]
    found = told(session("idle"), over, page(create(), create("item_create2"), newest_first=False), page(other))
    assert codes(found).count("TL401") == 1
    assert of(told(session("idle"), over, page(create(), create("item_create2")), page(other, more=True)), "TL401") == []


def test_trap_B4_message_names_an_agent_by_name() -> None:
    rows = [
        *opening(),
        added(create()),
        subagent(name="Heron"),
        done(create()),
        added(message("Heron", AGENT), None),
        *ending(),
    ]
    assert quiet(*rows)


def test_trap_B4_failed_call_names_a_target_that_does_not_exist() -> None:
    (found,) = of(told(*born(), *made(to("send", "item_send1", "sub_zz", status="failed")), *ending()), "TL402")
    assert found.severity == "note"


def test_trap_B4_turn_agent_id_of_a_child_is_the_root() -> None:
    # turn.agent_id is the root's in every turn here: only subagent_id tells them apart.
    assert of(told(*born(), child("created"), child("completed"), *made(said()), *ending()), "TL406") == []


def test_trap_B5_children_listed_as_running_after_the_root_ended() -> None:
    running = child("in_progress")["turn"]
    assert [one.ids["turn_id"] for one in of(told(*born(), *ending(), running), "TL404")] == [CHILD]
    # Retrieved before the root ended: it may have finished meanwhile.
    assert of(told(*born(), running, *ending()), "TL404") == []


# H: limits and gotchas


def test_trap_H7_completed_wait_is_no_end_of_the_child() -> None:
    rows = [*born(), child("created"), child("in_progress"), *made(to("wait", "item_wait1", SUB)), *ending()]
    assert codes(told(*rows)) == ["TL404"]


def test_trap_H8_subagent_stays_active_after_its_turn() -> None:
    assert quiet(*born(), child("created"), child("completed"), *ending())


def test_trap_H9_root_stream_shows_no_child_work() -> None:
    rows = [*born(), subagent("created", "sub_gull2", parent_agent_id=SUB), *made(to("wait", "item_wait1", SUB)), *ending()]
    assert quiet(*rows)


def test_trap_H12_default_limit() -> None:
    rows: list[Row] = []
    for number in range(7):
        rows += [*made(create(f"item_create{number}")), subagent(subagent_id=f"sub_gull{number}")]
    (found,) = of(told(*opening(), *rows, *ending()), "TL408")
    assert found.confidence == "low"
    assert of(told(*opening(), *rows[:-3], *ending()), "TL408") == []


# L.2: what must be tolerated


def test_trap_L2_3_repeated_subagent_events() -> None:
    rows = [*born(), *(subagent(event_id=f"again_{number}") for number in range(9)), *ending()]
    assert quiet(*rows)


def test_trap_L2_4_recording_that_begins_after_the_create() -> None:
    assert quiet(done(create()), *made(to("send", "item_send1", SUB)), *ending())
    assert quiet(subagent("closed"), *ending())


def test_trap_L2_7_child_turns_absent() -> None:
    assert quiet(*born(), *made(to("close", "item_close1", SUB)), subagent("closed"), *ending())


def test_trap_L2_7_child_interrupted_without_an_end() -> None:
    rows = [*born(), child("created"), child("in_progress"), *made(to("interrupt", "item_int1", SUB)), *ending()]
    assert quiet(*rows)


def test_trap_L2_7_root_turn_still_open() -> None:
    assert quiet(*born(), child("created"), child("in_progress"))


def test_trap_L2_8_agent_never_otherwise_seen() -> None:
    assert quiet(snapshot("in_progress", at=900), *made(to("wait", "item_wait1", "sub_zz")), *ending())
    assert quiet(*born(), added(message("sub_zz", AGENT), None), *ending())


def test_trap_L2_9_encrypted_tasks() -> None:
    second = [
        added(create("item_create2", status="in_progress")),
        subagent(subagent_id="sub_gull2"),
        done(create("item_create2")),
    ]
    assert quiet(*born(), *second, *ending())


def test_closed_by_another_source_has_no_order() -> None:
    first = lines([*born(), *made(to("send", "item_send1", SUB)), *ending()]).encode()
    second = lines([subagent("closed", event_id="ev_other")]).encode()
    assert of(tracelink.report(first, second), "TL403") == []
    assert of(tracelink.report(second, first), "TL403") == []


def test_wait_for_a_closed_agent_among_open_ones() -> None:
    rows = [*born(), subagent("closed"), *made(create("item_create2")), subagent(subagent_id="sub_gull2")]
    (found,) = of(told(*rows, *made(to("wait", "item_wait1", SUB, "sub_gull2")), *ending()), "TL403")
    assert found.severity == "note"
    (found,) = of(told(*rows, *made(to("wait", "item_wait1", SUB)), *ending()), "TL403")
    assert found.severity == "warning"


def test_wait_cycle_among_three_and_a_chain_without_one() -> None:
    def waits(*pairs: tuple[str, str]) -> list[Row]:
        return [added(to("wait", f"item_{a}_{b}", b, turn_id=f"turn_{a}", sender=a, status="in_progress")) for a, b in pairs]

    (found,) = of(told(*opening(), *waits(("s1", "s2"), ("s2", "s3"), ("s3", "s1"), ("s0", "s1"))), "TL405")
    assert "3 agents" in found.message
    assert of(told(*opening(), *waits(("s1", "s2"), ("s1", "s3"), ("s2", "s4"), ("s3", "s4"))), "TL405") == []
    assert len(of(told(*opening(), *waits(("s1", "s1"))), "TL405")) == 1


def test_call_of_the_root_is_no_subagents_call() -> None:
    assert of(told(*born(), *made(call()), child("created"), child("completed"), *ending()), "TL406") == []


def test_two_thousand_nested_subagents_stay_linear() -> None:
    rows = opening()
    parent, parent_turn = AGENT, TURN
    for number in range(2000):
        name, turn_id = f"sub_{number}", f"turn_{number}"
        rows += made(create(f"item_{number}", agent_id=parent, turn_id=parent_turn))
        rows += [subagent(subagent_id=name, parent_agent_id=parent), child("created", turn_id, name, created_at=START + 1)]
        rows += [added(to("wait", f"wait_{number}", name, turn_id=parent_turn, sender=parent, status="in_progress"))]
        parent, parent_turn = name, turn_id
    rows += [added(to("wait", "wait_last", AGENT, turn_id=parent_turn, sender=parent, status="in_progress"))]
    run = tracelink.trace(lines(rows).encode())
    begun = time.perf_counter()
    report = tracelink.report(run)
    assert time.perf_counter() - begun < 10
    (found,) = of(report, "TL405")
    assert "2001 agents" in found.message
