"""What a reason is: one declaration, from which its page, SARIF and the tests derive. The form of `rules.rule.Rule`, without a check."""

from dataclasses import dataclass

from tracelink.gate.profiles import DEFAULT, cell
from tracelink.model.finding import Confidence, Severity

SEVERITIES = {"block": Severity.ERROR, "warn": Severity.WARNING, "note": Severity.NOTE, None: Severity.NOTE}


@dataclass(frozen=True, slots=True)
class Declaration:
    """A reason of the gate.

    summary: one sentence, when it is given. proves / cannot: what it shows and what it does not. quiet: what keeps it quiet.
    example: on the wire. remedy: what to do, one sentence; shown with every such reason.
    """

    code: str
    name: str
    summary: str
    proves: str
    cannot: str
    quiet: str
    example: str
    remedy: str

    @property
    def severity(self) -> Severity:
        """Under the default profile; the others have their own (`tracelink gate --profiles`)."""
        return SEVERITIES[cell(DEFAULT, self.name).severity]

    @property
    def confidence(self) -> Confidence:
        return Confidence.HIGH
