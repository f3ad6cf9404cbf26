"""The outcome of `check` as JSON Lines: one finding a line, in the form that `check.schema.json` calls `finding`."""

from tracelink.policy import Outcome
from tracelink.render.check_json import counted_dict
from tracelink.render.json import line


def render(outcome: Outcome) -> bytes:
    """UTF-8, one object a line; nothing at all where there are no new findings."""
    return b"".join(line(counted_dict(one)) for one in outcome.new)
