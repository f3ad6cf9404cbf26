"""Bytes → records. `Reading` is the way in; `FieldTable` holds where ids are found."""

from tracelink.read.fields import FieldError, FieldTable
from tracelink.read.reading import Reading

__all__ = ["FieldError", "FieldTable", "Reading"]
