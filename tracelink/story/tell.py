"""The story of one turn: from its first message to the last sign of life.

What belongs to it: the moments of the turn, of the subagents created in it (and of those that block it), and what concerned the
session as a whole in that stretch. Progress stopped at the last moment that moved the turn; what came after, posts that nothing
confirms among it, did not.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tracelink.judge.times import RECEIVER
from tracelink.model.finding import Finding
from tracelink.model.run import SessionReport
from tracelink.model.trace import Call, Result, Trace, Turn
from tracelink.story.choose import pick_turn
from tracelink.story.moments import moments
from tracelink.story.order import arrange
from tracelink.story.results import home
from tracelink.story.times import clock_of, when
from tracelink.story.untold import untold
from tracelink.story.values import CallTold, Moment, Ordered, Story
from tracelink.story.waits import waits


def tell(session: SessionReport, turn_id: str | None = None, of_run: Sequence[Finding] = ()) -> Story:
    """The story of `turn_id`, which is in the trace, or of the turn that `pick_turn` chooses. of_run: the findings of the run."""
    trace = session.trace
    if turn_id is not None:
        turn, chosen = trace.turns.get(turn_id), "the turn that was asked for"
    else:
        turn, chosen = pick_turn(session)
    ordered = arrange(moments(trace), trace)
    agents = family(trace, turn, session.stall.path) if turn is not None else frozenset(trace.agents)
    told = _scope(ordered, turn, agents, trace)
    turns = [one for one in trace.turns.values() if turn is None or one is turn or one.agent_id in agents]
    waited = waits(trace, [one.id for one in turns], agents)
    stopped = _stopped(told) if turn is None or turn.outcome is None else None
    clock = clock_of(told)
    asked = _asked(told, turn)
    return Story(
        trace.session_id,
        turn,
        trace.agents.get(turn.agent_id) if turn is not None else None,
        chosen,
        tuple(told),
        tuple(asked),
        tuple(_calls(trace, turns)),
        tuple(waited),
        stopped,
        trace.last,
        clock,
        tuple(_findings(session.findings, trace, {one.id for one in turns})),
        tuple(untold(session, turn, agents, told, asked, Ordered(tuple(told), arrange(told, trace).notes), clock, of_run)),
    )


def family(trace: Trace, turn: Turn, path: Iterable[str] = ()) -> frozenset[str]:
    """The subagents created in the turn, theirs, and those on `path` that are not the turn's own agent."""
    below: dict[str | None, list[str]] = defaultdict(list)
    found: list[str] = [one for one in path if one != turn.agent_id and one in trace.agents]
    for agent in trace.agents.values():
        made = trace.coordination.get(agent.spawn.item_id) if agent.spawn is not None else None
        if made is not None and made.turn_id == turn.id:
            found.append(agent.id)
        below[agent.parent_id].append(agent.id)
    seen: set[str] = set()
    while found:
        one = found.pop()
        if one not in seen and one != turn.agent_id:
            seen.add(one)
            found += below[one]
    return frozenset(seen)


def _scope(ordered: Ordered, turn: Turn | None, agents: frozenset[str], trace: Trace) -> list[Moment]:
    if turn is None:
        return list(ordered.moments)
    mine = [at for at, one in enumerate(ordered.moments) if one.turn_id == turn.id]
    first, last = (mine[0], mine[-1]) if mine else (0, len(ordered.moments) - 1)
    if turn.outcome is None:
        last = len(ordered.moments) - 1
    for at in range(first - 1, -1, -1):  # the post that began it, which names no turn
        one = ordered.moments[at]
        if one.kind == "asked" and one.turn_id is None:
            first = at
        if one.kind in ("turn_began", "turn_ended", "asked"):
            break
    ours = {turn.id} | {one.id for one in trace.turns.values() if one.agent_id in agents}
    while last + 1 < len(ordered.moments) and (following := ordered.moments[last + 1]):  # the session, as the turn left it
        if following.kind not in ("session", "error") and following.turn_id not in ours:
            break
        last += 1

    def belongs(at: int, one: Moment) -> bool:
        if one.turn_id is not None:
            return one.turn_id in ours
        if one.kind in ("opened", "closed"):
            return one.agent_id in agents
        return first <= at <= last

    return [one for at, one in enumerate(ordered.moments) if belongs(at, one)]


def _stopped(told: list[Moment]) -> int | None:
    return next((at for at in range(len(told) - 1, -1, -1) if told[at].progress), None)


def _asked(told: list[Moment], turn: Turn | None) -> list[Moment]:
    """What users asked, each text once: the item if the server recorded it, else the post."""
    mine = [one for one in told if one.kind == "asked" and (turn is None or one.turn_id in (None, turn.id))]
    texts = {one.quoted for one in mine if one.turn_id is not None}
    return [one for one in mine if one.turn_id is not None or one.quoted not in texts]


def _calls(trace: Trace, turns: list[Turn]) -> list[CallTold]:
    strays: dict[tuple[str | None, str | None], list[Result]] = defaultdict(list)
    for result in trace.results:
        if result.call is None and result.meant is not None and not result.meant.others:
            strays[result.meant.turn_id, result.meant.call_id].append(result)
    ids = {turn.id for turn in turns}
    found = []
    for call in trace.calls.values():
        if call.turn_id in ids or not turns:
            results = tuple(trace.results[at] for at in call.results)
            found.append(CallTold(call, results, tuple(strays.get(call.key, ())), _seconds(call, results)))
    return found


def _seconds(call: Call, results: tuple[Result, ...]) -> float | None:
    recorded = next((one.recorded for one in results if one.recorded is not None), None)
    if recorded is None or call.first is None:
        return None
    (begin, first), (end, second) = when(call.first), when(recorded)
    if begin is None or end is None or first != RECEIVER or second != RECEIVER or end < begin:
        return None
    return end - begin


def _findings(found: Iterable[Finding], trace: Trace, turns: set[str]) -> list[Finding]:
    """Those that name one of the turns, by itself or by what was posted or meant, and those that name none."""
    astray = {(one.turn_id, one.call_id) for one in trace.results if one.call is None and home(one) in turns}
    kept = []
    for finding in found:
        named = {value for name, value in finding.ids.items() if name.endswith("turn_id")}
        pair = (finding.ids.get("turn_id"), finding.ids.get("call_id"))
        if not named or named & turns or pair in astray:
            kept.append(finding)
    return sorted(kept, key=lambda one: (one.severity.rank, one.confidence.rank))
