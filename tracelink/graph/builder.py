"""Trace → `networkx.MultiDiGraph`, in the vocabulary of DESIGN 8.

The idea: one pass in the chain's own order (agents, turns, calls, results, actions, coordination, other items), each adding
its nodes and then its edges; so their order is that of the trace, and the same trace gives the same graph. A link that the
recording does not prove stays out: a misaddressed result has no `answered_by`, only `meant_for` with the reason. An edge's
key is its kind, so two nodes have one edge of a kind at most.
"""

import gc
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tracelink.graph import ids
from tracelink.graph.part import part_of
from tracelink.graph.vocabulary import DETAILS, ITEM_TYPES, TARGETS
from tracelink.model.location import Origin
from tracelink.model.trace import Action, Agent, Call, Coordination, Item, Meant, Result, Trace, Turn

if TYPE_CHECKING:
    import networkx as nx


def build(
    trace: Trace,
    *,
    detail: str = "items",
    agent: str | None = None,
    marks: Mapping[str, tuple[str, str]] | None = None,
    cleared: bool = True,
) -> "nx.MultiDiGraph":
    """The graph of one session; `graph.graph` holds `session_id` (absent where not recorded) and `detail`.

    detail: `calls`, `items` or `all`: see `vocabulary.DETAILS`.
    agent: an agent's id: keep that agent's part, and what it touches as nodes with `stub=True`.
    marks: node id → (finding code, severity), set as the attributes `code` and `severity`; `marks_of` makes them.
    cleared: False leaves out the required actions that were cleared, a third of the nodes of many sessions.

    Attributes without a value are absent. `agent_id` of every node is the agent it belongs to.
    Raises ValueError for an unknown detail or agent, with a sentence that names the known ones.
    """
    if detail not in DETAILS:
        raise ValueError(f"unknown detail {detail!r}: it is one of {', '.join(DETAILS)}")
    # As in `tracelink.trace`: many small values without cycles, which the collector would walk over again and again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _built(trace, detail, agent, marks or {}, cleared)
    finally:
        if collecting:
            gc.enable()


def _built(
    trace: Trace, detail: str, agent: str | None, marks: Mapping[str, tuple[str, str]], cleared: bool
) -> "nx.MultiDiGraph":
    # What one agent's part holds depends on all there is, so then they are taken out of the part.
    graph = _Builder(trace, detail, cleared or agent is not None).graph
    for node, (code, severity) in marks.items():
        if node in graph:
            graph.add_node(node, code=code, severity=str(severity))
    if agent is not None:
        graph = part_of(graph, agent)
        if not cleared:
            graph.remove_nodes_from([node for node, data in graph.nodes(data=True) if cleared_action(data)])
    return graph


def cleared_action(data: Mapping[str, Any]) -> bool:
    """Whether these are the attributes of a required action that was cleared."""
    return bool(data["kind"] == "action" and data["status"] == "cleared")


