"""The rules: every finding that the program knows, and the one function that runs them.

A family is a folder, a rule a file in it with one `RULE`; a new file is found by itself.
"""

from tracelink.rules.registry import by_code, check, rules, unchecked
from tracelink.rules.rule import Context, Rule

__all__ = ["Context", "Rule", "by_code", "check", "rules", "unchecked"]
