"""Several sessions → one graph, whose nodes stay apart.

One session keeps its node ids. Of several, each node gets its session before it (`SESSION/turn:ID`), because two sessions may
use the same ids; `session_id` and `session` (its position, from 0) stand at every node.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tracelink.graph import ids
from tracelink.model.trace import Trace

if TYPE_CHECKING:
    import networkx as nx

Sessions = Sequence[tuple[Trace, "nx.MultiDiGraph"]]
"""What every `render` takes: each trace with the graph that was built from it."""


def joined(sessions: Sessions) -> "nx.MultiDiGraph":
    """A new graph; the given ones stay as they are. Order is kept."""
    import networkx as nx

    whole = nx.MultiDiGraph()
    for prefix, place, graph in placed(sessions):
        whole.add_nodes_from((prefix + node, {**data, **place}) for node, data in graph.nodes(data=True))
        whole.add_edges_from(
            (prefix + tail, prefix + head, key, data) for tail, head, key, data in graph.edges(keys=True, data=True)
        )
    return whole


def placed(sessions: Sessions) -> Iterator[tuple[str, dict[str, Any], "nx.MultiDiGraph"]]:
    """Of each session: what its node ids begin with, what stands at each of its nodes, and its graph."""
    used: dict[str, int] = {}
    for position, (trace, graph) in enumerate(sessions):
        # Sessions without an id, or with the same one, are counted.
        name = ids.quote(trace.session_id)
        used[name] = used.get(name, 0) + 1
        prefix = f"{ids.numbered(name, used[name])}/" if len(sessions) > 1 else ""
        place = {"session": position} if trace.session_id is None else {"session": position, "session_id": trace.session_id}
        yield prefix, place, graph


def short(sessions: Sessions, limit: int, what: str) -> None:
    """Raises ValueError where there are more nodes than a picture can hold, with what to do about it."""
    count = sum(len(graph) for _, graph in sessions)
    if count > limit:
        narrower = "--session ID, --agent ID or --detail calls" if len(sessions) > 1 else "--agent ID or --detail calls"
        raise ValueError(
            f"{count:,} nodes are too many for {what} (at most {limit:,}): narrow it with {narrower},"
            " or write dot, graphml or json, which have no limit"
        )
