"""The keys of the configuration: what each takes, and its value where nobody says anything."""

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer

from tracelink.cli import values
from tracelink.cli.errors import did_you_mean
from tracelink.model.finding import Confidence, Severity

FAIL_ON = (*(severity.value for severity in Severity), "never")
MIN_CONFIDENCE = tuple(confidence.value for confidence in Confidence)
SILENCE = 300.0


class Wrong(Exception):
    """A value that a key does not take; the message goes on after the key's name."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a key takes. read: the file's value → ours, or raises Wrong. option: the same for the command line's."""

    default: Any
    read: Callable[[Any, Path], Any]
    option: Callable[[Any], Any] = field(default=lambda given: given)


def checked(key: str, value: Any, path: Path) -> Any:
    """The value of a key in a file. Raises a usage error that names the file and the key."""
    try:
        return KEYS[key].read(value, path)
    except Wrong as error:
        name = f"[tool.tracelink] {key}" if path.name == "pyproject.toml" else key
        if isinstance(KEYS[key].default, dict):
            name = f"[{'tool.tracelink.' if path.name == 'pyproject.toml' else ''}{key}]"
        raise typer.BadParameter(f"{name} {error}", param_hint=f"'{path}'") from None


def listed(given: Any) -> list[str]:
    """`TL1,TL203` and several such as one list."""
    return [one.strip() for text in given for one in text.split(",") if one.strip()]


def selected(given: Any) -> list[str]:
    """The same for --select, which without any name would select everything and look as if it selected nothing."""
    found = listed(given)
    if not found:
        raise typer.BadParameter("it names no rule; leave it out to select all of them.", param_hint="'--select'")
    return found


def seconds(given: float) -> float:
    if not math.isfinite(given) or given <= 0:
        raise typer.BadParameter(f"{given:g} is no length of time: use seconds above 0, such as 300.", param_hint="'--silence'")
    return float(given)


def _selectors(value: Any, path: Path) -> list[str]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Wrong('is no list of codes, prefixes or names, such as ["TL1", "silence"].')
    return listed(value)


def _select(value: Any, path: Path) -> list[str]:
    found = _selectors(value, path)
    if not found:
        raise Wrong("names no rule; leave it out to select all of them.")
    return found


def _choice(*words: str) -> Callable[[Any, Path], str]:
    def read(value: Any, path: Path) -> str:
        if not isinstance(value, str) or value not in words:
            near = did_you_mean(value, words) if isinstance(value, str) else ""
            raise Wrong(f"is {value!r}, which is none of {', '.join(words)}.{near}")
        return value

    return read


def _seconds(value: Any, path: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
        raise Wrong(f"is {value!r}, which is no number of seconds above 0.")
    return float(value)


def _path(value: Any, path: Path) -> str:
    if not isinstance(value, str) or not value:
        raise Wrong("is no path.")
    whole = path.parent / value
    try:
        return os.path.relpath(whole) if whole.is_relative_to(Path.cwd()) else str(whole)
    except OSError:  # the working directory was deleted
        return str(whole)


def _size(value: Any, path: Path) -> str:
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    try:
        if isinstance(text, str) and values.size(text) is not None:
            return text
    except typer.BadParameter:
        pass
    raise Wrong(f'is {value!r}, which is no size: use "256MiB", "10MB" or a number of bytes.')


def _fields(value: Any, path: Path) -> dict[str, list[str]]:
    rows = {name: [one] if isinstance(one, str) else one for name, one in _of_table(value).items()}
    for name, one in rows.items():
        if not isinstance(one, list) or not all(isinstance(expression, str) for expression in one):
            raise Wrong(f"{name} is neither a JSONPath nor a list of them.")
    return rows


def _ignores(value: Any, path: Path) -> dict[str, list[str]]:
    rows = {}
    for glob, one in _of_table(value).items():
        try:
            rows[glob] = _selectors(one, path)
        except Wrong as error:
            raise Wrong(f"{glob!r} {error}") from None
    return rows


def _limits(value: Any, path: Path) -> dict[str, int]:
    rows = {}
    for name, one in _of_table(value).items():
        if name not in values.LIMITS:
            raise Wrong(f"has no limit {name!r}; there are {', '.join(values.LIMITS)}.{did_you_mean(name, values.LIMITS)}")
        try:
            rows[name] = values.limit(name, one)
        except ValueError as error:
            raise Wrong(f"{name} {error}") from None
    return rows


def _jobs(value: Any, path: Path) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise Wrong(f"is {value!r}, which is no number of processes.")
    return value


def _of_table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Wrong("is no table.")
    return value


KEYS = {
    "select": Kind([], _select, selected),
    "ignore": Kind([], _selectors, listed),
    "fail-on": Kind("error", _choice(*FAIL_ON)),
    "min-confidence": Kind("low", _choice(*MIN_CONFIDENCE)),
    "silence": Kind(SILENCE, _seconds, seconds),
    "baseline": Kind(None, _path),
    "per-file-ignores": Kind({}, _ignores),
    "per-session-ignores": Kind({}, _ignores),
    "fields": Kind({}, _fields),
    "max-record": Kind("256MiB", _size),
    "limits": Kind({}, _limits),
    "jobs": Kind(None, _jobs),
}
