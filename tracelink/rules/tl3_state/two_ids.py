"""Events that name one id for themselves and another in what they carry: a half of TL303, grouped by what they say."""

from collections.abc import Iterator

from tracelink.model.facts import TroubleSeen
from tracelink.model.location import Origin
from tracelink.rules.rule import Context


def doubled(context: Context, code: str) -> Iterator[tuple[TroubleSeen, list[Origin]]]:
    """What was said, by the first event that says it, and where, each event once."""
    found: dict[str, tuple[TroubleSeen, dict[object, Origin]]] = {}
    for trouble in context.run.troubles:
        if trouble.code == code and _of_session(context, trouble):
            places = found.setdefault(trouble.message, (trouble, {}))[1]
            places.setdefault(trouble.at.event_id or trouble.at, trouble.at)
    for first, places in found.values():
        yield first, list(places.values())


def _of_session(context: Context, trouble: TroubleSeen) -> bool:
    trace = context.trace
    if trouble.session_id is not None:
        return trouble.session_id == trace.session_id
    return (trouble.turn_id or "") in trace.turns
