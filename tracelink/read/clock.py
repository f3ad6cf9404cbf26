"""A written time → Unix seconds. Accepts what recorders write: ISO 8601, and Unix seconds, milli-, micro- or nanoseconds."""

import re
from datetime import UTC, datetime
from typing import Any

_ISO = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:Z|z|UTC|[+-]\d\d:?\d\d)?")
_LEADING = re.compile(rb"[\[(<\"']?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:Z|UTC|[+-]\d\d:?\d\d)?)")
_NUMBER = re.compile(r"\d{9,20}(?:\.\d+)?")
_EARLIEST = 1e8  # 1973: a smaller number is a duration or a counter


def seconds(value: Any) -> float | None:
    """Unix seconds, or None if `value` is no time. A time without a zone is taken as UTC."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        if not _EARLIEST <= value < 1e20:
            return None
        number = float(value)
        for bound, unit in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3)):
            if number >= bound:
                return number / unit
        return number
    if not isinstance(value, str):
        return None
    text = value.strip()
    if _NUMBER.fullmatch(text):
        return seconds(float(text))
    if not _ISO.fullmatch(text):
        return None
    text = text.replace(",", ".").replace(" UTC", "Z").replace("UTC", "Z").replace("z", "Z")
    text = re.sub(r"\s+(?=[Z+-])", "", text)
    text = re.sub(r"(\.\d{6})\d+", r"\1", text)
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def leading(line: bytes) -> float | None:
    """The time a log line begins with."""
    match = _LEADING.match(line)
    return seconds(match.group(1).decode("ascii")) if match else None
