"""`tracelink query`: a JSONPath over the unwrapped records of recordings, each hit with its place; or the standard ids as a table."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

import typer

from tracelink.cli import errors, options, out, values

EXITS = "Exit codes: 0 read, also where nothing matches; 2 usage error; 3 an input that cannot be used; 70 a fault of ours."
UNUSABLE = 3


def query(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="JSONPATH FILE…",
            help="An expression of jsonpath-ng (filters and arithmetic too), then recordings; with --ids recordings only.",
            show_default=False,
        ),
    ],
    ids: Annotated[
        bool, typer.Option("--ids", help="The ids that are read from each record, as a table; no JSONPATH.")
    ] = False,
    form: Annotated[
        str, typer.Option("--format", help="How hits are printed.", **values.choice("text", "jsonl", "values"))
    ] = "text",
    field: options.Field = [],  # noqa: B006 - typer reads the default and never changes it
    max_record: options.MaxRecord = None,
) -> None:
    """Print what a JSONPath finds in each record, with source and line, while it is read."""
    from tracelink.model.limits import Limits
    from tracelink.read import FieldError, FieldTable, Reading
    from tracelink.render import gate_query

    expression, files = (None, arguments) if ids else (arguments[0], arguments[1:])
    if ids and files[0].startswith("$") and not os.path.exists(files[0]):
        raise typer.BadParameter("with --ids give no JSONPath.", param_hint="'JSONPATH'")
    if not files:
        raise typer.BadParameter("name at least one FILE after the JSONPATH.", param_hint="'FILE'")
    find = _compiled(expression) if expression is not None else None
    size = values.size(max_record)
    try:
        table = FieldTable(values.fields(field, {})) if field else None
    except FieldError as error:
        raise typer.BadParameter(str(error), param_hint="'--field'") from None
    reading = Reading(files, fields=table, limits=Limits() if size is None else Limits(record_bytes=size))
    failed: list[int] = [0]
    if find is None:
        lines = gate_query.ids(reading, form)
    else:
        lines = gate_query.hits(_hits(reading, find, failed), form)
    _stream(lines, at_once="-" in files or out.is_terminal())
    if failed[0]:
        errors.say(f"the JSONPath could not be applied to {failed[0]:,} records", 0)
    bad = [source for source in reading.sources if source.problem]
    for source in bad:
        errors.say(f"{source.name}: {(source.problem or '').removeprefix(f'{source.name} ')}", UNUSABLE)
    raise typer.Exit(UNUSABLE if bad and (len(bad) == len(reading.sources) or any(one.name in files for one in bad)) else 0)


Find = Callable[[Any], list[tuple[str, Any]]]


def _compiled(expression: str) -> Find:
    """The expression, ready: value → (path, value) of every hit. A usage error where it does not parse."""
    from jsonpath_ng.ext.parser import parse

    try:
        path = parse(expression)
    except Exception as error:  # jsonpath-ng raises plain exceptions of several kinds
        told = " ".join(str(error).split())[:200]
        raise typer.BadParameter(f"{expression!r} is no JSONPath ({told}).", param_hint="'JSONPATH'") from None
    return lambda value: [(str(hit.full_path), hit.value) for hit in path.find(value)]


def _hits(records: Iterable[Any], find: Find, failed: list[int]) -> Iterator[tuple[Any, str, Any]]:
    """(record, path, value) of every hit; records that cannot be read have none, and those on which the expression fails are counted."""
    from tracelink.model.record import Kind

    for record in records:
        if record.kind is Kind.UNREADABLE:
            continue
        try:
            found = find(record.value)
        except Exception:  # a filter that compares what cannot be compared, or a value too deep
            failed[0] += 1
            continue
        for path, value in found:
            yield record, path, value


def _stream(lines: Iterable[str], at_once: bool) -> None:
    """Writes as it reads: at once for a terminal and for what comes through a pipe, in larger pieces for files."""
    held: list[str] = []
    length = 0
    for line in lines:
        held.append(line)
        length += len(line)
        if at_once or length > 1 << 15:
            out.write("".join(held))
            held, length = [], 0
    out.write("".join(held))
