"""Records → recordings: one fact a record, duplicates, sessions. Draws no conclusion."""

from tracelink.fold.bound import bounded
from tracelink.fold.divide import divide
from tracelink.fold.observe import Fold, fold

__all__ = ["Fold", "bounded", "divide", "fold"]
