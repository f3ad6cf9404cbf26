"""`tracelink config`: the effective configuration, and where each value came from."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tracelink.cli import options, out, values

if TYPE_CHECKING:
    from tracelink.cli.config import Settings


def config_command(
    select: options.Select = [],  # noqa: B006 - typer reads the default and never changes it
    ignore: options.Ignore = [],  # noqa: B006
    fail_on: options.FailOn = None,
    min_confidence: options.MinConfidence = None,
    baseline: options.Baseline = None,
    silence: options.Silence = None,
    field: options.Field = [],  # noqa: B006
    max_record: options.MaxRecord = None,
    limit: options.Limit = [],  # noqa: B006
    jobs: options.Jobs = None,
    config: options.Config = None,
    isolated: options.Isolated = False,
    form: Annotated[str, typer.Option("--format", help="How it is printed.", **values.choice("text", "json"))] = "text",
) -> None:
    """Show the effective values of the configuration, and where each came from."""
    from tracelink.cli import policies
    from tracelink.cli.config import settings

    given: dict[str, Any] = {"select": select, "ignore": ignore, "fail-on": fail_on, "min-confidence": min_confidence}
    given |= {
        "baseline": baseline,
        "silence": silence,
        "fields": field,
        "max-record": max_record,
        "limits": limit,
        "jobs": jobs,
    }
    chosen = settings(given, config, isolated)
    policies.policy(chosen, chosen["baseline"])  # what would be an error of use is one here too
    out.write(_json(chosen) if form == "json" else _text(chosen))


def _text(settings: "Settings") -> str:
    from tracelink.render.escape import escape, json_text

    lines = [f"configuration: {escape(str(settings.path)) if settings.path is not None else 'no file'}", ""]
    shown = {
        key: "(none)" if row.value in (None, [], {}) else json_text(row.value, whole=True) for key, row in settings.rows.items()
    }
    widest = max(map(len, shown))
    for key, value in shown.items():
        lines.append(f"{key:<{widest}}  {value}   ({escape(settings.rows[key].origin)})")
    lines += ["", "next: tracelink check FILE…   (the findings under this configuration)"]
    return "\n".join(lines) + "\n"


def _json(settings: "Settings") -> bytes:
    from tracelink.render.json import dump

    rows: dict[str, Any] = {key: {"value": row.value, "from": row.origin} for key, row in settings.rows.items()}
    return dump(
        {"schema": "tracelink.config/1", "file": str(settings.path) if settings.path is not None else None, "settings": rows}
    )
