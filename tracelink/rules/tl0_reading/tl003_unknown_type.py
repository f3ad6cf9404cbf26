"""Types that nobody documents: counted and named."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin
from tracelink.rules.known import ACTIONS, ITEMS
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    found: dict[tuple[str, str | None], list[Origin]] = {}
    for stranger in context.run.strangers:
        if stranger.group == "unknown":
            found.setdefault((stranger.what, stranger.type), []).append(stranger.at)
    for trace in context.run.traces:
        for item in trace.items.values():
            if item.type not in ITEMS:
                found.setdefault(("item", item.type), []).append(item.first)
        for action in trace.actions:
            if action.seen.type not in ACTIONS:
                found.setdefault(("action", action.seen.type), []).append(action.first)
        for post in trace.inputs:
            if not post.official and post.turn_id is None and post.call_id is None and post.request_id is None:
                found.setdefault(("input", post.type), []).append(post.at)
    for (what, type_), places in found.items():
        times = "once" if len(places) == 1 else f"{len(places)} times"
        subject = "A JSON value without a type" if type_ is None else f"The {what} type {type_}"
        yield rule.finding(
            f"{subject} occurs {times}, first at {place(places[0])}, and is documented nowhere known here: "
            f"{'it is shown as it stands' if what in ('item', 'action') else 'it was counted, not used'}.",
            at=places[:3],
            ids={"type": type_},
        )


RULE = Rule(
    code="TL003",
    name="unknown-type",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="An event, item, action or input type, or a JSON value, that nobody documents.",
    proves="The type is in none of the official lists of the date that --version names.",
    cannot="That anything is wrong: the API grows, and vendors add types.",
    quiet="Documented types that carry nothing for the chain (agents, artifacts, traces).",
    example='{"type": "agent.session.turn.rewound", …}',
    remedy="Look whether a newer tracelink knows it.",
    scope="run",
    check=check,
)
