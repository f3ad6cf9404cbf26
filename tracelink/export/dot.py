"""The graph as DOT, laid out so that a person reads it like the chain: agent, turn, call, result, from left to right.

The idea: one column a link of the chain. Turns stand below each other in their order (an invisible edge holds them), calls
beside their turn, and in the column of the results stands what is there instead of a right result: the misaddressed one, or
the required action, in red. Those edges run against the chain, so they are written reversed with `dir=back`. A cluster an
agent, and around them one a session. What is not the chain has `constraint=false`: it is drawn, and moves nothing.

The text runs backwards, the last link first: with `rankdir=LR`, Graphviz puts what comes first inside a cluster at the
bottom (seen in 2.43; it reverses the ranks of the whole graph for LR, and not those of a cluster).

pydot writes the text, and is given finished values only: its own quoting leaves `"` in names, a `\\` at the end and `<…>`
as they are (4.0.1). Node names are node ids, which need no escaping (`graph.ids`). Labels are HTML-like, escaped as XML.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.sax import saxutils

from tracelink.export import picture
from tracelink.export.escape import visible
from tracelink.export.sessions import Sessions, joined

if TYPE_CHECKING:
    import networkx as nx
    import pydot

INK, MUTED, RED, AMBER = "#1f2933", "#5f6c7b", "#c81e1e", "#b45309"
FILLS = {
    "agent": "#1f3a5f",
    "subagent": "#1f3a5f",
    "turn": "#e4e9f0",
    "function_call": "#dbeafe",
    "tool_result": "#d9f2e3",
    "action": "#ffffff",
    "item": "#ece8fb",
}
TONES = {"broken": (RED, "#fde4e4", "2.6"), "doubtful": (AMBER, "#fdf1dc", "1.8")}
CHAIN = frozenset({"runs", "calls", "answered_by", "coordinates", "contains", "spawns"})
REVERSED = frozenset({"meant_for", "for_call"})


def render(sessions: Sessions) -> str:
    """DOT text; no limit on size, as nothing is laid out here."""
    import pydot

    graph = joined(sessions)
    dot = pydot.Dot("tracelink", graph_type="digraph", **_quoted(_GRAPH))
    dot.set_node_defaults(**_quoted(_NODE))
    dot.set_edge_defaults(**_quoted(_EDGE))
    every = picture.drawn(graph)
    places = picture.numbers(graph, every)
    for number, (trace, _) in reversed(list(enumerate(sessions))):
        nodes = [node for node in every if graph.nodes[node]["session"] == number]
        status = trace.latest[-1].body.status if trace.latest else None
        title = picture.heading(trace.session_id, status)
        outer = pydot.Subgraph(f'"cluster_{number}"', **_quoted(_SESSION), label=_html([f"<B>{escape(title)}</B>"]))
        for position, (name, inside) in reversed(list(enumerate(picture.groups(graph, nodes)))):
            label = _html([f'<FONT COLOR="{MUTED}">{escape(name)}</FONT>'])
            cluster = pydot.Subgraph(f'"cluster_{number}_{position}"', **_quoted(_AGENT), label=label)
            for node in reversed(inside):
                cluster.add_node(_node(node, graph.nodes[node], places.get(node)))
            for column in picture.columns(graph, inside):
                _chained(cluster, column)
            outer.add_subgraph(cluster)
        dot.add_subgraph(outer)
    spawned = {head for _, head, key in graph.edges(keys=True) if key == "spawns"}
    kept = set(every)
    for tail, head, data in reversed(list(graph.edges(data=True))):
        if tail in kept and head in kept:
            dot.add_edge(_edge(graph, tail, head, data, spawned))
    return str(dot.to_string())


_GRAPH = {"rankdir": "LR", "ordering": "out", "fontname": "Helvetica", "fontsize": "12", "nodesep": "0.22", "ranksep": "0.55"}
_NODE = {"shape": "box", "style": "rounded,filled", "fontname": "Helvetica", "fontsize": "11", "margin": "0.14,0.07"}
_EDGE = {"color": "#7b8794", "fontname": "Helvetica", "fontsize": "9", "fontcolor": MUTED, "arrowsize": "0.7"}
_SESSION = {"style": "rounded", "color": "#9aa5b1", "fontsize": "14", "fontcolor": INK, "margin": "14", "labeljust": "l"}
_AGENT = {"style": "rounded,filled", "color": "#d3dae3", "fillcolor": "#f8fafc", "margin": "12", "labeljust": "l"}


def _node(node: str, data: dict[str, Any], number: int | None) -> "pydot.Node":
    import pydot

    card = picture.card(data, number)
    on_dark = data["kind"] in ("agent", "subagent")
    ink, quiet = ("#ffffff", "#d5deea") if on_dark else (INK, MUTED)
    color, fill, width = TONES.get(card.tone, ("#9aa5b1", FILLS[data["kind"]], "1"))
    if card.tone != "plain":
        ink = quiet = color
    rows = [f'<FONT COLOR="{ink}"><B>{escape(card.title)}</B></FONT>']
    rows += [f'<FONT COLOR="{quiet}" POINT-SIZE="9">{escape(line)}</FONT>' for line in card.lines]
    if card.badge:
        rows.append(f'<FONT COLOR="{color if card.tone != "plain" else MUTED}"><B>{escape(card.badge)}</B></FONT>')
    style = "rounded,filled,dashed" if data.get("stub") or data.get("seen") is False else "rounded,filled"
    look = {"fillcolor": fill, "color": color, "penwidth": width, "style": style, "tooltip": _tooltip(node, data)}
    return pydot.Node(f'"{node}"', label=_html(rows), **_quoted(look))


def _edge(graph: "nx.MultiDiGraph", tail: str, head: str, data: dict[str, Any], spawned: set[str]) -> "pydot.Edge":
    import pydot

    kind = data["kind"]
    look: dict[str, str] = {}
    # An action or turn on its own has nothing else that places it: then the edge is part of the chain.
    alone = kind == "requires" and not any(key == "for_call" for _, _, key in graph.out_edges(head, keys=True))
    if kind in CHAIN or alone:
        if kind == "spawns":
            look = {"style": "dashed", "label": f"spawns ({visible(str(data.get('rule')))})", "penwidth": "1.4"}
        if alone:
            look = {"color": RED, "penwidth": "1.8"}
    elif kind in REVERSED:
        tail, head = head, tail
        red = {"color": RED, "fontcolor": RED, "penwidth": "2.2", "dir": "back"}
        look = (
            red if kind == "for_call" else {**red, "style": "dashed", "label": f"meant for? {visible(str(data.get('reason')))}"}
        )
    elif kind == "requires" or (kind == "parent_of" and head in spawned) or picture.at_home(graph, tail, head, kind):
        look = {"style": "invis", "constraint": "false"}
    else:
        look = {"constraint": "false", "label": kind.replace("_", " "), "style": "dotted"}
    if kind == "parent_of" and head not in spawned:
        look = {"style": "dotted", "label": "parent of"}
    return pydot.Edge(f'"{tail}"', f'"{head}"', **_quoted(look))


def _chained(cluster: "pydot.Subgraph", nodes: list[str]) -> None:
    """One column, the earlier above the later."""
    import pydot

    if len(nodes) > 1:
        column = pydot.Subgraph("", rank="same")
        for later, earlier in pairwise(reversed(nodes)):
            column.add_edge(pydot.Edge(f'"{later}"', f'"{earlier}"', style="invis"))
        cluster.add_subgraph(column)


def escape(text: str) -> str:
    """As text of an HTML-like label, in which Graphviz also reads `\\N` and the like (and `&#92;N` as well)."""
    return saxutils.escape(text).replace("\\", "\\\\")


class _Written:
    """A value as it stands in the text. pydot takes what is no string for finished, and need not look at each character."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


def _html(rows: list[str]) -> Any:
    return _Written(f"<{'<BR/>'.join(rows)}>")


def _quoted(attributes: dict[str, str]) -> dict[str, Any]:
    """Plain strings as DOT strings. Entities are read in them, and a backslash begins an escape."""
    return {name: _Written(_text(value)) for name, value in attributes.items()}


def _text(value: str) -> str:
    if value.isalnum():
        return f'"{value}"'
    return '"' + value.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') + '"'


def _tooltip(node: str, data: dict[str, Any]) -> str:
    """The whole id and the place; no backslash, which Graphviz would read twice in a tooltip."""
    place = f" · {visible(str(data['source']))}:{data.get('line', 0)}" if "source" in data else ""
    return (node + place).replace("\\", "/")
