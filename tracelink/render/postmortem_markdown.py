"""The post-mortem as Markdown, to be pasted into an incident ticket. See `markdown` for what keeps recorded text from acting."""

from collections.abc import Iterator
from itertools import islice

from tracelink.model.location import Location
from tracelink.model.run import Report, SessionReport
from tracelink.render import telling
from tracelink.render.closing import TOLD_ABOVE
from tracelink.render.markdown import code, code_json, fence, prose
from tracelink.render.page import plural
from tracelink.render.postmortem_text import times
from tracelink.render.sending import FILLED, sendings
from tracelink.render.verdict import LABELS, sentence
from tracelink.story.results import said
from tracelink.story.values import CallTold, Moment, Story

TEXT, SHORT = 600, 160
"""Columns kept of what was asked, and of other recorded texts."""
BODIES = 5


def render(report: Report, session: SessionReport, story: Story, *, full: bool = False) -> str:
    """The post-mortem as CommonMark with a closing newline. full: fold and cut nothing."""
    parts = (
        _head(session, story),
        _short(report, session, story),
        _send(session, full),
        _asked(story, full),
        _happened(story, full),
        _calls(story, full),
        _waits(story, full),
        _findings(story, full),
        _untold(story, full),
        _foot(report),
    )
    return "\n".join(line for part in parts for line in part).rstrip("\n") + "\n"


def _at(location: Location) -> str:
    shown = f"{location.source}:{location.line}" if location.line else location.source
    return code(shown) + (f" ({code(location.event_id)})" if location.event_id else "")


def _head(session: SessionReport, story: Story) -> Iterator[str]:
    turn = story.turn
    yield f"# Post-mortem: {'turn ' + code(turn.id) if turn is not None else 'a session without turns'}"
    yield ""
    yield f"- Session: {code(story.session_id) if story.session_id is not None else 'not named in the recording'}"
    if turn is not None:
        name = f" ({code(story.agent.name)})" if story.agent is not None and story.agent.name else ""
        yield f"- Agent: {code(turn.agent_id)}{name}"
        yield f"- Turn: {prose(turn.outcome or turn.status or 'status not recorded')}; chosen because it is {prose(story.chosen)}"
    yield f"- Times: {prose(times(story))}"
    yield f"- Recorded in: {', '.join(code(name) for name in session.trace.sources[:5])}"
    yield ""


def _short(report: Report, session: SessionReport, story: Story) -> Iterator[str]:
    verdict, stall = session.verdict, session.stall
    yield "## In short"
    yield ""
    label = LABELS.get(verdict.awaits, (verdict.awaits.upper(), ""))[0]
    yield f"**{label}:** {prose(sentence(verdict.reason))}"
    stalled = telling.stall_words(stall, verdict)
    if stalled is not None:
        yield ""
        yield f"**{stall.kind.replace('_', ' ').capitalize()}:** {prose(stalled)}"
    yield ""
    if len(stall.path) > 1:
        yield f"- Waits along: {' → '.join(map(code, stall.path))}"
    for one in telling.leading(story):
        yield f"- {code(one.code)}: {prose(one.message)}"
    if story.stopped is not None:
        last = story.moments[story.stopped]
        gap = telling.since_progress(story, report.run.as_of)
        when = telling.clock_time(last.time, last.clock)
        yield f"- Progress stopped, as far as recorded, at {_at(last.at.location)}{'' if when == '--' else f', {when}'}{gap}: {prose(last.what)}."
    if story.last is not None:
        yield f"- Last record of the session: {_at(story.last.location)}"
    evidence = verdict.evidence
    if evidence is not None and evidence.location is not None:
        yield f"- Decided by {prose(evidence.what)} at {_at(evidence.location)}"
    if verdict.changes_if:
        yield f"- What would change this: {prose(sentence(verdict.changes_if))}"
    yield ""


def _send(session: SessionReport, full: bool) -> Iterator[str]:
    yield "## What to send now"
    yield ""
    if not session.next_actions:
        yield "Nothing: no action is open."
        yield ""
    steps = session.next_actions if full else session.next_actions[:BODIES]
    for step, asked, found in islice(sendings(session, full), len(steps)):
        yield prose(step.text)
        yield ""
        if asked is not None:
            name = f" {code(asked.name)}" if asked.name else ""
            yield f"- The {asked.sort}:{name} {code(asked.shown)}{' ' if asked.more else ''}{asked.more}"
        if found:
            first = ", ".join(f"{code(gap.text)} at {code(gap.at)}" for gap in found[:FILLED])
            more = f" and {len(found) - FILLED:,} more" if len(found) > FILLED else ""
            yield f"- **Not ready to post:** first fill in {first}{more}."
        if asked is not None or found:
            yield ""
        if step.body is not None:
            yield from fence(step.body)
            yield ""
    if len(steps) < len(session.next_actions):
        yield f"And {len(session.next_actions) - len(steps):,} more."
        yield ""
    if any(step.body is not None for step in steps):
        name = session.trace.session_id or "{id}"
        yield f"Each body goes to {code(f'POST …/agents/sessions/{name}/events')}."
        yield ""


