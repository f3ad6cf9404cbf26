"""Settings → policy: selectors looked up, the baseline read. What is wrong with them is a usage error that names the culprit."""

import os
from pathlib import Path

import typer

from tracelink.cli.config import Settings
from tracelink.model.finding import Confidence
from tracelink.policy import Baseline, Ignores, Policy, Selection, baseline, ignores, severity_of


def policy(settings: Settings, writing: str | None = None) -> Policy:
    """writing: the baseline file that will be written (`--write-baseline`); it need not exist yet."""
    return Policy(
        _selection(settings),
        _ignores(settings),
        Confidence(settings["min-confidence"]),
        severity_of(settings["fail-on"]),
        _baseline(settings, writing),
    )


def here() -> str:
    """The working directory, absolute; the root where it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return "/"


def _selection(settings: Settings) -> Selection:
    for key in ("select", "ignore"):  # one by one, so that the error names the right one
        try:
            Selection(settings[key])
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint=settings.blame(key)) from None
    return Selection(tuple(settings["select"]), tuple(settings["ignore"]))


def _ignores(settings: Settings) -> Ignores:
    rows = []
    for key in ("per-file-ignores", "per-session-ignores"):
        try:
            rows.append(ignores.rows(settings[key]))
        except ValueError as error:
            raise typer.BadParameter(f"[{key}]: {error}", param_hint=settings.blame(key)) from None
    folder = str(settings.path.resolve().parent) if settings.path is not None else None
    return Ignores(rows[0], rows[1], folder, here())


def _baseline(settings: Settings, writing: str | None) -> Baseline | None:
    name = settings["baseline"]
    if name is None:
        return None
    try:
        return baseline.load(Path(name).read_bytes(), name)
    except FileNotFoundError:
        if writing is not None and os.path.realpath(writing) == os.path.realpath(name):
            return None
        told = f"the baseline {name} is not there; make it with --write-baseline {name}."
    except OSError as error:
        told = f"the baseline {name} cannot be read: {error.strerror or error}."
    except ValueError as error:
        told = f"{name} is no baseline: {error}"
    raise typer.BadParameter(told, param_hint=settings.blame("baseline"))