class _Builder:
    def __init__(self, trace: Trace, detail: str, cleared: bool) -> None:
        import networkx as nx

        self.trace = trace
        self.cleared = cleared
        self.graph = nx.MultiDiGraph(detail=detail)
        if trace.session_id is not None:
            self.graph.graph["session_id"] = trace.session_id
        self.root = next((one.id for one in trace.agents.values() if one.root), None)
        self.agents = {one.id: ids.agent(one.id, root=one.root) for one in trace.agents.values()}
        self.by_name: dict[str, list[str]] = {}
        for one in trace.agents.values():
            if one.name is not None:
                self.by_name.setdefault(one.name, []).append(one.id)
        self.seen: dict[str, int] = {}
        self.turns: dict[str, str] = {}  # turn id → node
        self.calls: dict[tuple[str | None, str | None], str] = {}  # key → node
        self.actions: dict[str, str] = {}  # request id → node

        self._each(self._agent, trace.agents.values())
        self._each(self._parent, trace.agents.values())
        self._each(self._turn, trace.turns.values())
        self._each(self._call, trace.calls.values())
        self._each(self._action, trace.actions)
        self._each(self._result, trace.results)
        kept = trace.coordination.values()
        self._each(self._coordination, [one for one in kept if detail != "calls" or one.kind == "create"])
        self._each(self._spawn, trace.agents.values())
        if detail == "all":
            self._each(self._item, [one for one in trace.items.values() if one.id not in trace.coordination])

    @staticmethod
    def _each(add: Any, values: Iterable[Any]) -> None:
        for value in values:
            add(value)

    # nodes and edges

    def node(self, node: str, kind: str, first: Origin | None, **attributes: Any) -> None:
        self.graph.add_node(node, kind=kind)
        said = self.graph.nodes[node]
        for name, value in attributes.items():
            if value is not None:
                said[name] = value
        if first is not None:
            said["source"], said["line"], said["byte"] = first.source, first.line, first.byte
            if first.event_id is not None:
                said["event_id"] = first.event_id

    def edge(self, tail: str, head: str, kind: str, **attributes: Any) -> None:
        if attributes:
            attributes = {name: value for name, value in attributes.items() if value is not None}
        self.graph.add_edge(tail, head, key=kind, kind=kind, **attributes)

    def fresh(self, node: str) -> str:
        count = self.seen[node] = self.seen.get(node, 0) + 1
        return ids.numbered(node, count)

    def owner(self, turn_id: str | None) -> str | None:
        turn = self.trace.turns.get(turn_id) if turn_id is not None else None
        return turn.agent_id if turn else self.root

    def turn_node(self, turn_id: str) -> str:
        """The turn's node; one that only its calls or items name is added as not seen."""
        node = self.turns.get(turn_id)
        if node is None:
            node = self.turns[turn_id] = ids.turn(turn_id)
            self.node(node, "turn", None, turn_id=turn_id, agent_id=self.root, seen=False)
        return node

    def agent_node(self, name: str) -> str:
        """By id, else by a name that only one agent has (fact sheet B.4), else a node that was not seen."""
        known = self.agents.get(name)
        named = self.by_name.get(name, ())
        node = known or (self.agents[named[0]] if len(named) == 1 else ids.agent(name, root=False))
        if node not in self.graph:
            self.node(node, "subagent", None, agent_id=name, subagent_id=name, seen=False)
        return node

    # the parts of the chain

    def _agent(self, agent: Agent) -> None:
        own = {} if agent.root else {"subagent_id": agent.id, "parent_agent_id": agent.parent_id}
        self.node(
            self.agents[agent.id],
            "agent" if agent.root else "subagent",
            agent.origins[0] if agent.origins else None,
            agent_id=agent.id,
            **own,
            name=agent.name,
            model=agent.model,
            status=agent.status,
            opened_at=agent.opened_at,
            closed_at=agent.closed_at,
            seen=agent.seen,
        )

    def _parent(self, agent: Agent) -> None:
        if not agent.root and agent.parent_id is not None:
            self.edge(self.agent_node(agent.parent_id), self.agents[agent.id], "parent_of")

    def _turn(self, turn: Turn) -> None:
        node = self.turns[turn.id] = ids.turn(turn.id)
        self.node(
            node,
            "turn",
            turn.began or (turn.origins[0] if turn.origins else None),
            turn_id=turn.id,
            agent_id=turn.agent_id,
            subagent_id=turn.subagent_id,
            status=turn.outcome or turn.status,
            error_code=turn.error_code,
            created_at=turn.created_at,
            completed_at=turn.completed_at,
            owner_known=turn.owner_known,
        )
        self.edge(self.agent_node(turn.agent_id), node, "runs")

    def _call(self, call: Call) -> None:
        node = self.calls[call.turn_id, call.call_id] = ids.call(call.turn_id, call.call_id)
        self.node(
            node,
            "function_call",
            call.first,
            turn_id=call.turn_id,
            call_id=call.call_id,
            item_id=call.item_ids[0] if call.item_ids else None,
            agent_id=self.owner(call.turn_id),
            name=call.name,
            status=call.status,
            state=call.state,
        )
        self.edge(self.turn_node(call.turn_id), node, "calls")

    def _action(self, action: Action) -> None:
        seen = action.seen
        other = seen.request_id if seen.request_id is not None else seen.environment_id
        node = self.fresh(ids.action(seen.type, seen.turn_id, seen.call_id, other))
        status = "required" if action.cleared is None and action.listed_latest else "cleared"
        if status == "cleared" and not self.cleared:
            # It leaves what it would have left but for itself: a turn that only it names, and no earlier action of its request.
            if seen.turn_id is not None:
                self.turn_node(seen.turn_id)
            if seen.request_id is not None:
                self.actions.pop(seen.request_id, None)
            return
        name = seen.name
        if name is None and isinstance(seen.request, dict) and isinstance(seen.request.get("name"), str):
            name = seen.request["name"]
        self.node(
            node,
            "action",
            action.first,
            type=seen.type,
            turn_id=seen.turn_id,
            call_id=seen.call_id,
            request_id=seen.request_id,
            environment_id=seen.environment_id,
            agent_id=self.owner(seen.turn_id),
            name=name,
            status=status,
        )
        if seen.turn_id is not None:
            self.edge(self.turn_node(seen.turn_id), node, "requires")
        elif self.root is not None:
            self.edge(self.agents[self.root], node, "requires")
        called = self.calls.get((seen.turn_id, seen.call_id)) if seen.turn_id is not None else None
        if called is not None:
            self.edge(node, called, "for_call")
        if seen.request_id is not None:
            self.actions[seen.request_id] = node

    def _result(self, result: Result) -> None:
        node = self.fresh(ids.result(result.turn_id, result.call_id))
        meant = result.meant
        turn_id = result.turn_id if result.turn_id in self.trace.turns else (meant.turn_id if meant else None)
        refused = result.refused
        self.node(
            node,
            "tool_result",
            result.first,
            turn_id=result.turn_id,
            call_id=result.call_id,
            item_id=result.item_id,
            agent_id=self.owner(result.call[0] if result.call else turn_id),
            status=result.status,
            success=result.success if isinstance(result.success, bool) else None,
            posted=result.posted is not None,
            recorded=result.recorded is not None,
            problem=result.problem,
            refused=refused.message if refused else None,
            http_status=refused.http_status if refused else None,
        )
        called = self.calls.get(result.call) if result.call is not None else None
        if called is not None:
            self.edge(called, node, "answered_by")
        elif meant is not None:
            self._meant(node, meant)

    def _meant(self, node: str, meant: Meant) -> None:
        """A near miss in another session has no node here: its ids stand at the result."""
        if meant.session_id is not None and meant.session_id != self.trace.session_id:
            self.graph.add_node(node, meant_session_id=meant.session_id)
            return
        said = {"reason": meant.reason, "detail": meant.detail, "sure": not meant.others}
        if meant.request_id is not None and meant.request_id in self.actions:
            self.edge(node, self.actions[meant.request_id], "meant_for", **said)
        for turn_id, call_id in ((meant.turn_id, meant.call_id), *meant.others):
            if turn_id is not None and call_id is not None and (turn_id, call_id) in self.calls:
                self.edge(node, self.calls[turn_id, call_id], "meant_for", **said)

    def _coordination(self, item: Coordination) -> None:
        node = ids.item(item.item_id)
        self.node(
            node,
            "item",
            item.origins[0] if item.origins else None,
            type=ITEM_TYPES[item.kind],
            item_id=item.item_id,
            turn_id=item.turn_id,
            agent_id=self.owner(item.turn_id),
            sender_agent_id=item.sender,
            status=item.status,
        )
        if item.turn_id is not None:
            self.edge(self.turn_node(item.turn_id), node, "coordinates")
        if item.kind == "message" and item.sender is not None:
            self.edge(self.agent_node(item.sender), node, "message_to")
        for recipient in item.recipients if item.kind in TARGETS else ():
            self.edge(node, self.agent_node(recipient), TARGETS[item.kind])

    def _spawn(self, agent: Agent) -> None:
        made = agent.spawn
        if made is not None and ids.item(made.item_id) in self.graph:
            said = {"inferred": True, "rule": made.rule, "confidence": made.confidence}
            self.edge(ids.item(made.item_id), self.agents[agent.id], "spawns", **said)

    def _item(self, item: Item) -> None:
        node = ids.item(item.id)
        name = item.value.get("name")
        said = {"name": name if isinstance(name, str) else None}
        first = item.origins[0] if item.origins else None
        owner = self.owner(item.turn_id)
        self.node(
            node,
            "item",
            first,
            type=item.type,
            item_id=item.id,
            turn_id=item.turn_id,
            agent_id=owner,
            status=item.status,
            **said,
        )
        if item.turn_id is not None:
            self.edge(self.turn_node(item.turn_id), node, "contains")
