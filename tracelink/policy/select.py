"""`--select` and `--ignore`: which rules count.

A selector is a code (`TL103`), the beginning of one (`TL1`, `TL1xx`, `TL`), or a rule's name; case does not matter. Of all
selectors that fit a rule the longest decides, and where a selected and an ignored one are equally long, the ignored one.
A code and a name are as specific as can be. Without any `--select` every rule is selected, by a selector of length 0.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from tracelink.rules import rules

CODE_LENGTH = len("TL000")


def codes_of(selector: str) -> tuple[frozenset[str], int]:
    """The codes that a selector fits, and how specific it is. Raises ValueError, with a suggestion, where it fits none."""
    wanted = selector.strip().lower()
    for rule in rules():
        if wanted in (rule.name, rule.code.lower()):
            return frozenset((rule.code,)), CODE_LENGTH
    if re.fullmatch(r"tl\d{0,2}x*", wanted) and len(wanted) <= CODE_LENGTH:
        prefix = wanted.rstrip("x").upper()
        found = frozenset(rule.code for rule in rules() if rule.code.startswith(prefix))
        if found:
            return found, len(prefix)
    raise ValueError(f"no rule has the code, prefix or name {selector.strip()!r}.{suggestion(wanted)}")


def suggestion(wanted: str) -> str:
    """` Did you mean …?` with the codes and names that are near, or nothing."""
    spoken = {key: known for rule in rules() for key, known in ((rule.code.lower(), rule.code), (rule.name, rule.name))}
    near = get_close_matches(wanted.strip().lower(), list(spoken), n=2, cutoff=0.6)
    return f" Did you mean {' or '.join(repr(spoken[key]) for key in near)}?" if near else ""


@dataclass(frozen=True, slots=True)
class Selection:
    """Selectors as given. Raises ValueError for an unknown one as soon as it is made."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    codes: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        chosen = _longest(self.select) if self.select else {rule.code: 0 for rule in rules()}
        against = _longest(self.ignore)
        object.__setattr__(self, "codes", frozenset(code for code, length in chosen.items() if against.get(code, -1) < length))

    def __contains__(self, code: str) -> bool:
        return code in self.codes


def _longest(selectors: Iterable[str]) -> dict[str, int]:
    """Code → the length of the longest selector that fits it."""
    longest: dict[str, int] = {}
    for selector in selectors:
        codes, length = codes_of(selector)
        for code in codes:
            longest[code] = max(length, longest.get(code, 0))
    return longest
