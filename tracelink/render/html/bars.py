"""The chart's spans as bars: numbers between two ends of one axis.

With a clock a number is milliseconds from the first moment; without one it is a position among the moments, and the page draws order.
"""

from collections.abc import Mapping
from typing import Any

from tracelink.graph import ids
from tracelink.judge.times import SERVER
from tracelink.story.values import Chart, Point, Span

Bar = list[Any]
"""[row, begin, end, wait begins, wait ends, posted, by the server's clock]: numbers or None. An end of None: not in the recording."""


def bars(chart: Chart, places: Mapping[str, int]) -> list[Bar]:
    """The bars of the nodes that are on the page. places: node id → row."""
    found = []
    for lane in chart.lanes:
        for span in lane.spans:
            row = places.get(_node(span))
            if row is not None:
                found.append(_bar(chart, span, row))
    return found


def astray(chart: Chart, posts: Mapping[str, int]) -> list[Bar]:
    """A mark for each result that was posted and answers no call. posts: name of its moment → row."""
    found: list[Bar] = []
    for position, one in enumerate(chart.moments):
        row = posts.get(one.name)
        if row is not None:
            at = _known(chart, Point(position, one.time, one.clock, one.at))
            found.append([row, at, at, None, None, at, 0])
    return found


def axis(chart: Chart) -> dict[str, Any]:
    """Both ends, whose clock, and where progress stopped."""
    timed = chart.clock is not None and chart.begin is not None and chart.end is not None
    end = value(chart, None)
    return {"timed": timed, "begin": chart.begin if timed else None, "end": end, "stopped": _known(chart, chart.stopped)}


def value(chart: Chart, point: Point | None) -> int:
    """The point on the axis; None is the axis' end. A point whose time is not known has no place: -1."""
    if chart.clock is None or chart.begin is None or chart.end is None:
        return point.position if point is not None else max(len(chart.moments) - 1, 0)
    seconds = chart.end if point is None else point.time
    return -1 if seconds is None else max(round((seconds - chart.begin) * 1000), 0)


def _known(chart: Chart, point: Point | None) -> int | None:
    found = value(chart, point) if point is not None else -1
    return found if found >= 0 else None


def _node(span: Span) -> str:
    if span.kind == "turn":
        return ids.turn(span.id)
    return ids.call(span.turn_id, span.id) if span.kind == "call" else ids.item(span.id)


def _bar(chart: Chart, span: Span, row: int) -> Bar:
    held = span.held or (None, None)
    server = any(one is not None and one.clock == SERVER for one in (span.begin, span.end))
    numbers = [_known(chart, one) for one in (span.begin, span.end, held[0], held[1], span.result)]
    if span.kind == "wait":  # all of it is waiting
        numbers[2:4] = numbers[:2]
    bar: Bar = [row, *numbers, 1 if server and chart.clock else 0]
    if span.end is not None and numbers[1] is None:
        bar[2] = numbers[0]  # it ended, nobody knows when
    return bar
