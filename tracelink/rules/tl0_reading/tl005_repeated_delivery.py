"""An event delivered again."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    repeats = context.trace.repeats
    if not repeats:
        return
    names = list(dict.fromkeys(repeat.id for repeat in repeats if repeat.id))
    some = f" ({', '.join(names[:3])}{', …' if len(names) > 3 else ''})" if names else ""
    posts = any(not repeat.id for repeat in repeats)
    tells = " or ".join(["event_id"] * bool(names) + ["receive time"] * posts)
    first = repeats[0]
    yield rule.finding(
        f"{len(repeats)} record{'s were' if len(repeats) > 1 else ' was'} delivered again, as the same content under the same {tells} "
        f"shows{some}, the first at {place(first.again)} after {place(first.first)}: each was used once.",
        at=[repeat.again for repeat in repeats[:3]],
        ids={"event_id": names[0] if names else None},
    )


RULE = Rule(
    code="TL005",
    name="repeated-delivery",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="Events were delivered again, as after a reconnect.",
    proves=(
        "Records carry the event_id and the content of an earlier one, or a post the content and receive time of an"
        " earlier one."
    ),
    cannot=(
        "Why: a reconnect, two recorders, or files that overlap. Nor how many records came again in all: an event without an event_id, and a "
        "post without a receive time, cannot be told from another one alike, and text deltas are only counted; none of these is in the number."
    ),
    quiet="The same item in several events or on several pages; repeated snapshots under new event ids.",
    example="evt_7 at line 7 and again at line 9.",
    remedy="Nothing; drop repeated event_ids if you count events yourself.",
    check=check,
)
