"""What a comparison is made of. Frozen; texts are as recorded, not yet safe to show."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from tracelink.model.location import Location
from tracelink.model.run import SessionReport

CHANGED, ONLY_IN_A, ONLY_IN_B, MOVED = "changed", "only_in_a", "only_in_b", "moved"

SESSION, AGENT, TURN, CALL, APPROVAL, RESULT, VERDICT = "session", "agent", "turn", "call", "approval", "result", "verdict"

ONLY = {"calls": (CALL, APPROVAL), "results": (RESULT,)}
"""What `--only` keeps, by kind; `ids` keeps the fields that are ids instead."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same on both sides.

    Attributes:
        kind: session, agent, turn, call, approval, result, verdict.
        what: changed, only_in_a, only_in_b, moved (the same call at another place of its turn).
        field: what of it (`arguments`, `output`, `status`, …); empty where the whole thing stands on one side only.
        path_a / path_b: JSONPath within the field, where the field was compared as JSON; they differ where a list was shifted.
        a / b: the two values; None on the side that has none.
        name: of the function, approval or agent, or None. ids_a / ids_b: by their wire names.
        at_a / at_b: where each side says so.
    """

    kind: str
    what: str
    field: str = ""
    path_a: str | None = None
    path_b: str | None = None
    a: Any = None
    b: Any = None
    name: str | None = None
    ids_a: dict[str, str] = dataclasses.field(default_factory=dict)
    ids_b: dict[str, str] = dataclasses.field(default_factory=dict)
    at_a: Location | None = None
    at_b: Location | None = None

    @property
    def of_id(self) -> bool:
        return self.field.endswith("_id")


@dataclass(frozen=True, slots=True)
class Untold:
    """Something that only one side (`a` or `b`) records, of which the other does not say that it was otherwise."""

    kind: str
    field: str
    side: str
    ids: dict[str, str]


ENDS = "nothing more is recorded"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a side shows happening: our words (ENDS behind the last one), and where, or None."""

    what: str
    at: Location | None


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two sides part for the first time.

    first: the difference that shows it; two where each side has something there that the other lacks. after: the last step before it
    that both share (a's, b's), or None.
    """

    first: tuple[Difference, ...]
    a: Step
    b: Step
    after: tuple[Step, Step] | None


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of a kind each side has, and how many of them were matched."""

    a: int
    b: int
    matched: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sessions. by: `id` (it is one session, and its ids are the first key) or `structure`."""

    a: SessionReport
    b: SessionReport
    by: str
    differences: tuple[Difference, ...]
    parting: Parting | None
    untold: tuple[Untold, ...]
    tallies: dict[str, Tally]
