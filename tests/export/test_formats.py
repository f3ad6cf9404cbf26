"""Each format is valid, complete and stable, for one session and for several."""

import itertools
import json
import shutil
from xml.etree import ElementTree

import networkx as nx
import orjson
import pydot
import pytest

from tests.graph import samples
from tracelink.export import format_of, render, svg
from tracelink.export.sessions import joined
from tracelink.graph import build
from tracelink.model.trace import Trace

NAMES = ["dot", "mmd", "graphml", "json", "links"]
DOT = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz's dot is not installed")


def sessions(*makers, detail: str = "items"):
    return [(trace, build(trace, detail=detail)) for trace in (make() for make in makers)]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_input_gives_the_same_text(name: str) -> None:
    first, second = (render(name, sessions(*samples.ALL)) for _ in range(2))
    assert first == second
    assert first.endswith("\n")


def test_formats_by_name_and_ending() -> None:
    given = ["dot", "a/b.gv", "x.MMD", "mermaid", "g.graphml", "t.json", "out.links", "t.links.json", "p.svg", "sess.v1.dot"]
    assert [format_of(one) for one in given] == [
        *("dot", "dot", "mermaid", "mermaid", "graphml"),
        *("json", "links", "links", "svg", "dot"),
    ]
    for unknown in ("html", "a.png", "", "graph"):
        with pytest.raises(ValueError, match="dot, graphml, gv, json, links, mermaid, mmd, svg"):
            format_of(unknown)


def test_json_reads_back_as_the_graph() -> None:
    given = sessions(samples.stalled, samples.subagents, detail="all")
    document = orjson.loads(render("json", given))
    assert document["schema"] == "tracelink.graph/1"
    assert [one["session_id"] for one in document["graph"]["sessions"]] == ["sess_8Vt3mWarehouse", "sess_3Nf8uTrip"]
    back, whole = nx.node_link_graph(document, edges="edges"), joined(given)
    assert dict(back.nodes(data=True)) == dict(whole.nodes(data=True))
    assert list(back.edges(keys=True, data=True)) == list(whole.edges(keys=True, data=True))


def test_graphml_reads_back_as_the_graph() -> None:
    given = sessions(samples.stalled, samples.subagents)
    back, whole = nx.parse_graphml(render("graphml", given), force_multigraph=True), joined(given)
    assert dict(back.nodes(data=True)) == dict(whole.nodes(data=True))
    assert {(a, b, d["kind"]) for a, b, d in back.edges(data=True)} == {(a, b, d["kind"]) for a, b, d in whole.edges(data=True)}


def test_one_session_keeps_its_ids_and_several_are_kept_apart() -> None:
    one = joined(sessions(samples.stalled))
    assert "turn:turn_c5Hn2bReserve" in one
    twice = joined(sessions(samples.stalled, samples.awaiting))
    assert "sess_8Vt3mWarehouse/turn:turn_c5Hn2bReserve" in twice
    nameless = joined([(Trace(None), build(samples.clean())), (Trace(None), build(samples.clean()))])
    assert len(nameless) == 2 * len(build(samples.clean()))


def test_the_chain_in_order() -> None:
    document = json.loads(render("links", sessions(samples.subagents)))
    assert document["session_id"] == "sess_3Nf8uTrip"
    told = [(link["object"], link.get("id", link.get("call_id")), link["via"]) for link in document["links"]]
    assert told == [
        ("agent", "agent_8HtV63planner", None),
        ("turn", "turn_g9Lc3eWeekend", "agent"),
        ("create_subagent_call", "item_c2Tp51", "turn"),
        ("subagent", "sub_p4Flights", "create_subagent_call"),
        ("turn", "turn_x8Flight", "subagent"),
        ("create_subagent_call", "item_c3Tp52", "turn"),
        ("subagent", "sub_r7Hotels", "create_subagent_call"),
        ("turn", "turn_s2Hotel", "subagent"),
        ("create_subagent_call", "item_c4Tp53", "turn"),
        ("subagent", "sub_z1Reviews", "create_subagent_call"),
        ("turn", "turn_j5Review", "subagent"),
    ]


