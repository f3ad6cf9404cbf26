"""The rules: every finding that the program knows, and the one function that runs them.

A family is a folder, a rule a file in it with one `RULE`; a new file is found by itself.
"""

from tracelink.rules.registry import Checking, by_code, check, rules
from tracelink.rules.rule import Context, Rule

__all__ = ["Checking", "Context", "Rule", "by_code", "check", "rules"]
