"""Agents that wait for each other.

Agents are nodes, waits in progress are edges. A depth-first search with its own stack visits each agent and each wait once; an
edge back to an agent on the path closes a cycle. One finding a cycle found so.
"""

from collections.abc import Iterable, Iterator

from tracelink.judge.waits import active_waits
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.trace import Coordination, Trace
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl4_subagents.shown import ids_by_name

SHOWN = 8
"""Agents of a cycle that are named in the message."""


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for cycle in _cycles(_edges(context.trace)):
        agents = [item_of[0] for item_of in cycle]
        named = [*agents[:SHOWN], *(["…"] if len(agents) > SHOWN else []), agents[0]]
        first = cycle[0][1]
        yield rule.finding(
            f"{len(agents)} agents wait for each other ({' → '.join(named)}, from {place(first.first)}): none of these waits can end by itself."
            if len(agents) > 1
            else f"Agent {agents[0]} waits for itself ({first.item_id} at {place(first.first)}): this wait cannot end by itself.",
            at=[item.first for _, item in cycle[:SHOWN]],
            ids={"agent_id": agents[0], "item_id": first.item_id, "turn_id": first.turn_id},
        )


_Edges = dict[str, list[tuple[str, Coordination]]]


def _edges(trace: Trace) -> _Edges:
    names = ids_by_name(trace)
    found: _Edges = {}
    for sender, items in active_waits(trace).items():
        for item in items:
            turn = trace.turns.get(item.turn_id or "")
            if item.status is None and (turn is None or turn.status is None):
                continue  # nothing says that this wait has not returned long ago
            for name in item.recipients:
                found.setdefault(names.get(sender, sender), []).append((names.get(name, name), item))
    return found


def _cycles(edges: _Edges) -> Iterator[list[tuple[str, Coordination]]]:
    """Cycles as (agent, its wait) in order, each begun at the agent that was reached first."""
    done: set[str] = set()
    for start in edges:
        if start in done:
            continue
        path: list[tuple[str, Coordination | None]] = [(start, None)]
        on_path = {start: 0}
        stack = [iter(edges[start])]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                agent, _ = path.pop()
                del on_path[agent]
                done.add(agent)
                continue
            target, item = step
            path[-1] = (path[-1][0], item)
            if target in on_path:
                yield [(agent, wait) for agent, wait in path[on_path[target] :] if wait is not None]
            elif target not in done and target in edges:
                on_path[target] = len(path)
                path.append((target, None))
                stack.append(iter(edges[target]))


RULE = Rule(
    code="TL405",
    name="wait-cycle",
    severity=Severity.ERROR,
    confidence=Confidence.MEDIUM,
    summary="Agents wait for each other in a circle.",
    proves="Each agent of the circle has a wait in progress, in a turn without an end, that names the next.",
    cannot=(
        "That all waits lasted at the same moment, where they come from different sources; what a wait for several "
        "agents needs to end."
    ),
    quiet=(
        "Waits that returned (completed, failed, incomplete) or whose turn is over; waits without a status in turns "
        "of which nothing is known."
    ),
    example="sub_1 waits for sub_2, sub_2 waits for sub_1, both in progress.",
    remedy="Interrupt one of the agents, or cancel the turn.",
    check=check,
)
