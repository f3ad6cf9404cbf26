"""A call of another turn that is open under the same call_id: the one that a second answer may have been meant for."""

from tracelink.model.location import Origin, order
from tracelink.rules.rule import Context


def post_to_namesake(context: Context, call_id: str | None, turn_id: str | None, posted: Origin | None) -> str | None:
    """What to do with an answer to `turn_id` that was posted while a later turn awaited that call_id, else None."""
    if posted is None or call_id is None:
        return None
    for one in context.verdict.actions:
        seen = one.action
        if seen.call_id != call_id or seen.turn_id == turn_id or one.answered != "no":
            continue
        call = context.trace.calls.get((seen.turn_id or "", call_id))
        if call is not None and call.first is not None and order(call.first, posted) == -1:
            return f"{call_id} of turn {seen.turn_id} is open: if that one was meant, post the result with that turn_id."
    return None
