"""May a regular expression out of a recording be run? Python's engine backtracks, so a hostile one never ends.

The idea is to count choices instead of running: each repeat of open length multiplies the work by the length of the text, each
`?` and `|` doubles it. Groups that repeat, look around or refer back are not run at all.
"""

import re
from typing import Any

STEPS = 1_000_000
"""Most steps that one match may need in the worst case."""

_TOKEN = re.compile(r"\\(.)|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)\}|\{\d*,\d*\}|\(\?:|\(\?|\)[*+{]|[*+?|({]", re.DOTALL)


def steps(pattern: str, length: int) -> int | None:
    """The most steps that a search in a text of `length` characters takes, None if that cannot be bounded."""
    repeats = 0 if pattern.startswith("^") and "|" not in pattern else 1  # an unanchored search begins everywhere
    choices = 0
    if len(pattern) > 500:
        return None
    for token in _TOKEN.finditer(pattern):
        text = token.group()
        if token.group(1) is not None:
            if token.group(1).isdigit() or token.group(1) in "kg":
                return None
        elif text == "(?" or text[0] == ")":
            return None
        elif text in ("*", "+") or (text[0] == "{" and token.group(2) is None):
            repeats += 1
        elif text in ("?", "|"):
            choices += 1
    work: int = pow(max(length, 2), min(repeats, 30))
    return (len(pattern) + work) << min(choices, 60)


def bounded(pattern: Any, length: int) -> int | None:
    """`steps`, if they are few enough and Python understands the pattern; else None."""
    if not isinstance(pattern, str):
        return None
    need = steps(pattern, length)
    if need is None or need > STEPS:
        return None
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None
    return need
