"""Events whose name says another state than what they carry: a part of TL303."""

from collections.abc import Iterator

from tracelink.judge.own_name import denied
from tracelink.model.facts import SessionBody
from tracelink.model.location import Origin
from tracelink.rules.rule import Context


def misnamed(context: Context) -> Iterator[tuple[str, str | None, list[Origin]]]:
    """(what is said, the first turn's id, the places) of the events that deny themselves, those that say the same together.

    A session that lists actions under the wrong status, or none under requires_action, is told by its list.
    """
    found: dict[tuple[str, str], tuple[str | None, list[Origin]]] = {}
    known: dict[tuple[str | None, str | None], bool] = {}  # the same few words come again and again
    for turn in context.trace.turns.values():
        for one in turn.history:
            kind, status = said = one.event_type, one.status
            if said not in known:
                known[said] = denied(kind, status)
            if known[said] and kind is not None and status is not None:
                found.setdefault((kind, status), (turn.id, []))[1].append(one.at)
    for snapshot in context.trace.snapshots:
        kind, status = said = snapshot.event_type, snapshot.body.status
        if said not in known:
            known[said] = denied(kind, status)
        if not known[said] or kind is None or status is None or _told_by_list(snapshot.body):
            continue
        found.setdefault((kind, status), (None, []))[1].append(snapshot.at)
    for (kind, status), (turn_id, places) in found.items():
        what = "turn" if turn_id is not None else "session"
        yield f"is {kind}, but the {what} that it carries has the status {status}, which was used", turn_id, places


def _told_by_list(body: SessionBody) -> bool:
    return (
        not body.actions if body.status == "requires_action" else bool(body.actions) and body.status in ("idle", "in_progress")
    )
