"""The options that commands share: declared once, with one wording."""

from typing import Annotated

import typer

from tracelink.cli import values
from tracelink.cli.config_values import FAIL_ON, MIN_CONFIDENCE

EXITS = (
    "Exit codes: 0 read; 2 usage or configuration error, or an output that cannot be written; "
    "3 an input that cannot be used; 70 a fault of ours."
)

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="Recordings in any mix: streams, item pages, session objects, logs; a folder means its files, - standard input.",
        show_default=False,
    ),
]
Session = Annotated[
    str | None,
    typer.Option("--session", metavar="ID", help="Only this session; the beginning of its id will do.", show_default=False),
]
Agent = Annotated[
    str | None,
    typer.Option(
        "--agent", metavar="ID", help="Only the chain below this agent; the beginning of its id will do.", show_default=False
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="TIME",
        help="The moment ages are counted to: ISO 8601, Unix seconds or 'now'.  [default: the last recorded time]",
        show_default=False,
    ),
]
Field = Annotated[
    list[str],
    typer.Option(
        "--field",
        metavar="NAME=JSONPATH",
        help="Where your own wrapper keeps an id, such as call_id='$.payload.callId'; may be repeated.",
        show_default=False,
    ),
]
MaxRecord = Annotated[
    str | None,
    typer.Option("--max-record", metavar="SIZE", help="Longest record that is read.  [default: 256MiB]", show_default=False),
]
Limit = Annotated[
    list[str],
    typer.Option(
        "--limit",
        metavar="NAME=N",
        help="A bound on what is read: depth, total, ratio, files or sessions; may be repeated.",
        show_default=False,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="N", min=1, help="Processes that read.  [default: one a core]", show_default=False),
]
Partial = Annotated[bool, typer.Option("--partial", help="On Ctrl-C, say what was found so far.")]
Color = Annotated[str, typer.Option("--color", help="Colours.", **values.choice("auto", "always", "never"))]
Full = Annotated[bool, typer.Option("--full", help="Fold and cut nothing.")]
Select = Annotated[
    list[str],
    typer.Option(
        "--select",
        metavar="RULE,…",
        help="Only these rules: codes, beginnings of codes (TL1) or names; the most specific wins.",
        show_default=False,
    ),
]
Ignore = Annotated[
    list[str],
    typer.Option("--ignore", metavar="RULE,…", help="Not these rules: likewise.", show_default=False),
]
FailOn = Annotated[
    str | None,
    typer.Option(
        "--fail-on",
        help="The mildest severity that makes exit 1.  [default: error]",
        show_default=False,
        **values.choice(*FAIL_ON),
    ),
]
MinConfidence = Annotated[
    str | None,
    typer.Option(
        "--min-confidence",
        help="The least confidence that counts.  [default: low]",
        show_default=False,
        **values.choice(*MIN_CONFIDENCE),
    ),
]
Redact = Annotated[
    bool,
    typer.Option("--redact", help="Show tokens for what the recording says: arguments, outputs, messages, errors."),
]
Silence = Annotated[
    float | None,
    typer.Option(
        "--silence", metavar="SECONDS", help="How long without a record is silence.  [default: 300]", show_default=False
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="Findings that are known and do not count, as --write-baseline wrote them.",
        show_default=False,
    ),
]
Config = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="The configuration.  [default: the nearest tracelink.toml or pyproject.toml with [tool.tracelink]]",
        show_default=False,
    ),
]
Isolated = Annotated[bool, typer.Option("--isolated", help="Read no configuration.")]
