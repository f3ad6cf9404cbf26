"""Recordings → traces: calls to results, creates to subagents, near misses. One matching algorithm: see `calls`."""

from tracelink.link.build import link

__all__ = ["link"]
