"""A finding: one thing that does not fit, with a code (DESIGN 7)."""

from dataclasses import dataclass, field
from enum import StrEnum

from tracelink.model.location import Location


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for error, 1 for warning, 2 for note: sorts the worst first."""
        return 0 if self is Severity.ERROR else 1 if self is Severity.WARNING else 2


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        return ("high", "medium", "low").index(self.value)


@dataclass(frozen=True, slots=True)
class Finding:
    """Attributes:

    code, name: public API, as `tracelink rule` lists them.
    message: one sentence: what was seen, where, why it matters.
    ids: the ids it speaks of, by their wire name (`call_id`, `turn_id`, `posted_call_id`, …).
    locations: the first is the primary one; may be empty where only absence was seen.
    hint: what to do, one sentence.
    session_id: None for a finding of the run.
    times: how often it was seen, where one finding tells of several posts or refusals alike; a baseline counts them.
    """

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    message: str
    ids: dict[str, str] = field(default_factory=dict)
    locations: tuple[Location, ...] = ()
    hint: str = ""
    session_id: str | None = None
    times: int = 1
