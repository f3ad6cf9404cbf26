"""A turn of which some required calls are answered."""

from collections import Counter
from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.trace import Call, Trace
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    sure = context.verdict.awaits in ("awaiting", "answered_unapplied")
    open_ = {
        (action.action.turn_id or "", action.action.call_id or ""): action
        for action in context.verdict.actions
        if action.action.call_id is not None and action.answered != "unapplied"
    }
    for turn_id in dict.fromkeys(key[0] for key in open_):
        required = [trace.calls[key] for key in trace.calls if key[0] == turn_id and trace.calls[key].required]
        answered = [call for call in required if call.key not in open_ and call.state in _WORDS]
        missing = [call for call in required if call.key in open_]
        if missing:
            # Calls that were required one after the other were never one wait.
            answered = [call for call in answered if any(_together(trace, call, one) for one in missing)]
            required = answered + missing
        if not answered or not missing:
            continue
        names = ", ".join(call.call_id for call in missing[:5]) + (", …" if len(missing) > 5 else "")
        yield rule.finding(
            f"Of the {len(required)} calls required in turn {turn_id}, {_counted(answered)}; open: {names} ({place(missing[0].first)}): the turn goes "
            "on when all of them are answered.",
            at=[call.first for call in missing[:5]],
            ids={"turn_id": turn_id, "call_id": missing[0].call_id},
            hint=None if sure else "Read the session; answer the calls that are named open if it still lists them.",
        )


_WORDS = {"answered": "answered", "cleared": "no longer listed", "unapplied": "posted and not confirmed"}
"""State of a call → what is known of its answer."""


def _counted(calls: list[Call]) -> str:
    counts = Counter(call.state for call in calls)
    parts = [
        f"{counts[state]} {'is' if counts[state] == 1 else 'are'} {words}" for state, words in _WORDS.items() if counts[state]
    ]
    return ", ".join(parts)


def _together(trace: Trace, a: Call, b: Call) -> bool:
    """Whether the two were one wait: in one source the spans in which each was required overlap; else a snapshot lists both."""
    first, second = sorted((a.required, b.required), key=lambda span: (span[0].index, span[0].seq))
    if first[-1].index == second[0].index:
        return first[-1].seq >= second[0].seq
    return any(
        {a.key, b.key} <= {(one.turn_id or "", one.call_id or "") for one in seen.body.actions} for seen in trace.snapshots
    )


RULE = Rule(
    code="TL502",
    name="partly-answered",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="Of the calls that a turn required together, some are open and some are not; it counts which were answered and which only posted.",
    proves="The latest snapshot still lists the open ones; the others have results, are no longer listed, or were posted and not confirmed, as it says.",
    cannot="Whether the turn would go on with fewer.",
    quiet="Turns whose calls are all open or all answered; calls that were required one after the other.",
    example="Three parallel calls, two results.",
    remedy="Answer the calls that are named open.",
    check=check,
)
