"""One agent's part of a graph: what belongs to it, and what that touches as stubs.

Every node says in `agent_id` whose it is, so the part is those nodes; a neighbour stays as a node with `stub=True`, and edges
between two stubs go. What a person sees is the agent's own work with the ends of all its links.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx


def part_of(graph: "nx.MultiDiGraph", agent_id: str) -> "nx.MultiDiGraph":
    """Raises ValueError where no agent of the graph has that id; the sentence names those it has."""
    agents = [data["agent_id"] for _, data in graph.nodes(data=True) if data["kind"] in ("agent", "subagent")]
    if agent_id not in agents:
        known = ", ".join(repr(one) for one in agents) or "none"
        raise ValueError(f"no agent {agent_id!r} in this session: its agents are {known}")
    core = {node for node, data in graph.nodes(data=True) if data.get("agent_id") == agent_id}
    near = {end for edge in graph.edges() if core.intersection(edge) for end in edge} - core
    part = graph.__class__(**graph.graph, agent=agent_id)
    part.add_nodes_from(
        (node, {**data, "stub": True} if node in near else data)
        for node, data in graph.nodes(data=True)
        if node in core or node in near
    )
    part.add_edges_from(
        (tail, head, key, data) for tail, head, key, data in graph.edges(keys=True, data=True) if tail in core or head in core
    )
    return part
