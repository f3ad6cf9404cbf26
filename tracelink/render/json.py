"""The report as JSON: `tracelink.report/1`, described by `report.schema.json` beside this file.

Every list is always there, so an empty one means "none" and never "not looked". The same report gives the same bytes.
orjson writes it; where a recording holds what orjson refuses (a number over 64 bits, half a surrogate pair), the
standard library writes the same form.
"""

import json
import math
from typing import Any

import orjson

from tracelink import __version__
from tracelink.model.finding import Finding
from tracelink.model.location import Location
from tracelink.model.run import Report, Run, SessionReport
from tracelink.model.trace import Agent, Trace
from tracelink.model.verdict import Evidence, OpenAction, Verdict
from tracelink.render.escape import shielded

SCHEMA = "tracelink.report/1"
DISPOSITIONS = ("used", "repeated", "unknown", "unreadable", "foreign")
DEEPEST = 240
LONGEST_INT_BITS = 14_000  # Python writes no decimal number of more than 4,300 digits


def render(report: Report) -> bytes:
    """`report` as UTF-8 JSON, indented by two, with a closing newline."""
    return dump(as_dict(report))


def dump(value: Any) -> bytes:
    """Any value made of JSON's kinds as UTF-8 JSON, indented by two, with a closing newline. It always succeeds."""
    try:
        return shielded(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    except (TypeError, RecursionError):
        text = json.dumps(_plain(value, DEEPEST), ensure_ascii=False, indent=2)
        return shielded(text.encode("utf-8", "surrogatepass") + b"\n")


def line(value: Any) -> bytes:
    """The same on one line."""
    try:
        return shielded(orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE))
    except (TypeError, RecursionError):
        return json.dumps(_plain(value, DEEPEST), separators=(",", ":")).encode("ascii") + b"\n"


def _plain(value: Any, depth: int) -> Any:
    if depth == 0:
        return "(nested too deeply to be shown)"
    if isinstance(value, dict):
        return {str(key): _plain(member, depth - 1) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member, depth - 1) for member in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > LONGEST_INT_BITS:
        return hex(value)
    return value if value is None or isinstance(value, str | int | float) else str(value)


def as_dict(report: Report) -> dict[str, Any]:
    run = report.run
    return {
        "schema": SCHEMA,
        "tracelink": __version__,
        "as_of": run.as_of,
        "sources": sources(run),
        "sessions": [_session(session) for session in report.sessions],
        "findings": [finding_dict(finding) for finding in report.findings],
    }


def sources(run: Run) -> list[dict[str, Any]]:
    """What was read of each source, as the report and `check` print it."""
    listed = []
    for index, source in enumerate(run.sources):
        counts = run.counts[index] if index < len(run.counts) else {}
        listed.append(
            {
                "name": source.name,
                "format": source.format,
                "compression": source.compression,
                "bytes": source.bytes,
                "records": source.records,
                "counts": {name: counts.get(name, 0) for name in DISPOSITIONS},
                "problem": source.problem,
            }
        )
    return listed


def _session(session: SessionReport) -> dict[str, Any]:
    trace, stall = session.trace, session.stall
    return {
        "session_id": trace.session_id,
        "status": status_of(trace),
        "agent": _root(trace),
        "verdict": _verdict(session.verdict),
        "stall": {
            "kind": stall.kind,
            "expected": stall.expected,
            "blame": stall.blame,
            "because": stall.because,
            "ids": stall.ids,
            "path": list(stall.path),
            "evidence": [location_dict(location) for location in stall.evidence],
        },
        "next_actions": [
            {"text": action.text, "body": action.body, "placeholders": list(action.placeholders)}
            for action in session.next_actions
        ],
        "findings": [finding_dict(finding) for finding in session.findings],
        "agents": [_agent(agent) for agent in trace.agents.values()],
        "unlinkable": [
            {"what": one.what, "why": one.why, "ids": one.ids, "location": location_dict(one.at.location) if one.at else None}
            for one in session.not_checked
        ],
        "counts": counts_of(trace),
    }


def status_of(trace: Trace) -> str | None:
    """The session's status by its latest snapshot; None where there is none, or where several may be the latest and differ."""
    seen = {snapshot.body.status for snapshot in trace.latest}
    return seen.pop() if len(seen) == 1 else None


def counts_of(trace: Trace) -> dict[str, int]:
    """What the trace counted, and in any case its turns, calls, results and subagents."""
    counted = {
        "turns": len(trace.turns),
        "calls": len(trace.calls),
        "results": len(trace.results),
        "subagents": sum(not agent.root for agent in trace.agents.values()),
    }
    return {"records": 0} | counted | trace.counts


def _root(trace: Trace) -> dict[str, Any] | None:
    root = next((agent for agent in trace.agents.values() if agent.root), None)
    return None if root is None else {"agent_id": root.id, "name": root.name, "model": root.model}


def _agent(agent: Agent) -> dict[str, Any]:
    spawn = agent.spawn
    by = None
    if spawn is not None:
        by = {"item_id": spawn.item_id, "rule": spawn.rule, "confidence": spawn.confidence, "inferred": True}
    return {
        "agent_id": agent.id,
        "root": agent.root,
        "name": agent.name,
        "parent_id": agent.parent_id,
        "status": agent.status,
        "spawned_by": by,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "awaits": verdict.awaits,
        "reason": verdict.reason,
        "actions": [_action(action) for action in verdict.actions],
        "evidence": _evidence(verdict.evidence),
        "changes_if": verdict.changes_if,
    }


def _evidence(evidence: Evidence | None) -> dict[str, Any] | None:
    if evidence is None:
        return None
    at = location_dict(evidence.location) if evidence.location else None
    return {"what": evidence.what, "location": at, "age": evidence.age, "clock": evidence.clock}


def _action(action: OpenAction) -> dict[str, Any]:
    seen = action.action
    shown: dict[str, Any] = {"type": seen.type, "turn_id": seen.turn_id}
    ids = {"call_id": seen.call_id, "request_id": seen.request_id, "environment_id": seen.environment_id}
    shown |= {name: value for name, value in ids.items() if value is not None}
    shown |= {"name": seen.name, "arguments": seen.arguments}
    if seen.request is not None:
        shown["request"] = seen.request
    return shown | {
        "since": action.since,
        "clock": action.clock,
        "position": action.position,
        "of": action.of,
        "answered": action.answered,
        "evidence": location_dict(action.evidence) if action.evidence else None,
    }


def finding_dict(finding: Finding) -> dict[str, Any]:
    """One finding, as the report and `check` print it."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "message": finding.message,
        "ids": finding.ids,
        "locations": [location_dict(location) for location in finding.locations],
        "hint": finding.hint,
    }


def location_dict(location: Location) -> dict[str, Any]:
    return {"source": location.source, "line": location.line, "byte": location.byte, "event_id": location.event_id}
