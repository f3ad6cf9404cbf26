"""The verdicts alone: one line a session, as JSON (`tracelink.awaits/1`), or the bodies to post, one a line."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from tracelink import __version__
from tracelink.model.run import Report, SessionReport
from tracelink.render.check_text import harmless
from tracelink.render.escape import escape, ident
from tracelink.render.json import as_dict as report_dict
from tracelink.render.json import dump, line
from tracelink.render.sending import Asked, sendings

SCHEMA = "tracelink.awaits/1"
POSTED = "unapplied"
FILLED = 5
"""Places of one body that are named."""


class Step(NamedTuple):
    """One open action: what to do, the body to post, or None where nothing is to be posted now, where it is to be filled in, and the
    call that it is about."""

    session_id: str | None
    text: str
    body: dict[str, Any] | None
    placeholders: tuple[str, ...] = ()
    asked: Asked | None = None


def text(report: Report) -> str:
    """`SESSION  awaiting  why`, one line a session."""
    return "".join(harmless(_line(session)) + "\n" for session in report.sessions)


def _line(session: SessionReport) -> str:
    return f"{ident(session.trace.session_id)}  {session.verdict.awaits}  {escape(session.verdict.reason)}"


def json(report: Report) -> bytes:
    parts = ("session_id", "status", "verdict", "stall", "next_actions")
    whole = report_dict(report)
    sessions = [{name: session[name] for name in parts} for session in whole["sessions"]]
    return dump({"schema": SCHEMA, "tracelink": __version__, "as_of": whole["as_of"], "sessions": sessions})


def steps(report: Report) -> Iterator[Step]:
    """What is to be done, session by session.

    An answer that was posted and is not confirmed yet is not posted again before the session was read again, so it has no
    body here; `--format json` holds it.
    """
    for session in report.sessions:
        name, actions = session.trace.session_id, session.verdict.actions
        for number, (step, asked, _) in enumerate(sendings(session)):
            posted = number < len(actions) and actions[number].answered == POSTED
            yield Step(name, step.text, None) if posted else Step(name, step.text, step.body, step.placeholders, asked)


def payload(listed: list[Step], with_session: bool = False) -> bytes:
    """The bodies as JSON Lines; with_session: each inside `{"session_id", "placeholders", "body"}`."""
    bodies = [step for step in listed if step.body is not None]
    return b"".join(line(_enveloped(one) if with_session else one.body) for one in bodies)


def _enveloped(step: Step) -> dict[str, Any]:
    return {"session_id": step.session_id, "placeholders": list(step.placeholders), "body": step.body}


def notes(listed: list[Step]) -> Iterator[str]:
    """One sentence a step, for standard error: which line of the payload it is, for which session, and what to know first."""
    number = 0
    for step in listed:
        number += step.body is not None
        which = f"line {number}" if step.body is not None else "nothing to post"
        fill = (
            f" Fill in {', '.join(step.placeholders[:FILLED])}{', …' if len(step.placeholders) > FILLED else ''}."
            if step.placeholders
            else ""
        )
        call = f" {step.asked.line}." if step.asked is not None else ""
        yield f"{which}, session {ident(step.session_id)}: {step.text}{call}{fill}"


def unfilled(listed: list[Step]) -> Iterator[str]:
    """How many of the bodies cannot be posted as they are."""
    bodies = [step for step in listed if step.body is not None]
    count = sum(bool(step.placeholders) for step in bodies)
    if count:
        each = "" if len(bodies) == 1 else f" of {len(bodies):,}"
        told = (
            "body holds a placeholder"
            if len(bodies) == 1
            else "bodies hold a placeholder"
            if count > 1
            else "bodies holds a placeholder"
        )
        yield f"{count:,}{each} {told} (<…>) that must be replaced before it is posted."
