"""One call_id in several turns."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    if len({key[1] for key in context.trace.calls}) == len(context.trace.calls):
        return
    turns: dict[str, list[tuple[str, str]]] = {}
    for key in context.trace.calls:
        if key[0] and key[1]:
            turns.setdefault(key[1], []).append(key)
    for call_id, keys in turns.items():
        if len(keys) < 2:
            continue
        calls = [context.trace.calls[key] for key in keys]
        yield rule.finding(
            f"The call_id {call_id} is used in {len(keys)} turns, first at {place(calls[0].first)}: they are different calls, "
            "and only turn_id and call_id together tell them apart.",
            at=[call.first for call in calls[:4]],
            ids={"call_id": call_id, "turn_id": keys[0][0], "other_turn_id": keys[1][0]},
        )


RULE = Rule(
    code="TL108",
    name="reused-call-id",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="One call_id occurs in several turns.",
    proves="Function calls of different turns carry the same call_id.",
    cannot="That anything went wrong: where a call_id is unique is not documented.",
    quiet="The same call seen in several events, pages and snapshots of one turn.",
    example="call_0 in turn_1 and again in turn_2.",
    remedy="Key calls and results by session, turn and call, never by call_id alone.",
    check=check,
)
