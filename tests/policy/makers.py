"""Findings and reports made by hand: nothing is read or judged here."""

from typing import Any

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Location
from tracelink.model.record import SourceInfo
from tracelink.model.run import Report, Run, SessionReport
from tracelink.model.trace import Trace
from tracelink.model.verdict import Stall, Verdict
from tracelink.rules import by_code


def finding(
    code: str = "TL103", session: str | None = "sess_a", line: int = 3, source: str = "logs/a.jsonl", **more: Any
) -> Finding:
    rule = by_code()[code]
    known = {"severity": rule.severity, "confidence": rule.confidence, "message": "seen.", "ids": {"call_id": "call_1"}}
    known |= {"hint": "do."} | more
    return Finding(code, rule.name, locations=(Location(source, line, line * 10, f"ev_{line}"),), session_id=session, **known)


def report(*findings: Finding, sessions: tuple[str | None, ...] = ("sess_a",), problem: str | None = None) -> Report:
    run = Run((SourceInfo("logs/a.jsonl", "jsonl", 100, 7, problem=problem),), (), ({"used": 7},))
    made = tuple(
        SessionReport(
            Trace(name),
            Verdict("unknown", "why"),
            Stall("not_stalled", "yes", "nobody", ""),
            (),
            tuple(one for one in findings if one.session_id == name and name is not None),
        )
        for name in sessions
    )
    return Report(run, made, tuple(one for one in findings if one.session_id is None))


__all__ = ["Confidence", "Severity", "finding", "report"]
