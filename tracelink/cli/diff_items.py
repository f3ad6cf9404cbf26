"""`tracelink diff-items A B` (and `gate --against B`): two histories side by side."""

from collections.abc import Sequence
from typing import Annotated

import typer

from tracelink.cli import options, out, values

EXITS = (
    "Exit codes: 0 no difference; 1 the histories differ; 2 usage error; 3 an input that cannot be used; 70 a fault of ours."
)


def diff_items(
    a: Annotated[str, typer.Argument(metavar="A", help="The history as it was.", show_default=False)],
    b: Annotated[str, typer.Argument(metavar="B", help="The history as it became.", show_default=False)],
    form: Annotated[str, typer.Option("--format", help="How it is printed.", **values.choice("text", "json"))] = "text",
    redact: options.Redact = False,
    max_record: options.MaxRecord = None,
    color: options.Color = "auto",
) -> None:
    """Compare two histories item by item: types that turned namespaced, ids that drifted, arguments as JSON, status, order."""
    compare([a], [b], form, max_record, color, redact=redact)


def compare(a: Sequence[str], b: Sequence[str], form: str, max_record: str | None, color: str, *, redact: bool = False) -> None:
    """Reads both, prints how they differ, and exits with 1 where they do."""
    from tracelink.cli.gate import read, redactor
    from tracelink.gate.diff import diff_items as matched
    from tracelink.render import gate_diff
    from tracelink.render.page import Page

    hidden = redactor() if redact else None
    one, other = (read(list(side), max_record, hidden=hidden)[0] for side in (a, b))
    found = matched(one, other)
    if form == "json":
        out.write(gate_diff.as_json(one, other, found))
    else:
        out.write(gate_diff.text(one, other, found, Page(max(out.width(), 40), out.colors(color), False, out.is_terminal())))
    raise typer.Exit(1 if any(pair.differences for pair in found) else 0)
