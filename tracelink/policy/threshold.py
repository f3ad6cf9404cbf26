"""`--fail-on` and `--min-confidence`: from which severity on a finding fails the run, and how sure it must be to count."""

from tracelink.model.finding import Confidence, Finding, Severity

NEVER = "never"
FAIL_ON = (*(severity.value for severity in Severity), NEVER)
MIN_CONFIDENCE = tuple(confidence.value for confidence in Confidence)


def severity_of(word: str) -> Severity | None:
    """The severity that `--fail-on` names; None for `never`. Raises ValueError for another word."""
    return None if word == NEVER else Severity(word)


def fails(finding: Finding, fail_on: Severity | None) -> bool:
    """Whether a finding is as bad as `fail_on`, or worse."""
    return fail_on is not None and finding.severity.rank <= fail_on.rank


def sure_enough(finding: Finding, least: Confidence) -> bool:
    return finding.confidence.rank <= least.rank
