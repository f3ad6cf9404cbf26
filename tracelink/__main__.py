"""`python -m tracelink`."""

from tracelink.cli import program

program()
