"""The graph as DOT, laid out so that a person reads it like the chain: agent, turn, call, result, from left to right.

The idea: one column a link of the chain. Turns stand below each other in their order (an invisible edge holds them), calls
beside their turn, and in the column of the results stands what is there instead of a right result: the misaddressed one, or
the required action, in red. Those edges run against the chain, so they are written reversed with `dir=back`. A cluster an
agent, and around them one a session. What is not the chain has `constraint=false`: it is drawn, and moves nothing.

The text runs backwards, the last link first: with `rankdir=LR`, Graphviz puts what comes first inside a cluster at the
bottom (seen in 2.43; it reverses the ranks of the whole graph for LR, and not those of a cluster).

The text is a stream of pieces, a statement each: a recording may hold a million of them, and as objects of pydot, all at once,
they would take a multiple of everything else. pydot writes what there is little of, heads and attributes that many statements
share; what differs from node to node is put between. A test holds the text to that of pydot alone. pydot is given
finished values only: its own quoting leaves `"` in names, a `\\` at the end and `<…>` as they are (4.0.1). Node names are node
ids, which need no escaping (`graph.ids`). Labels are HTML-like, escaped as XML.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax import saxutils

from tracelink.export import picture
from tracelink.export.escape import visible
from tracelink.export.sessions import Sessions, placed
from tracelink.model.trace import Trace

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
CHAIN = frozenset({"runs", "calls", "answered_by", "coordinates", "contains"})
"""Edges that place what they lead to, and need no look of their own. So do `spawns`, and `requires` of an action without a call."""
REVERSED = frozenset({"meant_for", "for_call"})


def render(sessions: Sessions) -> str:
    """DOT text; no limit on size, as nothing is laid out here."""
    return "".join(pieces(sessions))


def pieces(sessions: Sessions) -> Iterator[str]:
    """The same text, one statement after the other."""
    import pydot

    dot = pydot.Dot("tracelink", graph_type="digraph", **_quoted(_GRAPH))
    dot.set_node_defaults(**_quoted(_NODE))
    dot.set_edge_defaults(**_quoted(_EDGE))
    yield _opened(dot)
    several = [(prefix, graph, picture.drawn(graph)) for prefix, _, graph in placed(sessions)]
    for number in reversed(range(len(several))):
        yield from _session(number, sessions[number][0], *several[number])
    for prefix, graph, every in reversed(several):
        yield from _edges(prefix, graph, every)
    yield _CLOSED


_GRAPH = {"rankdir": "LR", "ordering": "out", "fontname": "Helvetica", "fontsize": "12", "nodesep": "0.22", "ranksep": "0.55"}
_NODE = {"shape": "box", "style": "rounded,filled", "fontname": "Helvetica", "fontsize": "11", "margin": "0.14,0.07"}
_EDGE = {"color": "#7b8794", "fontname": "Helvetica", "fontsize": "9", "fontcolor": MUTED, "arrowsize": "0.7"}
_SESSION = {"style": "rounded", "color": "#9aa5b1", "fontsize": "14", "fontcolor": INK, "margin": "14", "labeljust": "l"}
_AGENT = {"style": "rounded,filled", "color": "#d3dae3", "fillcolor": "#f8fafc", "margin": "12", "labeljust": "l"}
_CLOSED = "}\n"


def _opened(graph: "pydot.Graph") -> str:
    """The graph as far as what stands in it."""
    return str(graph.to_string()).removesuffix(_CLOSED)


def _session(number: int, trace: Trace, prefix: str, graph: "nx.MultiDiGraph", every: picture.Nodes) -> Iterator[str]:
    import pydot

    status = trace.latest[-1].body.status if trace.latest else None
    title = picture.heading(trace.session_id, status)
    yield _opened(pydot.Subgraph(f'"cluster_{number}"', **_quoted(_SESSION), label=_html(f"<B>{escape(title)}</B>")))
    for position, group in reversed(list(enumerate(picture.groups(every)))):
        label = _html(f'<FONT COLOR="{MUTED}">{escape(group.name)}</FONT>')
        yield _opened(pydot.Subgraph(f'"cluster_{number}_{position}"', **_quoted(_AGENT), label=label))
        for node, data in reversed(group.nodes.items()):
            yield _node(prefix + node, data, group.turns.get(node))
        for column in picture.columns(graph, group):
            yield from _chained(prefix, column)
        yield _CLOSED
    yield _CLOSED


class _Looks(NamedTuple):
    """What nodes that look alike have in common: what begins each kind of row in the label, and the attributes after it."""

    title: str
    line: str
    badge: str
    rest: str


@cache
def _looks(kind: str, tone: str, dashed: bool) -> _Looks:
    ink, quiet = ("#ffffff", "#d5deea") if kind in ("agent", "subagent") else (INK, MUTED)
    color, fill, width = TONES.get(tone, ("#9aa5b1", FILLS[kind], "1"))
    if tone != "plain":
        ink = quiet = color
    style = "rounded,filled,dashed" if dashed else "rounded,filled"
    return _Looks(
        f'<FONT COLOR="{ink}"><B>',
        f'<BR/><FONT COLOR="{quiet}" POINT-SIZE="9">',
        f'<BR/><FONT COLOR="{color if tone != "plain" else MUTED}"><B>',
        _attributes(fillcolor=fill, color=color, penwidth=width, style=style),
    )


def _node(node: str, data: dict[str, Any], number: int | None) -> str:
    card = picture.card(data, number)
    looks = _looks(data["kind"], card.tone, bool(data.get("stub") or data.get("seen") is False))
    # One text to escape: no visible text holds a line feed.
    title, *lines = escape("\n".join((card.title, *card.lines))).split("\n")
    label = f"{looks.title}{title}</B></FONT>" + "".join([f"{looks.line}{line}</FONT>" for line in lines])
    if card.badge:
        label += f"{looks.badge}{escape(card.badge)}</B></FONT>"
    place = f"{_place(data['source'])}:{data.get('line', 0)}" if "source" in data else ""
    return f'"{node}" [label=<{label}>, {looks.rest}, tooltip="{node}{place}"];\n'


@lru_cache(1000)
def _place(source: str) -> str:
    """A source as a tooltip says it; no backslash, which Graphviz would read twice there."""
    return _text(f" · {visible(str(source))}".replace("\\", "/"))[1:-1]


def _edges(prefix: str, graph: "nx.MultiDiGraph", every: picture.Nodes) -> Iterator[str]:
    left_out = {node for node in graph if node not in every} if len(every) < len(graph) else set()
    spawned = picture.spawned(graph)
    for tail, heads in reversed(list(graph.adjacency())):
        if tail in left_out:
            continue
        for head, kinds in reversed(heads.items()):
            if head in left_out:
                continue
            for data in reversed(kinds.values()):
                if data["kind"] in CHAIN:
                    yield f'"{prefix}{tail}" -> "{prefix}{head}";\n'
                else:
                    yield _edge(prefix, graph, tail, head, data, spawned)


def _edge(prefix: str, graph: "nx.MultiDiGraph", tail: str, head: str, data: dict[str, Any], spawned: set[str]) -> str:
    kind = data["kind"]
    # An action or turn on its own has nothing else that places it: then the edge is part of the chain.
    if kind == "requires" and not any(key == "for_call" for _, _, key in graph.out_edges(head, keys=True)):
        look = {"color": RED, "penwidth": "1.8"}
    elif kind == "spawns":
        look = {"style": "dashed", "label": f"spawns ({visible(str(data.get('rule')))})", "penwidth": "1.4"}
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
    return f'"{prefix}{tail}" -> "{prefix}{head}" [{_attributes(**look)}];\n'


def _chained(prefix: str, nodes: list[str]) -> Iterator[str]:
    """One column, the earlier above the later."""
    import pydot

    if len(nodes) > 1:
        yield _opened(pydot.Subgraph("", rank="same"))
        for later, earlier in pairwise(reversed(nodes)):
            yield f'"{prefix}{later}" -> "{prefix}{earlier}" [style=invis];\n'
        yield _CLOSED


@lru_cache(1000)
def _attributes(**look: str) -> str:
    """As pydot writes them. There are few looks, and many nodes and edges of each."""
    import pydot

    return ", ".join(pydot.Node(**_quoted(look)).formatted_attr_list())


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


def _html(text: str) -> Any:
    return _Written(f"<{text}>")


def _quoted(attributes: dict[str, str]) -> dict[str, Any]:
    """Plain strings as DOT strings. Entities are read in them, and a backslash begins an escape."""
    return {name: _Written(_text(value)) for name, value in attributes.items()}


def _text(value: str) -> str:
    if value.isalnum():
        return f'"{value}"'
    return '"' + value.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') + '"'
