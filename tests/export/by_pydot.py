"""The DOT text as pydot writes it, every node and edge an object: the plain way, to which `export.dot` is held byte for byte.

Looks and words are those of `export.dot` and `export.picture`; structure, order, quoting and syntax are made here and by pydot.
"""

from itertools import pairwise
from typing import Any

import networkx as nx
import pydot

from tracelink.export import dot, picture
from tracelink.export.escape import visible
from tracelink.export.sessions import Sessions, joined

AGENTS = ("agent", "subagent")


def render(sessions: Sessions) -> str:
    graph = joined(sessions)
    whole = pydot.Dot("tracelink", graph_type="digraph", **_quoted(dot._GRAPH))
    whole.set_node_defaults(**_quoted(dot._NODE))
    whole.set_edge_defaults(**_quoted(dot._EDGE))
    every = [node for node, data in graph.nodes(data=True) if (data["kind"], data.get("status")) != ("action", "cleared")]
    for number, (trace, _) in reversed(list(enumerate(sessions))):
        agents: dict[str | None, list[str]] = {}
        for node in every:
            if graph.nodes[node]["session"] == number:
                agents.setdefault(graph.nodes[node].get("agent_id"), []).append(node)
        title = picture.heading(trace.session_id, trace.latest[-1].body.status if trace.latest else None)
        outer = pydot.Subgraph(f'"cluster_{number}"', **_quoted(dot._SESSION), label=_html([f"<B>{dot.escape(title)}</B>"]))
        for position, inside in reversed(list(enumerate(agents.values()))):
            label = _html([f'<FONT COLOR="{dot.MUTED}">{dot.escape(_name(graph, inside))}</FONT>'])
            cluster = pydot.Subgraph(f'"cluster_{number}_{position}"', **_quoted(dot._AGENT), label=label)
            turns = [node for node in inside if graph.nodes[node]["kind"] == "turn"]
            for node in reversed(inside):
                cluster.add_node(_node(node, graph.nodes[node], turns.index(node) + 1 if node in turns else None))
            below = [
                head
                for turn in turns
                for _, head, key in graph.out_edges(turn, keys=True)
                if key in ("calls", "coordinates", "contains") and head in inside
            ]
            for column in (turns, below):
                if len(column) > 1:
                    ranked = pydot.Subgraph("", rank="same")
                    for later, earlier in pairwise(reversed(column)):
                        ranked.add_edge(pydot.Edge(f'"{later}"', f'"{earlier}"', style="invis"))
                    cluster.add_subgraph(ranked)
            outer.add_subgraph(cluster)
        whole.add_subgraph(outer)
    kept = set(every)
    spawned = {head for _, head, key in graph.edges(keys=True) if key == "spawns"}
    for tail, head, data in reversed(list(graph.edges(data=True))):
        if tail in kept and head in kept:
            whole.add_edge(_edge(graph, tail, head, data, spawned))
    return str(whole.to_string())


def _name(graph: nx.MultiDiGraph, inside: list[str]) -> str:
    names = [data.get("name") or data["agent_id"] or "?" for data in map(graph.nodes.get, inside) if data["kind"] in AGENTS]
    return visible(names[-1], picture.NAME_LENGTH) if names else "agent not recorded"


def _node(node: str, data: dict[str, Any], number: int | None) -> pydot.Node:
    card = picture.card(data, number)
    ink, quiet = ("#ffffff", "#d5deea") if data["kind"] in AGENTS else (dot.INK, dot.MUTED)
    color, fill, width = dot.TONES.get(card.tone, ("#9aa5b1", dot.FILLS[data["kind"]], "1"))
    if card.tone != "plain":
        ink = quiet = color
    rows = [f'<FONT COLOR="{ink}"><B>{dot.escape(card.title)}</B></FONT>']
    rows += [f'<FONT COLOR="{quiet}" POINT-SIZE="9">{dot.escape(line)}</FONT>' for line in card.lines]
    if card.badge:
        rows.append(f'<FONT COLOR="{color if card.tone != "plain" else dot.MUTED}"><B>{dot.escape(card.badge)}</B></FONT>')
    style = "rounded,filled,dashed" if data.get("stub") or data.get("seen") is False else "rounded,filled"
    place = f" · {visible(str(data['source']))}:{data.get('line', 0)}" if "source" in data else ""
    look = {"fillcolor": fill, "color": color, "penwidth": width, "style": style, "tooltip": (node + place).replace("\\", "/")}
    return pydot.Node(f'"{node}"', label=_html(rows), **_quoted(look))


def _edge(graph: nx.MultiDiGraph, tail: str, head: str, data: dict[str, Any], spawned: set[str]) -> pydot.Edge:
    kind = data["kind"]
    look: dict[str, str] = {}
    alone = kind == "requires" and not any(key == "for_call" for _, _, key in graph.out_edges(head, keys=True))
    red = {"color": dot.RED, "fontcolor": dot.RED, "penwidth": "2.2", "dir": "back"}
    if kind == "spawns":
        look = {"style": "dashed", "label": f"spawns ({visible(str(data.get('rule')))})", "penwidth": "1.4"}
    elif alone:
        look = {"color": dot.RED, "penwidth": "1.8"}
    elif kind == "for_call":
        look = red
    elif kind == "meant_for":
        look = {**red, "style": "dashed", "label": f"meant for? {visible(str(data.get('reason')))}"}
    elif kind == "parent_of" and head not in spawned:
        look = {"style": "dotted", "label": "parent of"}
    elif kind in ("requires", "parent_of") or picture.at_home(graph, tail, head, kind):
        look = {"style": "invis", "constraint": "false"}
    elif kind not in ("runs", "calls", "answered_by", "coordinates", "contains"):
        look = {"constraint": "false", "label": kind.replace("_", " "), "style": "dotted"}
    if kind in ("for_call", "meant_for"):
        tail, head = head, tail
    return pydot.Edge(f'"{tail}"', f'"{head}"', **_quoted(look))


class _Finished:
    """pydot takes what is no string for finished. Its own quoting would leave quotes in names and a backslash at the end as they are."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


def _html(rows: list[str]) -> _Finished:
    return _Finished(f"<{'<BR/>'.join(rows)}>")


def _quoted(attributes: dict[str, str]) -> dict[str, _Finished]:
    return {
        name: _Finished('"' + value.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') + '"')
        for name, value in attributes.items()
    }
