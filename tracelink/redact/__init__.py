"""Recordings that can be shown to others: ids, names, types, times and counts stay, every other text becomes a token."""

from tracelink.redact.choose import Choice, PathError, names
from tracelink.redact.files import TargetError
from tracelink.redact.job import Done, Outcome, redact
from tracelink.redact.records import Redacted, redacted
from tracelink.redact.redactor import Redactor
from tracelink.redact.tokens import Tokens
from tracelink.redact.values import RedactedValues, schemas

__all__ = [
    "Choice",
    "Done",
    "Outcome",
    "PathError",
    "Redacted",
    "RedactedValues",
    "Redactor",
    "TargetError",
    "Tokens",
    "names",
    "redact",
    "redacted",
    "schemas",
]
