"""The configuration: `tracelink.toml`, or `[tool.tracelink]` of a pyproject.toml, and the options that go before it.

The file is the nearest one at or above the working directory: a tracelink.toml, or else a pyproject.toml that has the table.
Every value knows where it came from: an option, a line of the file, or the default. What is wrong with a file is one sentence
and exit 2: a key that nobody knows is more likely a slip than a wish.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from tracelink.cli import values
from tracelink.cli.config_values import KEYS, checked
from tracelink.cli.errors import did_you_mean

DEFAULT = "default"
OWN, SHARED = "tracelink.toml", "pyproject.toml"


_ROWS: Mapping[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "fields": ("field", values.fields),
    "limits": ("limit", values.limits),
}
"""Keys that take rows: their option, and how its rows go together with the file's."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A value, and where it came from: `default`, `pyproject.toml:12`, `--select`."""

    value: Any
    origin: str


@dataclass(frozen=True, slots=True)
class Settings:
    """The effective value of every key. path: the file that was read, or None."""

    rows: Mapping[str, Setting]
    path: Path | None = None

    def __getitem__(self, key: str) -> Any:
        return self.rows[key].value

    def blame(self, key: str) -> str:
        """What a usage error about this key names: the option, or the file."""
        origin = self.rows[key].origin
        return f"'{self.path}'" if self.path is not None and not origin.startswith("--") else f"'{origin}'"


def settings(options: Mapping[str, Any], file: str | None = None, isolated: bool = False) -> Settings:
    """Options over file over defaults.

    options: by key, as given; None or empty: not given. file: `--config`. isolated: `--isolated`, no file at all.
    """
    path, table, lines = _read(file, isolated)
    rows = {}
    for key, kind in KEYS.items():
        given = options.get(key)
        setting = Setting(kind.default, DEFAULT)
        if path is not None and key in table:
            setting = Setting(checked(key, table[key], path), f"{_short(path)}{lines.get(key, '')}")
        if given not in (None, [], ()):
            option = f"--{_ROWS[key][0] if key in _ROWS else key}"
            if key in _ROWS:  # rows add up, the command line's come first
                told = option if setting.origin == DEFAULT else f"{option}, {setting.origin}"
                setting = Setting(_ROWS[key][1](given, setting.value), told)
            else:
                setting = Setting(kind.option(given), option)
        rows[key] = setting
    return Settings(rows, path)


def _read(file: str | None, isolated: bool) -> tuple[Path | None, dict[str, Any], dict[str, str]]:
    """The file, its table, and `:line` by key."""
    if file is not None and isolated:
        raise typer.BadParameter("--config names a file and --isolated wants none.", param_hint="'--config'")
    if isolated:
        return None, {}, {}
    if file is not None:
        path = Path(file)
        text = _text(path)
        return path, _table(path, text) or {}, _lines(path, text)
    for path in _candidates():
        text = _text(path)
        table = _table(path, text)
        if table is not None:
            return path, table, _lines(path, text)
    return None, {}, {}


def _candidates() -> Iterator[Path]:
    try:
        here = Path.cwd()
    except OSError:  # the working directory was deleted
        return
    for folder in (here, *here.parents):
        for name in (OWN, SHARED):
            if (folder / name).is_file():
                yield folder / name


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, ValueError) as error:  # UnicodeDecodeError is a ValueError
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> typer.BadParameter:
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return typer.BadParameter(f"it cannot be read: {' '.join(told.split())}.", param_hint=f"'{path}'")


def _table(path: Path, text: str) -> dict[str, Any] | None:
    """The table of ours, its keys known; None where a pyproject.toml has none."""
    import tomllib

    try:
        table: Any = tomllib.loads(text)
    except ValueError as error:
        raise _unreadable(path, error) from None
    if path.name == SHARED:
        table = table.get("tool", {}).get("tracelink") if isinstance(table.get("tool", {}), dict) else None
        if table is None:
            return None
        if not isinstance(table, dict):
            raise typer.BadParameter("[tool.tracelink] is no table.", param_hint=f"'{path}'")
    for key in table:
        if key not in KEYS:
            told = did_you_mean(key, KEYS) or f" The keys are {', '.join(KEYS)}."
            raise typer.BadParameter(f"no key is called {key!r}.{told}", param_hint=f"'{path}'")
    return dict(table)


def _lines(path: Path, text: str) -> dict[str, str]:
    """`:12` for each key whose line can be told for certain: what comes before it is whole TOML without the key."""
    import tomllib

    lines = text.splitlines()
    prefix = "tool.tracelink" if path.name == SHARED else ""
    found = {}
    for key in KEYS:
        name = re.escape(key)
        header = re.compile(rf"\s*\[\s*{re.escape(prefix + '.' if prefix else '')}\"?{name}\"?\s*\]")
        row = re.compile(rf"\s*\"?{name}\"?\s*[=.]")
        for number, line in enumerate(lines, start=1):
            if header.match(line) or row.match(line):
                try:
                    before = tomllib.loads("\n".join([*lines[: number - 1], "[x-tracelink-probe]"]))
                    inside = header.match(line) or _current(lines[: number - 1]) == prefix
                except ValueError:
                    continue
                if inside and key not in (_member(before, prefix) or {}):
                    found[key] = f":{number}"
                    break
    return found


def _current(lines: list[str]) -> str:
    """The table that a row after these lines is in."""
    for line in reversed(lines):
        match = re.match(r"\s*\[\s*([\w.\"-]+)\s*\]\s*(#.*)?$", line)
        if match:
            return match[1].replace('"', "")
    return ""


def _member(table: Any, dotted: str) -> Any:
    for name in filter(None, dotted.split(".")):
        table = table.get(name) if isinstance(table, dict) else None
    return table


def _short(path: Path) -> str:
    """The path as seen from the working directory, where it lies at or below it."""
    try:
        return os.path.relpath(path) if path.is_absolute() and path.is_relative_to(Path.cwd()) else str(path)
    except OSError:
        return str(path)
