"""What `postmortem`, `timeline` and `why` have in common: the report, the session, the turn that the user named or nobody did."""

from typing import Annotated

import typer

from tracelink.cli import errors, values
from tracelink.model.run import Report, SessionReport

Turn = Annotated[
    str | None,
    typer.Option("--turn", metavar="ID", help="This turn; the beginning of its id will do.", show_default=False),
]


def choose(report: Report, turn: str | None) -> tuple[SessionReport | None, str | None]:
    """The session to tell of, and the turn if one was named. No session at all gives (None, None).

    Raises a usage error for a turn that is not there, or that stands in several sessions.
    """
    from tracelink.story import pick_session

    if turn is None:
        at = pick_session(report.sessions)
        return (report.sessions[at], None) if at is not None else (None, None)
    known = [one for session in report.sessions for one in session.trace.turns]
    wanted = values.pick("--turn", turn, known)
    homes = [session for session in report.sessions if wanted in session.trace.turns]
    if len(homes) > 1:
        names = ", ".join(str(one.trace.session_id) for one in homes[: values.LISTED])
        raise typer.BadParameter(
            f"{wanted!r} is a turn of {len(homes)} sessions: name one with --session ({names}).", param_hint="'--turn'"
        )
    return homes[0], wanted


def nothing(code: int) -> int:
    """Says that there is no session to tell of; returns the exit code."""
    if not code:
        errors.say("there is no session in what was read, so there is nothing to tell.", 0)
    return code
