"""The typer application: one line a command. What a command does stands in its own file."""

from typing import Annotated

import typer

from tracelink import API_FACTS, __version__
from tracelink.cli import awaits, build, check, diff_items, gate, postmortem, query, rule, timeline, why
from tracelink.cli.config_command import config_command
from tracelink.cli.options import EXITS

app = typer.Typer(
    name="tracelink",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tracelink {__version__} (Agents API facts of {API_FACTS})")
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog=EXITS)
def tracelink(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Says from recordings of an OpenAI Agents API session whom it awaits, what does not fit, and why it stands still."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


app.command("build", epilog=EXITS)(build.build)
app.command("check", epilog=check.EXITS)(check.check)
app.command("awaits", epilog=awaits.EXITS)(awaits.awaits)
app.command("gate", epilog=gate.EXITS)(gate.gate)
app.command("diff-items", epilog=diff_items.EXITS)(diff_items.diff_items)
app.command("query", epilog=query.EXITS)(query.query)
app.command("postmortem", epilog=EXITS)(postmortem.postmortem)
app.command("timeline", epilog=EXITS)(timeline.timeline)
app.command("why", epilog=why.EXITS)(why.why)
app.command("rule", epilog=EXITS)(rule.rule)
app.command("config", epilog=EXITS)(config_command)
