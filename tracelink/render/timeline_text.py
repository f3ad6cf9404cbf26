"""The chart as text: one lane an agent, turns as bars, calls from the call to its result, waits hatched, the stall marked.

With a clock a column is a length of time; without one it is a number of moments, and the header says so: then lengths are no durations.
Labels stand left of the bars where they fit, else on a line of their own: an id is never cut.
"""

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tracelink.model.run import Report, SessionReport
from tracelink.render import telling
from tracelink.render.check_text import harmless
from tracelink.render.commands import files
from tracelink.render.escape import escape, ident, json_text, width_of
from tracelink.render.page import Page, moment, plural
from tracelink.render.page import span as length_of
from tracelink.story.values import Chart, Lane, Point, Span

FOLD_OVER = 40
"""So many bars are drawn; of more, the quiet middle of each lane is one line."""
ENDS, LOUD, LANES = 4, 12, 24
LONG = 120
"""A column of so many seconds is told in minutes, hours or days."""
DAY, MINUTE = len("2026-10-26"), len("2026-10-26 08:14")


@dataclass(frozen=True, slots=True)
class Glyphs:
    turn: str = "═"
    call: str = "─"
    wait: str = "░"
    done: str = "●"
    bad: str = "✗"
    open: str = "▶"
    unsure: str = "◌"
    post: str = "○"
    stop: str = "!"
    after: str = "·"


FINE = Glyphs()
PLAIN = Glyphs("=", "-", "/", "*", "x", ">", "?", "o", "!", ".")
BAD = frozenset({"failed", "cancelled", "abandoned", "unanswered"})
UNSURE = frozenset({"unapplied", "unknown", "cleared"})


def render(
    report: Report, session: SessionReport, chart: Chart, *, width: int, color: bool, full: bool = False, fine: bool = True
) -> str:
    """The chart as text with a closing newline. width: columns. fine: the output can show box drawing characters."""
    page = Page(max(width, 40), color, full)
    lines = list(_Drawing(chart, page, FINE if fine else PLAIN).lines())
    for note in chart.notes:
        lines += page.wrap(f"note: {note}", indent="      ", first="")
    others = len(report.sessions) - 1
    if others:
        lines += page.wrap(f"{plural(others, 'other session')} in these files: --session ID draws one.")
    turn = session.stall.ids.get("turn_id")
    more = f" --turn {shlex.quote(turn)}" if turn in session.trace.turns and turn is not None and escape(turn) == turn else ""
    lines += ["", page.paint(f"next: tracelink postmortem {files(report)}{more}   (the same, told)", "cyan")]
    return "\n".join(map(harmless, lines)) + "\n"


