"""Whether the session is past taking input: what a hint must not ask for then."""

from tracelink.model.location import Origin
from tracelink.model.trace import Trace


def session_failed(trace: Trace) -> bool:
    """Whether the latest snapshot or the last webhook says that the session failed, after which nothing comes (fact sheet C.1).

    It looks at no more than these: it is asked for each of thousands of hints.
    """
    return any(one.body.status == "failed" for one in trace.latest) or any(
        one.type == "agent.session.failed" for one in trace.webhooks[-1:]
    )


def failed_at(trace: Trace) -> Origin | None:
    """The snapshot that says first that the session failed."""
    return next((one.at for one in trace.snapshots if one.body.status == "failed"), None) if session_failed(trace) else None
