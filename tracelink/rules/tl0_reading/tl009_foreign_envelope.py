"""Records of another API, or of the alpha, or without their payload."""

from collections.abc import Iterable

from tracelink.model.facts import StrangerSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import file_name
from tracelink.rules.rule import Context, Rule, place

WORDS = {
    "chat_completions": "Chat Completions messages or tool_calls",
    "responses": "Responses or Open Responses items",
    "anthropic": "Anthropic messages",
    "gemini": "Gemini contents",
    "handoff": "an Agents SDK handoff",
    "alpha": "names of the alpha API",
    "digest": "events without their payload (a digest log)",
}


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    found: dict[tuple[str, str], list[StrangerSeen]] = {}
    for stranger in context.run.strangers:
        if stranger.group == "foreign":
            found.setdefault((stranger.what, stranger.at.source), []).append(stranger)
    for (what, source), seen in found.items():
        hint = None
        if what in ("responses", "chat_completions"):
            hint = "Record the session from GET …/agents/sessions/{id}/events and …/items; whether these records may be replayed, tracelink gate tells."
        elif what == "digest":
            hint = "Log the whole event: without its item, turn or session nothing can be linked."
        yield rule.finding(
            f"{file_name(source)} holds {len(seen)} record{'s' if len(seen) > 1 else ''} in the shape of {WORDS.get(what, what)}, first at "
            f"{place(seen[0].at)}: not the Agents API's wire format, so nothing was linked from {'them' if len(seen) > 1 else 'it'}.",
            at=[one.at for one in seen[:3]],
            ids={"type": seen[0].type},
            hint=hint,
        )


RULE = Rule(
    code="TL009",
    name="foreign-envelope",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary=(
        "Records come from another API (Chat Completions, Responses, an SDK handoff), from the alpha, or lack their payload."
    ),
    proves="Their shape or type is that of the other format.",
    cannot="Whether the same session was recorded in the right format elsewhere.",
    quiet="JSON inside arguments, outputs and messages, which is payload.",
    example='{"role": "assistant", "tool_calls": […]}',
    remedy="Record the Agents API's own events and items.",
    scope="run",
    check=check,
)
