"""Two histories side by side, as text and as JSON (`tracelink.diff-items/1`)."""

import json
from collections.abc import Sequence
from typing import Any

from tracelink import __version__
from tracelink.gate.diff import Difference, Matched
from tracelink.gate.item import History
from tracelink.gate.kinds import text as text_of
from tracelink.gate.kinds import type_of
from tracelink.render.escape import escape, ident, short
from tracelink.render.json import dump
from tracelink.render.page import Page, plural, where

SCHEMA = "tracelink.diff-items/1"


def as_json(a: History, b: History, found: Sequence[Matched]) -> bytes:
    """Every match, the equal ones too."""
    differing = sum(bool(pair.differences) for pair in found)
    return dump(
        {
            "schema": SCHEMA,
            "tracelink": __version__,
            "same": not differing,
            "counts": {"a": len(a.items), "b": len(b.items), "differing": differing},
            "items": [_pair(a, b, pair) for pair in found],
        }
    )


def _pair(a: History, b: History, pair: Matched) -> dict[str, Any]:
    item = a.items[pair.a] if pair.a is not None else b.items[pair.b or 0]
    return {
        "a": pair.a,
        "b": pair.b,
        "by": pair.by,
        "type": type_of(item.value),
        "call_id": text_of(item.value, "call_id"),
        "differences": [one._asdict() for one in pair.differences],
    }


def text(a: History, b: History, found: Sequence[Matched], page: Page) -> str:
    """Only what differs, each item with its places; the last line counts. With a closing newline."""
    lines: list[str] = []
    for pair in found:
        if not pair.differences:
            continue
        item = a.items[pair.a] if pair.a is not None else b.items[pair.b or 0]
        name = text_of(item.value, "call_id")
        sides = f"#{'-' if pair.a is None else pair.a} | #{'-' if pair.b is None else pair.b}"
        places = " | ".join(where(side.items[at].location) for side, at in ((a, pair.a), (b, pair.b)) if at is not None)
        head = f"{sides}  {escape(type_of(item.value) or '(no type)')}" + (f" {ident(name)}" if name else "")
        lines += [f"{page.heading(head)}  {places}" + (f" (by {pair.by})" if pair.by else "")]
        lines += [page.fit(f"  {_told(one)}", 0) for one in pair.differences]
    differing = sum(bool(pair.differences) for pair in found)
    lines.append(f"{plural(differing, 'difference')} in {plural(len(a.items), 'item')} and {len(b.items):,}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _told(one: Difference) -> str:
    if one.what in ("only_in_a", "only_in_b"):
        return one.what.replace("_", " ")
    if one.what == "moved":
        return "moved: stands in another order"
    return f"{one.what} {escape(one.field)}: {_value(one.a)} → {_value(one.b)}"


def _value(value: Any) -> str:
    if value is None:
        return "(absent)"
    try:
        return short(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), 160)
    except (ValueError, RecursionError):
        return "(a value that cannot be shown)"
