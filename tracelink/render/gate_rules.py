"""The gate's reasons as rules, so that one page and one list show them as all others."""

from tracelink.gate.reasons import REASONS
from tracelink.rules import Rule, rules

_MEMBERS = ("code", "name", "severity", "confidence", "summary", "proves", "cannot", "quiet", "example", "remedy")


def reasons() -> list[Rule]:
    """Every reason, by code. They are checked by the gate and not on traces."""
    return [Rule(**{name: getattr(one, name) for name in _MEMBERS}, check=lambda rule, context: ()) for one in REASONS.values()]


def every() -> list[Rule]:
    """The rules and the reasons, by code."""
    return sorted((*rules(), *reasons()), key=lambda one: one.code)
