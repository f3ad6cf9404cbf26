"""What build, check and awaits say of a recording, without the words that a redacted one says otherwise."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tracelink
from tracelink.cli.judging import verdicts
from tracelink.model.finding import Finding
from tracelink.model.limits import Limits
from tracelink.model.run import Report
from tracelink.policy import Policy, apply
from tracelink.redact.redactor import Redactor
from tracelink.redact.sources import Rewriter
from tracelink.redact.tokens import Tokens

Json = dict[str, Any]
KEY = b"a key for tests only, 32 bytes.."


def redacted(data: bytes, **options: Any) -> bytes:
    """One source's text, redacted with a fixed key."""
    out: list[bytes] = []
    Rewriter(Redactor(Tokens(KEY), **options), Limits()).run([data], out.append)
    return b"".join(out)


def redacted_lines(*values: Any, **options: Any) -> list[Any]:
    """JSON values as lines, redacted and decoded."""
    text = "".join(json.dumps(value) + "\n" for value in values)
    return [json.loads(line) for line in redacted(text.encode(), **options).splitlines()]


def said(report: Report, ids: bool = True) -> dict[str, Any]:
    """ids: whether ids count, or only how many there are."""
    run = report.run
    outcome = apply(report, Policy())
    short = verdicts(run, 300.0)
    return {
        "sources": [(one.format, one.records, one.problem is None) for one in run.sources],
        "counts": run.counts,
        "sessions": [_session(one, ids) for one in report.sessions],
        "findings": _findings(report.findings, ids),
        "check": _findings((one.finding for one in outcome.counted), ids),
        "awaits": [(one.verdict.awaits, one.stall.kind, len(one.next_actions)) for one in short.sessions],
    }


def _session(one: Any, ids: bool) -> Any:
    actions = [
        (open_.action.type, open_.answered, open_.position, open_.of, *(_ids(open_.action) if ids else ()))
        for open_ in one.verdict.actions
    ]
    trace = one.trace
    return {
        "id": trace.session_id if ids else None,
        "verdict": (one.verdict.awaits, one.verdict.unclear, one.verdict.evidence and one.verdict.evidence.location.line),
        "actions": actions,
        "stall": (one.stall.kind, one.stall.expected, one.stall.blame),
        "next": [step.body is None for step in one.next_actions],
        "findings": _findings(one.findings, ids),
        "not checked": len(one.not_checked),
        "sizes": [
            len(part) for part in (trace.turns, trace.calls, trace.results, trace.items, trace.agents, trace.coordination)
        ],
        "links": [result.call is not None for result in trace.results],
        "spawns": [agent.spawn and (agent.spawn.rule, agent.spawn.confidence) for agent in trace.agents.values()],
    }


def _ids(seen: Any) -> tuple[str | None, ...]:
    return (seen.turn_id, seen.call_id, seen.request_id, seen.environment_id)


def _findings(findings: Iterable[Finding], ids: bool) -> list[Any]:
    """Credentials (TL701) are gone by intent."""
    return sorted(
        repr(
            (
                one.code,
                one.severity,
                one.confidence,
                [at.line for at in one.locations],
                sorted(one.ids.items()) if ids else len(one.ids),
            )
        )
        for one in findings
        if one.code != "TL701"
    )


def report_of(data: bytes) -> Report:
    return tracelink.report(data)


def recordings(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("*") if path.is_file())