class _Drawing:
    def __init__(self, chart: Chart, page: Page, glyphs: Glyphs) -> None:
        self.chart, self.page, self.glyphs = chart, page, glyphs
        labels = [width_of(self._label(span)) for lane in chart.lanes for span in lane.spans]
        self.left = min(max([label for label in labels if label <= page.width * 45 // 100], default=18), page.width // 2)
        self.left = max(self.left, 18)
        self.bar = page.width - self.left - 2
        if chart.clock and chart.begin is not None and chart.end is not None:
            self.begin, self.length = chart.begin, chart.end - chart.begin
        else:
            self.begin, self.length = 0.0, float(max(len(chart.moments) - 1, 0))
        self.timed = bool(chart.clock)

    def lines(self) -> Iterator[str]:
        yield from self._header()
        if not self.chart.lanes:
            yield "  nothing to draw: no turn and no call is in the recording"
        many = sum(len(lane.spans) for lane in self.chart.lanes) > FOLD_OVER and not self.page.full
        lanes = self.chart.lanes
        shown = lanes if self.page.full else _loud_lanes(lanes)
        for lane in shown:
            yield from self._lane(lane, many)
        if len(shown) < len(lanes):
            yield f"… {plural(len(lanes) - len(shown), 'more agent')}, none with anything open; --full draws them"
        if self.chart.stopped is not None:
            yield from self._stop(self.chart.stopped)

    def _header(self) -> Iterator[str]:
        chart, page, glyphs = self.chart, self.page, self.glyphs
        yield page.heading(f"timeline of {ident(chart.session_id) if chart.session_id else 'a session not named'}")
        if self.timed:
            each = self.length / max(self.bar - 1, 1)
            column = f"{each:.3g} s" if each < LONG else length_of(each)
            yield from page.wrap(
                f"time by the recorder's clock, {moment(chart.begin)} to {moment(chart.end)}; one column is {column}",
                indent="  ",
            )
        else:
            each = self.length / max(self.bar - 1, 1)
            scale = f"One column is {each:.3g} moments" if each >= 1 or not each else f"One moment is {1 / each:.3g} columns"
            yield from page.wrap(
                f"ORDER ONLY, NOT TIME: {chart.order_only}. {scale}, of {len(chart.moments):,} moments; what is longer did not last longer.",
                indent="  ",
            )
        legend = (
            f"{glyphs.turn} turn  {glyphs.call} call  {glyphs.wait} waits  {glyphs.post} posted  {glyphs.done} recorded  "
            f"{glyphs.unsure} unsure  {glyphs.bad} failed  {glyphs.open} not ended"
        )
        if self.timed and any(self._server(span) for lane in chart.lanes for span in lane.spans):
            yield page.paint("  (srv) by the server's clock, in whole seconds", "dim")
        yield from (page.paint(line, "dim") for line in page.wrap(legend, indent="  "))
        yield ""
        left, right = "first", "last"
        if self.timed:
            left, right = self._ends()
        gap = max(self.bar - width_of(left) - width_of(right), 1)
        yield page.paint(" " * (self.left + 2) + left + " " * gap + right, "dim")

    def _ends(self) -> tuple[str, str]:
        """The times at both ends of the axis; with their days where these differ, and days alone where no more fits."""
        ends = [moment(at) for at in (self.chart.begin, self.chart.end)]
        if len({end[:DAY] for end in ends}) > 1:
            left, right = (end[: MINUTE if self.bar > 2 * MINUTE else DAY] for end in ends)
        else:
            left, right = (telling.clock_time(at, self.chart.clock) for at in (self.chart.begin, self.chart.end))
        return left, right

    def _lane(self, lane: Lane, many: bool) -> Iterator[str]:
        agent = lane.agent
        name = f" {json_text(agent.name)}" if agent.name else ""
        yield self.page.heading(f"{'agent' if agent.root else 'subagent'} {ident(agent.id)}{name}")
        for entry in _folded(lane.spans) if many else lane.spans:
            yield from self._row(entry) if isinstance(entry, Span) else self._sum(entry)

    def _label(self, span: Span) -> str:
        if span.kind == "turn":
            label = f"  {ident(span.id)}"
            label += f" {escape(span.state)}" if span.state != "completed" else ""
        elif span.kind == "call":
            label = f"    {escape(span.name or '(no name)')} {ident(span.id)}"
            label += f" {span.state}" if span.state != "answered" else ""
        else:
            label = f"    waits for {', '.join(map(ident, span.whom)) or '(nobody named)'}"
        return label + (" (srv)" if self.chart.clock and self._server(span) else "")

    def _server(self, span: Span) -> bool:
        return any(one is not None and one.clock == "server" for one in (span.begin, span.end))

    def _row(self, span: Span) -> Iterator[str]:
        style = ("red",) if span.state in BAD else ("yellow",) if span.loud else ("green",) if span.kind == "turn" else ()
        yield from self._put(self._label(span), self._drawn(span), style, span.loud)

    def _put(self, label: str, bar: str, style: tuple[str, ...], loud: bool = False) -> Iterator[str]:
        painted = self.page.paint(label, "bold") if loud else label
        if width_of(label) <= self.left:
            yield (painted + " " * (self.left - width_of(label) + 2) + self.page.paint(bar.rstrip(), *style)).rstrip()
        else:
            yield painted
            yield " " * (self.left + 2) + self.page.paint(bar.rstrip(), *style)

    def _column(self, point: Point) -> int | None:
        value = point.time if self.timed else float(point.position)
        if value is None:
            return None
        share = (value - self.begin) / self.length if self.length > 0 else 0.0
        return min(max(round(share * (self.bar - 1)), 0), self.bar - 1)

    def _drawn(self, span: Span) -> str:
        start = self._column(span.begin)
        if start is None:
            return "(time not recorded)"
        end = self._column(span.end) if span.end is not None else self.bar - 1
        glyphs, cells = self.glyphs, [" "] * self.bar
        if end is None or end < start:
            cells[start] = glyphs.unsure
            return "".join(cells)
        line = {"turn": glyphs.turn, "call": glyphs.call}.get(span.kind, glyphs.wait)
        cells[start : end + 1] = [line] * (end + 1 - start)
        if span.held is not None:
            self._hatch(cells, span, start, end)
        if span.result is not None and (at := self._column(span.result)) is not None and start <= at <= end:
            cells[at] = glyphs.post
        if span.end is None:
            cells[end] = glyphs.open
        elif span.state in BAD:
            cells[end] = glyphs.bad
        elif span.kind == "call":
            cells[end] = glyphs.unsure if span.state in UNSURE else glyphs.done
        return "".join(cells)

    def _hatch(self, cells: list[str], span: Span, start: int, end: int) -> None:
        assert span.held is not None  # noqa: S101 - the caller looked
        first = self._column(span.held[0])
        last = self._column(span.held[1]) if span.held[1] is not None else end
        for at in range(max(start if first is None else first, start), min(end if last is None else last, end) + 1):
            cells[at] = self.glyphs.wait

    def _sum(self, spans: Sequence[Span]) -> Iterator[str]:
        states = Counter(span.state for span in spans)
        told = (
            next(iter(states))
            if len(states) == 1
            else ", ".join(f"{count:,} {state}" for state, count in sorted(states.items()))
        )
        kinds = Counter(span.kind for span in spans)
        label = "    … " + ", ".join(plural(count, kind) for kind, count in sorted(kinds.items())) + f": {told}"
        drawn = [self._drawn(span) for span in (spans[0], spans[-1])]
        first = min((at for bar in drawn if (at := _edge(bar, min)) is not None), default=0)
        last = max((at for bar in drawn if (at := _edge(bar, max)) is not None), default=0)
        bar = " " * first + self.glyphs.call * (last + 1 - first) if "(" not in "".join(drawn) else ""
        yield from self._put(label, bar, ("dim",))

    def _stop(self, stopped: Point) -> Iterator[str]:
        at = self._column(stopped)
        if at is None:
            return
        bar = " " * at + self.glyphs.stop + self.glyphs.after * (self.bar - at - 1)
        yield from self._put("progress stopped", bar, ("bold", "red"), True)
        time = telling.clock_time(stopped.time, stopped.clock)
        what = self.chart.moments[stopped.position].what
        where = f"{escape(stopped.at.location.short)}{'' if time == '--' else f', {time}'}"
        yield from self.page.wrap(f"after: {what} ({where}). {self.chart.stall.replace('_', ' ')}.", indent="    ", first="  ")


def _edge(bar: str, pick: Callable[[list[int]], int]) -> int | None:
    found = [at for at, char in enumerate(bar) if char != " "]
    return pick(found) if found else None


def _folded(spans: Sequence[Span]) -> Iterator[Span | list[Span]]:
    """The spans of a lane: both ends, the loud ones, and lists of what lies between."""
    count = len(spans)
    kept = set(range(ENDS)) | set(range(max(count - ENDS, 0), count))
    kept |= set([at for at, span in enumerate(spans) if span.loud][-LOUD:])
    run: list[Span] = []
    for at, span in enumerate(spans):
        if at in kept:
            if run:
                yield run if len(run) > 1 else run[0]
                run = []
            yield span
        else:
            run.append(span)
    if run:
        yield run


def _loud_lanes(lanes: Sequence[Lane]) -> Sequence[Lane]:
    """Of many lanes the first, and those that have something open."""
    if len(lanes) <= LANES:
        return lanes
    loud = [lane for lane in lanes[1:] if any(span.loud for span in lane.spans)][: LANES - 1]
    quiet = [lane for lane in lanes[1:] if lane not in loud][: LANES - 1 - len(loud)]
    chosen = {id(lane) for lane in (lanes[0], *loud, *quiet)}
    return [lane for lane in lanes if id(lane) in chosen]
