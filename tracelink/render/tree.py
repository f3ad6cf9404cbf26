"""The chain as a tree: agent → turn → call → result, and each subagent below the item that created it.

Every agent, turn, call and misaddressed result of the trace has one line. Marks are the codes of the findings that name
it; a line is loud if one of them is an error or a warning, or if it is open or broken by its own state.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tracelink.model.finding import Finding, Severity
from tracelink.model.location import Origin
from tracelink.model.trace import Action, Agent, Call, CallKey, Coordination, Result, Trace, Turn
from tracelink.render.escape import escape, ident, json_text
from tracelink.render.node import Node
from tracelink.render.page import span

STATES = {
    "answered": "green",
    "unapplied": "yellow",
    "required": "bold yellow",
    "cleared": "green",
    "unanswered": "red",
    "abandoned": "red",
    "unknown": "magenta",
}
QUIET_STATES = frozenset({"answered", "cleared", "unknown"})
TURNS = {"completed": "green", "failed": "red", "cancelled": "yellow"}
SEVERITIES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "cyan"}
COORDINATION = {
    "create": "create_subagent_call",
    "send": "send_subagent_input_call",
    "wait": "wait_for_subagents_call",
    "interrupt": "interrupt_subagent_call",
    "resume": "resume_subagent_call",
    "close": "close_subagent_call",
    "message": "agent_message",
}
UNFINISHED = frozenset({"in_progress", "incomplete", "failed"})
ALWAYS_LOUD = ("TL5",)
"""Notes that speak of something open."""

Marks = tuple[tuple[str, str], ...]


def build(trace: Trace, findings: Sequence[Finding], open_ids: frozenset[str], agent: str | None = None) -> list[Node]:
    """The roots: the root agent, agents that hang nowhere, and results that name no turn of the session.

    open_ids: call, request and environment ids of the verdict's open actions. agent: its node alone is the root.
    """
    builder = _Builder(trace, findings, open_ids)
    roots = builder.roots()
    if agent is None:
        return roots
    return [builder.agents[agent]] if agent in builder.agents else []


class _Builder:
    def __init__(self, trace: Trace, findings: Sequence[Finding], open_ids: frozenset[str]) -> None:
        self.trace = trace
        self.open_ids = open_ids
        self.marks: dict[CallKey | str, dict[str, Severity]] = defaultdict(dict)
        for finding in findings:
            self._mark(finding)
        self.below: dict[str, list[tuple[Origin, Node]]] = defaultdict(list)  # turn id → its lines
        self.agents = {agent.id: self._agent(agent) for agent in trace.agents.values()}
        self.items = {one.item_id: self._coordination(one) for one in trace.coordination.values()}

    def _mark(self, finding: Finding) -> None:
        ids = finding.ids
        key: CallKey | str | None = (ids.get("turn_id", ""), ids.get("call_id", ""))
        if key not in self.trace.calls:
            names = ("item_id", "request_id", "environment_id", "subagent_id", "agent_id", "turn_id")
            key = None if "call_id" in ids else next((ids[name] for name in names if name in ids), None)
        if key is not None:
            self.marks[key][finding.code] = finding.severity

    def _marked(self, key: CallKey | str, *more: str) -> tuple[Marks, bool]:
        found = self.marks.get(key, {})
        shown = [(code, SEVERITIES[severity]) for code, severity in sorted(found.items())]
        shown += [(code, "bold red") for code in more if code not in found]
        loud = any(severity is not Severity.NOTE or code.startswith(ALWAYS_LOUD) for code, severity in found.items())
        return tuple(shown), loud or bool(more)

    def roots(self) -> list[Node]:
        trace = self.trace
        for call in trace.calls.values():
            self._put(call.turn_id, call.first, self._call(call))
        for item_id, node in self.items.items():
            self._put(trace.coordination[item_id].turn_id, trace.coordination[item_id].first, node)
        for action in trace.actions:
            if action.seen.type != "function_call":
                self._put(action.seen.turn_id, action.first, self._action(action))
        for item in trace.items.values():
            if item.status in UNFINISHED and item.type not in ("message", "reasoning"):
                turn = trace.turns.get(item.turn_id or "")
                over = turn is None or turn.outcome is not None
                node = Node("other", f"{escape(item.type)}  {ident(item.id)}", str(item.status), "yellow", loud=not over)
                self._put(item.turn_id, item.first, node)
        loose = []
        for result in trace.results:
            if result.call is None:
                node = self._stray(result)
                if result.turn_id in trace.turns:
                    self._put(result.turn_id, result.first, node)
                else:
                    loose.append(node)
        self._hang_turns()
        return self._hang_agents() + loose

    def _put(self, turn_id: str | None, at: Origin | None, node: Node) -> None:
        self.below[turn_id or ""].append((at or Origin("", 0, 0), node))

    def _hang_turns(self) -> None:
        root = next((self.agents[agent.id] for agent in self.trace.agents.values() if agent.root), None)
        if root is None:
            root = self.agents.setdefault("", Node("agent", "(no agent recorded)"))
        for turn in self.trace.turns.values():
            node = self._turn(turn)
            self.agents.get(turn.agent_id, root).children.append(node)
            node.children += _in_order(self.below.pop(turn.id, ()))
        root.children += _in_order(self.below.pop("", ()))
        for turn_id, lines in self.below.items():
            root.children.append(Node("turn", ident(turn_id), "not recorded", "magenta", children=_in_order(lines)))

    def _hang_agents(self) -> list[Node]:
        """Each agent below its create item, else below its parent; what is then out of reach (a cycle) becomes a root."""
        roots, parents = [], {}
        for agent in self.trace.agents.values():
            node = self.agents[agent.id]
            parent = self.items.get(agent.spawn.item_id) if agent.spawn else None
            parent = parent or (None if agent.root else self.agents.get(agent.parent_id or ""))
            if parent is None or parent is node:
                roots.append(node)
            else:
                parent.children.append(node)
                parents[agent.id] = parent
        if "" in self.agents:
            roots.insert(0, self.agents[""])
        reached = {id(node) for root in roots for node in root.walk()}
        for agent_id, parent in parents.items():
            node = self.agents[agent_id]
            if id(node) not in reached:
                parent.children.remove(node)
                roots.append(node)
                reached |= {id(one) for one in node.walk()}
        return roots

    def _agent(self, agent: Agent) -> Node:
        label = "agent" if agent.root else "subagent"
        label += f" {ident(agent.id)}" + (f" {json_text(agent.name)}" if agent.name else "")
        label += f"  {escape(agent.model)}" if agent.model else ""
        marks, loud = self._marked(agent.id)
        text = ""
        if not agent.seen:
            text = "only named by others"
        elif agent.spawn is not None:
            text = f"link inferred ({agent.spawn.rule}, {agent.spawn.confidence})"
        elif not agent.root:
            text = "no create call found"
        return Node("agent", label, agent.status or "", "", marks, text, loud)

    def _turn(self, turn: Turn) -> Node:
        state = turn.outcome or turn.status or "no end recorded"
        if turn.error_code:
            state += f" ({escape(turn.error_code)})"
        elif turn.started_at is not None and turn.completed_at is not None:
            state += f" in {span(turn.completed_at - turn.started_at)}"
        marks, loud = self._marked(turn.id)
        text = turn.error_message or ("" if turn.owner_known else "owner not recorded")
        style = TURNS.get(turn.outcome or "", "cyan")
        return Node("turn", ident(turn.id), state, style, marks, text, loud or turn.outcome != "completed")

    def _call(self, call: Call) -> Node:
        results = [self.trace.results[at] for at in call.results]
        state = "failed" if call.state == "answered" and any(one.success is False for one in results) else call.state
        marks, loud = self._marked(call.key)
        text = "" if call.arguments is None else json_text(call.arguments)
        if len(results) == 1:
            text += f" → {_said(results[0])}"
        node = Node("call", f"{escape(call.name or '(no name)')}  {ident(call.call_id)}", state, STATES.get(state, "yellow"))
        node.marks, node.text, node.loud = marks, text, loud or call.state not in QUIET_STATES
        if len(results) > 1:
            node.children = [_result(at, result) for at, result in enumerate(results, start=1)]
        return node

    def _stray(self, result: Result) -> Node:
        marks, _ = self._marked("", *([result.problem] if result.problem else []))
        label, state = f"result for {ident(result.call_id)}", "answers no call"
        label += "" if result.turn_id in self.trace.turns else f" in {ident(result.turn_id)}"
        meant = result.meant
        if meant is not None:
            state = f"meant for {ident(meant.call_id or meant.request_id)}"
            state += "" if meant.turn_id in (None, result.turn_id) else f" in {ident(meant.turn_id)}"
        return Node("other", label, state, "red", marks, _said(result), loud=True)

    def _coordination(self, one: Coordination) -> Node:
        label = f"{COORDINATION.get(one.kind, escape(one.kind))}  {ident(one.item_id)}"
        if one.recipients:
            label += " → " + ", ".join(map(ident, one.recipients))
        marks, loud = self._marked(one.item_id)
        style = "" if one.status == "completed" else "yellow"
        return Node("other", label, escape(one.status or ""), style, marks, one.text or "", loud or one.status == "failed")

    def _action(self, action: Action) -> Node:
        is_open = action.id in self.open_ids
        marks, loud = self._marked(action.id or "")
        state, style = (
            ("required", "bold yellow") if is_open else ("cleared", "green") if action.cleared else ("unknown", "magenta")
        )
        text = "" if action.seen.request is None else json_text(action.seen.request)
        return Node("other", f"{escape(action.seen.type)}  {ident(action.id)}", state, style, marks, text, loud or is_open)


def _in_order(lines: Iterable[tuple[Origin, Node]]) -> list[Node]:
    """By arrival where all came in as events; what was listed keeps the trace's order, which is order in time."""
    rows = list(lines)
    if all(at.stream for at, _ in rows):
        rows.sort(key=lambda row: (row[0].index, row[0].seq))
    return [node for _, node in rows]


def _result(number: int, result: Result) -> Node:
    state = "posted, recorded" if result.posted and result.recorded else "posted" if result.posted else "recorded"
    return Node("other", f"result #{number}", state, "", (), _said(result))


def _said(result: Result) -> str:
    """What the result says, as recorded: its error if it failed, else its output."""
    if result.error is not None and not result.output:
        return "error: " + (result.error if isinstance(result.error, str) else json_text(result.error))
    return result.output if isinstance(result.output, str) else json_text(result.output)
