"""Finds the rules and runs them."""

import importlib
import pkgutil
from dataclasses import replace
from functools import cache

import tracelink.rules as package
from tracelink.model.finding import Finding
from tracelink.model.run import Run
from tracelink.model.trace import Trace, Unlinkable
from tracelink.model.verdict import Verdict
from tracelink.rules.rule import Context, Rule


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


def check(
    run: Run,
    trace: Trace | None = None,
    verdict: Verdict | None = None,
    *,
    as_of: float | None = None,
    silence: float = 300.0,
) -> tuple[Finding, ...]:
    """The findings of one trace, or of the run where no trace is given: worst first, then by place and code."""
    scope = "run" if trace is None else "session"
    context = Context(run, trace or Trace(None), verdict or Verdict("unknown", ""), as_of, silence)
    found: list[Finding] = []
    for rule in rules():
        if rule.scope == scope:
            found.extend(rule.check(rule, context))
    index = {source.name: number for number, source in enumerate(run.sources)}
    found.sort(key=lambda finding: _order(finding, index))
    session_id = trace.session_id if trace is not None else None
    return tuple(replace(finding, session_id=session_id) for finding in found)


def unchecked(run: Run, trace: Trace, verdict: Verdict, *, as_of: float | None = None) -> tuple[Unlinkable, ...]:
    """What the rules could not look at in this trace, and why."""
    context = Context(run, trace, verdict, as_of)
    return tuple(one for rule in rules() if rule.unchecked is not None for one in rule.unchecked(context))


def _order(finding: Finding, index: dict[str, int]) -> tuple[object, ...]:
    first = finding.locations[0] if finding.locations else None
    where = (index.get(first.source, 0), first.line, first.byte) if first is not None else (-1, 0, 0)
    return (finding.severity.rank, *where, finding.code, tuple(sorted(finding.ids.items())))
