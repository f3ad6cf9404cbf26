"""`--repair --drop-bound`: what is bound to its provider goes on request, whole or not at all, and each as a change."""

import json
from typing import Any

import pytest

from tests.gate.examples import APPROVAL, PROGRAM, USER, YES, call, lines, out, reasoning, said
from tracelink.gate import history_of, judge, read_history
from tracelink.gate.repair import Repaired, repair
from tracelink.read import Values

Items = list[Any]
SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
CLICK = {"type": "computer_call", "id": "cu_1", "call_id": "k1", "action": {"type": "click"}, "status": "completed"}
SHOT = {"type": "computer_call_output", "call_id": "k1", "output": {"type": "computer_screenshot"}}
PROG = {"type": "program", "id": "cm_1", "call_id": "k2"}
PROG_OUT = {"type": "program_output", "id": "cmo_1", "call_id": "k2", "status": "completed"}
OWNED = call("k3", caller=PROGRAM | {"caller_id": "cm_1"})
EXTENSION = {"type": "acme:ask", "call_id": "k4"}
LISTED = {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "s", "tools": []}
CIPHER = reasoning(encrypted_content="gAAA")
COMPACTION = {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA"}
PAIR = [call(), out()]

GOES: dict[str, tuple[Items, Items]] = {
    "a hosted call": ([USER, SEARCH, said()], [USER, said()]),
    "a hosted call and its reasoning": ([USER, reasoning(), SEARCH, said()], [USER, said()]),
    "two reasoning items before a hosted call": ([USER, reasoning(), reasoning(id="rs_2"), SEARCH, said()], [USER, said()]),
    "reasoning of another item stays": ([USER, reasoning(), *PAIR, SEARCH, said()], [USER, reasoning(), *PAIR, said()]),
    "a client's call with its output": ([USER, CLICK, *PAIR, SHOT], [USER, *PAIR]),
    "a client's call that is open": ([USER, *PAIR, CLICK], [USER, *PAIR]),
    "a program with its calls": ([USER, PROG, OWNED, out("k3"), PROG_OUT, said()], [USER, said()]),
    "a program's call without the program": ([USER, OWNED, out("k3"), said()], [USER, said()]),
    "an extension": ([USER, {"type": "acme:card", "id": "a"}, said()], [USER, said()]),
    "an extension with the output that names it": ([USER, EXTENSION, out("k4"), said()], [USER, said()]),
    "an approval with its answer": ([USER, LISTED, APPROVAL, YES, said()], [USER, said()]),
    "ciphertext that only warns, when it is asked for": ([USER, SEARCH, CIPHER, *PAIR], [USER, *PAIR]),
}
STAYS: dict[str, Items] = {
    "a compaction": [COMPACTION, USER],
    "an unanswered approval": [USER, APPROVAL],
    "a call that an output of another type answers": [USER, CLICK, out("k1")],
    "an extension that bears the id of a call": [USER, call("k4"), EXTENSION, out("k4"), said()],
    "a type that nobody knows": [USER, {"type": "future_call", "id": "x"}],
}


def repaired(items: Items, profile: str = "openresponses") -> Repaired:
    return repair(judge(history_of(items), profile), drop_bound=True)


@pytest.mark.parametrize("name", GOES)
def test_what_goes(name: str) -> None:
    items, wanted = GOES[name]
    result = repaired(items)
    assert [item.value for item in result.judged.history.items] == wanted
    assert result.judged.sendable
    assert [change.before for change in result.changes] == [item for item in items if item not in wanted]
    assert {change.change for change in result.changes} == {"drop"}


@pytest.mark.parametrize("name", [name for name in GOES if "warns" not in name])
def test_nothing_of_it_goes_unasked(name: str) -> None:
    items = [item for item in GOES[name][0] if item is not CLICK or SHOT in GOES[name][0]]
    kept = [item.value for item in repair(judge(history_of(items))).judged.history.items]
    assert [item for item in kept if item != out("k4")] == [item for item in items if item != out("k4")]


@pytest.mark.parametrize("name", STAYS)
def test_what_stays(name: str) -> None:
    result = repaired(STAYS[name])
    assert [item.value for item in result.judged.history.items] == STAYS[name]
    assert result.left


def test_where_its_own_provider_takes_it_back_it_stays() -> None:
    items = [USER, SEARCH, out("gone"), said()]
    assert [item.value for item in repaired(items, "own").judged.history.items] == [USER, SEARCH, said()]
    assert SEARCH not in [item.value for item in repaired(items, "openai").judged.history.items]


def test_beside_a_gap_only_what_is_complete_in_itself_goes() -> None:
    data = (
        lines(USER, SEARCH, CLICK)
        + b'{"type":"computer_call_outp\n'
        + lines(said(), reasoning(), SEARCH | {"id": "ws_2"}, said("b"))
    )
    result = repair(judge(read_history(Values([data]))), drop_bound=True)
    assert [change.before for change in result.changes if change.change == "drop"] == [SEARCH]
    assert CLICK in [item.value for item in result.judged.history.items]


def test_from_the_command_line(program: Any) -> None:
    program.write("bound.json", json.dumps([USER, SEARCH, *PAIR]))
    assert program("gate", "bound.json", "--drop-bound").returncode == 2
    assert "--repair new.json --drop-bound" in program("gate", "bound.json").stdout
    done = program("gate", "bound.json", "--repair", "new.json", "--drop-bound")
    assert done.returncode == 0
    assert "drop       #1    provider_bound" in done.stdout
    assert json.loads((program.folder / "new.json").read_text()) == [USER, *PAIR]
    again = program("gate", "new.json", "--repair", "newer.json", "--drop-bound")
    assert again.returncode == 0
    assert (program.folder / "newer.json").read_bytes() == (program.folder / "new.json").read_bytes()
