"""`tracelink timeline`: a session as a waterfall, in the terminal or for Perfetto."""

import sys
from typing import Annotated

import typer

from tracelink.cli import options, out, stories, values


def timeline(
    files: options.Files,
    turn: stories.Turn = None,
    session: options.Session = None,
    form: Annotated[
        str,
        typer.Option(
            "--format", help="text, or chrome: trace-event JSON for Perfetto and Chrome.", **values.choice("text", "chrome")
        ),
    ] = "text",
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
    """Draw a session: one lane an agent, its turns, calls and waits; by time, or by order where no time is recorded.

    Text draws one session, chosen as postmortem chooses; chrome holds all.
    """
    from tracelink.cli import judging, reading
    from tracelink.cli.config import settings

    chosen = settings(
        {"fields": field, "max-record": max_record, "limits": limit, "jobs": jobs, "silence": silence}, config, isolated
    )
    run = reading.read(reading.Choice(files, chosen, session, as_of, partial, redact))
    report = judging.verdicts(run, chosen["silence"])
    code = reading.complain(run)
    one, turn_id = stories.choose(report, turn)
    if one is None:
        raise typer.Exit(stories.nothing(code))

    from tracelink.story import chart

    if form == "chrome":
        from tracelink.render import timeline_chrome

        wanted = [one] if turn_id is not None else report.sessions
        out.write(timeline_chrome.render([(each, chart(each, turn_id)) for each in wanted]))
    else:
        from tracelink.render import timeline_text

        fine = _can_show("═░●✗▶◌○·")
        out.write(
            timeline_text.render(
                report, one, chart(one, turn_id), width=out.width(), color=out.colors(color), full=full, fine=fine
            )
        )
    raise typer.Exit(code)


def _can_show(text: str) -> bool:
    try:
        text.encode((sys.stdout.encoding if sys.stdout is not None else None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
