"""The graph as node-link JSON, `networkx.node_link_graph(document, edges="edges")` reads it back.

Ids and names are the recording's own; invisible characters are escaped by JSON's means (`\\u202e`), so nothing is lost and
nothing reaches a terminal. Only lone surrogates, which JSON parsers refuse, are written out as text.
"""

import json
import re
from typing import Any

import orjson

from tracelink.export.escape import hidden, visible
from tracelink.export.sessions import Sessions, placed

SCHEMA = "tracelink.graph/1"

_SURROGATE = re.compile("[\ud800-\udfff]")
_SUSPECT = re.compile(r"[^\x20-\x7e\n]")


def render(sessions: Sessions) -> str:
    """Nodes `{id, kind, …}` and edges `{source, target, key, kind, …}`, in the order of the chain."""
    about = [
        {"session_id": trace.session_id, "nodes": len(one), "edges": one.number_of_edges(), **one.graph}
        for trace, one in sessions
    ]
    # A node's own `source` is where it was seen; an edge's are its ends, as node-link form has it.
    nodes: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []
    for prefix, place, graph in placed(sessions):
        nodes += [{"id": prefix + node, **data, **place} for node, data in graph.nodes(data=True)]
        edges += [
            {"source": prefix + tail, "target": prefix + head, "key": key, **data}
            for tail, head, key, data in graph.edges(keys=True, data=True)
        ]
    document = {"schema": SCHEMA, "directed": True, "multigraph": True, "graph": {"sessions": about}, "nodes": nodes}
    return dumps({**document, "edges": edges})


def dumps(value: Any) -> str:
    """JSON text of two spaces' indentation with a line feed at its end."""
    try:
        plain = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    except TypeError:  # half a surrogate pair, or a number of more than 64 bits
        plain = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    if plain.isascii() and "\x7f" not in plain:
        return plain
    plain = _SURROGATE.sub(lambda match: visible(match[0]).replace("\\", "\\\\"), plain)
    return _SUSPECT.sub(lambda match: json.dumps(match[0])[1:-1] if hidden(match[0]) else match[0], plain)
