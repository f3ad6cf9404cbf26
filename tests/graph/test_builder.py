"""The graph says what the trace says, in the vocabulary of DESIGN 8, and nothing more."""

from dataclasses import replace

import networkx as nx
import pytest

from tests.graph import samples
from tracelink.graph import build
from tracelink.graph.vocabulary import EDGES, NODES
from tracelink.model.facts import ActionSeen
from tracelink.model.trace import Action, Agent, Call, Coordination, Meant, Result, Trace, Turn

TURN = "turn_c5Hn2bReserve"
RIGHT, DRIFTED = f"function_call:{TURN}/call_q7Hd0vTn2XsB", f"tool_result:{TURN}/call_q7HdOvTn2XsB"


def edges(graph: nx.MultiDiGraph, kind: str) -> list[tuple[str, str]]:
    return [(tail, head) for tail, head, said in graph.edges(data="kind") if said == kind]


@pytest.mark.parametrize("make", samples.ALL)
@pytest.mark.parametrize("detail", ["calls", "items", "all"])
def test_only_words_of_the_vocabulary(make, detail) -> None:
    graph = build(make(), detail=detail)
    assert len(graph) > 2
    for node, data in graph.nodes(data=True):
        assert data["kind"] in NODES
        assert node.startswith(f"{data['kind']}:")
        assert None not in data.values()
    for _, _, key, data in graph.edges(keys=True, data=True):
        assert key == data["kind"]
        assert key in EDGES


def test_a_misaddressed_result_is_tied_to_what_it_was_meant_for() -> None:
    graph = build(samples.stalled())
    assert edges(graph, "meant_for") == [(DRIFTED, RIGHT)]
    assert graph.edges[DRIFTED, RIGHT, "meant_for"]["reason"] == "edits-1"
    assert [head for _, head in edges(graph, "answered_by")] == [f"tool_result:{TURN}/call_m3Lw8RzKf5Ya"]
    assert edges(graph, "for_call")[-1] == (f"action:function_call/{TURN}/call_q7Hd0vTn2XsB", RIGHT)
    assert graph.nodes[DRIFTED]["problem"] == "TL105"
    assert graph.nodes[DRIFTED]["http_status"] == 400
    assert graph.nodes[RIGHT]["state"] == "required"
    assert (graph.nodes[DRIFTED]["source"], graph.nodes[DRIFTED]["line"], graph.nodes[DRIFTED]["byte"]) == (
        "wrapped.log",
        22,
        2200,
    )


def test_an_orphan_hangs_on_nothing() -> None:
    trace = samples.stalled()
    orphan = replace(trace.results[-1], meant=None, problem="TL102")
    graph = build(replace(trace, results=(orphan,)))
    assert graph.degree(DRIFTED) == 0


def test_a_near_miss_in_another_session_has_no_node_here() -> None:
    trace = samples.stalled()
    meant = Meant(TURN, "call_q7Hd0vTn2XsB", "other-session", "", session_id="sess_other")
    graph = build(replace(trace, results=(replace(trace.results[-1], meant=meant),)))
    assert edges(graph, "meant_for") == []
    assert graph.nodes[DRIFTED]["meant_session_id"] == "sess_other"


def test_results_under_one_pair_are_numbered() -> None:
    trace = samples.stalled()
    graph = build(replace(trace, results=(trace.results[0],) * 3))
    first = f"tool_result:{TURN}/call_m3Lw8RzKf5Ya"
    assert [head for _, head in edges(graph, "answered_by")] == [first, f"{first}#2", f"{first}#3"]


def test_subagents_are_one_node_that_runs_its_turns() -> None:
    graph = build(samples.subagents())
    assert ("subagent:sub_r7Hotels", "turn:turn_s2Hotel") in edges(graph, "runs")
    assert edges(graph, "parent_of")[-1] == ("subagent:sub_r7Hotels", "subagent:sub_z1Reviews")
    spawns = edges(graph, "spawns")
    assert ("item:item_c4Tp53", "subagent:sub_z1Reviews") in spawns
    assert len(spawns) == 3
    for tail, head in spawns:
        said = graph.edges[tail, head, "spawns"]
        assert (said["inferred"], said["rule"], said["confidence"]) == (True, "instructions", "high")
    assert ("item:item_wATp59", "subagent:sub_p4Flights") in edges(graph, "waits_for")
    assert edges(graph, "sends_to") == [("item:item_s9Tp58", "subagent:sub_p4Flights")]
    assert ("item:item_mDTp62", "agent:agent_8HtV63planner") in edges(graph, "message_to")
    assert ("subagent:sub_p4Flights", "item:item_mDTp62") in edges(graph, "message_to")
    assert "agent:sub_r7Hotels" not in graph


