"""A trace: one session after linking. Plain values; every one carries the places it was seen at."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tracelink.model.facts import (
    ActionSeen,
    Burst,
    EnvironmentSeen,
    ErrorSeen,
    InputSeen,
    ItemSeen,
    PageSeen,
    RefusalSeen,
    SnapshotSeen,
    StrangerSeen,
    SubagentSeen,
    TurnSeen,
    WebhookSeen,
)
from tracelink.model.location import Origin

CallKey = tuple[str, str]
"""(turn_id, call_id): the key of a call within its session. The same call_id in two turns is two calls."""

ROOT = "(root)"
"""Stands for the root agent's id where the recording never names it."""

TERMINAL = frozenset({"completed", "failed", "cancelled"})
"""Turn statuses that end a turn (fact sheet C.2)."""


@dataclass(frozen=True, slots=True)
class Agent:
    """The root agent or a subagent. `id` is ROOT where the root agent's id is not recorded.

    `seen` is False for an agent that only coordination items name. `spawn` is None for the root, for an orphan
    and where no create call fits. `opened`/`closed`: Unix seconds.
    """

    id: str
    root: bool
    name: str | None = None
    model: str | None = None
    parent_id: str | None = None
    status: str | None = None
    opened_at: int | None = None
    closed_at: int | None = None
    instructions: str | None = None
    seen: bool = True
    spawn: "Spawn | None" = None
    origins: tuple[Origin, ...] = ()
    history: tuple[SubagentSeen, ...] = ()


@dataclass(frozen=True, slots=True)
class Spawn:
    """The inferred edge from a create call to the subagent it made (fact sheet B.4).

    rule: `unique`, `instructions`, `position`, `order`; confidence falls in that order.
    """

    item_id: str
    subagent_id: str
    rule: str
    confidence: str


@dataclass(frozen=True, slots=True)
class Turn:
    """Attributes:

    agent_id: owner: the subagent's id, else the root agent's id (or ROOT). Never taken from `turn.agent_id` (5.3).
    owner_known: a record said whose turn it is; else it is shown under the root agent.
    status: the latest recorded status, None if no turn object was seen.
    began: where the recording shows the turn starting (`turn.created`), else None.
    ended: where a terminal status was seen first, else None.
    outcome: completed, failed, cancelled, or None while no end is recorded.
    covered: the recording shows the whole turn, so what is missing in it is missing: a stream from its
        beginning to its end, or complete item pages. `covered_by` says which (`stream`, `pages`, or "").
    """

    id: str
    agent_id: str
    subagent_id: str | None
    owner_known: bool
    status: str | None = None
    outcome: str | None = None
    created_at: int | None = None
    started_at: int | None = None
    completed_at: int | None = None
    error_code: str | None = None
    error_message: str | None = None
    began: Origin | None = None
    ended: Origin | None = None
    covered_by: str = ""
    origins: tuple[Origin, ...] = ()
    history: tuple[TurnSeen, ...] = ()

    @property
    def covered(self) -> bool:
        return bool(self.covered_by)


@dataclass(frozen=True, slots=True)
class Call:
    """A function_call. `state` says how it stands:

    answered (a recorded result, or a posted one that was confirmed) · unapplied (posted, neither confirmed nor refused)
    · required (listed as required by the latest evidence) · open (its turn has no recorded end) · cleared (was required,
    is no longer, no result recorded) · unanswered (turn completed, results in evidence, none) · abandoned (open when its
    turn failed or was cancelled) · unknown (the recording cannot tell).

    `variants` holds more than one (name, arguments) pair only where two different calls share the key (TL109).
    `plain`: linking saw it whole, required and answered, with nothing left to ask (`link/plain.py`): who looks for faults may pass it over.
    """

    turn_id: str
    call_id: str
    name: str | None
    arguments: Any
    status: str | None
    state: str
    item_ids: tuple[str, ...] = ()
    variants: tuple[tuple[str | None, Any], ...] = ()
    origins: tuple[Origin, ...] = ()  # of its items, in order of arrival
    required: tuple[Origin, ...] = ()  # snapshots that list it: the first and the last
    results: tuple[int, ...] = ()  # indices into Trace.results, in order
    history: tuple[ItemSeen, ...] = ()
    plain: bool = field(default=False, repr=False, compare=False)

    @property
    def key(self) -> CallKey:
        return (self.turn_id, self.call_id)

    @property
    def first(self) -> Origin | None:
        """Where it was first seen, as an item or as a required action."""
        return self.origins[0] if self.origins else (self.required[0] if self.required else None)

    @property
    def several(self) -> bool:
        """Whether it may be several calls of as many turns: none is named, and it is recorded more than once (DESIGN 5.1)."""
        return not self.turn_id and sum(one.phase != "added" for one in self.history) > 1


