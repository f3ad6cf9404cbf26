"""The graph as GraphML, for Gephi, yEd, Cytoscape and `networkx.read_graphml`.

networkx writes it; what XML 1.0 cannot hold (and what nobody could see) is written out first, see `escape`.
"""

from typing import Any

from tracelink.export.escape import visible
from tracelink.export.sessions import Sessions, joined


def render(sessions: Sessions) -> str:
    """An XML document with its declaration."""
    import networkx as nx

    graph = joined(sessions)
    for _, data in graph.nodes(data=True):
        _plain(data)
    for _, _, data in graph.edges(data=True):
        _plain(data)
    body = "\n".join(nx.generate_graphml(graph, encoding="utf-8"))
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _plain(data: dict[str, Any]) -> None:
    """GraphML knows text, numbers and truth values."""
    for name, value in data.items():
        if not isinstance(value, bool | int | float):
            data[name] = visible(str(value))
