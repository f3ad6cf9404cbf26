"""What the gate says as JSON: `tracelink.gate/1`, described by `gate.schema.json` beside this file; and one reason a line.

Every list is always there, so an empty one means "none" and never "not looked".
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Any

from tracelink import __version__
from tracelink.gate import exact
from tracelink.gate.judge import Judged, Reason
from tracelink.gate.kinds import text, type_of
from tracelink.gate.profiles import unknown
from tracelink.gate.repair import Change, Repaired
from tracelink.model.record import SourceInfo
from tracelink.render.escape import shielded
from tracelink.render.json import dump, line, location_dict

SCHEMA = "tracelink.gate/1"


def render(
    judged: Judged, sources: Sequence[SourceInfo] = (), repaired: Repaired | None = None, target: str | None = None
) -> bytes:
    """UTF-8 JSON, indented by two, with a closing newline; values in the list of changes with every digit that was written."""
    value = as_dict(judged, sources, repaired, target)
    if repaired is not None and any(exact.holds(side) for one in repaired.changes for side in (one.before, one.after)):
        with suppress(RecursionError):  # nested too deeply to be written so: `dump` bounds it
            return shielded(exact.dumps(value, 2).encode("utf-8", "backslashreplace") + b"\n")
    return dump(value)


def as_dict(
    judged: Judged, sources: Sequence[SourceInfo] = (), repaired: Repaired | None = None, target: str | None = None
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "tracelink": __version__,
        "sendable": judged.sendable,
        "unclear": judged.unclear,
        "profile": judged.profile,
        "unknown": list(unknown(judged.profile)),
        "sources": [{"name": one.name, "format": one.format, "bytes": one.bytes, "problem": one.problem} for one in sources],
        "found": dict(sorted(judged.history.shapes.items())),
        "items": items(judged),
        "reasons": [reason(one) for one in judged.reasons],
        "counts": judged.counts(),
        "repair": None if repaired is None else repair(repaired, target),
    }


def items(judged: Judged) -> list[dict[str, Any]]:
    listed = []
    for at, (item, verdict) in enumerate(zip(judged.history.items, judged.verdicts, strict=True)):
        listed.append(
            {
                "index": at,
                "type": type_of(item.value),
                "id": text(item.value, "id"),
                "call_id": text(item.value, "call_id"),
                "verdict": verdict.verdict,
                "detail": verdict.detail,
                "portable": judged.portable(at),
                "changes": list(item.changes),
                "location": location_dict(item.location),
            }
        )
    return listed


def reason(one: Reason) -> dict[str, Any]:
    return {
        "reason": one.reason,
        "severity": one.severity,
        "message": one.message,
        "detail": one.detail,
        "basis": one.basis,
        "items": list(one.items),
        "ids": one.ids,
        "locations": [location_dict(place) for place in one.locations],
        "remedy": one.remedy,
    }


def repair(repaired: Repaired, target: str | None) -> dict[str, Any]:
    return {
        "file": target,
        "sendable": repaired.judged.sendable,
        "items": len(repaired.judged.history.items),
        "changes": [change(one) for one in repaired.changes],
        "left": [reason(one) for one in repaired.left],
    }


def change(one: Change) -> dict[str, Any]:
    return {member.name: getattr(one, member.name) for member in fields(one)}


def lines(judged: Judged) -> bytes:
    """One reason a line; nothing where there is none."""
    return b"".join(line(reason(one)) for one in judged.reasons)
