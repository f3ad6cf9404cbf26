"""What the stories are made of: moments, waits, calls with their answers. Frozen; texts are as recorded, not yet safe to show."""

from dataclasses import dataclass, field
from typing import Any

from tracelink.model.finding import Finding
from tracelink.model.location import Origin
from tracelink.model.trace import Agent, Call, Result, Turn


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that the recording shows happening.

    Attributes:
        kind: asked, said, called, posted, recorded, refused, required, session, turn_began, turn_ended, opened, closed,
            coordination, returned, item, input, environment, error, life, webhook.
        name: names the moment among those of its session (`call:TURN/CALL`, `turn_ended:TURN` …).
        time / clock: Unix seconds and whose clock (`receiver`, `server`), or None. What was listed has the time of its object,
            never that of its retrieval.
        what: our words, with recorded ids and names in them. quoted: recorded text or JSON, or None.
        progress: it moved its turn; a post that nothing confirms, a repetition or a refusal does not.
        loud: somebody should look at it.
        after: names of moments that came before this one whatever the order of their records.
    """

    kind: str
    name: str
    at: Origin
    what: str
    time: float | None = None
    clock: str | None = None
    turn_id: str | None = None
    agent_id: str | None = None
    ids: dict[str, str] = field(default_factory=dict)
    quoted: Any = None
    progress: bool = True
    loud: bool = False
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ordered:
    """Moments in order. notes: what of that order the recording does not tell, a sentence each."""

    moments: tuple[Moment, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CallTold:
    """A call, its results, and the results that were meant for it but name something else. seconds: from the call to its
    recorded result by the recorder's clock, or None."""

    call: Call
    results: tuple[Result, ...] = ()
    strays: tuple[Result, ...] = ()
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Who waited for whom. waiter: an agent's id, or None for the session itself (a required action).

    whom: agents' ids, or the call, request or environment id; kind: `agent` or the action's type.
    began / ended: where it is first and last seen to wait; ended is None where it waits to the end of the recording.
    """

    waiter: str | None
    whom: tuple[str, ...]
    kind: str
    name: str | None
    began: Origin
    began_at: float | None
    clock: str | None
    ended: Origin | None = None
    ended_at: float | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """One turn from its first message to the last sign of life.

    Attributes:
        turn: None where the session has no turn. agent: whose turn it is.
        chosen: why this turn, one clause.
        moments: in order. asked: those in which somebody asked something. stopped: position of the last moment that moved
            the turn, None if none did. last: the last record of the session.
        clock: whose clock the moments of the stream carry, None where only their order is known.
        findings: those that name the turn or a call of it, and those that name no turn.
        untold: what the recording cannot tell, a sentence each.
    """

    session_id: str | None
    turn: Turn | None
    agent: Agent | None
    chosen: str
    moments: tuple[Moment, ...]
    asked: tuple[Moment, ...]
    calls: tuple[CallTold, ...]
    waits: tuple[Wait, ...]
    stopped: int | None
    last: Origin | None
    clock: str | None
    findings: tuple[Finding, ...] = ()
    untold: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """Where on an axis something is: its position among the moments, and its time if one is known."""

    position: int
    time: float | None
    clock: str | None
    at: Origin


@dataclass(frozen=True, slots=True)
class Span:
    """A bar: a turn, a call or a wait.

    kind: turn, call, wait. id: the turn's, call's or item's. name: the function's. state: how it ended, in a word.
    end: None where no end is recorded. held: from the snapshot that first required the answer to what cleared it; its end is
    None while it is required. loud: not to be folded away.
    """

    kind: str
    id: str
    turn_id: str | None
    agent_id: str
    begin: Point
    end: Point | None
    state: str
    name: str | None = None
    held: tuple[Point, Point | None] | None = None
    whom: tuple[str, ...] = ()
    loud: bool = False
    arguments: Any = None
    result: Point | None = None  # where the app posted the result


@dataclass(frozen=True, slots=True)
class Lane:
    """One agent and its bars, in order of their beginnings, each turn followed by its calls and waits."""

    agent: Agent
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A session as lanes.

    clock: `receiver`, `server`, or None: then only the order is known and `Point.position` is all there is.
    begin / end: Unix seconds on that clock. order_only: why there is no clock, "" where there is one.
    stopped: the last moment that moved the stalled turn, None where nothing stalls.
    """

    session_id: str | None
    lanes: tuple[Lane, ...]
    moments: tuple[Moment, ...]
    clock: str | None
    begin: float | None
    end: float | None
    stopped: Point | None
    stall: str
    notes: tuple[str, ...] = ()
    order_only: str = ""
