"""A result's output is of a kind that the API does not take."""

from collections.abc import Iterable
from typing import Any

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place

PARTS = {"input_text": "text", "input_image": "image_url"}
"""The parts an output may have, and the member that each needs (fact sheet B.2)."""

IN_PARTS = "Post one string, or give each part its type and its member: input_text its text, input_image its image_url."


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for result in context.trace.results:
        wrong = _wrong(result.output, posted=result.posted is not None)
        if wrong is None:
            continue
        yield rule.finding(
            f"The output of the {'posted' if result.posted else 'recorded'} result for {result.call_id or 'no call_id'} at "
            f"{place(result.first)} is {wrong}, but an output is a string or a list of input_text and input_image parts: "
            "the API does not take anything else.",
            at=(result.first, result.recorded),
            ids={"call_id": result.call_id, "turn_id": result.turn_id, "item_id": result.item_id},
            hint=IN_PARTS if isinstance(result.output, list) else None,
        )


def _wrong(output: Any, *, posted: bool) -> str | None:
    """What the output is, where it is neither text nor parts; None where it is fine or absent (null is allowed, D.2)."""
    if output is None or isinstance(output, str):
        return None
    if not isinstance(output, list):
        return "an object" if isinstance(output, dict) else "a boolean" if isinstance(output, bool) else "a number"
    for number, part in enumerate(output, 1):
        if not isinstance(part, dict):
            return f"a list whose entry {number} is no content part"
        kind = part.get("type")
        if not isinstance(kind, str):
            return f"a list whose entry {number} has no type"
        if kind not in PARTS:
            if posted:
                return f"a list whose entry {number} is of type {kind[:40]}"
            continue  # the server recorded it: a type that is newer than these facts (L.2.1)
        if not isinstance(part.get(PARTS[kind]), str):
            return f"a list whose entry {number}, {kind}, has no {PARTS[kind]}"
    return None


RULE = Rule(
    code="TL201",
    name="output-not-text",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="A result's output is neither a string nor a list of input_text and input_image parts.",
    proves="The output, as posted or as recorded, is an object, a number, a boolean, or a list with something else in it.",
    cannot="What the server did with it, unless its refusal is recorded too (TL307).",
    quiet=(
        "An output that is null or missing (the type allows it, and lists show null for a failed result); an empty "
        "list; parts of an unknown type in what the server itself recorded; a post and its item, which are one result."
    ),
    example='{"type": "agent.session.input.tool_result", …, "success": true, "output": {"units": 12}}',
    remedy="Serialise the value to JSON text before it is posted as the output.",
    check=check,
)
