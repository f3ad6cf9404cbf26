"""Which nodes of the graph are on the page: all of them, or of a very large session the ones that somebody would look for.

The idea: whole turns, in the order in which a reader needs them (the turn that is told, the subagents' turns that belong to it, turns
in which something is loud, then the others from the last one back), until the page is full. Of a turn that does not fit as a whole the
loud nodes and the last ones are taken. What is left out is counted by kind, for the page says so.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx

LIMIT = 20_000
"""Nodes. 5,000 calls with their results and actions in 1,000 turns are 16,000."""
AGENTS = 1_000
HOLDERS = frozenset({"agent", "subagent"})


def keep(
    graph: "nx.MultiDiGraph", told: Iterable[str], loud: Collection[str], limit: int = LIMIT
) -> tuple[list[str], dict[str, int]]:
    """The nodes to show, in the graph's order, and how many of each kind are not shown.

    told: turn ids, the one of the story first. loud: nodes that must not be lost if anything can be.
    """
    nodes: Mapping[str, dict[str, Any]] = dict(graph.nodes(data=True))
    if len(nodes) <= limit:
        return list(nodes), {}
    turns: dict[str | None, list[str]] = {}
    agents = [node for node, data in nodes.items() if data["kind"] in HOLDERS]
    for node, data in nodes.items():
        if data["kind"] not in HOLDERS:
            turns.setdefault(data.get("turn_id"), []).append(node)
    taken: set[str] = set()
    for turn_id in _ranked(turns, told, loud):
        room = limit - len(taken)
        if room <= 0:
            break
        taken.update(_part(turns[turn_id], loud, room))
    holders = {nodes[node].get("agent_id") for node in taken}
    agents.sort(key=lambda node: nodes[node].get("agent_id") not in holders)  # stable: those that run something first
    taken.update(agents[:AGENTS])
    left = Counter(data["kind"] for node, data in nodes.items() if node not in taken)
    return [node for node in nodes if node in taken], dict(sorted(left.items()))


def _ranked(turns: dict[str | None, list[str]], told: Iterable[str], loud: Collection[str]) -> Iterable[str | None]:
    first: dict[str | None, None] = {turn_id: None for turn_id in told if turn_id in turns}
    last = [turn_id for turn_id in reversed(turns) if turn_id not in first]
    troubled = {turn_id for turn_id in last if any(node in loud for node in turns[turn_id])}
    return [*first, *(one for one in last if one in troubled), *(one for one in last if one not in troubled)]


def _part(nodes: list[str], loud: Collection[str], room: int) -> list[str]:
    """All of a turn if it fits; else the turn itself, what is loud in it, and its end."""
    if len(nodes) <= room:
        return nodes
    found = list(dict.fromkeys([nodes[0], *(node for node in nodes if node in loud), *reversed(nodes)]))
    return found[:room]
