"""The outcome of `check` as GitHub annotations: one workflow command a finding, worst first.

`::error file=…,line=…,title=…::message`. GitHub reads `%`, CR and LF in messages, and `:` and `,` in properties, only in percent
form; whatever else a terminal would obey is made visible before. Severities are error, warning and notice.
"""

from pathlib import PurePath

from tracelink.model.finding import Finding, Severity
from tracelink.policy import Outcome
from tracelink.render.check_text import looked_at, set_aside
from tracelink.render.escape import escape

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(outcome: Outcome, here: PurePath) -> str:
    """Workflow commands with a closing newline; one notice of what was looked at where there is no finding.

    here: the working directory; GitHub wants paths relative to it.
    """
    if not outcome.new:
        aside = set_aside(outcome)
        told = f"0 findings in {looked_at(outcome)}" + (f"; set aside: {aside}" if aside else "")
        return f"::notice title=tracelink::{data(told)}\n"
    found = sorted((one.finding for one in outcome.new), key=lambda finding: finding.severity.rank)
    return "".join(f"{_command(finding, here)}\n" for finding in found)


def _command(finding: Finding, here: PurePath) -> str:
    properties = {}
    if finding.locations and finding.locations[0].source != "-":
        properties["file"] = _relative(finding.locations[0].source, here)
        if finding.locations[0].line:
            properties["line"] = str(finding.locations[0].line)
    properties["title"] = f"{finding.code} {finding.name}"
    listed = ",".join(f"{name}={prop(value)}" for name, value in properties.items())
    session = f" (session {finding.session_id})" if finding.session_id and finding.session_id not in finding.message else ""
    hint = f" → {finding.hint}" if finding.hint else ""
    return f"::{COMMANDS[finding.severity]} {listed}::{data(finding.message + session + hint)}"


def _relative(source: str, here: PurePath) -> str:
    path = PurePath(source)
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def data(recorded: str) -> str:
    """Text for the message of a command."""
    return escape(recorded).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def prop(recorded: str) -> str:
    """Text for a property of a command."""
    return data(recorded).replace(":", "%3A").replace(",", "%2C")
