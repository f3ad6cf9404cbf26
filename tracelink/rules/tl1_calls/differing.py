"""The results of one call that do not say the same: what TL106 tells, and what its neighbours leave to it."""

from tracelink.model.trace import Call, Result, Trace

NOTHING: tuple[object, ...] = (None, "", False, [], {})
"""Values of `error` that tell of none."""


def differing(trace: Trace, call: Call) -> list[Result]:
    """The results of the call, if two of them or more differ and all are this call's for sure; else none."""
    if len(call.results) < 2 or call.several:
        return []
    mine = [trace.results[index] for index in call.results if _counts(trace.results[index])]
    return mine if len(mine) > 1 else []


def _counts(result: Result) -> bool:
    """A refused post is no result, unless it was refused because it differs (fact sheet D.5)."""
    refused = result.refused
    return refused is None or refused.http_status == 409 or "conflict" in (refused.code or refused.type or "")


def failed(result: Result) -> bool:
    """Whether the result says that the function failed; a success true beside an error is TL202's."""
    told = result.status == "failed" or result.error not in NOTHING
    return result.success is False or (told and result.success is not True)
