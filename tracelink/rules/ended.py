"""Whether the session is past taking input: what a hint must not ask for then."""

from tracelink.model.trace import Trace


def session_failed(trace: Trace) -> bool:
    """Whether a snapshot or a webhook says that the session failed, which is final (fact sheet C.1)."""
    return any(one.body.status == "failed" for one in trace.latest) or any(
        one.type == "agent.session.failed" for one in trace.webhooks
    )
