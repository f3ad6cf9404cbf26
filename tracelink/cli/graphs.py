"""The chain as a graph, in the form that `--to` or the ending of `-o` names."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath

import typer

from tracelink.cli.errors import did_you_mean
from tracelink.cli.out import OutputError
from tracelink.cli.save import STDOUT
from tracelink.export.formats import FORMATS, format_of
from tracelink.model.run import Report

NAMES = tuple(FORMATS)
DETAILS = ("calls", "items", "all")
PIECE = 1 << 20
"""Characters that are written at once."""


def form_of(target: str, to: str | None) -> str:
    """The form that `-o target` is written in. Raises a usage error where neither `--to` nor the ending says."""
    if to is not None:
        return to
    try:
        if PurePath(target).suffix:
            return format_of(target)
    except ValueError:
        pass
    ending = PurePath(target).suffix.removeprefix(".")
    near = did_you_mean(ending, [name for names in FORMATS.values() for name in names])
    what = "standard output has no ending" if target == STDOUT else f"the ending of {target!r} names no form"
    raise typer.BadParameter(f"{what}; say --to {'|'.join(NAMES)}.{near}", param_hint="'-o'")


def export(report: Report, form: str, *, detail: str, agent: str | None) -> Iterator[bytes]:
    """The report's sessions as one file of that form, findings marked, in pieces. Raises OutputError where it cannot hold them,
    before the first."""
    from tracelink import export
    from tracelink.graph import build, marks_of

    # DOT shows no cleared action, and is the one picture that is written of any length. The others say how many nodes are too many.
    cleared = form != "dot"
    graphs = [
        (
            one.trace,
            build(
                one.trace,
                detail=detail,
                agent=agent,
                marks=marks_of(one.trace, [*report.findings, *one.findings]),
                cleared=cleared,
            ),
        )
        for one in report.sessions
        if agent is None or agent in one.trace.agents
    ]
    try:
        return _encoded(export.pieces(form, graphs))
    except ValueError as error:
        raise OutputError(f"{form} cannot be written: {error}.") from error


def _encoded(pieces: Iterable[str | bytes]) -> Iterator[bytes]:
    """As few bytes objects, each long enough to be worth a write."""
    held: list[str] = []
    size = 0
    for piece in pieces:
        if isinstance(piece, bytes):
            yield piece
            continue
        held.append(piece)
        size += len(piece)
        if size > PIECE:
            yield "".join(held).encode("utf-8", "backslashreplace")
            held, size = [], 0
    yield "".join(held).encode("utf-8", "backslashreplace")
