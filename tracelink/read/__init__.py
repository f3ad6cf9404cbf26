"""Bytes → records. `Reading` is the way in; `FieldTable` holds where ids are found; `Values` stops a step earlier, at JSON."""

from tracelink.read.fields import FieldError, FieldTable
from tracelink.read.reading import Reading
from tracelink.read.values import Value, Values

__all__ = ["FieldError", "FieldTable", "Reading", "Value", "Values"]
