"""The calls in which there is something to look for: nearly all of a long recording are plain (see `Call.plain`)."""

from tracelink.model.trace import Call, Trace


def odd_calls(trace: Trace) -> list[Call]:
    """The calls that are not plain, in order; for `Context.once`."""
    return [call for call in trace.calls.values() if not call.plain]
