"""The session failed, which is final."""

from collections.abc import Iterable

from tracelink.model.facts import ErrorSeen, SnapshotSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import order
from tracelink.model.trace import Trace
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    snapshot = next((one for one in trace.snapshots if one.body.status == "failed"), None)
    if snapshot is None:
        hook = next((one for one in trace.webhooks if one.type == "agent.session.failed"), None)
        if hook is not None:
            yield rule.finding(
                f"A webhook at {place(hook.at)} tells that the session failed: it takes no more input.", at=(hook.at,)
            )
        return
    error = _error(trace, snapshot)
    text = snapshot.body.error or (error.message if error is not None else None)
    said = f" ({text.rstrip('.')})" if text else ", and no error text is recorded"
    code = f", with code {error.code} at {place(error.at)}" if error is not None and error.code else ""
    yield rule.finding(
        f"The session failed at {place(snapshot.at)}{said}{code}: it takes no more input.",
        at=(snapshot.at, error.at if error is not None else None),
        ids={"error_code": error.code if error is not None else None},
    )


def _error(trace: Trace, snapshot: SnapshotSeen) -> ErrorSeen | None:
    """The `error` event that says the same as the session, else the last one before it: the code stands only there (C.1)."""
    before = None
    for error in trace.errors:
        if snapshot.body.error is not None and error.message == snapshot.body.error:
            return error
        if error.at.index == snapshot.at.index and order(error.at, snapshot.at) == -1:
            before = error
    return before


RULE = Rule(
    code="TL302",
    name="session-failed",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="The session failed; its error is named.",
    proves="A session snapshot, or a webhook, says failed.",
    cannot=(
        "The cause, beyond the text and code that the server gave; the error event is tied to the session by its "
        "text or its position only."
    ),
    quiet="Failed turns in a session that goes on (TL301); a failure told again after a reconnect is told once.",
    example='agent.session.failed after environment.failed and error{"code": "sandbox_error"}.',
    remedy="Create a new session; a failed one cannot be resumed.",
    check=check,
)
