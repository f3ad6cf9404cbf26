"""Recordings to measure with, what they are measured beside, and the command that does it: `python -m benchmarks.run`."""
