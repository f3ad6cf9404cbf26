"""A tool was answered, and the answer is that it failed."""

from collections.abc import Iterable, Iterator

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin
from tracelink.model.trace import Call, Trace
from tracelink.rules.plain import odd_calls
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls.differing import NOTHING, differing, failed


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for what, turn_id, at, ids, taken in _failures(context.trace, context.once(odd_calls)):
        turn = context.trace.turns.get(turn_id or "")
        completed = turn is not None and turn.outcome == "completed"
        after = ", and its turn completed all the same: a completed turn is no proof that its tools worked"
        got = ": this failure is what the turn got of it" if taken else ": whether the turn got to know of it is not recorded"
        yield rule.finding(
            f"{what}, as its record at {place(at[0])} says{after if completed else got}.",
            at=(*at, turn.ended if completed and turn is not None else None),
            ids=ids,
            severity=Severity.WARNING if completed else Severity.NOTE,
        )


def _failures(
    trace: Trace, calls: Iterable[Call]
) -> Iterator[tuple[str, str | None, tuple[Origin | None, ...], dict[str, str | None], bool]]:
    """(what failed, turn id, places, ids, whether the server is known to have taken that)."""
    for call in calls:
        for index in call.results:
            result = trace.results[index]
            refused = result.refused is not None and result.recorded is None  # what stands as an item was taken
            if refused or not failed(result):
                continue
            if differing(trace, call):
                break  # which of them the model was given is TL106's, and so is that one says failed
            ids = {"call_id": call.call_id or None, "turn_id": call.turn_id or None, "item_id": result.item_id}
            yield (
                f"{call.name or 'A function'} ({call.call_id}) failed",
                call.turn_id,
                (result.first, result.recorded, call.first),
                ids,
                result.recorded is not None or call.state == "answered",
            )
            break  # the same failure again is TL107's
    for item in trace.items.values():
        if item.type == "mcp_call" and (item.status == "failed" or item.value.get("error") not in NOTHING):
            name = item.value.get("name")
            label = name[:80] if isinstance(name, str) else "An MCP tool"
            last = item.origins[-1]
            yield (
                f"{label} ({item.id}, an MCP tool) failed",
                item.turn_id,
                (last,),
                {"item_id": item.id, "turn_id": item.turn_id},
                True,
            )


RULE = Rule(
    code="TL207",
    name="failed-tool",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="A tool was answered, and it failed; a warning where the turn completed all the same.",
    proves=(
        "A posted success false, a recorded result with an error or the status failed, or an mcp_call with an error or "
        "the status failed."
    ),
    cannot=(
        "Whether the model noticed and found another way: a completed turn is no proof that its tools worked; of a post that nothing confirms, "
        "whether the turn got it at all (TL503), which the message says."
    ),
    quiet=(
        "Results that the server refused; misaddressed ones, which answer nothing; commands that exit with another code"
        " than 0, which is how many of them say no; a success true beside an error or a failed item (TL202); a call with results that"
        " differ, of which TL106 says which tell of a failure."
    ),
    example='tool_result{call_a1, success: false, error: "no such SKU"}, then turn.completed.',
    remedy="Read the error, and check what the turn said in spite of it.",
    check=check,
)