def test_detail() -> None:
    trace = samples.subagents()
    types = [
        {data.get("type") for _, data in build(trace, detail=d).nodes(data=True)} - {None} for d in ("calls", "items", "all")
    ]
    assert types[0] == {"create_subagent_call"}
    assert "agent_message" in types[1]
    assert "message" not in types[1]
    assert types[2] == types[1] | {"message"}
    with pytest.raises(ValueError, match="calls, items, all"):
        build(trace, detail="some")


def test_one_agents_part() -> None:
    graph = build(samples.subagents(), agent="sub_r7Hotels")
    stubs = {node for node, stub in graph.nodes(data="stub") if stub}
    assert stubs == {"agent:agent_8HtV63planner", "subagent:sub_z1Reviews", "item:item_c3Tp52", "item:item_wATp59"} | {
        "item:item_xGTp65",
        "item:item_mETp63",
    }
    assert "turn:turn_s2Hotel" in graph
    assert "subagent:sub_p4Flights" not in graph
    assert not any(tail in stubs and head in stubs for tail, head in graph.edges())
    with pytest.raises(ValueError, match="agent_8HtV63planner"):
        build(samples.subagents(), agent="sub_none")


def test_names_and_strangers_as_recipients() -> None:
    trace = samples.subagents()
    items = {
        "a": Coordination("a", "message", "turn_s2Hotel", "Hotel scout", ("Trip planner",), None, None, (samples.at(1),)),
        "b": Coordination("b", "send", "turn_s2Hotel", None, ("sub_gone",), "failed", None, (samples.at(2),)),
    }
    graph = build(replace(trace, coordination=items))
    assert edges(graph, "message_to") == [("subagent:sub_r7Hotels", "item:a"), ("item:a", "agent:agent_8HtV63planner")]
    assert graph.nodes["subagent:sub_gone"]["seen"] is False


def test_an_environment_action_hangs_on_the_agent() -> None:
    seen = ActionSeen("environment_connection", environment_id="env_1")
    trace = replace(samples.awaiting(), actions=(Action(seen, samples.at(1), samples.at(1), None, True),))
    graph = build(trace)
    assert edges(graph, "requires") == [("agent:agent_2XbN90traveldesk", "action:environment_connection/env_1")]


def test_ids_that_hold_separators_stay_apart() -> None:
    pairs = [("a", "b/c"), ("a/b", "c"), ("a", "b#2"), ("a", "b%232"), ("", "?"), ("?", "")]
    calls = {pair: Call(*pair, "f", None, None, "unknown") for pair in pairs}
    results = tuple(Result(*pair, None, None, recorded=samples.at(1), call=pair) for pair in [*pairs, ("a", "b"), ("a", "b")])
    turns = {turn: Turn(turn, "root", None, True) for turn, _ in pairs}
    graph = build(
        Trace(
            "s",
            agents={"root": Agent("root", True)},
            turns=turns,
            calls=calls,
            results=(*results, Result(None, None, 1, 1, posted=samples.at(1))),
        )
    )
    kinds = [data["kind"] for _, data in graph.nodes(data=True)]
    assert kinds.count("function_call") == len(pairs)
    assert kinds.count("tool_result") == len(pairs) + 3
    assert "tool_result:?/?" in graph


def test_a_call_in_a_turn_nobody_recorded() -> None:
    trace = Trace("s", agents={"root": Agent("root", True)}, calls={("t", "c"): Call("t", "c", "f", None, None, "required")})
    graph = build(trace)
    assert graph.nodes["turn:t"]["seen"] is False
    assert edges(graph, "calls") == [("turn:t", "function_call:t/c")]
    assert edges(graph, "runs") == []


def test_the_same_trace_gives_the_same_graph_and_marks_are_set() -> None:
    marks = {RIGHT: ("TL501", "note"), "turn:none": ("TL301", "warning")}
    first, second = (build(samples.stalled(), marks=marks) for _ in range(2))
    assert list(first.nodes(data=True)) == list(second.nodes(data=True))
    assert list(first.edges(keys=True, data=True)) == list(second.edges(keys=True, data=True))
    assert (first.nodes[RIGHT]["code"], first.nodes[RIGHT]["severity"]) == ("TL501", "note")
    assert "turn:none" not in first


def test_an_empty_trace() -> None:
    assert len(build(Trace(None))) == 0
