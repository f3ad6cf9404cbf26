"""The root's turn ended while a subagent's turn was open, and that turn has no end in the recording."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin, order
from tracelink.model.trace import Trace, Turn
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl3_state.holes import hole_between
from tracelink.rules.tl4_subagents.shown import ids_by_name, streamed

_RUNNING = frozenset(("queued", "in_progress", "waiting"))


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    open_ = [turn for turn in trace.turns.values() if turn.subagent_id is not None and turn.outcome is None]
    roots = [turn for turn in trace.turns.values() if turn.subagent_id is None and turn.owner_known]
    if not open_ or not roots or roots[-1].outcome is None:
        return  # while a root turn runs, it may still wait for the child
    root = roots[-1]
    stopped = _stopped(trace)
    for turn in open_:
        agent = trace.agents.get(turn.subagent_id or "")
        if turn.status not in _RUNNING or not turn.history or (agent is not None and agent.status == "closed"):
            continue
        last = turn.history[-1].at
        if any(order(last, at) != 1 for at in stopped.get(turn.agent_id, ())):
            continue
        certain = _open_then(context, turn, root)
        if certain is None:
            continue
        how = "was cancelled" if root.outcome == "cancelled" else root.outcome
        yield rule.finding(
            f"The root's turn {root.id} {how} at {place(root.ended)} while turn {turn.id} of subagent {turn.subagent_id} was open "
            f"(last seen {turn.status} at {place(last)}): what the subagent still finds is not in the root's answer.",
            at=(root.ended, last),
            ids={"subagent_id": turn.subagent_id, "turn_id": turn.id, "root_turn_id": root.id},
            confidence=certain,
        )


def _stopped(trace: Trace) -> dict[str, list[Origin]]:
    """Agent id → the interrupts and closes addressed to it: they end its turn, whether or not that is recorded."""
    names = ids_by_name(trace)
    found: dict[str, list[Origin]] = {}
    for item in trace.coordination.values():
        if item.kind in ("interrupt", "close") and item.status != "failed":
            for name in item.recipients:
                found.setdefault(names.get(name, name), []).append(streamed(item) or item.first)
    return found


def _open_then(context: Context, turn: Turn, root: Turn) -> Confidence | None:
    """How sure it is that the child's turn was open when the root's ended; None if it is not known."""
    ended, last = root.ended, turn.history[-1].at
    if ended is None:
        return None
    if not last.stream:
        # Retrieved after the root's end, or beside it and older than it.
        if order(ended, last) == -1:
            return Confidence.HIGH
        beside = ended.index == last.index and ended.doc == last.doc
        older = turn.created_at is not None and root.completed_at is not None and turn.created_at <= root.completed_at
        return Confidence.MEDIUM if beside and older else None
    if order(last, ended) == 1 and turn.history[0].at.index == ended.index:
        return Confidence.MEDIUM if order(turn.history[0].at, ended) == -1 else None
    if order(last, ended) != -1 or hole_between(context.run, last, ended):
        return None
    return Confidence.MEDIUM


RULE = Rule(
    code="TL404",
    name="child-unfinished",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="The root's last turn ended while a turn of a subagent was open.",
    proves=(
        "One stream shows the subagent's turn begin, and no end of it before the root's turn ended or after; or it "
        "was retrieved as running after that."
    ),
    cannot="That the root needed the result, or that the subagent never finishes: the recording ends.",
    quiet=(
        "Subagents without recorded turns (a root stream need not show them; active includes idle between turns); turns that end anywhere "
        "in the recording; subagents that were closed or interrupted; sessions whose last root turn is still open."
    ),
    example="turn.created{subagent_id: sub_1}, then turn.completed of the root, and no end of the child's turn.",
    remedy=(
        "Read the subagent's turns (GET …/subagents/{subagent_id}/turns); a wait for it before the root answers "
        "would take its result in."
    ),
    check=check,
)
