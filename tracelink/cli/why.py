"""`tracelink why`: what an id is, where it was seen, what led to it and what came of it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from tracelink.cli import errors, options, out, values
from tracelink.model.trace import Trace

if TYPE_CHECKING:
    from tracelink.story import Known

LISTED = 20
EXITS = (
    "Exit codes: 0 told; 2 the id is unknown or the beginning of several, usage or configuration error; "
    "3 an input that cannot be used; 70 a fault of ours."
)


def why(
    wanted: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="An id of a call, item, turn, agent, request, event, environment or session, or its beginning; TURN/CALL; KIND:ID.",
            show_default=False,
        ),
    ],
    files: options.Files,
    session: options.Session = None,
    form: Annotated[str, typer.Option("--format", help="How it is told.", **values.choice("text", "json"))] = "text",
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
    """Say of any id what it is, where it was seen, what led to it and what came of it."""
    if not wanted.strip():
        raise typer.BadParameter("an empty text is no id; give one, or its beginning", param_hint="ID")

    import tracelink
    from tracelink.cli import reading
    from tracelink.cli.config import settings

    chosen = settings(
        {"fields": field, "max-record": max_record, "limits": limit, "jobs": jobs, "silence": silence}, config, isolated
    )
    run = reading.read(reading.Choice(files, chosen, session, as_of, partial, redact))
    report = tracelink.report(run, silence=chosen["silence"], jobs=reading.processes(chosen))
    code = reading.complain(run)
    if code:
        raise typer.Exit(code)

    from tracelink.story import find
    from tracelink.story import why as because

    found = find(run.traces, wanted)
    if len(found) != 1:
        raise typer.Exit(several(run.traces, wanted, found) if found else unknown(run.traces, wanted))

    answer = because(report.sessions[found[0].session], found[0])
    if form == "json":
        from tracelink.render import why_json

        out.write(why_json.render(report, answer))
    else:
        from tracelink.render import why_text

        out.write(why_text.render(report, answer, width=out.width(), color=out.colors(color), full=full, cut=out.is_terminal()))


def several(traces: Sequence[Trace], wanted: str, found: "Sequence[Known]") -> int:
    """Lists what the id may be, each under a name that is its alone."""
    errors.say(f"{wanted!r} may be any of {len(found)}:", 2)
    spread = len({one.session for one in found}) > 1
    for one in found[:LISTED]:
        home = traces[one.session].session_id
        errors.say(f"  {one.kind}  {one.full}" + (f"  (--session {home})" if spread and home else ""), 2)
    if len(found) > LISTED:
        errors.say(f"  … and {len(found) - LISTED:,} more", 2)
    return 2


def unknown(traces: Sequence[Trace], wanted: str) -> int:
    """Says that there is no such id, and what is near."""
    from tracelink.story.known import known

    ids = list(dict.fromkeys(one.id for one in known(traces)))
    hint = errors.did_you_mean(wanted, ids)
    deltas = sum(burst.count for trace in traces for burst in trace.bursts)
    told = f" Of {deltas:,} deltas only the first and last ids are kept." if deltas and not hint else ""
    return errors.say(f"no id here is or begins with {wanted!r} ({len(ids):,} ids looked at).{hint}{told}", 2)
