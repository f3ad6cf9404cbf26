"""What this program wrote itself, saved beside recordings: it quotes and proposes, and nothing of that was posted.

Its JSON carries `schema` (see `shapes.classify`). Its texts are known by their first lines. A proposed body alone is known by what only the
app could have filled in; a body without such a gap cannot be told from a post of the app's own, and reads as one.
"""

import re
from collections.abc import Iterable
from typing import Any

_ANSWER = re.compile(r"(?:AWAITING|ANSWERED, NOT YET APPLIED|NOT AWAITING|UNKNOWN): ")
_OUTPUT = re.compile(r"<output of .* as text>|<the output of .* that holds>", re.DOTALL)
_GAPS = frozenset(("<true or false>", "<approve, deny or cancel>", "<value from the user>", "<id of the chosen option>"))


def is_report(lines: Iterable[str]) -> bool:
    """Whether a source that begins with these lines of text (without blank ones and margins) is our `build` or `postmortem` output."""
    first = second = ""
    answer = False
    for number, line in enumerate(lines):
        if number == 0:
            first = line
        elif number == 1:
            second = line
        if _ANSWER.match(line):
            answer = True
        elif answer and line.startswith("What would change this: "):
            return True
    if first.startswith("# Post-mortem: "):
        return second.startswith("- Session: ")
    return first.startswith("post-mortem of ") and second.startswith(("agent ", "subagent ", "no turn is in the recording"))


def is_proposal(value: dict[str, Any]) -> bool:
    """Whether a request's body, and nothing else, is what we propose to post, with a gap for what only the app knows."""
    events = value.get("events")
    if len(value) != 1 or not isinstance(events, list) or len(events) != 1 or not isinstance(events[0], dict):
        return False
    event: dict[str, Any] = events[0]
    output = event.get("output")
    if isinstance(output, str) and _OUTPUT.fullmatch(output):
        return True
    response = event.get("response")
    fields: dict[str, Any] = response if isinstance(response, dict) else {}
    given = fields.get("fields")
    values = [one.get("value") for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    told = (event.get("success"), fields.get("decision"), fields.get("selected_option"), *values)
    return any(isinstance(one, str) and one in _GAPS for one in told)
