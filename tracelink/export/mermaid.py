"""The graph as a Mermaid flowchart, for Markdown pages that draw it (GitHub, GitLab, Notion).

The idea: the same picture as `dot`, with the same words, in the syntax that every version since 10 understands: generated node
names (`n1`, `n2` …), labels in quotes, classes for the looks. In a label every character that Mermaid, Markdown or HTML could
take for syntax is written as an entity code (`#quot;`, `#lt;`), so text of a recording can neither end the label nor
begin a directive or a link.
"""

from typing import TYPE_CHECKING, Any

from tracelink.export import picture
from tracelink.export.escape import visible
from tracelink.export.sessions import Sessions, joined, short

if TYPE_CHECKING:
    import networkx as nx

LIMIT = 2_000
"""Most nodes. Mermaid itself stops at 50,000 characters or 500 edges unless it is configured otherwise; a comment says so."""

DEFAULT_EDGES = 500

CLASSES = {
    "agent": "fill:#1f3a5f,stroke:#1f3a5f,color:#ffffff",
    "turn": "fill:#e4e9f0,stroke:#9aa5b1,color:#1f2933",
    "function_call": "fill:#dbeafe,stroke:#9aa5b1,color:#1f2933",
    "tool_result": "fill:#d9f2e3,stroke:#9aa5b1,color:#1f2933",
    "action": "fill:#ffffff,stroke:#9aa5b1,color:#1f2933",
    "item": "fill:#ece8fb,stroke:#9aa5b1,color:#1f2933",
    "doubtful": "fill:#fdf1dc,stroke:#b45309,stroke-width:2px,color:#b45309",
    "broken": "fill:#fde4e4,stroke:#c81e1e,stroke-width:3px,color:#c81e1e",
}
SOLID = frozenset({"runs", "calls", "answered_by", "coordinates", "contains", "requires"})
LOUD = frozenset({"meant_for", "for_call"})


def render(sessions: Sessions) -> str:
    """Raises ValueError, one sentence, above `LIMIT` nodes."""
    short(sessions, LIMIT, "a Mermaid chart")
    graph = joined(sessions)
    every = picture.drawn(graph)
    names = {node: f"n{number}" for number, node in enumerate(every, start=1)}
    lines = ["flowchart LR"]
    for number, (trace, _) in enumerate(sessions):
        nodes = {node: data for node, data in every.items() if data["session"] == number}
        status = trace.latest[-1].body.status if trace.latest else None
        lines.append(f'  subgraph s{number}["{text(picture.heading(trace.session_id, status))}"]')
        for position, group in enumerate(picture.groups(nodes)):
            lines.append(f'    subgraph s{number}a{position}["{text(group.name)}"]')
            lines += [f"      {_node(names[node], data, group.turns.get(node))}" for node, data in group.nodes.items()]
            lines.append("    end")
        lines.append("  end")
    drawn, red = _edges(graph, names)
    lines += [f"  {line}" for line in drawn]
    if len(drawn) > DEFAULT_EDGES:
        lines.insert(1, f"  %% {len(drawn)} edges: raise maxEdges (500 by default) and maxTextSize to draw this chart")
    lines += [f"  classDef {name} {look}" for name, look in CLASSES.items()]
    if red:
        lines.append(f"  linkStyle {','.join(map(str, red))} stroke:#c81e1e,stroke-width:2.5px,color:#c81e1e")
    return "\n".join(lines) + "\n"


def _node(name: str, data: dict[str, Any], number: int | None) -> str:
    card = picture.card(data, number)
    kind = "agent" if data["kind"] == "subagent" else data["kind"]
    rows = [text(card.title), *map(text, card.lines)] + ([f"<b>{text(card.badge)}</b>"] if card.badge else [])
    return f'{name}("{"<br/>".join([f"<b>{rows[0]}</b>", *rows[1:]])}"):::{kind if card.tone == "plain" else card.tone}'


def _edges(graph: "nx.MultiDiGraph", names: dict[str, str]) -> tuple[list[str], list[int]]:
    """The lines, and the positions of those to be drawn red."""
    lines: list[str] = []
    red: list[int] = []
    spawned = picture.spawned(graph)
    stood_for = {tail for tail, _, key in graph.edges(keys=True) if key == "for_call"}
    for tail, head, data in graph.edges(data=True):
        kind = data["kind"]
        redundant = (kind == "parent_of" and head in spawned) or (kind == "requires" and head in stood_for)
        if tail not in names or head not in names or redundant or picture.at_home(graph, tail, head, kind):
            continue
        if kind in LOUD:
            red.append(len(lines))
        if kind in SOLID:
            arrow = "-->"
        elif kind == "for_call":
            arrow = "==>"
        else:
            said = {"spawns": "rule", "meant_for": "reason"}.get(kind)
            label = {"meant_for": "meant for?"}.get(kind, kind.replace("_", " "))
            arrow = f'-. "{text(f"{label} {visible(str(data[said]))}" if said else label)}" .->'
        lines.append(f"{names[tail]} {arrow} {names[head]}")
    return lines, red


def text(value: str) -> str:
    """Visible text as a Mermaid label: letters, digits and harmless signs stay, every other ASCII character becomes `#NN;`."""
    return "".join(
        char if char.isalnum() or ord(char) > 0x7F or char in " _-.,:·" else f"#{ord(char)};" for char in visible(value)
    )
