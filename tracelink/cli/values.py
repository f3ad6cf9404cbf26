"""What option values mean: times, sizes, field rows, ids by prefix. A value that means nothing raises a usage error."""

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import typer

from tracelink.cli.errors import did_you_mean

UNITS = {"": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1000**2, "mb": 1000**2, "g": 1000**3, "gb": 1000**3}
UNITS |= {"kib": 1024, "mib": 1024**2, "gib": 1024**3}
LISTED = 8
"""So many ids are named where one was not found."""


def choice(*values: str) -> dict[str, Any]:
    """Arguments for `typer.Option`: one of `values` in any case, shown in the help, completed, and suggested when misspelt."""

    def check(value: str | None) -> str | None:
        if value is not None and value not in values:
            folded = value.strip().casefold()
            if folded in values:
                return folded
            raise typer.BadParameter(f"{value!r} is none of {', '.join(values)}.{did_you_mean(value, values)}")
        return value

    def complete(incomplete: str) -> list[str]:
        return [value for value in values if value.startswith(incomplete)]

    return {"metavar": "|".join(values), "callback": check, "autocompletion": complete}


def as_of(text: str | None) -> float | None:
    """`now`, Unix seconds, or an ISO 8601 time (UTC unless it says otherwise) as Unix seconds."""
    if text is None:
        return None
    if text == "now":
        return time.time()
    try:
        if re.fullmatch(r"\d{1,12}(\.\d*)?", text) and not re.fullmatch(r"\d{8}", text):
            return float(text)
        when = datetime.fromisoformat(text)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise _wrong("--as-of", f"{text!r} is no time: use 2026-11-17T09:30:00Z, Unix seconds or 'now'.") from None


def size(text: str | None) -> int | None:
    """`256MiB`, `10MB`, `4096` as bytes."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,15})\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in UNITS or int(match[1]) == 0:
        raise _wrong("--max-record", f"{text!r} is no size: use 256MiB, 10MB or a number of bytes.")
    return int(match[1]) * UNITS[match[2]]


LIMITS = {"depth": "levels", "total": "bytes", "ratio": "times", "files": "files", "sessions": "sessions"}
"""Name of a bound (`--limit`) → what it counts."""


def limits(rows: Iterable[str], configured: Mapping[str, int]) -> dict[str, int]:
    """`NAME=N` rows over those of the configuration."""
    table = dict(configured)
    for row in rows:
        name, equals, text = row.partition("=")
        name = name.strip()
        if not equals:
            raise _wrong("--limit", f"{row!r} is not of the form NAME=N, for example total=2GiB.")
        if name not in LIMITS:
            raise _wrong("--limit", f"there is no limit {name!r}; there are {', '.join(LIMITS)}.{did_you_mean(name, LIMITS)}")
        try:
            table[name] = limit(name, text)
        except ValueError as error:
            raise _wrong("--limit", f"{name} {error}") from None
    return table


def limit(name: str, value: object) -> int:
    """One bound: a whole number above 0; bytes also as `2GiB`. Raises ValueError with the end of a sentence."""
    if isinstance(value, str):
        match = re.fullmatch(r"(\d{1,15})\s*([a-z]*)", value.strip().lower())
        if match is not None and (match[2] in UNITS if name == "total" else not match[2]):
            value = int(match[1]) * UNITS[match[2]]
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        unit = 'bytes, such as "2GiB"' if name == "total" else LIMITS[name]
        raise ValueError(f"is {value!r}, which is no number of {unit}.")
    return value


def fields(rows: Iterable[str], configured: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """`NAME=JSONPATH` rows and those of the configuration as one table; the command line's come first."""
    table: dict[str, list[str]] = {}
    for row in rows:
        name, equals, path = row.partition("=")
        if not (name.strip() and equals and path.strip()):
            raise _wrong("--field", f"{row!r} is not of the form NAME=JSONPATH, for example call_id='$.payload.callId'.")
        table.setdefault(name.strip(), []).append(path.strip())
    for name, paths in configured.items():
        table.setdefault(name, []).extend(paths)
    return table


def pick(option: str, wanted: str, known: Iterable[str]) -> str:
    """The id that `wanted` is, or the only one that it begins."""
    ids = list(dict.fromkeys(known))
    if wanted in ids:
        return wanted
    begun = [one for one in ids if one.startswith(wanted)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise _wrong(option, f"{wanted!r} begins {len(begun)} ids: {_some(begun)}.")
    hint = did_you_mean(wanted, ids) or (
        f" There {'is' if len(ids) == 1 else 'are'} {_some(ids)}." if ids else " There is none."
    )
    raise _wrong(option, f"nothing here is called {wanted!r}.{hint}")


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:LISTED]) + (f" and {len(ids) - LISTED} more" if len(ids) > LISTED else "")


def _wrong(option: str, message: str) -> typer.BadParameter:
    return typer.BadParameter(message, param_hint=f"'{option}'")
