"""Trace, verdict, stall → what happened, in order: the story of one turn, the chart of a session, and why an id is there.

Pure: nothing is read, written or printed here, and no clock is asked. Every moment keeps its place in the recording.
"""

from tracelink.story.chart import chart
from tracelink.story.choose import pick_session, pick_turn
from tracelink.story.known import Known, find
from tracelink.story.tell import tell
from tracelink.story.why import why

__all__ = ["Known", "chart", "find", "pick_session", "pick_turn", "tell", "why"]
