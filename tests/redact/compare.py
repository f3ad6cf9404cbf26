"""What build, check and awaits say of a recording, without the words that a redacted one says otherwise."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tracelink.cli.judging import verdicts
from tracelink.model.finding import Finding
from tracelink.model.limits import Limits
from tracelink.model.run import Report
from tracelink.policy import Policy, apply
from tracelink.redact.members import How
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


Rename = Callable[[str, str | None], str | None]
"""Name of an id and its value → what the redacted recording must say in its place."""


def renaming(**options: Any) -> Rename:
    redactor = Redactor(Tokens(KEY), **options)

    def rename(name: str, value: str | None) -> str | None:
        if value is None:
            return None
        if name == "type":
            return redactor.leaf(How.WORD, "type", value)
        return redactor.id(value) if name.endswith("_id") else value

    return rename


def said(report: Report, rename: Rename = lambda name, value: value) -> dict[str, Any]:
    run = report.run
    outcome = apply(report, Policy())
    short = verdicts(run, 300.0)
    return {
        "sources": [(one.format, one.records, one.problem is None) for one in run.sources],
        "counts": run.counts,
        "sessions": [_session(one, rename) for one in report.sessions],
        "findings": _findings(report.findings, rename),
        "check": _findings((one.finding for one in outcome.counted), rename),
        "awaits": [(one.verdict.awaits, one.stall.kind, len(one.next_actions)) for one in short.sessions],
    }


def _session(one: Any, rename: Rename) -> Any:
    trace, verdict = one.trace, one.verdict
    names = ("turn_id", "call_id", "request_id", "environment_id")
    return {
        "id": rename("session_id", trace.session_id),
        "verdict": (verdict.awaits, verdict.unclear, verdict.evidence and verdict.evidence.location.line),
        "actions": [
            (
                each.action.type,
                each.answered,
                each.position,
                each.of,
                *(rename(name, getattr(each.action, name)) for name in names),
            )
            for each in verdict.actions
        ],
        "stall": (one.stall.kind, one.stall.expected, one.stall.blame),
        "next": [step.body is None for step in one.next_actions],
        "findings": _findings(one.findings, rename),
        "not checked": len(one.not_checked),
        "sizes": [
            len(part) for part in (trace.turns, trace.calls, trace.results, trace.items, trace.agents, trace.coordination)
        ],
        "links": [result.call is not None for result in trace.results],
        "spawns": sorted(repr(each.spawn and (each.spawn.rule, each.spawn.confidence)) for each in trace.agents.values()),
    }


def _findings(findings: Iterable[Finding], rename: Rename) -> list[str]:
    """Credentials (TL701) are gone by intent."""
    return sorted(
        f"{one.code} {one.severity} {one.confidence} at {[at.line for at in one.locations]} of "
        f"{sorted((name, rename(name, value)) for name, value in one.ids.items())}"
        for one in findings
        if one.code != "TL701"
    )


def recordings(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("*") if path.is_file())
