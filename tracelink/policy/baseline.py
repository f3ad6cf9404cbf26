"""The baseline: findings that are known and do not count.

A JSON file, `tracelink.baseline/1`, described by `baseline.schema.json` beside this file: sorted, one entry a fingerprint, with
code, session and ids for the people who review it. `count` says how often what has this fingerprint was seen (findings that share it,
and posts or refusals that one finding tells of); one more is new.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tracelink.model.finding import Finding
from tracelink.policy.fingerprint import LENGTH, fingerprint

SCHEMA = "tracelink.baseline/1"


@dataclass(frozen=True, slots=True)
class Entry:
    """One known thing."""

    fingerprint: str
    code: str
    session_id: str | None
    ids: Mapping[str, str] = field(default_factory=dict)
    count: int = 1

    def as_dict(self) -> dict[str, Any]:
        return {
            "fingerprint": self.fingerprint,
            "code": self.code,
            "session_id": self.session_id,
            "ids": dict(sorted(self.ids.items())),
            "count": self.count,
        }


@dataclass(frozen=True, slots=True)
class Baseline:
    """Attributes: entries, sorted by session, code and ids. name: the file, as messages call it."""

    entries: tuple[Entry, ...] = ()
    name: str = ""

    def split(self, findings: Iterable[Finding]) -> tuple[list[bool], Counter[str]]:
        """For each finding whether it is known (of equal ones the first are), and what is left of each fingerprint's count.

        A finding that was seen more often than is left of its count is new.
        """
        left = Counter({entry.fingerprint: entry.count for entry in self.entries})
        known = []
        for finding in findings:
            key = fingerprint(finding)
            known.append(left[key] >= finding.times)
            left[key] = max(0, left[key] - finding.times)
        return known, left

    def stale(self, left: Counter[str], codes: Collection[str], sessions: Collection[str | None]) -> tuple[Entry, ...]:
        """Entries not found again, with what is left of their count.

        Only of rules and sessions that were looked at: what was not read is not gone.
        """
        return tuple(
            Entry(one.fingerprint, one.code, one.session_id, one.ids, left[one.fingerprint])
            for one in self.entries
            if left[one.fingerprint] > 0 and _seen(one, codes, sessions)
        )

    def unseen(self, codes: Collection[str], sessions: Collection[str | None]) -> tuple[Entry, ...]:
        """Entries of rules and sessions that were not looked at."""
        return tuple(one for one in self.entries if not _seen(one, codes, sessions))


def _seen(entry: Entry, codes: Collection[str], sessions: Collection[str | None]) -> bool:
    return entry.code in codes and (entry.session_id is None or entry.session_id in sessions)


def of(findings: Iterable[Finding], kept: Iterable[Entry] = ()) -> Baseline:
    """The baseline that holds these findings, and entries that are kept from another."""
    entries: dict[str, Entry] = {}
    counts: Counter[str] = Counter()
    for finding in findings:
        key = fingerprint(finding)
        counts[key] += finding.times
        entries.setdefault(key, Entry(key, finding.code, finding.session_id, finding.ids))
    counted = [Entry(key, one.code, one.session_id, one.ids, counts[key]) for key, one in entries.items()]
    return Baseline(tuple(sorted([*counted, *(one for one in kept if one.fingerprint not in entries)], key=_order)))


def _order(entry: Entry) -> tuple[str, str, list[tuple[str, str]], str]:
    return (entry.session_id or "", entry.code, sorted(entry.ids.items()), entry.fingerprint)


def dump(baseline: Baseline) -> bytes:
    """The file: ASCII, indented by two, the same bytes for the same findings."""
    entries = [entry.as_dict() for entry in sorted(baseline.entries, key=_order)]
    return json.dumps({"schema": SCHEMA, "entries": entries}, indent=2).encode("ascii") + b"\n"


def load(data: bytes, name: str = "") -> Baseline:
    """Reads what `dump` wrote. Raises ValueError, one sentence, for anything else."""
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is no JSON ({error}).") from None
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        told = value.get("schema") if isinstance(value, dict) else None
        raise ValueError(f"its schema is {told!r}, not {SCHEMA!r}; make one with --write-baseline.")
    listed = value.get("entries")
    if not isinstance(listed, list):
        raise ValueError("its 'entries' are no list.")
    merged: dict[str, Entry] = {}
    for number, one in enumerate(listed, start=1):
        entry = _entry(one, number)
        before = merged.get(entry.fingerprint)  # two branches merged by hand may both hold it
        if before is None or before.count < entry.count:
            merged[entry.fingerprint] = entry
    return Baseline(tuple(sorted(merged.values(), key=_order)), name)


def _entry(value: Any, number: int) -> Entry:
    if not isinstance(value, dict):
        raise ValueError(f"its entry {number} is no object.")
    key, code, session_id = value.get("fingerprint"), value.get("code"), value.get("session_id")
    ids, count = value.get("ids", {}), value.get("count", 1)
    if not (isinstance(key, str) and len(key) == LENGTH and isinstance(code, str)):
        raise ValueError(f"its entry {number} lacks a fingerprint or a code.")
    if not (session_id is None or isinstance(session_id, str)) or not isinstance(ids, dict):
        raise ValueError(f"its entry {number} has a session_id that is no text, or ids that are no object.")
    if not all(isinstance(one, str) for one in ids.values()):
        raise ValueError(f"its entry {number} has an id that is no text.")
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ValueError(f"its entry {number} has a count that is no number from 1.")
    return Entry(key, code, session_id, ids, count)
