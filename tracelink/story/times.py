"""When something was, and whose clock says so.

A record of a stream happened when it was received, as near as anybody knows. What was retrieved happened before that, so its
receive time says nothing of it: only the seconds that the server wrote into the object do (DESIGN 5.4).
"""

from collections.abc import Sequence

from tracelink.judge.times import RECEIVER, SERVER
from tracelink.model.location import Origin
from tracelink.story.values import Moment

Time = tuple[float | None, str | None]


def when(at: Origin, server: float | None = None) -> Time:
    """Unix seconds and the clock. `server`: what the object itself says."""
    if at.stream and at.received is not None:
        return at.received, RECEIVER
    return (float(server), SERVER) if server is not None else (None, None)


def clock_of(moments: Sequence[Moment]) -> str | None:
    """The clock on which all moments of the stream (at least two) can be drawn; `server` where only objects have times."""
    streamed = [one for one in moments if one.at.stream]
    if streamed and all(one.clock == RECEIVER for one in streamed):
        return RECEIVER
    if not streamed and len({one.time for one in moments if one.clock == SERVER}) > 1:
        return SERVER
    return None
