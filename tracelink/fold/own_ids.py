"""An event that says an id twice, once for itself and once in what it carries, and says two different ones (fact sheet A.1).

Nothing is decided here: the table of fields takes the event's own, and the other one is kept as a doubt for TL303.
"""

from tracelink.model.facts import TroubleSeen
from tracelink.model.record import Kind, Record

CODE = "TL303"

_TWICE: dict[Kind, tuple[tuple[str, str, str], ...]] = {
    Kind.ITEM_EVENT: (("turn_id", "item", "turn_id"),),
    Kind.TURN_EVENT: (("turn_id", "turn", "id"), ("session_id", "turn", "session_id")),
    Kind.SUBAGENT_EVENT: (("session_id", "subagent", "session_id"),),
}
"""Kind of event → (its own member, the object that it carries, the member of that which is the same id)."""


def doubt(record: Record) -> TroubleSeen | None:
    """What the event contradicts itself in, as `turn_id turn_a, but its item's turn_id turn_b`; None where nothing does."""
    value = record.value
    for mine, inner, theirs in _TWICE.get(record.kind, ()):
        one = value.get(mine)
        if one is None:
            continue
        carried = value.get(inner)
        other = carried.get(theirs) if carried.__class__ is dict else None
        if other is None or one == other or one == "" or other == "":
            continue
        if isinstance(one, str | int) and isinstance(other, str | int) and str(one) != str(other):
            used = getattr(record.ids, mine)
            message = f"{mine} {one}, but its {inner}'s {theirs} {other}; {used} was used"
            return TroubleSeen(record.origin, CODE, message, True, False, record.ids.session_id, record.ids.turn_id)
    return None
