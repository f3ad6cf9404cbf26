"""`tracelink redact`: recordings that can be shown to others, of the same shape, on which every command says the same."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tracelink.cli import errors, options, out, values

if TYPE_CHECKING:
    from tracelink.redact import Tokens

EXITS = (
    "Exit codes: 0 written; 2 usage error, or a file that may not or cannot be written; 3 nothing could be used, or a FILE named here "
    "could not; 70 a fault of ours."
)
UNUSABLE = 3
SHORTEST_KEY = 16


def redact(
    files: options.Files,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="Where the redacted files go; nothing is written elsewhere.")
    ],
    ids: Annotated[bool, typer.Option("--ids", help="Rename ids too, alike in all files; near misses stay near.")] = False,
    keep: Annotated[
        list[str],
        typer.Option(
            "--keep", metavar="JSONPATH", help="Keep this as it is, but for credentials; may be repeated.", show_default=False
        ),
    ] = [],  # noqa: B006 - typer reads the default and never changes it
    drop: Annotated[
        list[str],
        typer.Option("--drop", metavar="JSONPATH", help="Put null in the place of this; may be repeated.", show_default=False),
    ] = [],  # noqa: B006
    key_file: Annotated[
        str | None,
        typer.Option(
            "--key-file",
            metavar="FILE",
            help="A secret of at least 16 bytes: runs with the same one give the same tokens.  [default: random, forgotten]",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files in DIR that exist.")] = False,
    form: Annotated[
        str, typer.Option("--format", help="How the summary is printed.", **values.choice("text", "json"))
    ] = "text",
    field: options.Field = [],  # noqa: B006
    max_record: options.MaxRecord = None,
) -> None:
    """Write recordings that can be shared: ids, names, types, times and counts stay, every other text becomes a token.

    A token is the same for the same text. Framing, lines and damage stay, so build, check and awaits say of the redacted files what they
    say of the originals (but for credentials, which are gone). What is not understood is not copied.
    """
    from tracelink.model.limits import Limits
    from tracelink.read import FieldError, FieldTable
    from tracelink.redact import Choice, PathError, Redactor, TargetError, names
    from tracelink.redact import redact as run
    from tracelink.render import redact as render

    size = values.size(max_record)
    rows = values.fields(field, {})
    try:
        table = FieldTable(rows) if rows else None
    except FieldError as error:
        raise typer.BadParameter(str(error), param_hint="'--field'") from None
    try:
        choice = Choice(keep, drop)
    except PathError as error:
        raise typer.BadParameter(f"{error}.", param_hint="'--keep' or '--drop'") from None
    known = choice.names | names(path for paths in rows.values() for path in paths)
    redactor = Redactor(_tokens(key_file), ids=ids, names=known)
    limits = Limits() if size is None else Limits(record_bytes=size)
    try:
        outcome = run(files, output, redactor, choice=choice, fields=table, limits=limits, force=force)
    except TargetError as error:
        raise out.OutputError(f"{error}.") from None
    out.write(render.json(outcome, output) if form == "json" else render.text(outcome, output))
    missing = [one for one in outcome.files if one.target is None]
    for one in outcome.files:
        if one.problem is not None:
            errors.say(f"{one.source}: {one.problem.removeprefix(f'{one.source} ')}", UNUSABLE)
    bad = len(missing) == len(outcome.files) or any(one.source in files for one in missing)
    raise typer.Exit(UNUSABLE if bad else 0)


def _tokens(key_file: str | None) -> "Tokens":
    from tracelink.redact import Tokens

    if key_file is None:
        return Tokens()
    try:
        with Path(key_file).open("rb") as file:
            data = file.read(1 << 20)
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise typer.BadParameter(f"{key_file} cannot be read: {told}.", param_hint="'--key-file'") from None
    if len(data) < SHORTEST_KEY:
        raise typer.BadParameter(
            f"{key_file} holds {len(data)} bytes; a key needs at least {SHORTEST_KEY} random ones.", param_hint="'--key-file'"
        )
    return Tokens(hashlib.sha256(b"tracelink redact\0" + data).digest())