@dataclass(frozen=True, slots=True)
class Meant:
    """Which open call or action a misaddressed result was meant for, and why that is thought. Never applied.

    reason: `other-turn`, `item-id`, `case`, `space`, `prefix`, `truncated`, `edits-1`, `edits-2`, `other-session`,
        `approval`, `missing-id`. `others` are equally good candidates (then nothing is suggested as sure).
    """

    turn_id: str | None
    call_id: str | None
    reason: str
    detail: str
    request_id: str | None = None
    session_id: str | None = None
    others: tuple[CallKey, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """A function_call_output item, a posted tool_result, or both where the item confirms the post.

    posted / recorded: the origins of the two; at least one is there. `repeats` is the number of further identical
    deliveries of the same post or item under a new id (TL107), with their origins in `repeated`; `recorded_again`: those
    of further items alone, each of which the server wrote.
    success: as posted (any JSON; a boolean if it is well formed), None for an item alone.
    call: key of the call it answers, None for an orphan or misaddressed one. `meant`: the near miss.
    problem: None, or the finding code that speaks for it (TL102 … TL116), exactly one.
    refused: the server's refusal of the post, matched.
    """

    turn_id: str | None
    call_id: str | None
    output: Any
    error: Any
    success: Any = None
    has_output: bool = False
    status: str | None = None
    item_id: str | None = None
    posted: Origin | None = None
    recorded: Origin | None = None
    repeated: tuple[Origin, ...] = ()
    recorded_again: tuple[Origin, ...] = ()
    official: bool = True
    type: str | None = None
    call: CallKey | None = None
    meant: Meant | None = None
    problem: str | None = None
    refused: RefusalSeen | None = None

    @property
    def first(self) -> Origin:
        origin = self.posted or self.recorded
        assert origin is not None  # noqa: S101 - a result always comes from a record
        return origin


@dataclass(frozen=True, slots=True)
class Answer:
    """A posted answer to an approval (D.2). `request_id` is None where the post lacks it.

    action: index into Trace.actions of the approval it answers, None if there is none. problem: TL116 or None.
    near: the request_id of the one approval that was open then and differs little; never applied.
    recorded: the item that confirms it (`computer_use_approval_request_result`); refused: the server's refusal.
    """

    posted: InputSeen
    request_id: str | None
    action: int | None = None
    problem: str | None = None
    detail: str = ""
    recorded: Origin | None = None
    refused: RefusalSeen | None = None
    near: str | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """A required action over its life. `key` is (type, call key or request id or environment id).

    first / last: the snapshots that list it first and last; `cleared`: the first fact after `last` that clears it;
    `maybe_cleared`: a fact that clears it and of which nobody can tell whether it came before or after `last`.
    listed_latest: the latest snapshot lists it.
    """

    seen: ActionSeen
    first: Origin
    last: Origin
    cleared: Origin | None
    listed_latest: bool
    maybe_cleared: Origin | None = None

    @property
    def id(self) -> str | None:
        return self.seen.call_id or self.seen.request_id or self.seen.environment_id


@dataclass(frozen=True, slots=True)
class Coordination:
    """A create/send/wait/interrupt/resume/close item, or an agent_message (fact sheet B.2).

    kind: create, send, wait, interrupt, resume, close, message. sender is None where not recorded.
    """

    item_id: str
    kind: str
    turn_id: str | None
    sender: str | None
    recipients: tuple[str, ...]
    status: str | None
    text: str | None
    origins: tuple[Origin, ...]
    history: tuple[ItemSeen, ...] = ()

    @property
    def first(self) -> Origin:
        return self.origins[0]


@dataclass(frozen=True, slots=True)
class Item:
    """Any other item (message, reasoning, mcp_call, command_execution, …), folded: done beats added, later beats earlier."""

    id: str
    type: str
    turn_id: str | None
    status: str | None
    origins: tuple[Origin, ...]
    value: dict[str, Any]
    history: tuple[ItemSeen, ...] = ()

    @property
    def first(self) -> Origin:
        return self.origins[0]


@dataclass(frozen=True, slots=True)
class PageList:
    """The pages of one list: members of one kind (`of`), items those of one agent's turns (None: the root's).

    complete: one of the pages says that nothing follows. A page missing between two others cannot be seen.
    """

    of: str
    subagent_id: str | None
    pages: tuple[PageSeen, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Unlinkable:
    """What could not be checked, and why. A value that is reported, never a silence."""

    what: str
    why: str
    ids: dict[str, str] = field(default_factory=dict)
    at: Origin | None = None


class Adrift(NamedTuple):
    """A post that names no session and fits this one and others: whose it is cannot be told.

    others: their ids. refused: the server's refusal of it. A cancel or a message names nothing; of several the last is kept.
    """

    post: InputSeen
    others: tuple[str, ...]
    refused: RefusalSeen | None = None


@dataclass(frozen=True, slots=True)
class Repeat:
    """An event or item delivered again."""

    id: str
    first: Origin
    again: Origin


@dataclass(frozen=True, slots=True)
class Trace:
    """One session, linked. Dictionaries keep order of first appearance (for listed items: order in time).

    session_id is None where the records name no session. `snapshots` are in order of arrival, duplicates dropped;
    `latest` are the snapshots that may be the latest (one, unless the order cannot be told).
    `counts` is what the report prints. clocked: False where no record of it has a receive time.
    """

    session_id: str | None
    snapshots: tuple[SnapshotSeen, ...] = ()
    latest: tuple[SnapshotSeen, ...] = ()
    agents: dict[str, Agent] = field(default_factory=dict)
    turns: dict[str, Turn] = field(default_factory=dict)
    calls: dict[CallKey, Call] = field(default_factory=dict)
    results: tuple[Result, ...] = ()
    actions: tuple[Action, ...] = ()
    answers: tuple[Answer, ...] = ()
    coordination: dict[str, Coordination] = field(default_factory=dict)
    items: dict[str, Item] = field(default_factory=dict)
    inputs: tuple[InputSeen, ...] = ()
    environments: tuple[EnvironmentSeen, ...] = ()
    errors: tuple[ErrorSeen, ...] = ()
    refusals: tuple[RefusalSeen, ...] = ()
    webhooks: tuple[WebhookSeen, ...] = ()
    lists: tuple[PageList, ...] = ()
    strangers: tuple[StrangerSeen, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    bursts: tuple[Burst, ...] = ()
    unlinkable: tuple[Unlinkable, ...] = ()
    adrift: tuple[Adrift, ...] = ()
    sources: tuple[str, ...] = ()
    starts_mid_turn: Origin | None = None
    lost: Origin | None = None  # an unreadable record that may be this session's, after its latest snapshot
    last: Origin | None = None  # the last record of the session, in the last source
    counts: dict[str, int] = field(default_factory=dict)
    clocked: bool = True

    @property
    def root(self) -> Agent:
        return next(agent for agent in self.agents.values() if agent.root)

    def turns_of(self, agent_id: str) -> list[Turn]:
        """The agent's turns, in order."""
        return [turn for turn in self.turns.values() if turn.agent_id == agent_id]

    def __str__(self) -> str:
        name = self.session_id or "session not named in the recording"
        head = (
            f"{name}: {len(self.agents)} agents, {len(self.turns)} turns, {len(self.calls)} calls, {len(self.results)} results"
        )
        lines = [head]
        by_turn: dict[str, list[Call]] = {}
        for call in self.calls.values():
            by_turn.setdefault(call.turn_id, []).append(call)
        for turn in self.turns.values():
            lines.append(f"  {turn.id} ({turn.agent_id}) {turn.outcome or turn.status or 'no end recorded'}")
            lines += [f"    {call.name or '?'} {call.call_id}: {call.state}" for call in by_turn.get(turn.id, ())]
        return "\n".join(lines)
