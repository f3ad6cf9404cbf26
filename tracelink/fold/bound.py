"""A bound on the sessions of one run: what is linked and judged is held in memory at once."""

from dataclasses import replace

from tracelink.model.facts import TroubleSeen
from tracelink.model.recording import UNREADABLE, USED, Divided


def bounded(divided: Divided, sessions: int) -> Divided:
    """The first `sessions` recordings, in order of appearance. Records of the others are counted as not read, and TL011 says so once."""
    kept, dropped = divided.recordings[:sessions], divided.recordings[sessions:]
    if not dropped:
        return divided
    counts = dict(divided.counts)
    records = 0
    for recording in dropped:
        ends = [(fact.at.index, 1) for fact in recording.order] + [(one.last.index, one.count) for _, one in recording.bursts]
        for index, count in ends:
            records += count
            counts[index, USED] = counts.get((index, USED), 0) - count
            counts[index, UNREADABLE] = counts.get((index, UNREADABLE), 0) + count
    first = next((fact.at for recording in dropped for fact in recording.order), None)
    if first is None:
        first = next(one.first for recording in dropped for _, one in recording.bursts)
    message = (
        f"there are more than {sessions} session{'s' if sessions > 1 else ''}: {records} records of {len(dropped)} further ones were "
        "counted and not used; name fewer files, or raise the limit"
    )
    return replace(divided, recordings=kept, troubles=[*divided.troubles, TroubleSeen(first, "TL011", message)], counts=counts)
