"""The post-mortem as text: the answer and what to send first, then the story, the calls, the waits, and what nobody can know."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from tracelink.model.location import Location
from tracelink.model.run import Report, SessionReport
from tracelink.render import telling
from tracelink.render.check_text import harmless
from tracelink.render.closing import TOLD_ABOVE, finding_lines
from tracelink.render.commands import files
from tracelink.render.escape import escape, ident, json_text, short, width_of
from tracelink.render.page import Page, place, plural
from tracelink.render.sending import sendings, to_fill_in
from tracelink.render.verdict import LABELS, LONGEST_BODY, sentence
from tracelink.story.results import said
from tracelink.story.values import CallTold, Moment, Story

BODIES = 3
FINDINGS = 12
UNTOLD = 12
NO_STORY = "No session in what was read, so there is no story to tell.\n"


def render(
    report: Report, session: SessionReport, story: Story, *, width: int, color: bool, full: bool = False, cut: bool = True
) -> str:
    """The post-mortem as text with a closing newline. Options as for `text.render`."""
    page = Page(max(width, 40), color, full, cut)
    lines = [
        *_title(story, page),
        *_answer(report, session, story, page),
        *_send(report, session, page),
        *_asked(story, page),
        *_happened(story, page),
        *_calls(story, page),
        *_waits(story, page),
        *_findings(story, page),
        *_untold(story, page),
        *_next(report, session, story, page),
    ]
    return "\n".join(map(harmless, lines)) + "\n"


def _title(story: Story, page: Page) -> Iterator[str]:
    turn = story.turn
    if turn is None:
        yield page.heading(f"post-mortem of session {ident(story.session_id)}")
        yield "  no turn is in the recording"
    else:
        yield (
            page.heading(f"post-mortem of {ident(turn.id)}")
            + f"  {escape(turn.outcome or turn.status or 'status not recorded')}"
        )
        agent = story.agent
        name = f" {json_text(agent.name)}" if agent is not None and agent.name else ""
        who = f"{'agent' if agent is None or agent.root else 'subagent'} {ident(turn.agent_id)}{name}"
        yield from page.wrap(f"{who} in session {ident(story.session_id)}", indent="    ", first="  ")
    yield from _dim(page, f"chosen: {story.chosen}; times: {times(story)}")


def times(story: Story) -> str:
    """Whose clock the times are, in a clause."""
    timed = {one.clock for one in story.moments if one.time is not None}
    if not timed:
        return "none is recorded, only the order"
    day = telling.day_of(story.moments)
    if timed == {"receiver"}:
        return f"UTC on {day} by the recorder's clock"
    if timed == {"server"}:
        return f"UTC on {day} by the server's clock (srv, whole seconds)"
    return f"UTC on {day} by the recorder's clock; srv: by the server's, in whole seconds"


def _answer(report: Report, session: SessionReport, story: Story, page: Page) -> Iterator[str]:
    verdict = session.verdict
    label, color = LABELS.get(verdict.awaits, (verdict.awaits.upper(), "magenta"))
    yield ""
    first, *rest = page.wrap(f"{label}: {sentence(verdict.reason)}")
    yield page.paint(label, "bold", color) + first[len(label) :]
    yield from rest
    stalled = telling.stall_words(session.stall, verdict)
    if stalled is not None:
        word = session.stall.kind.replace("_", " ").upper()
        first, *rest = page.wrap(f"{word}: {stalled}")
        yield page.paint(word, "bold") + first[len(word) :]
        yield from rest
    if len(session.stall.path) > 1:
        yield from page.wrap("waits along: " + " → ".join(map(ident, session.stall.path)), indent="    ", first="  ")
    for one in telling.leading(story):
        yield from page.wrap(f"{one.code}: {one.message}", indent="    ", first="  ")
    evidence = verdict.evidence
    if evidence is not None and evidence.location is not None:
        yield from _dim(page, f"decided by {evidence.what} at {place(evidence.location)}")
    if story.stopped is not None:
        last = story.moments[story.stopped]
        when = telling.clock_time(last.time, last.clock)
        at = _at(last.at.location) if when == "--" else f"{when} ({_at(last.at.location)})"
        gap = telling.since_progress(story, report.run.as_of)
        yield from page.wrap(f"Progress stopped, as far as recorded, at {at}{gap}: {last.what}.", indent="  ", first="")


def _send(report: Report, session: SessionReport, page: Page) -> Iterator[str]:
    yield ""
    yield page.heading("what to send now")
    if not session.next_actions:
        yield "  nothing: no action is open"
    steps = session.next_actions if page.full else session.next_actions[:BODIES]
    for step, asked, found in islice(sendings(session, page.full), len(steps)):
        yield from page.wrap(step.text, indent="  ")
        if asked is not None:
            yield from page.wrap(asked.line, indent="      ", first="    ")
        if found:
            warning = f"NOT READY TO POST: first fill in {to_fill_in(found)}."
            yield from (page.paint(line, "bold") for line in page.wrap(warning, indent="      ", first="    "))
        if step.body is not None:
            body = json_text(step.body, indent=2).replace("##[", "#\\u0023[")  # a CI system would obey it
            if len(body) > LONGEST_BODY and not page.full:
                body = f"(a body of {len(body):,} characters: tracelink awaits {files(report)} --emit payload)"
            yield from (page.paint(f"    {line}", "cyan") for line in body.split("\n"))
    left = len(session.next_actions) - len(steps)
    if left > 0:
        yield from page.wrap(f"and {left:,} more: tracelink awaits {files(report)} --emit payload", indent="    ", first="  ")
    name = session.trace.session_id
    if any(step.body is not None for step in steps):
        yield from _dim(page, f"each body goes to POST …/agents/sessions/{escape(name) if name else '{id}'}/events")


def _asked(story: Story, page: Page) -> Iterator[str]:
    yield ""
    yield page.heading("what was asked")
    if not story.asked:
        yield "  not in the recording"
    for one in story.asked if page.full else story.asked[:5]:
        text = one.quoted if isinstance(one.quoted, str) else "(its text is not recorded)"
        place_of = f"  [{_at(one.at.location)}]"
        shown = page.wrap(escape(text) if page.full else short(text, 400), indent="    ", first="  ")
        yield from shown
        yield page.paint("  " + place_of.strip(), "dim")
    if len(story.asked) > 5 and not page.full:
        yield f"  … {plural(len(story.asked) - 5, 'more message')}"


def _happened(story: Story, page: Page) -> Iterator[str]:
    yield ""
    yield page.heading("what happened") + ("" if story.clock else "  in order; no clock covers it all")
    day = telling.day_of(story.moments)
    several = len({one.at.source for one in story.moments}) > 1
    times_wide = max((width_of(telling.clock_time(one.time, one.clock, day)) for one in story.moments), default=2)
    lines_wide = max((len(_line_of(one, several)) for one in story.moments), default=2)
    for entry in telling.folded(story.moments, story.stopped, page.full):
        if isinstance(entry, str):
            yield page.paint(f"  {entry}", "dim")
            continue
        at, one = entry
        when = telling.clock_time(one.time, one.clock, day).ljust(times_wide)
        lead = f"  {when}  {_line_of(one, several).ljust(lines_wide)}  "
        yield from _moment(one, lead, page)
        if at == story.stopped:
            mark = "── no progress is recorded after this "
            yield page.paint(f"  {mark}".ljust(page.width, "─"), "bold", "yellow")
    if not story.moments:
        yield "  nothing is recorded"


def _at(location: Location) -> str:
    """`events.jsonl:8 (evt_9)`: the file without its folder, for the folder stands at the top."""
    return escape(location.short) + (f" ({ident(location.event_id)})" if location.event_id else "")


def _line_of(one: Moment, several: bool) -> str:
    location = one.at.location
    return escape(location.short) if several else f":{location.line}"


def _moment(one: Moment, lead: str, page: Page) -> Iterator[str]:
    indent = " " * width_of(lead)
    if width_of(indent) > page.width // 2:
        indent = "      "
    lines = page.wrap(one.what, indent=indent, first=lead)
    style = ("bold", "red") if one.loud and one.kind in ("refused", "posted", "error") else ("bold",) if one.loud else ()
    text = quoted(one.quoted)
    used = width_of(lines[-1]) + 2
    if text and page.width - used >= 24 and (shown := page.fit(text, used=used)):
        lines[-1] += f"  {page.paint(shown, 'dim')}"
    elif text:
        lines.append(indent + page.paint(page.fit(text, used=width_of(indent)), "dim"))
    if style and lines[0].startswith(lead):
        lines[0] = lead + page.paint(lines[0][len(lead) :], *style) if "\x1b" not in lines[0] else lines[0]
    yield from lines


def quoted(value: object) -> str:
    """A recorded value as text, not yet safe to show; empty where there is none."""
    return "" if value is None else value if isinstance(value, str) else json_text(value)


def _calls(story: Story, page: Page) -> Iterator[str]:
    if not story.calls:
        return
    yield ""
    yield page.heading("calls") + f"  {len(story.calls):,}"
    for told in telling.calls_shown(story.calls, page.full):
        yield from [page.paint(f"  {told}", "dim")] if isinstance(told, str) else _call(told, page)


def _call(told: CallTold, page: Page) -> Iterator[str]:
    call = told.call
    took = telling.took(told)
    head = f"  {page.paint(escape(call.name or '(no name)'), 'bold')}  {ident(call.call_id)}  {call.state}"
    yield head + (f" in {took}" if took else "")
    if call.arguments is not None:
        yield "    arguments  " + page.fit(json_text(call.arguments), used=15, least=1)
    for result in told.results:
        word = "result     " if result.success is not False else "failed     "
        yield f"    {word}" + page.fit(quoted(said(result)) or "(empty)", used=15, least=1)
    for result in told.strays:
        detail = result.meant.detail or result.meant.reason if result.meant is not None else ""
        text = f"posted under {ident(result.call_id)} in {ident(result.turn_id)} at {_at(result.first.location)}: {detail}"
        yield from page.wrap(text, indent="               ", first="    astray     ")
        yield "               " + page.fit(quoted(said(result)) or "(empty)", used=15, least=1)


def _waits(story: Story, page: Page) -> Iterator[str]:
    if not story.waits:
        return
    yield ""
    yield page.heading("who waited for whom")
    shown, left = telling.waits_shown(story.waits, page.full)
    for wait in shown:
        who, how_long = telling.wait_words(wait)
        when = telling.wait_time(wait)
        since = f"{telling.wait_began(wait)} {_at(wait.began.location)}" + (f", {when}" if when else "")
        yield from page.wrap(f"{who}, {since}; {how_long}", indent="    ", first="  ")
    if left:
        yield f"  … {plural(left, 'more wait')}"


def _findings(story: Story, page: Page) -> Iterator[str]:
    if all(one.code in TOLD_ABOVE for one in story.findings):
        return
    yield ""
    yield page.heading("what does not fit")
    told = {id(one) for one in telling.leading(story)}
    for finding in story.findings if page.full else story.findings[:FINDINGS]:
        if finding.code not in TOLD_ABOVE:
            yield from finding_lines(replace(finding, message="Told at the top.") if id(finding) in told else finding, page)
    if len(story.findings) > FINDINGS and not page.full:
        yield f"  … {plural(len(story.findings) - FINDINGS, 'more finding')}"


def _untold(story: Story, page: Page) -> Iterator[str]:
    yield ""
    yield page.heading("what the recording cannot tell")
    for text in story.untold if page.full else story.untold[:UNTOLD]:
        yield from page.wrap(text, indent="    ", first="  - ")
    if len(story.untold) > UNTOLD and not page.full:
        yield f"  … {len(story.untold) - UNTOLD:,} more"
    if not story.untold:
        yield "  nothing that was looked for is missing"


def _next(report: Report, session: SessionReport, story: Story, page: Page) -> Iterator[str]:
    name = story.turn.id if story.turn is not None else story.session_id
    others = sum(one.stall.kind != "not_stalled" for one in report.sessions if one is not session)
    yield ""
    if others:
        yield from _dim(
            page,
            f"{plural(others, 'other session')} in these files stand{'s' if others == 1 else ''} still too: --session ID tells of one.",
        )
    if name is not None and escape(name) == name:
        yield page.paint(f"next: tracelink timeline {files(report)}   (the same, drawn)", "cyan")


def _dim(page: Page, text: str) -> Iterator[str]:
    return (page.paint(line, "dim") for line in page.wrap(text, indent="    ", first="  "))
