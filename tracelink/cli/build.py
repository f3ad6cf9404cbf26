"""`tracelink build`: the main job. Reads recordings, prints the report, writes the chain as a graph."""

from typing import Annotated

import typer

from tracelink.cli import graphs, options, out, save, values
from tracelink.model.run import Report


def build(
    files: options.Files,
    output: Annotated[
        list[str],
        typer.Option("--output", "-o", metavar="FILE", help="Write the chain; the form by its ending.", show_default=False),
    ] = [],  # noqa: B006 - typer reads the default and never changes it
    to: Annotated[
        str | None,
        typer.Option(
            "--to", help="The form to write; to standard output where there is no -o.", **values.choice(*graphs.NAMES)
        ),
    ] = None,
    form: Annotated[str, typer.Option("--format", help="How the report is printed.", **values.choice("text", "json"))] = "text",
    session: options.Session = None,
    agent: options.Agent = None,
    detail: Annotated[str, typer.Option("--detail", help="What the graph shows.", **values.choice(*graphs.DETAILS))] = "items",
    as_of: options.AsOf = None,
    field: options.Field = [],  # noqa: B006
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
    """Rebuild the chain agent, turn, call, result; say whom the session awaits and what does not fit."""
    forms = [graphs.form_of(target, to) for target in output]
    for target in output:
        save.guard(target, files)

    import tracelink
    from tracelink.cli import reading
    from tracelink.cli.config import settings

    chosen = settings(
        {"fields": field, "max-record": max_record, "limits": limit, "jobs": jobs, "silence": silence}, config, isolated
    )
    run = reading.read(reading.Choice(files, chosen, session, as_of, partial, redact))
    for target in output:
        save.guard(target, (source.name for source in run.sources))
    if agent is not None:
        agent = values.pick("--agent", agent, (one for trace in run.traces for one in trace.agents))
    report = tracelink.report(run, silence=chosen["silence"], jobs=reading.processes(chosen))
    code = reading.complain(run)

    for target, name in zip(output, forms, strict=True):
        save.save(target, graphs.export(report, name, detail=detail, agent=agent))
    if to is not None and not output:
        save.save(save.STDOUT, graphs.export(report, to, detail=detail, agent=agent))
    elif save.STDOUT not in output:
        out.write(_report(report, form, agent, color, full))
    raise typer.Exit(code)


def _report(report: Report, form: str, agent: str | None, color: str, full: bool) -> str | bytes:
    if form == "json":
        from tracelink.render import json

        return json.render(report)
    from tracelink.render import text

    return text.render(report, width=out.width(), color=out.colors(color), full=full, cut=out.is_terminal(), agent=agent)
