"""What a rule is: one declaration, from which its page, SARIF, the README's table and the tests derive."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin, file_name
from tracelink.model.run import Run
from tracelink.model.trace import Trace, Unlinkable
from tracelink.model.verdict import Verdict
from tracelink.rules.tl7_secrets.scanner import shown

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule may look at. A run's rule gets no trace and no verdict worth the name.

    silence: seconds without a record that count as silence (`--silence`). as_of: Unix seconds or None.
    kept: what a rule has worked out and its other half (`unchecked`) needs too, by the rule's code; and what `once` made.
    lasting: see there; the same for all sessions of the run.
    """

    run: Run
    trace: Trace
    verdict: Verdict
    as_of: float | None = None
    silence: float = 300.0
    kept: dict[str, Any] = field(default_factory=dict)
    lasting: "Lasting" = field(default_factory=lambda: Lasting())

    def once(self, make: Callable[[Trace], _T]) -> _T:
        """`make(trace)`, worked out at the first question, for all rules that ask it."""
        name = f"{make.__module__}.{make.__qualname__}"
        if name not in self.kept:
            self.kept[name] = make(self.trace)
        made: _T = self.kept[name]
        return made


class Lasting:
    """What is worked out once for all sessions of a run. It may save work, and must never change what is found."""

    def __init__(self) -> None:
        self._made: dict[object, Any] = {}

    def get(self, make: Callable[[], _T]) -> _T:
        """`make()`, the same at every question."""
        if make not in self._made:
            self._made[make] = make()
        made: _T = self._made[make]
        return made


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    summary: one sentence, what it is about. proves / cannot: what a finding shows and what it does not.
    quiet: what keeps it quiet. example: what it looks like on the wire, in words or JSON. remedy: what to do.
    scope: `session` (checked once a trace) or `run` (once). unchecked: what the rule could not look at, and why.
    """

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    summary: str
    proves: str
    cannot: str
    quiet: str
    example: str
    remedy: str
    check: Callable[["Rule", Context], Iterable[Finding]] = field(repr=False)
    scope: str = "session"
    unchecked: "Callable[[Context], Iterable[Unlinkable]] | None" = field(default=None, repr=False)

    def finding(
        self,
        message: str,
        *,
        at: "Iterable[Origin | None]" = (),
        ids: "dict[str, str | None] | None" = None,
        hint: str | None = None,
        severity: Severity | None = None,
        confidence: Confidence | None = None,
        times: int = 1,
    ) -> Finding:
        """A finding of this rule: one sentence, the places (the first is the primary one), the ids that are known.

        times: see `Finding`. A key of OpenAI's in the sentences or the ids is masked: a finding is passed on more freely than a
        recording.
        """
        return Finding(
            self.code,
            self.name,
            severity or self.severity,
            confidence or self.confidence,
            shown(message),
            {name: shown(value) for name, value in (ids or {}).items() if value is not None},
            tuple(dict.fromkeys(one.location for one in at if one is not None)),
            self.remedy if hint is None else shown(hint),
            times=times,
        )


def place(origin: Origin | None) -> str:
    """`name:line` of a record, for use inside a sentence; the finding's locations hold the whole path."""
    return f"{file_name(origin.source)}:{origin.line}" if origin is not None else "an unknown place"
