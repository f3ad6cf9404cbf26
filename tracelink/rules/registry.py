"""Finds the rules and runs them."""

import importlib
import pkgutil
from functools import cache

import tracelink.rules as package
from tracelink.model.finding import Finding
from tracelink.model.run import Run
from tracelink.model.trace import Trace, Unlinkable
from tracelink.model.verdict import Verdict
from tracelink.rules.rule import Context, Lasting, Rule


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, by code. Each module `rules/<family>/tl<number>_<name>.py` declares one as RULE."""
    found: list[Rule] = []
    for family in pkgutil.iter_modules(package.__path__):
        if not family.ispkg:
            continue
        folder = importlib.import_module(f"{package.__name__}.{family.name}")
        for module in pkgutil.iter_modules(folder.__path__):
            if module.name.startswith("tl"):
                found.append(importlib.import_module(f"{folder.__name__}.{module.name}").RULE)
    return tuple(sorted(found, key=lambda rule: rule.code))


def by_code() -> dict[str, Rule]:
    """Code → rule."""
    return {rule.code: rule for rule in rules()}


class Checking:
    """The rules over one run. silence: seconds without a record that count as silence."""

    def __init__(self, run: Run, *, as_of: float | None = None, silence: float = 300.0) -> None:
        self._run, self._as_of, self._silence = run, as_of, silence
        self._index = {source.name: number for number, source in enumerate(run.sources)}
        self._rules = rules()
        self.lasting = Lasting()

    def session(self, trace: Trace, verdict: Verdict) -> tuple[tuple[Finding, ...], tuple[Unlinkable, ...]]:
        """The findings of one trace, worst first, then by place and code; and what the rules could not look at in it, and why."""
        context = Context(self._run, trace, verdict, self._as_of, self._silence, lasting=self.lasting)
        findings = self._findings("session", context)
        unchecked = tuple(one for rule in self._rules if rule.unchecked is not None for one in rule.unchecked(context))
        return tuple(_of(finding, trace.session_id) for finding in findings), unchecked

    def run(self) -> tuple[Finding, ...]:
        """The findings of the run, in the same order."""
        return tuple(self._findings("run", Context(self._run, Trace(None), Verdict("unknown", ""), self._as_of, self._silence)))

    def _findings(self, scope: str, context: Context) -> list[Finding]:
        found = [one for rule in self._rules if rule.scope == scope for one in rule.check(rule, context)]
        found.sort(key=lambda finding: _order(finding, self._index))
        return found


def check(
    run: Run,
    trace: Trace | None = None,
    verdict: Verdict | None = None,
    *,
    as_of: float | None = None,
    silence: float = 300.0,
) -> tuple[Finding, ...]:
    """The findings of one trace, or of the run where no trace is given (`Checking`)."""
    checking = Checking(run, as_of=as_of, silence=silence)
    return checking.run() if trace is None else checking.session(trace, verdict or Verdict("unknown", ""))[0]


def _of(finding: Finding, session_id: str | None) -> Finding:
    """The finding with its session; written out, for `replace` costs as much as the rule that made it."""
    return Finding(
        finding.code,
        finding.name,
        finding.severity,
        finding.confidence,
        finding.message,
        finding.ids,
        finding.locations,
        finding.hint,
        session_id,
        finding.times,
    )


def _order(finding: Finding, index: dict[str, int]) -> tuple[object, ...]:
    first = finding.locations[0] if finding.locations else None
    where = (index.get(first.source, 0), first.line, first.byte) if first is not None else (-1, 0, 0)
    return (finding.severity.rank, *where, finding.code, tuple(sorted(finding.ids.items())))
