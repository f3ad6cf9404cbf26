"""The charts as trace-event JSON, which Perfetto and Chrome open (Trace Event Format, "JSON Object Format").

One process a session, one thread an agent; calls that overlap get threads of their own, for slices of one thread must nest. Posts of the
app are slices of a thread of theirs. Flows lead from a call to its post, and from the turn that created a subagent to the subagent's first turn.
Times are microseconds from the first recorded moment; where only the order is known, a moment is a millisecond, and `otherData` says so.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from tracelink import __version__
from tracelink.model.run import SessionReport
from tracelink.render.escape import escape
from tracelink.render.json import line
from tracelink.story.values import Chart, Moment, Point, Span

STEP = 1000
"""Microseconds that stand for one moment where only the order is known."""
INSTANTS = frozenset({"asked", "required", "refused", "error", "environment", "input", "recorded"})
SESSION_THREAD, APP_THREAD = 1, 2

Event = dict[str, Any]


def render(charts: Sequence[tuple[SessionReport, Chart]]) -> bytes:
    """UTF-8 JSON on one line, for it is long and for programs, with a closing newline."""
    base = min((chart.begin for _, chart in charts if chart.clock and chart.begin is not None), default=0.0)
    flows = iter(range(1, 1 << 53))
    events: list[Event] = []
    sessions = []
    for pid, (_, chart) in enumerate(charts, start=1):
        writer = _Writer(chart, pid, base, flows)
        events += writer.events()
        sessions.append(
            {
                "pid": pid,
                "session_id": chart.session_id,
                "clock": chart.clock,
                "order_only": chart.clock is None,
                "not_drawn": writer.missing,
                "notes": list(chart.notes),
            }
        )
    other = {"producer": f"tracelink {__version__}", "begins": base or None, "sessions": sessions}
    return line({"traceEvents": events, "displayTimeUnit": "ms", "otherData": other})


class _Writer:
    def __init__(self, chart: Chart, pid: int, base: float, flows: Iterator[int]) -> None:
        self.chart, self.pid, self.base, self.flows = chart, pid, base, flows
        self.missing = 0
        self.threads: dict[tuple[str, int], int] = {}
        self.busy: dict[str, list[int]] = {}  # pool → end of the last slice of each of its threads
        self.next_thread = APP_THREAD + 1
        self.turns: dict[str, tuple[int, int, int]] = {}  # turn id → thread, begin, end
        self.named: list[Event] = []
        self.positions = {one.name: at for at, one in enumerate(chart.moments)}

    def events(self) -> list[Event]:
        name = f"session {escape(self.chart.session_id)}" if self.chart.session_id else "session not named"
        self._meta("process_name", name, 0)
        self._meta("thread_name", "session", SESSION_THREAD)
        made = [event for lane in self.chart.lanes for event in self._lane(lane.agent.id, lane.agent.name, lane.spans)]
        made += self._spawns()
        made += [event for one in self.chart.moments if one.kind in INSTANTS and (event := self._instant(one))]
        if self.chart.stopped is not None and (at := self.ts(self.chart.stopped)) is not None:
            kind = self.chart.stall.replace("_", " ")
            made.append(
                self._event("i", f"progress stopped ({kind})", SESSION_THREAD, at, s="p", args=_place(self.chart.stopped))
            )
        made.sort(key=lambda event: (event["ts"], -event.get("dur", 0)))  # a slice before those within it
        return [*self.named, *made]

    def _meta(self, what: str, name: str, tid: int) -> None:
        self.named.append({"ph": "M", "name": what, "pid": self.pid, "tid": tid, "ts": 0, "args": {"name": name}})

    def ts(self, point: Point | None) -> int | None:
        if point is None:
            return None
        if self.chart.clock is None:
            return point.position * STEP
        return None if point.time is None else max(round((point.time - self.base) * 1_000_000), 0)

    def _end(self) -> int:
        if self.chart.clock is None:
            return max(len(self.chart.moments) - 1, 0) * STEP
        return max(round(((self.chart.end or self.base) - self.base) * 1_000_000), 0)

    def _event(self, ph: str, name: str, tid: int, at: int, **more: Any) -> Event:
        return {"ph": ph, "name": name, "cat": "tracelink", "pid": self.pid, "tid": tid, "ts": at, **more}

    def _thread(self, pool: str, label: str, begin: int, end: int) -> int:
        """A thread of the pool that is free from `begin` on."""
        ends = self.busy.setdefault(pool, [])
        number = next((at for at, last in enumerate(ends) if last <= begin), len(ends))
        if number == len(ends):
            ends.append(end)
            self.threads[pool, number] = self.next_thread
            self.next_thread += 1
            self._meta("thread_name", label + (f" {number + 1}" if number else ""), self.threads[pool, number])
        # A slice of no length must not share its moment with the next one.
        ends[number] = max(end, begin + 1)
        return self.threads[pool, number]

    def _lane(self, agent_id: str, agent_name: str | None, spans: Sequence[Span]) -> Iterator[Event]:
        label = escape(f"{agent_name} ({agent_id})" if agent_name else agent_id)
        for span in sorted(spans, key=lambda one: self.ts(one.begin) or 0):
            begin = self.ts(span.begin)
            end = self.ts(span.end) if span.end is not None else self._end()
            if begin is None:
                self.missing += 1
                continue
            end = max(end if end is not None else begin, begin)
            pool = "turns" if span.kind == "turn" else "calls and waits"
            tid = self._thread(f"{pool} of {agent_id}", f"{label}: {pool}", begin, end)
            yield self._event("X", _name(span), tid, begin, dur=end - begin, args=_args(span))
            if span.kind == "turn":
                self.turns[span.id] = (tid, begin, end)
            posted = self.ts(span.result)
            if posted is not None:
                yield from self._post(span, tid, begin, posted, end)

    def _post(self, span: Span, tid: int, begin: int, posted: int, end: int) -> Iterator[Event]:
        until = max(end, posted) if span.end is not None else posted
        app = self._thread("app", "your app: posts", posted, until)
        name = f"result for {escape(span.id)}"
        yield self._event("X", name, app, posted, dur=until - posted, args=_place(span.result))
        if posted >= begin:
            yield from self._flow("answer", (tid, begin), (app, posted))

    def _flow(self, name: str, start: tuple[int, int], end: tuple[int, int]) -> Iterator[Event]:
        number = next(self.flows)
        yield self._event("s", name, start[0], start[1], id=number)
        yield self._event("f", name, end[0], end[1], id=number, bp="e")

    def _spawns(self) -> Iterator[Event]:
        """From the moment of a create call, in its turn, to the first turn of the subagent it made (inferred)."""
        made = {one.ids.get("item_id"): one for one in self.chart.moments if one.kind == "coordination"}
        for lane in self.chart.lanes:
            spawn = lane.agent.spawn
            create = made.get(spawn.item_id) if spawn is not None else None
            first = next((self.turns[span.id] for span in lane.spans if span.kind == "turn" and span.id in self.turns), None)
            home = self.turns.get(create.turn_id or "") if create is not None else None
            if create is None or first is None or home is None:
                continue
            position = self.positions[create.name]
            at = self.ts(Point(position, create.time, create.clock, create.at))
            if at is not None and home[1] <= at <= min(home[2], first[1]):
                yield from self._flow("creates", (home[0], at), (first[0], first[1]))

    def _instant(self, one: Moment) -> Event | None:
        at = self.positions.get(one.name)
        when = self.ts(Point(at, one.time, one.clock, one.at)) if at is not None else None
        if when is None:
            self.missing += 1
            return None
        home = self.turns.get(one.turn_id or "")
        tid = home[0] if home is not None else SESSION_THREAD
        args = dict(one.ids) | {"where": escape(one.at.location.short)}
        if one.quoted is not None:
            args["recorded"] = one.quoted
        return self._event("i", escape(one.what), tid, when, s="t", args=args)


def _name(span: Span) -> str:
    if span.kind == "turn":
        return f"turn {escape(span.id)}"
    if span.kind == "call":
        return f"{escape(span.name or '(no name)')} {escape(span.id)}"
    return f"waits for {escape(', '.join(span.whom))}"


def _args(span: Span) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": span.id, "turn_id": span.turn_id, "state": span.state}
    if span.end is None:
        shown["end"] = "not recorded"
    if span.arguments is not None:
        shown["arguments"] = span.arguments
    return shown | _place(span.begin)


def _place(point: Point | None) -> dict[str, Any]:
    if point is None:
        return {}
    shown: dict[str, Any] = {"where": escape(point.at.location.short)}
    return shown | ({"clock": point.clock} if point.clock else {})
