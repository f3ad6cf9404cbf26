"""The outcome of `check` as JSON: `tracelink.check/1`, described by `check.schema.json` beside this file.

Every list and count is always there, so an empty one means "none" and never "not looked".
"""

from typing import Any

from tracelink import __version__
from tracelink.policy import Counted, Outcome
from tracelink.render.json import dump, finding_dict, sources

SCHEMA = "tracelink.check/1"


def render(outcome: Outcome) -> bytes:
    """UTF-8 JSON, indented by two, with a closing newline."""
    return dump(as_dict(outcome))


def as_dict(outcome: Outcome) -> dict[str, Any]:
    report, policy = outcome.report, outcome.policy
    baseline = None
    if policy.baseline is not None:
        baseline = {"file": policy.baseline.name, "stale": [entry.as_dict() for entry in outcome.stale]}
    return {
        "schema": SCHEMA,
        "tracelink": __version__,
        "as_of": report.run.as_of,
        "sources": sources(report.run),
        "looked_at": {
            "sessions": len(report.sessions),
            "calls": sum(len(session.trace.calls) for session in report.sessions),
            "records": sum(source.records for source in report.run.sources),
        },
        "findings": [counted_dict(one) for one in outcome.new],
        "counts": outcome.by_severity,
        "suppressed": {"baseline": outcome.known, "ignored": outcome.ignored, "confidence": outcome.unsure},
        "baseline": baseline,
        "min_confidence": policy.min_confidence.value,
        "fail_on": policy.fail_on.value if policy.fail_on is not None else "never",
        "failed": outcome.failed,
    }


def counted_dict(one: Counted) -> dict[str, Any]:
    """One finding as `check` prints it: the report's form, with its session and its fingerprint."""
    return finding_dict(one.finding) | {"session_id": one.finding.session_id, "fingerprint": one.fingerprint}
