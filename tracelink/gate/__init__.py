"""Open Responses items: may these be replayed to another provider, and if not, why (fact sheet `open-responses.md`).

history = read_history(Values(["history.json"]))
judged = judge(history, "openai", checker)
"""

from tracelink.gate.call import VERDICTS, judge_call
from tracelink.gate.history import history_of, read_history
from tracelink.gate.judge import Judged, Reason, judge
from tracelink.gate.profiles import COLUMNS, DEFAULT
from tracelink.gate.reasons import REASONS

__all__ = [
    "COLUMNS",
    "DEFAULT",
    "REASONS",
    "VERDICTS",
    "Judged",
    "Reason",
    "history_of",
    "judge",
    "judge_call",
    "read_history",
]
