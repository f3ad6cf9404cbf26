"""`tracelink postmortem`: the whole story of a stalled turn."""

from pathlib import PurePath
from typing import Annotated

import typer

from tracelink.cli import options, out, save, stories, values
from tracelink.model.run import Report, SessionReport

FORMS = ("text", "markdown", "html", "json")
ENDINGS = {".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html", ".json": "json", ".txt": "text"}


def postmortem(
    files: options.Files,
    turn: stories.Turn = None,
    session: options.Session = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="How it is told; html is one file for a browser.  [default: by the ending of -o, else text]",
            show_default=False,
            **values.choice(*FORMS),
        ),
    ] = None,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="Write it there.  [default: standard output]", show_default=False),
    ] = save.STDOUT,
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
    color: options.Color = "auto",
    full: options.Full = False,
) -> None:
    """Tell the story of the stalled turn: what was asked, each call, who waited, where it stopped, what to send now.

    Without --turn it is the turn that the stall is about, else that of the first open action, else the root agent's last turn
    without an end, else its last turn. Of several sessions it is the first that awaits somebody, else the first that stands still.
    """
    form = form or _form_of(output)
    save.guard(output, files)

    import tracelink
    from tracelink.cli import reading
    from tracelink.cli.config import settings

    chosen = settings(
        {"fields": field, "max-record": max_record, "limits": limit, "jobs": jobs, "silence": silence}, config, isolated
    )
    run = reading.read(reading.Choice(files, chosen, session, as_of, partial, redact))
    save.guard(output, (source.name for source in run.sources))
    report = tracelink.report(run, silence=chosen["silence"], jobs=reading.processes(chosen))
    code = reading.complain(run)
    one, turn_id = stories.choose(report, turn)
    if one is None:
        raise typer.Exit(stories.nothing(code))
    told = _told(report, one, turn_id, form, color, full, output == save.STDOUT)
    if output == save.STDOUT:
        out.write(told)
    else:
        save.save(output, told.encode("utf-8", "backslashreplace") if isinstance(told, str) else told)
    raise typer.Exit(code)


def _form_of(output: str) -> str:
    """The form that the ending of `-o` names. Raises a usage error for one that names none."""
    ending = PurePath(output).suffix.lower()
    if output != save.STDOUT and ending and ending not in ENDINGS:
        raise typer.BadParameter(f"the ending of {output!r} names no form; say --format {'|'.join(FORMS)}.", param_hint="'-o'")
    return ENDINGS.get(ending, "text")


def _told(
    report: Report, one: SessionReport, turn_id: str | None, form: str, color: str, full: bool, printed: bool
) -> str | bytes:
    """The story in that form. printed: it goes to standard output, which has a width and may have colours."""
    from tracelink.story import tell

    story = tell(one, turn_id, report.findings)
    if form == "json":
        from tracelink.render import postmortem_json

        return postmortem_json.render(report, one, story)
    if form == "markdown":
        from tracelink.render import postmortem_markdown

        return postmortem_markdown.render(report, one, story, full=full)
    if form == "html":
        from tracelink.render import html
        from tracelink.story import chart

        return html.render(report, one, story, chart(one))
    from tracelink.render import postmortem_text

    colored = out.colors(color) if printed else color == "always"
    width, cut = (out.width(), out.is_terminal()) if printed else (80, False)
    return postmortem_text.render(report, one, story, width=width, color=colored, full=full, cut=cut)
