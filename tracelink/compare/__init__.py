"""Two recordings side by side, and a call beside what was posted for it.

Pure: nothing is read, written or printed here. `diff` compares two sessions; `pair_up` says which sessions of two runs go together;
`beside` holds a call's ids against those of its answers.
"""

from tracelink.compare.beside import beside
from tracelink.compare.diff import diff
from tracelink.compare.sessions import pair_up
from tracelink.compare.values import Comparison, Difference

__all__ = ["Comparison", "Difference", "beside", "diff", "pair_up"]
