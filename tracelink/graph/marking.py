"""Findings → marks: which node of the graph a finding speaks of.

The idea, from sure to less sure: a result is meant if the finding carries its `problem` code and stands where the result does;
else the nodes whose wire ids the finding names, the most specific kind it has an id for (call before item before turn before
subagent); a required action is marked together with its call. A finding about none of these marks nothing.
"""

from collections.abc import Iterable

from tracelink.graph import ids
from tracelink.model.finding import Finding
from tracelink.model.trace import Trace


def marks_of(trace: Trace, findings: Iterable[Finding]) -> dict[str, tuple[str, str]]:
    """Node id → (code, severity) of its worst finding; of two equally bad ones the lower code. For `build(marks=…)`."""
    worst: dict[str, Finding] = {}
    for finding, nodes in nodes_of(trace, findings):
        for node in nodes:
            if node not in worst or _badness(finding) < _badness(worst[node]):
                worst[node] = finding
    return {node: (finding.code, finding.severity.value) for node, finding in worst.items()}


def nodes_of(trace: Trace, findings: Iterable[Finding]) -> list[tuple[Finding, list[str]]]:
    """Each finding of the trace or of the whole run, with the nodes it speaks of: none where it names none."""
    ours = [one for one in findings if one.session_id in (None, trace.session_id)]
    results = _results(trace) if ours else {}
    return [(one, _of_result(one, results) or _by_ids(trace, one)) for one in ours]


def _badness(finding: Finding) -> tuple[int, str]:
    return finding.severity.rank, finding.code


def _results(trace: Trace) -> dict[tuple[str, int, int], list[tuple[str, str | None]]]:
    """Place → (node, problem) of the results that were seen there, numbered as `build` numbers them."""
    places: dict[tuple[str, int, int], list[tuple[str, str | None]]] = {}
    seen: dict[str, int] = {}
    for result in trace.results:
        node = ids.result(result.turn_id, result.call_id)
        seen[node] = seen.get(node, 0) + 1
        for origin in (result.posted, result.recorded, *result.repeated):
            if origin is not None:
                place = (origin.source, origin.line, origin.byte)
                places.setdefault(place, []).append((ids.numbered(node, seen[node]), result.problem))
    return places


def _of_result(finding: Finding, results: dict[tuple[str, int, int], list[tuple[str, str | None]]]) -> list[str]:
    for place in finding.locations[:1]:
        there = results.get((place.source, place.line, place.byte), [])
        # One POST may hold several results at one place: then the id tells them apart.
        named = [node for node, problem in there if problem == finding.code]
        exact = [node for node in named if any(node.split("#")[0].endswith(f"/{ids.quote(v)}") for v in finding.ids.values())]
        if exact or named:
            return exact or named
        if len(there) == 1 and finding.code.startswith(("TL1", "TL2")):
            return [there[0][0]]
    return []


def _by_ids(trace: Trace, finding: Finding) -> list[str]:
    said = finding.ids
    turn_id, call_id = said.get("turn_id"), said.get("call_id")
    if turn_id is not None and call_id is not None and (turn_id, call_id) in trace.calls:
        return [ids.call(turn_id, call_id), ids.action("function_call", turn_id, call_id, None)]
    for action in trace.actions:
        other = action.seen.request_id if action.seen.request_id is not None else action.seen.environment_id
        if other is not None and other in (said.get("request_id"), said.get("environment_id")):
            return [ids.action(action.seen.type, action.seen.turn_id, action.seen.call_id, other)]
    if "item_id" in said:
        return [ids.item(said["item_id"])]
    if turn_id is not None and turn_id in trace.turns:
        return [ids.turn(turn_id)]
    for name in ("subagent_id", "agent_id", "recipient_agent_id"):
        agent = trace.agents.get(said.get(name, ""))
        if agent is not None:
            return [ids.agent(agent.id, root=agent.root)]
    return []
