"""A run: everything that was read at once: its sources, its traces, and what belongs to no session."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tracelink.model.facts import PageSeen, StrangerSeen, TroubleSeen
from tracelink.model.finding import Finding
from tracelink.model.record import SourceInfo
from tracelink.model.trace import Trace, Unlinkable
from tracelink.model.verdict import NextAction, Stall, Verdict


@dataclass(frozen=True, slots=True)
class Run:
    """Attributes:

    counts: per source index, records by disposition: used, repeated, unknown, unreadable, foreign.
    sessions_by_source: per source index, session id (None: not named) → number of records.
    as_of: the moment ages are computed from, Unix seconds, or None where no time is recorded; as_of_given: somebody named it.
    source_ends: per source index, the last receive time in it.
    stopped: the reading was ended on request, so this is a part of what there is.
    """

    sources: tuple[SourceInfo, ...]
    traces: tuple[Trace, ...]
    counts: tuple[dict[str, int], ...] = ()
    troubles: tuple[TroubleSeen, ...] = ()
    strangers: tuple[StrangerSeen, ...] = ()
    pages: tuple[PageSeen, ...] = ()
    sessions_by_source: tuple[dict[str | None, int], ...] = ()
    as_of: float | None = None
    as_of_given: bool = False
    source_ends: dict[int, float] = field(default_factory=dict)
    stopped: bool = False

    def until(self, trace: Trace) -> float | None:
        """The moment up to which silence after a trace's last record is measured, Unix seconds by the recorder's clock.

        It is `as_of` only where somebody named it. Else the recording of this very source decides: what another file
        knows of later times says nothing of this one (DESIGN 5.7).
        """
        if self.as_of_given or trace.last is None:
            return self.as_of
        return self.source_ends.get(trace.last.index)

    def __iter__(self) -> Iterator[Trace]:
        return iter(self.traces)

    def __len__(self) -> int:
        return len(self.traces)

    def __getitem__(self, session_id: str | None) -> Trace:
        for trace in self.traces:
            if trace.session_id == session_id:
                return trace
        raise KeyError(session_id)

    def __str__(self) -> str:
        return "\n".join(str(trace) for trace in self.traces) or "no session found"


@dataclass(frozen=True, slots=True)
class SessionReport:
    trace: Trace
    verdict: Verdict
    stall: Stall
    next_actions: tuple[NextAction, ...] = ()
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unlinkable, ...] = ()

    @property
    def not_checked(self) -> tuple[Unlinkable, ...]:
        """Everything that could not be checked: by the linker, then by the rules."""
        return self.trace.unlinkable + self.unchecked


@dataclass(frozen=True, slots=True)
class Report:
    """What the renderers print. `findings` are those of the run; each session has its own."""

    run: Run
    sessions: tuple[SessionReport, ...]
    findings: tuple[Finding, ...] = field(default=())

    def all_findings(self) -> Iterator[Finding]:
        yield from self.findings
        for session in self.sessions:
            yield from session.findings
