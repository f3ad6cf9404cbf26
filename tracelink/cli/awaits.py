"""`tracelink awaits`: the verdict for scripts, and the bodies to post."""

from typing import Annotated

import typer

from tracelink.cli import errors, options, out, values
from tracelink.model.verdict import ANSWERED_UNAPPLIED, AWAITING, UNKNOWN

EXITS = (
    "Exit codes: 0 a session awaits somebody; 1 none does; 4 none does, but of one it is unknown or its answer is not confirmed, "
    "or there is no session; 2 usage or configuration error; 3 an input that cannot be used; 70 a fault of ours."
)
NOT_AWAITING, UNCLEAR = 1, 4


def awaits(
    files: options.Files,
    session: options.Session = None,
    form: Annotated[
        str, typer.Option("--format", help="How the verdicts are printed.", **values.choice("text", "json"))
    ] = "text",
    emit: Annotated[
        str | None,
        typer.Option(
            "--emit",
            help="Print only the bodies to post, one JSON object a line; what each is for goes to standard error.",
            show_default=False,
            **values.choice("payload"),
        ),
    ] = None,
    with_session: Annotated[
        bool,
        typer.Option(
            "--with-session", help='With --emit payload: {"session_id", "placeholders", "body"} a line, for several sessions.'
        ),
    ] = False,
    as_of: options.AsOf = None,
    field: options.Field = [],  # noqa: B006 - typer reads the default and never changes it
    max_record: options.MaxRecord = None,
    limit: options.Limit = [],  # noqa: B006
    jobs: options.Jobs = None,
    partial: options.Partial = False,
    redact: options.Redact = False,
    silence: options.Silence = None,
    config: options.Config = None,
    isolated: options.Isolated = False,
) -> None:
    """Say whom each session awaits, one line a session, with an exit code; or print what is to be posted."""
    if with_session and emit is None:
        raise typer.BadParameter("it goes with --emit payload.", param_hint="'--with-session'")
    if emit is not None and form == "json":
        told = (
            "with --emit payload the bodies themselves are printed, one JSON object a line; leave one of the two options out."
        )
        raise typer.BadParameter(told, param_hint="'--format'")
    from tracelink.cli.config import settings

    chosen = settings(
        {"fields": field, "max-record": max_record, "limits": limit, "jobs": jobs, "silence": silence}, config, isolated
    )

    from tracelink.cli import judging, reading
    from tracelink.render import awaits as render

    run = reading.read(reading.Choice(files, chosen, session, as_of, partial, redact))
    report = judging.verdicts(run, chosen["silence"], schemas=emit is not None or form == "json")
    unusable = reading.complain(run)
    if emit is not None:
        steps = list(render.steps(report))
        out.write(render.payload(steps, with_session))
        for note in (*render.notes(steps), *render.unfilled(steps)):
            errors.say(note, 0)
    else:
        out.write(render.json(report) if form == "json" else render.text(report))
    if unusable:
        raise typer.Exit(unusable)
    if not report.sessions:
        errors.say("there is no session in what was read, so nobody can say whom it awaits.", UNCLEAR)
    code = _code({one.verdict.awaits for one in report.sessions})
    if code == NOT_AWAITING and any(source.problem and source.name in files for source in run.sources):
        code = reading.UNUSABLE  # a file that was named here may hold the session that waits
    raise typer.Exit(code)


def _code(found: set[str]) -> int:
    if AWAITING in found:
        return 0
    return UNCLEAR if not found or found & {ANSWERED_UNAPPLIED, UNKNOWN} else NOT_AWAITING
