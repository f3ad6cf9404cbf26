"""A snapshot that lists as required what is answered in the recording."""

from collections.abc import Iterable

from tracelink.judge.open_actions import stale
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for snapshot in context.trace.latest:
        if snapshot.body.status == "failed" or not snapshot.body.actions:
            continue
        for seen, at in stale(context.trace, snapshot):
            name = seen.call_id or seen.request_id or seen.environment_id
            turn = context.trace.turns.get(seen.turn_id or "")
            what = (
                f"its turn {turn.id} is recorded as {turn.outcome}"
                if turn is not None and turn.ended == at
                else _what(seen.type)
            )
            yield rule.finding(
                f"The snapshot at {place(snapshot.at)} lists {name} as required, but {what} at {place(at)}: one of "
                "the two is older than it looks, so whether the session waits cannot be told.",
                at=(snapshot.at, at),
                ids={
                    "call_id": seen.call_id,
                    "turn_id": seen.turn_id,
                    "request_id": seen.request_id,
                    "environment_id": seen.environment_id,
                },
            )


def _what(type_: str) -> str:
    return "its environment is recorded as connected" if type_ == "environment_connection" else "what answers it is recorded"


RULE = Rule(
    code="TL504",
    name="stale-snapshot",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="The latest snapshot lists as required what the recording shows answered or over.",
    proves="The answer, or the end of the turn, stands recorded before the snapshot, or in no order with it.",
    cannot="Which of the two is newer.",
    quiet=(
        "Answers recorded after the snapshot: they clear the action. Of the end of a turn that stands before the snapshot: turns that "
        "completed (TL501), and snapshots whose status lists nothing (TL303)."
    ),
    example="A saved session object that lists call_a1, and an items page that holds its output.",
    remedy="Read the session again and add it to this run.",
    check=check,
)
