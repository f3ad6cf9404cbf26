"""The typer application: one line a command. What a command does stands in its own file, imported only where it is called:
describing the options of all takes longer than reading a short recording.
"""

from collections.abc import Iterable
from importlib import import_module
from typing import Annotated

import typer

from tracelink import API_FACTS, __version__
from tracelink.cli import VERSION
from tracelink.cli.options import EXITS

COMMANDS = {
    "build": "build",
    "check": "check",
    "awaits": "awaits",
    "gate": "gate",
    "diff-items": "diff_items",
    "diff": "diff",
    "query": "query",
    "postmortem": "postmortem",
    "timeline": "timeline",
    "why": "why",
    "redact": "redact",
    "rule": "rule",
    "config": "config_command",
}
"""Name → the module, and the function in it, that is the command."""


def application(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The application with these commands."""
    app = typer.Typer(
        name="tracelink",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback(invoke_without_command=True, epilog=EXITS)(tracelink)
    for name in names:
        module = import_module(f"tracelink.cli.{COMMANDS[name]}")
        app.command(name, epilog=getattr(module, "EXITS", EXITS))(getattr(module, COMMANDS[name]))
    return app


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(VERSION.format(__version__, API_FACTS))
        raise typer.Exit


def tracelink(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Says from recordings of an OpenAI Agents API session whom it awaits, what does not fit, and why it stands still."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)
