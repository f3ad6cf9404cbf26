"""`[tool.tracelink]` of the nearest pyproject.toml at or above the working directory."""

from pathlib import Path
from typing import Any

import typer


def fields() -> dict[str, list[str]]:
    """The rows of `[tool.tracelink.fields]`: a path or a list of paths a name. Raises a usage error for what is none."""
    path = _nearest()
    if path is None:
        return {}
    table = _load(path).get("tool", {})
    for key in ("tracelink", "fields"):
        table = table.get(key, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        raise typer.BadParameter("[tool.tracelink.fields] is no table.", param_hint=f"'{path}'")
    rows = {name: [value] if isinstance(value, str) else value for name, value in table.items()}
    for name, value in rows.items():
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise typer.BadParameter(
                f"[tool.tracelink.fields] {name} is neither a JSONPath nor a list of them.", param_hint=f"'{path}'"
            )
    return rows


def _nearest() -> Path | None:
    try:
        here = Path.cwd()
    except OSError:  # the working directory was deleted
        return None
    return next((path for folder in (here, *here.parents) if (path := folder / "pyproject.toml").is_file()), None)


def _load(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:  # TOMLDecodeError and UnicodeDecodeError are ValueErrors
        raise typer.BadParameter(f"it cannot be read: {' '.join(str(error).split())}.", param_hint=f"'{path}'") from None
