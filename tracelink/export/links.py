"""The flat chain: `{"session_id", "links": [{"object", "id" or "call_id", "via", …}]}`.

The idea: a walk down the graph, depth first and in its order: an agent, its turns, each turn's calls, each call's results,
then the create calls with the subagent each one made, which is walked in the same way. `via` says what ties a link to
the one it hangs on: `agent`, `subagent`, `turn`, `function_call`, `create_subagent_call`; null for the root agent and for
what is tied to nothing (an orphan or misaddressed result, an orphan subagent). Such links come last.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tracelink.export.json import dumps
from tracelink.export.sessions import Sessions

if TYPE_CHECKING:
    import networkx as nx

SCHEMA = "tracelink.links/1"

_IDS = {
    "agent": ("agent_id",),
    "subagent": ("subagent_id",),
    "turn": ("turn_id",),
    "function_call": ("call_id", "turn_id"),
    "tool_result": ("call_id", "turn_id"),
    "item": ("item_id", "turn_id"),
}
_STEPS = {"runs": None, "calls": "turn", "answered_by": "function_call", "spawns": "create_subagent_call"}
_ORDER = ("calls", "answered_by", "coordinates", "spawns", "runs")


def render(sessions: Sessions) -> str:
    """One session: its document. Several: `{"schema", "sessions": [document, …]}`."""
    documents = [{"session_id": trace.session_id, "links": list(links(graph))} for trace, graph in sessions]
    if len(documents) == 1:
        return dumps({"schema": SCHEMA, **documents[0]})
    return dumps({"schema": SCHEMA, "sessions": documents})


def links(graph: "nx.MultiDiGraph") -> Iterator[dict[str, Any]]:
    """The links of one session, each node once."""
    seen: set[str] = set()
    roots = [node for node, kind in graph.nodes(data="kind") if kind == "agent"]
    yield from _walk(graph, [(node, None) for node in roots], seen)
    # Subagents that no create call fits: below their parent's name, if it has one.
    for node, data in graph.nodes(data=True):
        if data["kind"] == "subagent" and node not in seen and not data.get("stub"):
            yield from _walk(graph, [(node, None)], seen)
    rest = [node for node, kind in graph.nodes(data="kind") if kind in ("turn", "function_call", "tool_result")]
    yield from _walk(graph, [(node, None) for node in rest if node not in seen], seen)


def _walk(graph: "nx.MultiDiGraph", start: list[tuple[str, str | None]], seen: set[str]) -> Iterator[dict[str, Any]]:
    todo = start[::-1]
    while todo:
        node, via = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        data = graph.nodes[node]
        yield _link(graph, node, data, via)
        below: dict[str, list[tuple[str, str | None]]] = {kind: [] for kind in _ORDER}
        for _, head, key in graph.out_edges(node, keys=True):
            if key in below and (key != "coordinates" or graph.nodes[head]["type"] == "create_subagent_call"):
                below[key].append((head, _STEPS.get(key) or data["kind"]))
        for kind in reversed(_ORDER):
            todo.extend(reversed(below[kind]))


def _link(graph: "nx.MultiDiGraph", node: str, data: dict[str, Any], via: str | None) -> dict[str, Any]:
    kind = data["kind"]
    own, *further = _IDS[kind]
    link: dict[str, Any] = {"object": data["type"] if kind == "item" else kind}
    link["call_id" if own == "call_id" else "id"] = data.get(own)
    link["via"] = via
    if via is None and kind == "subagent" and "parent_agent_id" in data:
        link["parent_agent_id"] = data["parent_agent_id"]
    link |= {name: data.get(name) for name in further}
    link |= {name: data[name] for name in ("name", "status", "state", "problem", "code", "source", "line") if name in data}
    for _, head, said in graph.edges(node, data=True):
        if said["kind"] == "meant_for":
            meant = graph.nodes[head]
            pair = {name: meant[name] for name in ("turn_id", "call_id", "request_id") if name in meant}
            link.setdefault("meant_for", []).append({**pair, "reason": said["reason"]})
    for _, _, said in graph.in_edges(node, data=True):
        if said["kind"] == "spawns":
            link |= {"inferred": True, "rule": said["rule"]}
    return link
