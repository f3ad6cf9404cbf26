"""Which findings count: selection, ignores, confidence, a baseline, and the severity that fails a run.

The idea: the rules say everything; this room only sorts what they said into new, known and set aside, and counts what it
set aside, so that nothing vanishes unseen. Pure functions over values: files are read and written by `cli`.
"""

from tracelink.policy.apply import Counted, Outcome, Policy, apply
from tracelink.policy.baseline import Baseline, Entry
from tracelink.policy.fingerprint import fingerprint
from tracelink.policy.ignores import Ignores
from tracelink.policy.select import Selection
from tracelink.policy.threshold import fails, severity_of

__all__ = [
    "Baseline",
    "Counted",
    "Entry",
    "Ignores",
    "Outcome",
    "Policy",
    "Selection",
    "apply",
    "fails",
    "fingerprint",
    "severity_of",
]
