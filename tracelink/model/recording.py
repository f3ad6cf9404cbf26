"""Recordings: what the fold makes of records. They add up: `fold(a + b) == fold(a) + fold(b)`."""

from dataclasses import dataclass, field
from typing import TypeVar

from tracelink.model.facts import (
    Burst,
    EnvironmentSeen,
    ErrorSeen,
    Fact,
    InputSeen,
    ItemSeen,
    PageSeen,
    RefusalSeen,
    SnapshotSeen,
    StrangerSeen,
    SubagentSeen,
    TroubleSeen,
    TurnSeen,
    WebhookSeen,
)
from tracelink.model.location import Origin

USED, UNKNOWN, UNREADABLE, FOREIGN, REPEATED = "used", "unknown", "unreadable", "foreign", "repeated"

BURST_GAP = 30.0
"""Seconds of receive time between two deltas that still belong to one burst."""

_K = TypeVar("_K")

BurstKey = tuple[int, str | None, str | None]
"""(source index, session id, turn id) of a run of deltas."""


@dataclass(slots=True)
class Recordings:
    """The facts of any number of records, in order, and counts of what made no fact of its own.

    counts: (source index, disposition) → records. sessions: (source index, session id as the record names it) → records.
    """

    facts: list[Fact] = field(default_factory=list)
    bursts: dict[BurstKey, list[Burst]] = field(default_factory=dict)
    counts: dict[tuple[int, str], int] = field(default_factory=dict)
    sessions: dict[tuple[int, str | None], int] = field(default_factory=dict)

    def __add__(self, other: "Recordings") -> "Recordings":
        bursts = {key: list(value) for key, value in self.bursts.items()}
        for key, more in other.bursts.items():
            mine = bursts.setdefault(key, [])
            if mine and more and near(mine[-1].last, more[0].first):
                joined = Burst(mine[-1].first, more[0].last, mine[-1].count + more[0].count)
                bursts[key] = [*mine[:-1], joined, *more[1:]]
            else:
                mine.extend(more)
        return Recordings(
            self.facts + other.facts, bursts, _sum(self.counts, other.counts), _sum(self.sessions, other.sessions)
        )


def near(a: Origin, b: Origin) -> bool:
    """Whether two deltas of one turn belong to one burst: no long pause, or no clock to tell one."""
    if a.received is None or b.received is None:
        return a.received is b.received
    return abs(b.received - a.received) <= BURST_GAP


def _sum(a: dict[_K, int], b: dict[_K, int]) -> dict[_K, int]:
    return {key: a.get(key, 0) + b.get(key, 0) for key in [*a, *(k for k in b if k not in a)]}


@dataclass(slots=True)
class Recording:
    """All facts of one session, in order, duplicates dropped, grouped by object.

    session_id is None where no record names the session. `repeats` holds what was delivered again:
    (id, first origin, origin of the repetition). clocked: False where no record of it has a receive time.
    """

    session_id: str | None
    snapshots: list[SnapshotSeen] = field(default_factory=list)
    turns: dict[str, list[TurnSeen]] = field(default_factory=dict)
    items: dict[tuple[str | None, str], list[ItemSeen]] = field(default_factory=dict)
    subagents: dict[str, list[SubagentSeen]] = field(default_factory=dict)
    inputs: list[InputSeen] = field(default_factory=list)
    environments: list[EnvironmentSeen] = field(default_factory=list)
    errors: list[ErrorSeen] = field(default_factory=list)
    refusals: list[RefusalSeen] = field(default_factory=list)
    webhooks: list[WebhookSeen] = field(default_factory=list)
    pages: list[PageSeen] = field(default_factory=list)
    strangers: list[StrangerSeen] = field(default_factory=list)
    repeats: list[tuple[str, Origin, Origin]] = field(default_factory=list)
    bursts: list[tuple[str | None, Burst]] = field(default_factory=list)  # (turn id, burst)
    order: list[Fact] = field(default_factory=list)  # all of the above in order of arrival
    clocked: bool = True

    def __len__(self) -> int:
        return len(self.order)


@dataclass(slots=True)
class Divided:
    """Recordings split by session, and what belongs to none."""

    recordings: list[Recording]
    troubles: list[TroubleSeen]
    strangers: list[StrangerSeen]
    counts: dict[tuple[int, str], int]
    sessions: dict[tuple[int, str | None], int]
