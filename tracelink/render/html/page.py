"""The page: the template filled, its style and script beside it, its data within it. The same input gives the same bytes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from tracelink import __version__
from tracelink.graph import build, nodes_of
from tracelink.model.finding import Finding, Severity
from tracelink.model.run import Report, SessionReport
from tracelink.render.html import answer
from tracelink.render.html.bars import astray, axis, bars
from tracelink.render.html.embed import embedded, policy
from tracelink.render.html.filling import environment
from tracelink.render.html.keep import LIMIT, keep
from tracelink.render.html.rows import KINDS, LINKS, Rows, tone, widths
from tracelink.story.results import home
from tracelink.story.values import Chart, Story

STYLES = ("base", "answer", "explore", "print")
SCRIPTS = ("base", "model", "tree", "timeline", "graph", "table", "details", "find", "print", "main")
DATA = 2_550_000
"""Bytes that the data may take; over that texts are cut shorter and, at last, fewer nodes are shown. The whole page is then under 3 MB."""
TEXTS = 900_000
FINDINGS, EACH = 500, 8
"""So many findings are on the page; of each code so many are seen at once, the others behind a fold."""
Spoken = Sequence[tuple[Finding, list[str]]]
LOUD_STATES = frozenset({"required", "unapplied", "open", "unanswered", "abandoned"})


def render(report: Report, session: SessionReport, story: Story, chart: Chart) -> bytes:
    """The page as UTF-8, with a closing newline. chart: of the whole session."""
    spoken = nodes_of(session.trace, _shown(report, session, story))
    data, places = _data(session, story, chart, spoken)
    style, script = _style(), _script()
    page = environment().get_template("page.html.jinja")
    context = answer.context(report, session, story, places)
    text = page.render(
        context,
        findings=_listed(story, spoken, places, context["steps"]["bodies"]),
        numbers={id(finding): number for number, (finding, _) in enumerate(spoken)},
        left=data["left"],
        timed=data["axis"]["timed"],
        order_only=chart.order_only,
        notes=chart.notes,
        version=__version__,
        policy=policy(script, style),
        style=style,
        script=script,
        data=embedded(data),
    )
    return text.encode("utf-8", "backslashreplace") + b"\n"


@cache
def _style() -> str:
    return "\n".join(_shipped("style", f"{name}.css") for name in STYLES)


@cache
def _script() -> str:
    parts = "\n".join(_shipped("script", f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\n}})();\n'


def _shipped(folder: str, name: str) -> str:
    return (files("tracelink.render.html") / folder / name).read_text(encoding="utf-8")


def _data(session: SessionReport, story: Story, chart: Chart, spoken: Spoken) -> tuple[dict[str, Any], dict[str, int]]:
    """The data for the script, small enough, and node id → row."""
    trace = session.trace
    graph = build(trace)
    loud = {node for finding, nodes in spoken if finding.severity is not Severity.NOTE for node in nodes}
    loud |= {node for node, state in graph.nodes(data="state") if state in LOUD_STATES}
    loud |= {node for node, problem in graph.nodes(data="problem") if problem}
    told = _told(session, story)
    limit, budget = LIMIT, TEXTS
    while True:
        kept, left = keep(graph, told, loud, limit)
        near = [node for node in kept if graph.nodes[node].get("turn_id") in told]
        rows = Rows(graph, trace, kept, loud, widths(near, kept, budget))
        data = {
            "kinds": KINDS,
            "links": LINKS,
            "states": list(rows.states),
            "tones": [tone(state) for state in rows.states],
            "sources": list(rows.sources),
            "rows": rows.rows,
            "edges": rows.links,
            "axis": axis(chart),
            "bars": bars(chart, rows.places) + astray(chart, rows.astray),
            "told": sorted({rows.places[node] for node in near if graph.nodes[node]["kind"] == "turn"}),
            "codes": _codes(spoken, rows.places),
            "left": left,
        }
        size = len(embedded(data))
        if size <= DATA or limit < 100:
            return data, rows.places
        if budget > TEXTS // 9:
            budget //= 3
        else:  # a little less than would fit if all nodes took the same
            limit = min(len(kept), limit) * DATA // size * 19 // 20


def _told(session: SessionReport, story: Story) -> dict[str, None]:
    """The story's turn, then the turns of those agents whose moments it tells; in that order."""
    turn = story.turn
    found = {turn.id: None} if turn is not None else {}
    agents = {one.agent_id for one in story.moments if one.turn_id != (turn.id if turn else None)}
    agents -= {turn.agent_id if turn else None}
    found |= {one.id: None for one in session.trace.turns.values() if one.agent_id in agents}
    # A result that names another turn belongs to the story if it was meant for a call of this one.
    found |= {one.turn_id: None for one in session.trace.results if one.turn_id and turn and home(one) == turn.id}
    return found


def _shown(report: Report, session: SessionReport, story: Story) -> Sequence[Finding]:
    """The story's findings first, then the session's others, then the run's."""
    every: Iterable[Finding] = [*story.findings, *session.findings, *report.findings]
    first = {id(one): one for one in every}
    return list(first.values())


def _codes(spoken: Spoken, places: dict[str, int]) -> list[list[Any]]:
    """[code, severity, rows, number of the finding in the list below or -1] of each finding that names a row."""
    found = []
    for number, (finding, nodes) in enumerate(spoken):
        rows = [places[node] for node in nodes if node in places]
        if rows:
            found.append([finding.code, finding.severity.value, rows, number if number < FINDINGS else -1])
    return found


def _listed(story: Story, spoken: Spoken, places: dict[str, int], bodies: set[tuple[str | None, ...]]) -> dict[str, Any]:
    """The findings for the list, each with the row that it jumps to; `folded`: those of a code that has many.

    bodies: the actions whose bodies are on the page, so that a note on one of them points there and at no other command.
    """
    own = {id(one) for one in story.findings}
    seen: Counter[str] = Counter()
    entries: list[dict[str, Any]] = []
    folded: list[dict[str, Any]] = []
    for number, (finding, nodes) in enumerate(spoken[:FINDINGS]):
        row = next((places[node] for node in nodes if node in places), None)
        seen[finding.code] += 1
        home = entries if seen[finding.code] <= EACH else folded
        send = finding.code == "TL501" and tuple(map(finding.ids.get, answer.ACTION_IDS)) in bodies
        home.append({"number": number, "of": finding, "own": id(finding) in own, "row": row, "send": send})
    return {"entries": entries, "folded": folded, "more": max(len(spoken) - FINDINGS, 0), "total": len(spoken)}
