"""Words and values of a difference, as the text shows them."""

from typing import Any

from tracelink.compare.values import (
    AGENT,
    APPROVAL,
    CALL,
    CHANGED,
    MOVED,
    ONLY_IN_A,
    RESULT,
    SESSION,
    TURN,
    VERDICT,
    Difference,
)
from tracelink.render.escape import escape, ident, json_text, width_of
from tracelink.render.page import Page

PLAIN_FIELDS = frozenset(
    ("status", "state", "awaits", "stall", "answered", "problem", "environment_type", "error_code", "name", "model")
)
"""Fields whose values are words of a list or names: shown without quotes."""
IDS = ("call_id", "request_id", "environment_id", "subagent_id", "agent_id", "turn_id", "session_id", "item_id")
WINDOW = 16
"""Characters kept before the first one that differs, of a long text."""


def thing(one: Difference) -> str:
    """`call book_courier call_1`, `result of book_courier call_1 | call_9`, `the session`."""
    name = escape(one.name) if one.name is not None else ""
    lead = {
        SESSION: "settings",
        AGENT: "subagent" if "subagent_id" in {**one.ids_a, **one.ids_b} else "root agent",
        TURN: "turn",
        CALL: "call",
        APPROVAL: "required action",
        RESULT: "result of" if name else "result for",
        VERDICT: "open action" if name else "verdict",
    }[one.kind]
    own = {SESSION: (), VERDICT: IDS if name else (), TURN: ("turn_id",)}.get(one.kind, IDS)
    shown = [next((ids[key] for key in own if key in ids), None) for ids in (one.ids_a, one.ids_b)]
    if one.what != CHANGED and one.what != MOVED and not one.field:
        shown = [shown[0] if one.what == ONLY_IN_A else shown[1]]
    ids = " | ".join(ident(each) for each in dict.fromkeys(shown) if each is not None)
    return " ".join(filter(None, (lead, name, ids)))


def headline(one: Difference) -> str:
    """The difference as the end of a sentence that begins with `they part where`; not yet escaped."""
    name = one.name or ""
    what = {
        CALL: f"{name or 'a function'} is called",
        APPROVAL: f"{name or 'something'} is required",
        RESULT: f"the result of {name} comes" if name else "a result that answers no call comes",
        TURN: "a turn begins",
        AGENT: f"subagent {name} comes" if name else "a subagent comes",
    }.get(one.kind, "something happens")
    if one.what == MOVED:
        return f"{name or 'a call'} is called at another place"
    if not one.field:
        return f"{what} in {'A' if one.what == ONLY_IN_A else 'B'} only"
    whose = {
        CALL: f"of {name or 'a call'}",
        APPROVAL: f"of {name or 'a required action'}",
        RESULT: f"of {name}'s result" if name else "of a result that answers no call",
        TURN: "of the turn",
        AGENT: f"of agent {name}" if name else "of an agent",
    }.get(one.kind, "")
    if one.kind == TURN and one.field == "asked":
        return "another thing is asked"
    return f"the {_named(one)} {whose} differ{'' if one.field == 'arguments' or one.field.startswith('items.') else 's'}"


def field(one: Difference) -> str:
    """`arguments $.units`, `output $.a[1] | $.a[2]`, `status`."""
    paths = [path for path in dict.fromkeys((one.path_a, one.path_b)) if path is not None and path != "$"]
    return " ".join((escape(_named(one)), " | ".join(map(escape, paths)))).rstrip()


def _named(one: Difference) -> str:
    """A field in words: `error code`, `refusal`, `items of type mcp_call`."""
    if one.field.startswith("items."):
        return f"items of type {one.field.removeprefix('items.')}"
    return one.field if one.of_id else {"refused": "refusal"}.get(one.field, one.field.replace("_", " "))


def value(one: Difference, given: Any, page: Page, used: int) -> str:
    """A value, on one line, for the room that is left of it."""
    if given is None and one.path_a is None and one.path_b is None:
        return "(none)"
    text = given if isinstance(given, str) and one.field in PLAIN_FIELDS else json_text(given)
    return ident(given) if one.of_id and isinstance(given, str) else page.fit(text, used, least=1)


def values(one: Difference, page: Page, lead: str, indent: str) -> list[str]:
    """Both values: on one line behind `lead` if they fit, else one below the other."""
    if one.what == CHANGED:
        left, right = (value(one, given, Page(page.width, full=True), 0) if _small(given) else None for given in (one.a, one.b))
        if left is not None and right is not None:
            line = f"{lead}  {page.paint(left, 'red')} → {page.paint(right, 'green')}"
            if width_of(f"{lead}  {left} → {right}") <= page.width:
                return [line]
        one_a, one_b = _windows(one.a, one.b)
        return [
            lead,
            page.paint(f"{indent}A  {value(one, one_a, page, len(indent) + 3)}", "red"),
            page.paint(f"{indent}B  {value(one, one_b, page, len(indent) + 3)}", "green"),
        ]
    in_a = one.what == ONLY_IN_A
    start = f"{lead}  only in {'A' if in_a else 'B'}"
    if one.kind == SESSION and not page.full:  # a whole tool: its name is in the path
        return [page.paint(start, "red" if in_a else "green")]
    start += ": "
    text = value(one, one.a if in_a else one.b, page, width_of(start))
    return [page.paint(start + text, "red" if in_a else "green")]


def _small(given: Any) -> bool:
    return (
        given is None
        or isinstance(given, bool | int | float)
        or (isinstance(given, str) and len(given) <= 400)
        or given in ([], {})
    )


def _windows(a: Any, b: Any) -> tuple[Any, Any]:
    """Two long texts from shortly before the first character that differs."""
    if not (isinstance(a, str) and isinstance(b, str)):
        return a, b
    shorter = min(len(a), len(b))
    head = next((at for at in range(shorter) if a[at] != b[at]), shorter)
    if head <= 2 * WINDOW:
        return a, b
    return "…" + a[head - WINDOW :], "…" + b[head - WINDOW :]


def asked(given: Any, page: Page, used: int) -> str:
    """What was asked or called, in short, where `used` columns of a line are taken; empty where there is nothing."""
    return "" if given is None or given == "" else page.fit(json_text(given), used)