def _asked(story: Story, full: bool) -> Iterator[str]:
    yield "## What was asked"
    yield ""
    for one in story.asked if full else story.asked[:5]:
        text = one.quoted if isinstance(one.quoted, str) else None
        shown = code(text, None if full else TEXT) if text else "a message whose text is not recorded"
        yield f"- {shown} at {_at(one.at.location)}"
    if not story.asked:
        yield "Not in the recording."
    if len(story.asked) > 5 and not full:
        yield f"- … {plural(len(story.asked) - 5, 'more message')}"
    yield ""


def _happened(story: Story, full: bool) -> Iterator[str]:
    yield "## What happened"
    yield ""
    if not story.clock:
        yield "In order; no clock covers it all."
        yield ""
    day = telling.day_of(story.moments)
    for entry in telling.folded(story.moments, story.stopped, full):
        if isinstance(entry, str):
            yield f"- {entry}"
            continue
        at, one = entry
        yield f"- {_moment(one, day, full)}"
        if at == story.stopped:
            yield "- **No progress is recorded after this.**"
    if not story.moments:
        yield "Nothing is recorded."
    yield ""


def _moment(one: Moment, day: str | None, full: bool) -> str:
    when = telling.clock_time(one.time, one.clock, day)
    lead = "" if when == "--" else f"{when} "
    what = prose(one.what)
    what = f"**{what}**" if one.loud and "*" not in what else what
    text = ""
    if one.quoted is not None:
        width = None if full else SHORT
        text = ": " + (code(one.quoted, width) if isinstance(one.quoted, str) else code_json(one.quoted, width))
    return f"{lead}{what}{text} ({code(one.at.location.short)})"


def _calls(story: Story, full: bool) -> Iterator[str]:
    if not story.calls:
        return
    yield "## Calls"
    yield ""
    for told in telling.calls_shown(story.calls, full):
        yield from [f"- {told}"] if isinstance(told, str) else _call(told, None if full else SHORT)
    yield ""


def _call(told: CallTold, width: int | None) -> Iterator[str]:
    call = told.call
    took = telling.took(told)
    yield f"- {code(call.name or '(no name)')} {code(call.call_id)}: {call.state}{f' in {took}' if took else ''}"
    if call.arguments is not None:
        yield f"  - arguments: {code_json(call.arguments, width)}"
    for result in told.results:
        yield f"  - {'result' if result.success is not False else 'failed result'}: {_value(said(result), width)}"
    for result in told.strays:
        detail = result.meant.detail or result.meant.reason if result.meant is not None else ""
        where = f"{code(result.call_id)} in {code(result.turn_id)} at {_at(result.first.location)}"
        yield f"  - astray: posted under {where}: {prose(detail)}: {_value(said(result), width)}"


def _value(value: object, width: int | None) -> str:
    return code(value, width) if isinstance(value, str) else code_json(value, width)


def _waits(story: Story, full: bool) -> Iterator[str]:
    if not story.waits:
        return
    yield "## Who waited for whom"
    yield ""
    shown, left = telling.waits_shown(story.waits, full)
    for wait in shown:
        who, how_long = telling.wait_words(wait)
        when = telling.wait_time(wait)
        since = f"{telling.wait_began(wait)} {_at(wait.began.location)}{f', {when}' if when else ''}"
        yield f"- {prose(who[:1].upper() + who[1:])}, {since}; {prose(how_long)}"
    if left:
        yield f"- … {plural(left, 'more wait')}"
    yield ""


def _findings(story: Story, full: bool) -> Iterator[str]:
    if all(one.code in TOLD_ABOVE for one in story.findings):
        return
    told = {id(one) for one in telling.leading(story)}
    yield "## What does not fit"
    yield ""
    for one in story.findings if full else story.findings[:12]:
        doubt = "" if one.confidence.value == "high" else f", {one.confidence.value} confidence"
        at = f" ({', '.join(_at(place) for place in one.locations[:3])})" if one.locations else ""
        if one.code in TOLD_ABOVE:
            continue
        message = "told at the top" if id(one) in told else prose(one.message)
        yield f"- {one.severity.value} {code(one.code)} {code(one.name)}{doubt}: {message}{at}"
        if one.hint:
            yield f"  - {prose(one.hint)}"
    if len(story.findings) > 12 and not full:
        yield f"- … {plural(len(story.findings) - 12, 'more finding')}"
    yield ""


def _untold(story: Story, full: bool) -> Iterator[str]:
    yield "## What the recording cannot tell"
    yield ""
    for text in story.untold if full else story.untold[:12]:
        yield f"- {prose(text)}"
    if len(story.untold) > 12 and not full:
        yield f"- … {len(story.untold) - 12:,} more"
    if not story.untold:
        yield "Nothing that was looked for is missing."
    yield ""


def _foot(report: Report) -> Iterator[str]:
    records = sum(source.records for source in report.run.sources)
    yield f"Read: {plural(len(report.run.sources), 'source')}, {plural(records, 'record')}. Recorded text is shown as code, escaped."
