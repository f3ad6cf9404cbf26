"""Compares a report with the truth. Each difference is one line of text; none means that the answers are right.

Right means: the verdict is one of the right ones, the open actions are these with this state, the counts and the tree are equal,
each expected finding is there under its code and names its ids, and no error or warning is there that was not expected.
"""

from dataclasses import dataclass, field

from tests.world.model import Server, action_key, meaning
from tests.world.truth import Expected, State
from tracelink.model.finding import Finding, Severity
from tracelink.model.run import Report, SessionReport
from tracelink.rules.registry import by_code


@dataclass
class Tally:
    """Per code: found of those expected, and false alarms."""

    hits: dict[str, int] = field(default_factory=dict)
    misses: dict[str, int] = field(default_factory=dict)
    false: dict[str, int] = field(default_factory=dict)
    verdicts: int = 0
    wrong_verdicts: int = 0

    @staticmethod
    def add(where: dict[str, int], code: str) -> None:
        where[code] = where.get(code, 0) + 1


def names(finding: Finding, ids: tuple[str, ...]) -> bool:
    return all(one in (*finding.ids.values(), finding.session_id) or one in finding.message for one in ids)


def findings(report: Report, expected: list[Expected], entries: int, view: str, tally: Tally) -> list[str]:
    """Expected and found, both ways. Expectations of rules that do not exist (yet) are left out."""
    problems = []
    found = list(report.all_findings())
    known = by_code()
    for want in expected:
        if want.must and want.code in known and want.holds(entries, view):
            if any(one.code == want.code and names(one, want.ids) for one in found):
                tally.add(tally.hits, want.code)
            else:
                tally.add(tally.misses, want.code)
                problems.append(f"missed {want.code} {want.ids}")
    for one in found:
        if one.severity is Severity.NOTE:
            continue
        if not any(want.code == one.code and want.holds(entries, view) and names(one, want.ids) for want in expected):
            tally.add(tally.false, one.code)
            problems.append(f"false {one.code} {one.ids}: {one.message}")
    return problems


def waiting(state: State, view: str) -> list[Expected]:
    """The findings that follow from what is pending."""
    deaf = view != "log"
    sure = (state.deaf_awaits if deaf else state.awaits) != {"unknown"}
    out = [Expected("TL501", (name,), must=sure) for name, how in state.open if deaf or how != "unapplied"]
    return out + [Expected("TL503", (name,), must=sure) for name, how in state.open if not deaf and how == "unapplied"]


def session(report: Report, s: Server) -> SessionReport | None:
    return next((one for one in report.sessions if one.trace.session_id == s.id), None)


def state(
    one: SessionReport | None, truth: State, view: str, tally: Tally, *, counts: bool = True, tree: bool = True
) -> list[str]:
    """What differs from the truth. counts, tree: whether the recording shows them at all."""
    if one is None:
        return ["no such session in the report"]
    problems = []
    tally.verdicts += 1
    right = truth.awaits if view == "log" else truth.deaf_awaits
    if one.verdict.awaits not in right:
        tally.wrong_verdicts += 1
        problems.append(f"verdict {one.verdict.awaits} ({one.verdict.reason}), right is {sorted(right)}")
    want = sorted(truth.open) if view == "log" else sorted((name, "no") for name, _ in truth.open)
    got = sorted(
        (seen.action.call_id or seen.action.request_id or seen.action.environment_id or "", seen.answered)
        for seen in one.verdict.actions
    )
    if got != want:
        problems.append(f"open actions {got}, right is {want}")
    if got == want:
        problems += _bodies(one)
    if counts:
        problems += _counts(one, truth, view)
    parents = {agent.id: agent.parent_id for agent in one.trace.agents.values() if not agent.root and agent.seen}
    if tree and parents != truth.parents:
        problems.append(f"agent tree {parents}, right is {truth.parents}")
    return problems


def _bodies(one: SessionReport) -> list[str]:
    """What is to be posted next answers each open action under its own ids, and nothing else (DESIGN 6)."""
    if one.verdict.awaits not in ("awaiting", "answered_unapplied"):
        return []
    want = sorted(
        (seen.action.turn_id or "", seen.action.call_id) if seen.action.call_id else ("", seen.action.request_id or "")
        for seen in one.verdict.actions
        if seen.action.environment_id is None
    )
    posts = [post for step in one.next_actions if step.body for post in step.body["events"]]
    got = sorted(
        (post["turn_id"], post["call_id"]) if post["type"].endswith("tool_result") else ("", post.get("request_id", ""))
        for post in posts
    )
    wrong = [post["type"] for post in posts if post["type"].removeprefix("agent.session.input.") not in INPUTS]
    return [f"next actions {got}, right is {want}"] if got != want else [f"next actions post {wrong}"] if wrong else []


INPUTS = ("tool_result", "mcp_approval_request_result", "computer_use_approval_request_result")


def _counts(one: SessionReport, truth: State, view: str) -> list[str]:
    want = {
        "turns": truth.turns,
        "calls": truth.calls,
        "results": truth.results + (truth.posted_results if view == "log" else 0),
        "subagents": len(truth.parents),
    }
    got = {name: one.trace.counts[name] for name in want}
    return [f"counts {got}, right is {want}"] if got != want else []


def spawns(one: SessionReport, s: Server) -> list[str]:
    """What was inferred from a readable task or for want of another candidate has to be right (B.4)."""
    problems = []
    for agent in one.trace.agents.values():
        spawn = agent.spawn
        if spawn is not None and spawn.rule in ("unique", "instructions") and s.spawned_by.get(agent.id) != spawn.item_id:
            problems.append(f"{agent.id} comes from {s.spawned_by.get(agent.id)}, not {spawn.item_id} ({spawn.rule})")
    return problems


def final(s: Server) -> State:
    """The truth for somebody who fetched all objects: children's turns and all subagents are there, posts are not."""
    last = s.log[-1].state
    listed = s.retrieved()["required_actions"]
    names = [action_key(one)[1] for one in listed]
    calls = {(one["turn_id"], one["call_id"]) for one in [*s.items.values(), *listed] if one["type"] == "function_call"}
    results = {
        (one["turn_id"], one["call_id"], meaning(one["output"]), one["error"])
        for one in s.items.values()
        if one["type"] == "function_call_output"
    }
    awaits = frozenset(("awaiting",)) if names else last.deaf_awaits if not last.open else frozenset(("not_awaiting",))
    parents = {sub["id"]: sub["parent_agent_id"] for sub in s.subs.values()}
    return State(awaits, tuple((name, "no") for name in names), awaits, len(s.turns), len(calls), len(results), 0, parents)
