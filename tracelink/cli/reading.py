"""From the options that commands share to a run: what is read, and what is said of inputs that cannot be used."""

import gc
import os
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import typer

import tracelink
from tracelink.cli import errors, progress, values
from tracelink.cli.config import Settings
from tracelink.cli.stopping import INTERRUPTED, Stopping
from tracelink.model.limits import Limits
from tracelink.model.record import SourceInfo
from tracelink.model.run import Run

if TYPE_CHECKING:
    from tracelink.redact.records import Redacted
    from tracelink.redact.tokens import Tokens

UNUSABLE = 3
REDACTED = (
    "--redact: texts of the recording are shown as tokens (x_…), also in the bodies to post, which can so not be posted; "
    "credentials (TL701) are not looked for, nor arguments held to patterns, lengths and bounds of their schema (TL204)."
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What to read, as the user said it, and the settings `fields`, `max-record`, `limits` and `jobs`. partial: see `stopping`.

    tokens: the key of `redact`, where another reading is to give the same tokens; then nothing is said of it here.
    """

    files: Sequence[str]
    settings: Settings
    session: str | None = None
    as_of: str | None = None
    partial: bool = False
    redact: bool = False
    tokens: "Tokens | None" = None


def read(choice: Choice) -> Run:
    """Reads and links. Raises a usage error for option values and field rows that mean nothing."""
    as_of = values.as_of(choice.as_of)
    settings = choice.settings
    stopping = Stopping()
    shown = progress.Progress(choice.files) if progress.wanted() and not choice.redact else None
    gc.disable()
    try:
        with stopping.listening() if choice.partial else nullcontext():
            run = tracelink.trace(
                *(_redacted(choice, stopping if choice.partial else None) if choice.redact else choice.files),
                fields=settings["fields"],
                limits=_limits(settings),
                as_of=as_of,
                jobs=processes(settings),
                progress=shown,
                stop=stopping if choice.partial else None,
            )
    except tracelink.FieldError as error:
        raise typer.BadParameter(str(error), param_hint=settings.blame("fields")) from None
    finally:
        if shown is not None:
            shown.end()
        gc.freeze()  # what was read lives as long as the process: the collector need never walk over it
        gc.enable()
    if stopping.asked:
        run = replace(run, stopped=True)
    if choice.session is None:
        return run
    known = [trace.session_id for trace in run.traces if trace.session_id is not None]
    wanted = values.pick("--session", choice.session, known)
    return replace(run, traces=tuple(trace for trace in run.traces if trace.session_id == wanted))


def processes(settings: Settings) -> int:
    """In how many processes to read and judge: as many as there are processors, where nobody said."""
    jobs: int | None = settings["jobs"]
    return jobs or os.cpu_count() or 1


def _redacted(choice: Choice, stop: Stopping | None) -> "Sequence[Redacted]":
    """The sources as one reading that hides texts: every record is decoded and read in this process."""
    from tracelink.read import FieldTable
    from tracelink.redact.records import Redacted

    if choice.tokens is None:
        errors.say(REDACTED, 0)
    settings = choice.settings
    table = FieldTable(settings["fields"]) if settings["fields"] else None
    return [Redacted(choice.files, fields=table, limits=_limits(settings), stop=stop, tokens=choice.tokens)]


def _limits(settings: Settings) -> Limits:
    rows = settings["limits"]
    given = {"record_bytes": values.size(settings["max-record"]), "total_bytes": rows.get("total")}
    given |= {name: rows.get(name) for name in ("depth", "ratio", "files", "sessions")}
    return Limits(**{name: value for name, value in given.items() if value is not None})


def complain(run: Run) -> int:
    """Names each source that could not be used, on standard error; returns 3 if that is all of them, 130 if the reading was
    stopped, else 0."""
    used = [counts.get("used", 0) + counts.get("repeated", 0) for counts in run.counts]
    nothing = not any(used)
    for index, source in enumerate(run.sources):
        if source.problem or (nothing and not used[index]):
            why = (source.problem or _why(source, run.counts[index])).removeprefix(f"{source.name} ")
            errors.say(f"{source.name}: {why}", UNUSABLE)
    if run.stopped:
        return errors.say("stopped on request; what follows is of the part that was read.", INTERRUPTED)
    return UNUSABLE if nothing else 0


def _why(source: SourceInfo, counts: dict[str, int]) -> str:
    if not source.records:
        return "it holds no record."
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    return f"no record of an Agents API session in it ({told})."
