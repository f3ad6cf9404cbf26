"""What a picture says about a node, whatever draws it: its lines of text and whether it is broken.

The idea: a person looks for the broken link, so it alone is loud. `broken` is a result that answers no call, a call that nobody
has answered, an action that is still required; a finding's mark adds its code. Actions that were cleared are left
out: the result at their call says it better (graphml and json keep them).
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from tracelink.export.escape import visible
from tracelink.graph import cleared_action

if TYPE_CHECKING:
    import networkx as nx

LOOSE_CALLS = {
    "required": "required: no result",
    "unanswered": "turn over: no result",
    "abandoned": "abandoned: no result",
    "unapplied": "posted, not confirmed",
}
LOUD = frozenset({"required", "unanswered", "abandoned"})
ID_LENGTH, NAME_LENGTH = 34, 40


class Card(NamedTuple):
    """title: what it is, in bold; lines: id, status and the like; badge: code or "" ; tone: broken, doubtful or plain."""

    title: str
    lines: tuple[str, ...]
    badge: str
    tone: str


def card(data: dict[str, Any], number: int | None = None) -> Card:
    """`number`: which turn of its agent, from 1. Every text is visible and not empty."""
    title, lines = _TEXTS[data["kind"]](data, number)
    problem, state, status, severity = data.get("problem"), data.get("state"), data.get("status"), data.get("severity")
    code = data.get("code") or problem
    tone = "plain"
    if problem or severity == "error" or state in LOUD or status == "required":
        tone = "broken"
    elif severity == "warning" or state == "unapplied" or status == "failed":
        tone = "doubtful"
    texts = [visible(line, ID_LENGTH) for line in lines if line]
    return Card(visible(title or "?", NAME_LENGTH), tuple(texts), visible(str(code)) if code else "", tone)


def _agent(data: dict[str, Any], _: int | None) -> tuple[str, list[str]]:
    what = data["kind"] if data.get("seen", True) else f"{data['kind']}, never seen"
    return data.get("name") or what, [data["agent_id"], " · ".join(x for x in (what, data.get("status")) if x)]


def _turn(data: dict[str, Any], number: int | None) -> tuple[str, list[str]]:
    status = data.get("status") or "no end recorded"
    title = "turn" if number is None else f"turn {number}"
    return title, [data["turn_id"], status, data.get("error_code") or ""]


def _call(data: dict[str, Any], _: int | None) -> tuple[str, list[str]]:
    state = data.get("state") or ""
    return data.get("name") or "function_call", [data["call_id"], LOOSE_CALLS.get(state, state)]


def _result(data: dict[str, Any], _: int | None) -> tuple[str, list[str]]:
    if data.get("refused"):
        status = f"refused by the server ({data['http_status']})" if "http_status" in data else "refused by the server"
    elif not data.get("recorded"):
        status = "posted"
    else:
        status = data.get("status") or "recorded"
    failed = ", success: false" if data.get("success") is False else ""
    return "tool_result", [data.get("call_id") or "no call_id", status + failed]


def _action(data: dict[str, Any], _: int | None) -> tuple[str, list[str]]:
    own = data.get("call_id") or data.get("request_id") or data.get("environment_id") or ""
    return f"{data['status']} action", [data["type"], data.get("name") or "", own]


def _item(data: dict[str, Any], _: int | None) -> tuple[str, list[str]]:
    status = data.get("status") or ""
    return data["type"], [data.get("name") or "", data["item_id"], "" if status == "completed" else status]


_TEXTS = {
    "agent": _agent,
    "subagent": _agent,
    "turn": _turn,
    "function_call": _call,
    "tool_result": _result,
    "action": _action,
    "item": _item,
}


Nodes = dict[str, dict[str, Any]]
"""Nodes with their attributes, in order."""


class Group(NamedTuple):
    """One agent's nodes under its name; `turns` are its turns, numbered from 1. A part of a graph counts what it has."""

    name: str
    nodes: Nodes
    turns: dict[str, int]


def drawn(graph: "nx.MultiDiGraph") -> Nodes:
    """The nodes of the picture."""
    return {node: data for node, data in graph.nodes(data=True) if not cleared_action(data)}


def groups(nodes: Nodes) -> list[Group]:
    """Of one session's nodes those of each agent, in the order in which the agents come; stubs of other agents have groups of their
    own."""
    found: dict[Any, tuple[Nodes, dict[str, int]]] = {}
    names: dict[Any, str] = {}
    for node, data in nodes.items():
        owner, kind = data.get("agent_id"), data["kind"]
        group = found.get(owner)
        if group is None:
            group = found[owner] = {}, {}
        group[0][node] = data
        if kind == "turn":
            group[1][node] = len(group[1]) + 1
        elif kind in ("agent", "subagent"):
            names[owner] = visible(data.get("name") or owner or "?", NAME_LENGTH)
    return [Group(names.get(owner, "agent not recorded"), *group) for owner, group in found.items()]


def spawned(graph: "nx.MultiDiGraph") -> set[str]:
    """The subagents whose create call is known."""
    return {
        node
        for node, kind in graph.nodes(data="kind")
        if kind == "subagent" and any(key == "spawns" for _, _, key in graph.in_edges(node, keys=True))
    }


def heading(trace_id: str | None, status: str | None) -> str:
    name = visible(trace_id, NAME_LENGTH) if trace_id else "session not named"
    return f"{name} · {visible(status, ID_LENGTH)}" if status else name


def columns(graph: "nx.MultiDiGraph", group: Group) -> list[list[str]]:
    """The turns, and what stands in those turns, each in order from first to last."""
    turns = list(group.turns)
    below = [
        head
        for _, head, key in graph.out_edges(turns, keys=True)
        if key in ("calls", "coordinates", "contains") and head in group.nodes
    ]
    return [turns, below]


def at_home(graph: "nx.MultiDiGraph", tail: str, head: str, kind: str) -> bool:
    """A message to the agent in whose turn it stands: its place says that already."""
    return (
        kind == "message_to"
        and graph.nodes[tail]["kind"] == "item"
        and graph.nodes[tail].get("agent_id") == graph.nodes[head]["agent_id"]
    )
