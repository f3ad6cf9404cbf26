"""Graphs written down: one file a format, chosen by `formats`. `sessions` is a list of (trace, graph)."""

from tracelink.export.formats import FORMATS, format_of, pieces, render
from tracelink.export.sessions import Sessions

__all__ = ["FORMATS", "Sessions", "format_of", "pieces", "render"]