def test_the_chain_names_the_broken_link() -> None:
    links = json.loads(render("links", sessions(samples.stalled)))["links"]
    assert [link["object"] for link in links] == [
        "agent",
        "turn",
        "function_call",
        "tool_result",
        "function_call",
        "tool_result",
    ]
    wrong = links[-1]
    assert (wrong["via"], wrong["problem"], wrong["line"]) == (None, "TL105", 22)
    pair = {"turn_id": "turn_c5Hn2bReserve", "call_id": "call_q7Hd0vTn2XsB"}
    assert wrong["meant_for"] == [{**pair, "reason": "edits-1"}]
    assert links[3]["via"] == "function_call"
    assert set(json.loads(render("links", sessions(samples.stalled, samples.clean)))) == {"schema", "sessions"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # pydot calls pyparsing by its old names
def test_dot_holds_every_drawn_link_and_reddens_the_broken_ones() -> None:
    text = render("dot", sessions(samples.stalled))
    (parsed,) = pydot.graph_from_dot_data(text)
    assert 'label=<<FONT COLOR="#c81e1e"><B>tool_result</B>' in text
    assert "<B>TL105</B>" in text
    ends = {(edge.get_source(), edge.get_destination()) for edge in parsed.get_edges()}
    call, turn = '"function_call:turn_c5Hn2bReserve/call_q7Hd0vTn2XsB"', '"turn:turn_c5Hn2bReserve"'
    assert {(turn, call), (call, '"tool_result:turn_c5Hn2bReserve/call_q7HdOvTn2XsB"')} <= ends
    assert "#c81e1e" not in render("dot", sessions(samples.clean, samples.subagents))


def test_turns_are_counted_by_session_and_agent() -> None:
    text = render("mermaid", sessions(samples.clean, samples.clean, samples.subagents))
    assert [text.count(f"<b>turn {n}</b>") for n in (1, 2, 3)] == [6, 2, 0]


def test_mermaid_reddens_the_broken_link() -> None:
    text = render("mermaid", sessions(samples.stalled))
    assert text.startswith("flowchart LR\n")
    assert '<b>TL105</b>"):::broken' in text
    assert "linkStyle 4,5 stroke:#c81e1e" in text
    assert ":::broken" not in render("mermaid", sessions(samples.clean))
    assert text.count("subgraph ") == text.count("end\n") == 2


@DOT
def test_svg_is_xml_with_every_drawn_node() -> None:
    given = sessions(samples.stalled, samples.subagents, detail="all")
    root = ElementTree.fromstring(render("svg", given))  # noqa: S314 - our own output
    titles = {one.text for one in root.iter("{http://www.w3.org/2000/svg}title")}
    drawn = {
        node for node, data in joined(given).nodes(data=True) if (data["kind"], data.get("status")) != ("action", "cleared")
    }
    assert drawn <= titles


@DOT
def test_turns_and_calls_stand_in_order() -> None:
    import subprocess

    text = render("dot", sessions(samples.clean, samples.subagents))
    plain = subprocess.run(["dot", "-Tplain"], input=text.encode(), capture_output=True, check=True).stdout.decode()
    heights = {}
    for line in plain.splitlines():
        if line.startswith("node "):
            name, _, rest = line[5:].partition(" ")
            heights[name.strip('"')] = float(rest.split()[1])
    order = (
        [
            "sess_7Qy9xSupport/turn:turn_h2Vn5gLookup",
            "sess_7Qy9xSupport/turn:turn_n6Rb8kReturn",
        ],
        [
            "sess_7Qy9xSupport/function_call:turn_h2Vn5gLookup/call_k8Wp2ZdMf4Rn",
            "sess_7Qy9xSupport/function_call:turn_h2Vn5gLookup/call_b5Xj9TqLs3Ge",
            "sess_7Qy9xSupport/function_call:turn_n6Rb8kReturn/call_v1Gs7HyBc9Ka",
        ],
        ["sess_3Nf8uTrip/item:item_c2Tp51", "sess_3Nf8uTrip/item:item_s9Tp58", "sess_3Nf8uTrip/item:item_xGTp65"],
    )
    for column in order:
        assert all(heights[above] > heights[below] for above, below in itertools.pairwise(column)), column


def test_pictures_have_a_limit_and_say_how_to_narrow() -> None:
    trace = samples.clean()
    big = build(trace)
    big.add_nodes_from((f"item:{n}", {"kind": "item", "type": "x", "item_id": str(n)}) for n in range(2_000))
    for name in ("svg", "mmd"):
        with pytest.raises(ValueError, match=r"2,015 nodes .*--agent ID or --detail calls"):
            render(name, [(trace, big)])
        with pytest.raises(ValueError, match="--session ID"):
            render(name, [(trace, big)] * 2)
    for name in ("dot", "graphml", "json", "links"):
        assert render(name, [(trace, big)])


def test_svg_without_graphviz_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(svg.shutil, "which", lambda _: None)
    with pytest.raises(ValueError, match="apt-get install graphviz, or brew install graphviz"):
        render("svg", sessions(samples.clean))


@DOT
def test_svg_gives_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(svg, "TIMEOUT", 0.0001)
    with pytest.raises(ValueError, match="--detail calls"):
        render("svg", sessions(samples.subagents))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_write_is_no_fault(name: str) -> None:
    assert render(name, [])
    assert render(name, [(Trace(None), build(Trace(None)))])
