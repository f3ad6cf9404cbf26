"""Errors of use: one sentence on standard error, a suggestion where one is near, exit 2."""

import sys
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

import typer
from typer.exceptions import TyperException

from tracelink.render.escape import escape

USAGE = TyperException
SECOND = 0.15
"""How much less alike a second suggestion may be than the first (of 1)."""


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """` Did you mean 'x'?`, or nothing where nothing is near."""
    folded = {name.casefold(): name for name in known}
    found = get_close_matches(wrong.casefold(), list(folded), n=2, cutoff=0.6)
    likeness = [SequenceMatcher(None, name, wrong.casefold()).ratio() for name in found]
    near = [folded[name] for name, like in zip(found, likeness, strict=True) if like >= likeness[0] - SECOND]
    return f" Did you mean {' or '.join(repr(name) for name in near)}?" if near else ""


def say(message: str, code: int) -> int:
    """Writes one line to standard error; returns the exit code."""
    if sys.stderr is not None:
        line = f"tracelink: {escape(message)}\n"
        sys.stderr.write(line.encode(sys.stderr.encoding or "ascii", "backslashreplace").decode(sys.stderr.encoding or "ascii"))
    return code


def show(error: TyperException) -> int:
    """Tells an error that the command line's parser or one of our checks raised."""
    context: typer.Context | None = getattr(error, "ctx", None)
    message = error.format_message().replace("\n\t", " ").replace("\n", " ")
    option = getattr(error, "option_name", None)
    if context is not None and isinstance(option, str) and message.startswith("No such option"):
        known = [name for param in context.command.params for name in param.opts]
        message = f"no such option {option!r}.{did_you_mean(option, known)}"
    say(message[:1].lower() + message[1:], error.exit_code)
    if context is not None and sys.stderr is not None:
        sys.stderr.write(f"Try '{context.command_path} --help'.\n")
    return error.exit_code
