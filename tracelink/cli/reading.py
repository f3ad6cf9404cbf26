"""From the options that commands share to a run: what is read, and what is said of inputs that cannot be used."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import typer

import tracelink
from tracelink.cli import errors, values
from tracelink.cli.config import Settings
from tracelink.model.limits import Limits
from tracelink.model.record import SourceInfo
from tracelink.model.run import Run

UNUSABLE = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """What to read, as the user said it, and the settings `fields` and `max-record`."""

    files: Sequence[str]
    settings: Settings
    session: str | None = None
    as_of: str | None = None


def read(choice: Choice) -> Run:
    """Reads and links. Raises a usage error for option values and field rows that mean nothing."""
    as_of = values.as_of(choice.as_of)
    record_bytes = values.size(choice.settings["max-record"])
    limits = Limits() if record_bytes is None else Limits(record_bytes=record_bytes)
    try:
        run = tracelink.trace(*choice.files, fields=choice.settings["fields"], limits=limits, as_of=as_of)
    except tracelink.FieldError as error:
        raise typer.BadParameter(str(error), param_hint=choice.settings.blame("fields")) from None
    if choice.session is None:
        return run
    known = [trace.session_id for trace in run.traces if trace.session_id is not None]
    wanted = values.pick("--session", choice.session, known)
    return replace(run, traces=tuple(trace for trace in run.traces if trace.session_id == wanted))


def complain(run: Run) -> int:
    """Names each source that could not be used, on standard error; returns 3 if that is all of them, else 0."""
    used = [counts.get("used", 0) + counts.get("repeated", 0) for counts in run.counts]
    nothing = not any(used)
    for index, source in enumerate(run.sources):
        if source.problem or (nothing and not used[index]):
            why = (source.problem or _why(source, run.counts[index])).removeprefix(f"{source.name} ")
            errors.say(f"{source.name}: {why}", UNUSABLE)
    return UNUSABLE if nothing else 0


def _why(source: SourceInfo, counts: dict[str, int]) -> str:
    if not source.records:
        return "it holds no record."
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    return f"no record of an Agents API session in it ({told})."
