"""`tracelink postmortem`: the whole story of a stalled turn."""

from typing import Annotated

import typer

from tracelink.cli import options, out, stories, values


def postmortem(
    files: options.Files,
    turn: stories.Turn = None,
    session: options.Session = None,
    form: Annotated[
        str, typer.Option("--format", help="How it is told.", **values.choice("text", "markdown", "json"))
    ] = "text",
    as_of: options.AsOf = None,
    field: options.Field = [],  # noqa: B006 - typer reads the default and never changes it
    max_record: options.MaxRecord = None,
    limit: options.Limit = [],  # noqa: B006
    jobs: options.Jobs = None,
    partial: options.Partial = False,
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
    import tracelink
    from tracelink.cli import reading
    from tracelink.cli.config import settings

    chosen = settings(
        {"fields": field, "max-record": max_record, "limits": limit, "jobs": jobs, "silence": silence}, config, isolated
    )
    run = reading.read(reading.Choice(files, chosen, session, as_of, partial))
    report = tracelink.report(run, silence=chosen["silence"])
    code = reading.complain(run)
    one, turn_id = stories.choose(report, turn)
    if one is None:
        raise typer.Exit(stories.nothing(code))

    from tracelink.story import tell

    story = tell(one, turn_id)
    if form == "json":
        from tracelink.render import postmortem_json

        out.write(postmortem_json.render(report, one, story))
    elif form == "markdown":
        from tracelink.render import postmortem_markdown

        out.write(postmortem_markdown.render(report, one, story, full=full))
    else:
        from tracelink.render import postmortem_text

        out.write(
            postmortem_text.render(
                report, one, story, width=out.width(), color=out.colors(color), full=full, cut=out.is_terminal()
            )
        )
    raise typer.Exit(code)
