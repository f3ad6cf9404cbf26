"""A session as lanes, one an agent: turns, calls and waits as bars between two points.

A point is a moment's position in the order, and its time if one is known. With receive times on every record of the stream the
chart is one of time; else only the order is known, and positions are all there is to draw.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from tracelink.judge.times import RECEIVER
from tracelink.model.location import Origin
from tracelink.model.run import SessionReport
from tracelink.model.trace import ROOT, Agent, Call, Coordination, Trace, Turn
from tracelink.story.choose import pick_turn
from tracelink.story.items import FINAL
from tracelink.story.moments import moments
from tracelink.story.order import arrange
from tracelink.story.tell import family
from tracelink.story.times import clock_of, when
from tracelink.story.values import Chart, Lane, Moment, Point, Span


def chart(session: SessionReport, turn_id: str | None = None) -> Chart:
    """The whole session, or the turn `turn_id` with the subagents created in it."""
    trace = session.trace
    ordered = arrange(moments(trace), trace)
    turn = trace.turns.get(turn_id) if turn_id is not None else None
    shown, ours = ordered.moments, set(trace.turns)
    if turn is not None:
        agents = family(trace, turn)
        ours = {turn.id} | {one.id for one in trace.turns.values() if one.agent_id in agents}
        shown = tuple(one for one in shown if one.turn_id in ours or (one.turn_id is None and one.agent_id in agents))
    clock = RECEIVER if clock_of(shown) == RECEIVER else None
    order_only = "" if clock is not None else _no_clock(shown)
    times = [one.time for one in shown if one.time is not None and one.clock == clock]
    if clock is not None and len(times) > 1 and min(times) == max(times):
        clock, order_only = None, "every receive time is the same"
    maker = _Maker(trace, shown)
    stopped = None
    if session.stall.kind != "not_stalled":
        stalled = turn or pick_turn(session)[0]
        stopped = maker.stopped(stalled, family(trace, stalled, session.stall.path) if stalled is not None else frozenset())
    return Chart(
        trace.session_id,
        tuple(maker.lanes(ours)),
        shown,
        clock,
        min(times, default=None),
        max(times, default=None),
        stopped,
        session.stall.kind,
        ordered.notes,
        order_only,
    )


def _no_clock(shown: Sequence[Moment]) -> str:
    return "not every record has a receive time" if any(one.time is not None for one in shown) else "no time is recorded"


class _Maker:
    def __init__(self, trace: Trace, shown: tuple[Moment, ...]) -> None:
        self.trace, self.moments = trace, shown
        self.places = {one.name: at for at, one in enumerate(shown)}
        self.by_origin: dict[Origin, int] = {}
        self.first: dict[str | None, int] = {}
        for at, one in enumerate(shown):
            self.by_origin.setdefault(one.at, at)
            self.first.setdefault(one.turn_id, at)
        self.streamed = sorted((one.at.index, one.at.seq, at) for at, one in enumerate(shown) if one.at.stream)
        self.calls: dict[str | None, list[Call]] = defaultdict(list)
        for call in trace.calls.values():
            self.calls[call.turn_id].append(call)
        self.waits: dict[str | None, list[Coordination]] = defaultdict(list)
        for wait in trace.coordination.values():
            if wait.kind == "wait":
                self.waits[wait.turn_id].append(wait)
        self.actions = {(one.seen.turn_id, one.seen.call_id): one for one in trace.actions if one.seen.call_id}

    def point(self, name: str) -> Point | None:
        at = self.places.get(name)
        return self._at(at) if at is not None else None

    def _at(self, position: int) -> Point:
        one = self.moments[position]
        return Point(position, one.time, one.clock, one.at)

    def near(self, at: Origin | None, least: int = 0) -> Point | None:
        """The point of a record; of one that is no moment of its own, its time and the position of the moment before it."""
        if at is None:
            return None
        if at in self.by_origin:
            return self._at(self.by_origin[at])
        time, clock = when(at)
        before = bisect_right(self.streamed, (at.index, at.seq, len(self.moments))) - 1
        found = self.streamed[before] if before >= 0 else None
        return Point(max(found[2], least) if found is not None and found[0] == at.index else least, time, clock, at)

    def stopped(self, turn: Turn | None, agents: frozenset[str]) -> Point | None:
        """The last moment that moved the turn, its subagents' turns or the session, if the turn has no end."""
        if turn is not None and turn.outcome is not None:
            return None
        ours = {one.id for one in self.trace.turns.values() if one is turn or one.agent_id in agents} | {None}
        found = [at for at, one in enumerate(self.moments) if one.progress and (turn is None or one.turn_id in ours)]
        return self._at(found[-1]) if found else None

    def lanes(self, turns: set[str]) -> list[Lane]:
        by_agent: dict[str, list[Span]] = {agent.id: [] for agent in self.trace.agents.values()}
        known = [turn for turn in self.trace.turns.values() if turn.id in turns]
        known.sort(key=lambda turn: self._start(turn.id))
        for turn in known:
            by_agent.setdefault(turn.agent_id, []).extend(self._turn(turn))
        loose = [turn_id for turn_id in self.calls if turn_id not in self.trace.turns]
        root = next((agent.id for agent in self.trace.agents.values() if agent.root), ROOT)
        for turn_id in loose:
            by_agent.setdefault(root, []).extend(self._parts(turn_id, root, None))
        agents = self.trace.agents
        return [
            Lane(agents.get(one) or Agent(one, one == root, seen=False), tuple(spans))
            for one, spans in by_agent.items()
            if spans
        ]

    def _start(self, turn_id: str) -> int:
        return self.places.get(f"turn_began:{turn_id}", self.first.get(turn_id, len(self.moments)))

    def _turn(self, turn: Turn) -> list[Span]:
        began = self.point(f"turn_began:{turn.id}")
        if began is None and turn.id in self.first:
            began = self._at(self.first[turn.id])
        end = self.point(f"turn_ended:{turn.id}")
        parts = self._parts(turn.id, turn.agent_id, end)
        if began is None:
            return parts
        state = turn.outcome or turn.status or "no end recorded"
        bar = Span(
            "turn", turn.id, turn.id, turn.agent_id, began, end, state, turn.error_code, loud=turn.outcome != "completed"
        )
        return [bar, *parts]

    def _parts(self, turn_id: str | None, agent_id: str, over: Point | None) -> list[Span]:
        spans = [span for call in self.calls.get(turn_id, ()) if (span := self._call(call, agent_id, over))]
        spans += [span for wait in self.waits.get(turn_id, ()) if (span := self._wait(wait, agent_id, over))]
        return sorted(spans, key=lambda one: one.begin.position)

    def _call(self, call: Call, agent_id: str, over: Point | None) -> Span | None:
        begin = self.point(f"call:{call.turn_id}/{call.call_id}")
        if begin is None:
            return None
        end, posted = None, None
        for index in call.results:
            posted = posted or self.point(f"post:{index}")
            end = end or self.point(f"recorded:{index}")
        if end is None and call.state == "answered":
            end = posted
        if end is None and call.state in ("abandoned", "unanswered"):
            end = over
        action = self.actions.get(call.key)
        held = None
        if action is not None:
            start = self.near(action.first, begin.position)
            held = (start, self.near(action.cleared, begin.position)) if start is not None else None
        if end is None and call.state == "cleared" and held is not None:
            end = held[1]
        failed = call.state == "answered" and any(self.trace.results[at].success is False for at in call.results)
        state = "failed" if failed else call.state
        loud = call.state not in ("answered", "cleared")
        return Span(
            "call", call.call_id, call.turn_id, agent_id, begin, end, state, call.name, held, (), loud, call.arguments, posted
        )

    def _wait(self, wait: Coordination, agent_id: str, over: Point | None) -> Span | None:
        begin = self.point(f"item:{wait.item_id}")
        if begin is None:
            return None
        end = self.point(f"returned:{wait.item_id}")
        if end is None and wait.status in FINAL:
            end = begin
        end = end or over
        state = wait.status or "status not recorded"
        return Span("wait", wait.item_id, wait.turn_id, agent_id, begin, end, state, None, None, wait.recipients, end is None)
