"""The outcome of `check` as JUnit XML, for CI systems that read test reports: a session is a suite, a finding a test.

A finding at `--fail-on` or worse is a failed test, a milder one a passed test that says so in its output, a source that cannot
be used an error. A session without findings holds one passed test, so that it is seen to have been looked at.
"""

import re
from collections.abc import Iterable, Iterator

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from tracelink.model.finding import Finding
from tracelink.policy import Outcome, fails
from tracelink.render.escape import escape, ident
from tracelink.render.page import place

_NOT_XML = re.compile("[\ufffe\uffff]")
RUN = "tracelink"
HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n'


def render(outcome: Outcome) -> bytes:
    """UTF-8 XML with a closing newline. No times and no host: the same input gives the same bytes."""
    report = JUnitXml(RUN)
    suites = list(_suites(outcome))
    for suite in suites:
        report.append(suite)
    # Not update_statistics: it writes `skipped`, which the root has in no schema.
    report.tests, report.failures, report.errors = (
        sum(getattr(suite, name) for suite in suites) for name in ("tests", "failures", "errors")
    )
    written: bytes = report.tostring()
    return HEAD + written.rstrip(b"\n") + b"\n"


def visible(recorded: str) -> str:
    """Recorded text without anything that XML has no place for, nor a terminal obeys."""
    return _NOT_XML.sub(lambda match: f"\\u{{{ord(match[0]):04X}}}", escape(recorded))


def _suites(outcome: Outcome) -> Iterator[TestSuite]:
    found: dict[str | None, list[Finding]] = {None: []}
    for session in outcome.report.sessions:
        found[session.trace.session_id] = []
    for one in outcome.new:
        found.setdefault(one.finding.session_id, []).append(one.finding)
    sources = [_source(source.name, source.problem) for source in outcome.report.run.sources]
    yield _suite(RUN, [*sources, *(_test(finding, RUN, outcome) for finding in found.pop(None))])
    for session_id, findings in found.items():
        name = visible(ident(session_id))
        tests = [_test(finding, name, outcome) for finding in findings]
        yield _suite(name, tests or [TestCase("no finding", name)])


def _suite(name: str, tests: Iterable[TestCase]) -> TestSuite:
    suite = TestSuite(name)
    suite.add_testcases(list(tests))
    return suite


def _source(name: str, problem: str | None) -> TestCase:
    test = TestCase(f"read {visible(name)}", RUN)
    if problem:
        test.result = [Error(visible(problem), "unusable")]
    return test


def _test(finding: Finding, suite: str, outcome: Outcome) -> TestCase:
    ids = " ".join(dict.fromkeys(visible(ident(value)) for value in finding.ids.values()))
    test = TestCase(f"{finding.code} {finding.name}" + (f" {ids}" if ids else ""), suite)
    body = "\n".join(
        (
            *(f"at {visible(place(location))}" for location in finding.locations),
            *([f"→ {visible(finding.hint)}"] if finding.hint else []),
            f"{finding.severity.value}, {finding.confidence.value} confidence",
        )
    )
    if fails(finding, outcome.policy.fail_on):
        failure = Failure(visible(finding.message), finding.severity.value)
        failure.text = body
        test.result = [failure]
    else:
        test.system_out = f"{visible(finding.message)}\n{body}"
    return test
