"""`tracelink check`: the findings alone, in the form that a terminal, a script or a CI system reads, with an exit code."""

from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tracelink.cli import errors, options, out, save, values

if TYPE_CHECKING:
    from tracelink.policy import Outcome

FORMATS = ("text", "json", "jsonl", "sarif", "github", "junit")
EXITS = (
    "Exit codes: 0 no finding at --fail-on or worse, or a baseline was written; 1 there is one; 2 usage or configuration error, or "
    "an output that cannot be written; 3 nothing could be used, or a FILE named here could not; 70 a fault of ours."
)


def check(
    files: options.Files,
    form: Annotated[str, typer.Option("--format", help="How the findings are printed.", **values.choice(*FORMATS))] = "text",
    select: options.Select = [],  # noqa: B006 - typer reads the default and never changes it
    ignore: options.Ignore = [],  # noqa: B006
    fail_on: options.FailOn = None,
    min_confidence: options.MinConfidence = None,
    baseline: options.Baseline = None,
    write_baseline: Annotated[
        str | None,
        typer.Option(
            "--write-baseline", metavar="FILE", help="Write what is found as a baseline, and exit 0.", show_default=False
        ),
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to write.", show_default=False)
    ] = save.STDOUT,
    silence: options.Silence = None,
    session: options.Session = None,
    as_of: options.AsOf = None,
    field: options.Field = [],  # noqa: B006
    max_record: options.MaxRecord = None,
    limit: options.Limit = [],  # noqa: B006
    jobs: options.Jobs = None,
    partial: options.Partial = False,
    redact: options.Redact = False,
    config: options.Config = None,
    isolated: options.Isolated = False,
    color: options.Color = "auto",
    full: options.Full = False,
) -> None:
    """Say what does not fit: findings only, for people, scripts and CI systems."""
    from tracelink.cli.config import settings

    given: dict[str, Any] = {"select": select, "ignore": ignore, "fail-on": fail_on, "min-confidence": min_confidence}
    given |= {
        "baseline": baseline,
        "silence": silence,
        "fields": field,
        "max-record": max_record,
        "limits": limit,
        "jobs": jobs,
    }
    chosen = settings(given, config, isolated)
    targets = [target for target in (output, write_baseline) if target is not None]
    for target in targets:
        save.guard(target, files)

    import tracelink
    from tracelink.cli import policies, reading
    from tracelink.policy import apply

    policy = policies.policy(chosen, write_baseline)
    run = reading.read(reading.Choice(files, chosen, session, as_of, partial, redact))
    for target in targets:
        save.guard(target, (source.name for source in run.sources))
    outcome = apply(tracelink.report(run, silence=chosen["silence"], jobs=reading.processes(chosen)), policy)
    code = reading.complain(run)
    if write_baseline is not None and code == 0:
        outcome = replace(outcome, recorded=True)

    shown = _render(outcome, form, color if output == save.STDOUT else _plain(color), full)
    if output == save.STDOUT:
        out.write(shown)
    else:
        save.save(output, shown.encode("utf-8", "backslashreplace") if isinstance(shown, str) else shown)
    if write_baseline is not None and code == 0:
        _write_baseline(outcome, write_baseline)
    elif outcome.failed:
        code = 1 if code == 0 else code
    if code == 0 and any(source.problem and source.name in files for source in run.sources):
        code = reading.UNUSABLE
    raise typer.Exit(code)


def _render(outcome: "Outcome", form: str, color: str, full: bool) -> str | bytes:
    from tracelink.cli.policies import here

    match form:
        case "json":
            from tracelink.render import check_json

            return check_json.render(outcome)
        case "jsonl":
            from tracelink.render import jsonl

            return jsonl.render(outcome)
        case "sarif":
            from tracelink.render import sarif

            return sarif.render(outcome, PurePath(here()))
        case "github":
            from tracelink.render import github

            return github.render(outcome, PurePath(here()))
        case "junit":
            from tracelink.render import junit

            return junit.render(outcome)
    from tracelink.render import check_text

    return check_text.render(outcome, width=out.width(), color=out.colors(color), full=full)


def _plain(color: str) -> str:
    """Colours in a file only where they were asked for."""
    return "never" if color == "auto" else color


def _write_baseline(outcome: "Outcome", target: str) -> None:
    from tracelink.policy import baseline

    kept = outcome.unseen
    written = baseline.of((one.finding for one in outcome.counted), kept)
    save.save(target, baseline.dump(written))
    count = len(outcome.counted)
    told = f"{count:,} finding{'' if count == 1 else 's'}"
    told += f"; {len(kept):,} of what was not looked at {'is' if len(kept) == 1 else 'are'} kept" if kept else ""
    errors.say(f"{target}: baseline of {told} written.", 0)
