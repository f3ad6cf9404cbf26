"""Trace → verdict, stall, next action. Pure functions; the clock comes in as `as_of` (Unix seconds or None)."""

from tracelink.judge.next_action import next_actions
from tracelink.judge.stall import stall
from tracelink.judge.verdict import verdict

__all__ = ["next_actions", "stall", "verdict"]
