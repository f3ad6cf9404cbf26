"""Whether the object that an event carries denies what the event's name says.

Only what the catalogue of events fixes is held against them (fact sheet A.2): how a turn ended, and the four states of a session. A session
that was just created may already be at work, and a state that nobody documents contradicts nothing.
"""

from tracelink.model.trace import TERMINAL

_SESSION = "agent.session."
_TURN = "agent.session.turn."
_SESSION_STATES = frozenset(("idle", "in_progress", "requires_action", "failed"))
_TURN_STATES = TERMINAL | {"queued", "in_progress", "waiting"}


def denied(event_type: str | None, status: str | None) -> bool:
    """Whether the object that an event carries denies what the event's name says."""
    if event_type is None or status is None:
        return False
    if event_type.startswith(_TURN):
        name, states = event_type[len(_TURN) :], _TURN_STATES
        return name in TERMINAL and status in states and status != name
    name, states = event_type[len(_SESSION) :], _SESSION_STATES
    return name in states and status in states and status != name
