"""What the gate says, for people: the items as a table, every reason with its remedy, and what a repair changed."""

from collections.abc import Sequence
from typing import Any

from tracelink.gate import exact
from tracelink.gate.call import OK
from tracelink.gate.item import NOT_PROVABLE
from tracelink.gate.judge import BLOCK, NOTE, WARN, Judged, Reason
from tracelink.gate.kinds import guessed, text, type_of
from tracelink.gate.profiles import ABOUT, COLUMNS, DEFAULT, table, unknown
from tracelink.gate.repair import ON_REQUEST, Repaired
from tracelink.render.escape import escape, ident, short, width_of
from tracelink.render.page import Page, plural, where

STYLE = {BLOCK: "red", WARN: "yellow", NOTE: "dim"}
FOLD = 200
"""So many items are shown; the rest is counted, unless all is asked for."""
_HEAD = ("#", "type", "id", "call_id", "verdict", "reason")


def render(judged: Judged, page: Page, repaired: Repaired | None = None, target: str | None = None) -> str:
    """The whole answer, with a closing newline."""
    counts = judged.counts()
    answer = page.paint("sendable", "bold", "green") if judged.sendable else page.paint("not sendable", "bold", "red")
    told = ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "no reason against it"
    if judged.unclear:
        answer += ", as far as it could be read,"
    lines = [f"{answer} to {judged.profile}: {plural(len(judged.history.items), 'item')}, {told}"]
    if judged.history.items:
        lines += ["", *_table(judged, page)]
    changed = sum(bool(item.changes) for item in judged.history.items)
    if changed and repaired is None:
        told = f"{plural(changed, 'item')} of another form, judged as Open Responses would have it (--format json and --repair list the changes)"
        lines += ["", *page.wrap(told)]
    for reason in judged.reasons:
        if reason.severity != NOTE or page.full or len(judged.reasons) <= FOLD:
            lines += ["", *_reason(reason, page)]
    blank = unknown(judged.profile)
    if blank and judged.profile != DEFAULT:
        lines += [
            "",
            *page.wrap(
                f"{judged.profile}: {plural(len(blank), 'rule')} of {len(table())} not documented; there the specification's severity counts."
            ),
        ]
    if repaired is not None:
        lines += ["", *_repaired(repaired, page, target)]
    else:
        lines += _next(judged, page)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _table(judged: Judged, page: Page) -> list[str]:
    worst: dict[int, list[Reason]] = {}
    for reason in judged.reasons:
        for position in reason.items[:1]:
            worst.setdefault(position, []).append(reason)
    rows: list[tuple[str, ...]] = [_HEAD]
    shown = judged.history.items if page.full else judged.history.items[:FOLD]
    for at, item in enumerate(shown):
        found = sorted(worst.get(at, ()), key=lambda one: (BLOCK, WARN, NOTE).index(one.severity))
        names = list(dict.fromkeys(one.reason for one in found if one.severity != NOTE)) or [one.reason for one in found[:1]]
        type_ = type_of(item.value) or _untyped(item.value)
        ids = [ident(id_) if id_ else "" for id_ in (text(item.value, "id"), text(item.value, "call_id"))]
        rows.append((str(at), escape(type_), *ids, judged.verdicts[at].verdict, ", ".join(names)))
    widths = [max(width_of(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = []
    for number, row in enumerate(rows):
        cells = [cell + " " * (width - width_of(cell)) for cell, width in zip(row, widths, strict=True)]
        text_ = "  ".join(cells).rstrip()
        style = ("bold",) if number == 0 else ("green",) if row[4] == OK and not row[5] else ()
        lines.append(page.paint(text_, *style))
    if len(shown) < len(judged.history.items):
        lines.append(f"… and {len(judged.history.items) - len(shown)} more (--full shows them)")
    return lines


def _untyped(value: Any) -> str:
    if not isinstance(value, dict):
        return "(no object)"
    return "(type is no string)" if "type" in value else f"(no type: {guessed(value)})"


def _reason(reason: Reason, page: Page) -> list[str]:
    head = f"{page.paint(reason.severity, STYLE[reason.severity])}  {page.heading(reason.reason)}"
    if reason.basis in ("unknown", "upstream", "assumed"):
        told = {
            "unknown": "not documented for this profile",
            "upstream": "decided upstream",
            "assumed": "assumed, not stated for this profile",
        }
        head += f"  ({told[reason.basis]})"
    ids = ", ".join(f"{name} {ident(id_)}" for name, id_ in reason.ids.items())
    places = ", ".join(where(place) for place in reason.locations[:4])
    lines = [head, *page.wrap(reason.message, indent="  ", first="  ")]
    if ids or places:
        lines.append("  at " + "; ".join(part for part in (places, ids) if part))
    return lines + page.wrap(f"→ {reason.remedy}", indent="    ", first="  ")


def _repaired(repaired: Repaired, page: Page, target: str | None) -> list[str]:
    judged = repaired.judged
    state = "may be sent" if judged.sendable else "still may not be sent"
    name = f", in {escape(target)}" if target else ""
    lines = [page.heading(f"repaired: {plural(len(repaired.changes), 'change')}; the new history {state}{name}")]
    for change in repaired.changes:
        at = "new" if change.index is None else f"#{change.index}"
        lines.append(page.fit(f"  {change.change:<10} {at:<5} {change.reason}  {_change(change.before, change.after)}", 0))
    if not judged.sendable:
        lines.append(page.heading("left, for it cannot be repaired safely:"))
        for reason in repaired.left:
            lines += page.wrap(f"{reason.reason}: {reason.message}", indent="    ", first="  ")
        if any(reason.detail == NOT_PROVABLE for reason in judged.reasons):
            told = "Something of the recording is missing, and the new file says so (has_more): fill the gap in the recording and repair that."
            lines += page.wrap(told)
    return lines


def _change(before: Any, after: Any) -> str:
    if before is None and after is None:
        return ""
    return f"{_short(before)} → {_short(after)}"


def _short(value: Any) -> str:
    if value is None:
        return "(nothing)"
    try:
        return short(value if isinstance(value, str) else exact.dumps(value, constants=True), 120)
    except (ValueError, RecursionError):
        return "(a value that cannot be shown)"


def _next(judged: Judged, page: Page) -> list[str]:
    first = next((one for one in judged.reasons if one.severity == BLOCK), None)
    if first is None:
        return []
    lines = [f"next: tracelink rule {first.reason}   (what it proves, what it cannot, what to do)"]
    offered = {fix.what for one in judged.reasons if one.severity == BLOCK for fix in one.fixes}
    if offered - ON_REQUEST:
        lines.append("next: tracelink gate FILE… --repair new.json   (what can be repaired safely)")
    if "drop-bound" in offered:
        lines.append("next: tracelink gate FILE… --repair new.json --drop-bound   (leaves out what is bound to its provider)")
    if "insert" in offered:
        lines.append("next: tracelink gate FILE… --repair new.json --synthesize   (closes open calls: no result was recorded)")
    return ["", *(page.paint(one, "cyan") for one in lines)]


def profiles(page: Page) -> str:
    """The profile table: every rule and every provider, unknown cells as such."""
    marks = {"block": "B", "warn": "W", "note": "N", None: "."}
    longest = max(map(len, table()))
    lines = [" " * longest + "  " + " ".join(f"{name[:6]:<6}" for name in COLUMNS)]
    for row, cells in table().items():
        shown = []
        for name in COLUMNS:
            cell = cells[name]
            mark = marks[cell.severity] + {"stated": "", "assumed": "=", "upstream": "u", "unknown": "?"}[cell.basis]
            shown.append(f"{mark:<6}")
        lines.append(f"{row:<{longest}}  " + " ".join(shown))
    told = (
        "B blocks, W warns, N is a note, . is no matter; ? not documented, u decided upstream: both as the specification has it; "
        "= stated by nobody: taken over from openai, or concluded"
    )
    lines += ["", *page.wrap(told)]
    for name in COLUMNS:
        lines += page.wrap(f"{name}: {ABOUT[name]}", indent="  ", first="")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def nothing(found: dict[str, int], errors: Sequence[str], torn: int = 0) -> str:
    """Why nothing could be judged, one sentence. torn: so many records are cut off or damaged."""
    parts = [f"{count} {name}" for name, count in sorted(found.items())]
    if torn:
        parts.append(f"{plural(torn, 'record')} cut off or damaged")
    told = ", ".join(parts) or "nothing at all"
    failed = f"; the server's error is {', '.join(errors)}" if errors else ""
    return f"no item of the Responses API in it ({told}{failed})."
