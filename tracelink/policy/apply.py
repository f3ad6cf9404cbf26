"""Report → outcome: every finding is new, known, or set aside and counted."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.run import Report
from tracelink.policy.baseline import Baseline, Entry
from tracelink.policy.fingerprint import fingerprint
from tracelink.policy.ignores import Ignores
from tracelink.policy.select import Selection
from tracelink.policy.threshold import fails, sure_enough


@dataclass(frozen=True, slots=True)
class Policy:
    """What counts. fail_on: None fails never. baseline: None where there is none, which is not the same as an empty one."""

    selection: Selection = field(default_factory=Selection)
    ignores: Ignores = field(default_factory=Ignores)
    min_confidence: Confidence = Confidence.LOW
    fail_on: Severity | None = Severity.ERROR
    baseline: Baseline | None = None


class Counted(NamedTuple):
    """A finding that counts, with its fingerprint; `known` where the baseline holds it."""

    finding: Finding
    fingerprint: str
    known: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """Attributes:

    counted: new and known findings, in the report's order: those of the run, then session by session, worst first.
    ignored: how many were set aside by selection or ignores. unsure: how many by `min_confidence`.
    stale: what the baseline holds and was not found again. unseen: what it holds of rules and sessions not looked at.
    recorded: the findings are being written to a baseline, so none of them fails the run.
    """

    report: Report
    policy: Policy
    counted: tuple[Counted, ...]
    ignored: int = 0
    unsure: int = 0
    stale: tuple[Entry, ...] = ()
    unseen: tuple[Entry, ...] = ()
    recorded: bool = False

    @property
    def new(self) -> tuple[Counted, ...]:
        return tuple(one for one in self.counted if not one.known)

    @property
    def known(self) -> int:
        return sum(one.known for one in self.counted)

    @property
    def failed(self) -> bool:
        return not self.recorded and any(fails(one.finding, self.policy.fail_on) for one in self.new)

    @property
    def by_severity(self) -> dict[str, int]:
        """New findings by severity, all three always there."""
        counts = Counter(one.finding.severity for one in self.new)
        return {severity.value: counts[severity] for severity in Severity}


def apply(report: Report, policy: Policy) -> Outcome:
    """Sorts the findings of a report by a policy."""
    ignored = unsure = 0
    kept: list[Finding] = []
    for finding in report.all_findings():
        if finding.code not in policy.selection or finding in policy.ignores:
            ignored += 1
        elif not sure_enough(finding, policy.min_confidence):
            unsure += 1
        else:
            kept.append(finding)
    baseline = policy.baseline or Baseline()
    known, left = baseline.split(kept)
    counted = tuple(Counted(one, fingerprint(one), old) for one, old in zip(kept, known, strict=True))
    sessions = {session.trace.session_id for session in report.sessions}
    codes = policy.selection.codes
    stale = baseline.stale(left, codes, sessions)
    return Outcome(report, policy, counted, ignored, unsure, stale, baseline.unseen(codes, sessions))
