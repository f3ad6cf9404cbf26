"""Where the recording itself may have lost a record: a line that could not be read, an event that nobody documents or
that came without what it carries.

What lies in such a place may be the very end, close or answer that a rule misses, so the rules about absence ask here first.
A stream carries no sequence number: what was lost without a trace cannot be seen (fact sheet A.1, L.2.4).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TypeVar

from tracelink.model.facts import StrangerSeen, TroubleSeen
from tracelink.model.location import Origin
from tracelink.model.recording import FOREIGN, UNKNOWN
from tracelink.model.run import Run

_Seen = TypeVar("_Seen", TroubleSeen, StrangerSeen)


def hole_between(run: Run, after: Origin, before: Origin) -> bool:
    """Whether an unreadable record, an unknown event or one without its payload stands between two records; True if they are of two sources."""
    if after.index != before.index:
        return True
    if any(not one.doubt for one in _slice(run.troubles, after, before)):
        return True
    return any(
        (one.group, one.what) in ((UNKNOWN, "event"), (FOREIGN, "digest")) for one in _slice(run.strangers, after, before)
    )


def _slice(seen: Sequence[_Seen], after: Origin, before: Origin) -> Sequence[_Seen]:
    """Both lists are in order of reading."""
    start = bisect_right(seen, (after.index, after.seq), key=_place)
    end = bisect_left(seen, (before.index, before.seq), key=_place)
    return seen[start:end]


def _place(one: TroubleSeen | StrangerSeen) -> tuple[int, int]:
    return (one.at.index, one.at.seq)
