"""The answer, first: whom the session awaits, why it stands still, what is open, and what to do next."""

from collections.abc import Iterator

from tracelink.judge.times import SERVER
from tracelink.model.run import SessionReport
from tracelink.model.verdict import OpenAction, Stall, Verdict
from tracelink.render.escape import escape, ident, json_text
from tracelink.render.expectation import expectation
from tracelink.render.page import Page, moment, place, span
from tracelink.render.sending import gaps, to_fill_in

LABELS = {
    "awaiting": ("AWAITING", "yellow"),
    "answered_unapplied": ("ANSWERED, NOT YET APPLIED", "yellow"),
    "not_awaiting": ("NOT AWAITING", "green"),
    "unknown": ("UNKNOWN", "magenta"),
}
ANSWERED = {
    "no": "not answered",
    "unapplied": "answered; the recording does not show the answer applied",
    "misaddressed": "answered under the wrong ids",
    "refused": "answered, and the server refused the answer",
}
CLOCKS = {"receiver": "the recorder's clock", "server": "the server's clock"}
BODIES = 3
"""So many bodies are shown; the others are pointed at, like a long one."""
LONGEST_BODY = 2000
"""Characters. A body that is cut would be posted cut, so a longer one is not shown but pointed at."""


def render(session: SessionReport, page: Page, as_of: float | None, number: int) -> Iterator[str]:
    """Lines of the verdict. `number`: position of the session in the report, for the path into the JSON."""
    yield from _verdict(session.verdict, page)
    yield from _stall(session.stall, session.verdict, page)
    if session.verdict.actions:
        yield ""
        yield page.heading("open actions")
        for action in session.verdict.actions:
            yield from _action(action, page, as_of)
    if session.next_actions:
        yield ""
        yield page.heading("what to do")
        for at, step in enumerate(session.next_actions):
            yield from page.wrap(step.text, indent="  ")
            if found := gaps(step):
                yield from page.wrap(f"NOT READY TO POST: first fill in {to_fill_in(found)}.", indent="      ", first="    ")
            if step.body is not None:
                body = json_text(step.body, indent=2)
                if (len(body) > LONGEST_BODY or at >= BODIES) and not page.full:
                    body = f"(body of {len(body):,} characters: --format json, .sessions[{number}].next_actions[{at}].body)"
                yield from (page.paint(f"    {line}", "cyan") for line in body.split("\n"))


def sentence(text: str) -> str:
    """With a full stop, whoever wrote it."""
    text = text.strip()
    return text if not text or text[-1] in ".!?" else f"{text}."


def _verdict(verdict: Verdict, page: Page) -> Iterator[str]:
    label, color = LABELS.get(verdict.awaits, (verdict.awaits.upper(), "magenta"))
    whom = _whom(verdict) if verdict.awaits == "awaiting" else ""
    first, *rest = page.wrap(f"{label}: {whom}{sentence(verdict.reason)}")
    yield page.paint(label, "bold", color) + first[len(label) :]
    yield from rest
    evidence = verdict.evidence
    if evidence is not None:
        told = f"Decided by {evidence.what}"
        if evidence.location is not None:
            told += f" at {place(evidence.location)}"
        if evidence.age and evidence.clock == SERVER:  # when the object was read is not known
            told += f", by which the session was last active {span(evidence.age)} ago"
        elif evidence.age:
            told += f", {span(evidence.age)} old"
            told += f" by {CLOCKS[evidence.clock]}" if evidence.clock in CLOCKS else ""
        yield from _dim(page, sentence(told))
    if verdict.changes_if:
        yield from _dim(page, sentence(f"What would change this: {verdict.changes_if}"))


def _whom(verdict: Verdict) -> str:
    """Who must do what, and how many more actions are open; empty where the reason names the first by itself."""
    actions = verdict.actions
    if not actions:
        return ""
    seen = actions[0].action
    raw = seen.call_id or seen.request_id or seen.environment_id
    if raw is not None and raw in verdict.reason:
        return ""
    key = ident(raw)
    name = f"{escape(seen.name)} ({key})" if seen.name else key
    turn = f" in {ident(seen.turn_id)}" if seen.turn_id else ""
    more = f" and {len(actions) - 1} more" if len(actions) > 1 else ""
    match seen.type:
        case "function_call":
            return f"your app must answer {name}{turn}{more}: "
        case "environment_connection":
            return f"an executor must connect environment {name}{more}: "
        case "mcp_approval_request" | "computer_use_approval_request":
            return f"somebody must decide on {name}{turn}{more}: "
    return f"somebody must see to {escape(seen.type)} {name}{turn}{more}: "


def _dim(page: Page, text: str) -> Iterator[str]:
    return (page.paint(line, "dim") for line in page.wrap(text, indent="  ", first="  "))


def _stall(stall: Stall, verdict: Verdict, page: Page) -> Iterator[str]:
    if stall.kind == "not_stalled":
        return
    because = sentence(stall.because)
    if stall.kind in ("recording_ended", "contradictory"):
        lead = "STALL: "
        text = "the recording does not tell." if stall.because == verdict.reason else because
    else:
        lead = f"STALLED ({stall.kind.replace('_', ' ')}): "
        text = f"{because} {expectation(stall)}"
    word = lead.split(" ", 1)[0].rstrip(":")
    first, *rest = page.wrap(lead + text)
    yield page.paint(word, "bold") + first[len(word) :]
    yield from rest
    if len(stall.path) > 1:
        yield from page.wrap("waits along: " + " → ".join(map(ident, stall.path)), indent="    ", first="  ")


def _action(action: OpenAction, page: Page, as_of: float | None) -> Iterator[str]:
    seen = action.action
    key = seen.call_id or seen.request_id or seen.environment_id
    head = f"  {escape(seen.type)}  "
    if seen.name:
        head += page.paint(escape(seen.name), "bold") + "  "
    head += ident(key) + (f"  in {ident(seen.turn_id)}" if seen.turn_id else "")
    yield head
    if seen.arguments is not None:
        yield "    arguments  " + _json(seen.arguments, page)
    if seen.request is not None:
        yield "    request    " + _json(seen.request, page)
    of = f"; {action.position} of {action.of}" if action.of > 1 else ""
    yield from page.wrap(f"{since(action, as_of)}{of}", indent="               ", first="    ")
    answered = ANSWERED.get(action.answered, action.answered)
    at = f"; {'listed' if action.answered == 'no' else 'posted'} at {place(action.evidence)}" if action.evidence else ""
    yield from page.wrap(f"{answered}{at}", indent="               ", first="    answer     ")


def since(action: OpenAction, as_of: float | None) -> str:
    """Since when an action is open. The session's last activity is no such time, and is told as what it is."""
    ago = (
        f", {span(as_of - action.since)} ago" if action.since is not None and as_of is not None and as_of > action.since else ""
    )
    if action.since is not None and action.clock == SERVER:
        return f"last active at {moment(action.since)}{ago}, by the session object"
    whose = f" ({CLOCKS[action.clock]})" if action.clock in CLOCKS else ""
    return f"since      {moment(action.since)}{ago}{whose}"


def _json(value: object, page: Page) -> str:
    return page.fit(json_text(value), used=15, least=1)
