"""Fingerprints, baselines, ignores and thresholds, on findings made by hand."""

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.policy.makers import finding, report
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Location
from tracelink.policy import Ignores, Policy, Selection, apply, baseline, fingerprint, ignores, severity_of

SCHEMA = Draft202012Validator(json.loads((files("tracelink.policy") / "baseline.schema.json").read_text()))
texts = st.text(max_size=12)


# --- fingerprints


def test_wording_places_and_order_do_not_enter_the_fingerprint() -> None:
    one = finding(ids={"a": "1", "b": "2"})
    other = replace(one, message="other words", hint="", ids={"b": "2", "a": "1"}, locations=(Location("else.log", 99, 1234),))
    assert fingerprint(one) == fingerprint(replace(other, severity=Severity.NOTE, confidence=Confidence.LOW, name="renamed"))


@pytest.mark.parametrize(
    "change", [{"code": "TL102"}, {"session_id": "sess_b"}, {"session_id": None}, {"ids": {"call_id": "call_2"}}]
)
def test_what_it_is_about_does(change: dict[str, Any]) -> None:
    assert fingerprint(replace(finding(), **change)) != fingerprint(finding())


def test_the_recipe_does_not_change_unseen() -> None:
    """Baselines and code-scanning services keep fingerprints for years: another recipe needs another VERSION."""
    assert fingerprint(finding()) == "cf271cd83b40b7af61b7d6e57beed7cc"


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["TL103", "TL102"]), st.none() | texts, st.dictionaries(texts, texts, max_size=3)), max_size=6
    )
)
def test_fingerprints_are_equal_only_for_the_same(rows: list[tuple[str, str | None, dict[str, str]]]) -> None:
    found = {}
    for code, session, ids in rows:
        key = (code, session, tuple(sorted(ids.items())))
        assert found.setdefault(fingerprint(finding(code, session, ids=ids)), key) == key


# --- baselines


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["TL103", "TL001"]), st.none() | texts, st.dictionaries(texts, texts, max_size=2)), max_size=6
    )
)
def test_a_baseline_knows_just_what_it_was_made_of(rows: list[tuple[str, str | None, dict[str, str]]]) -> None:
    found = [finding(code, session, ids=ids) for code, session, ids in rows]
    data = baseline.dump(baseline.of(found))
    assert SCHEMA.is_valid(json.loads(data))
    loaded = baseline.load(data)
    assert baseline.dump(loaded) == data == baseline.dump(baseline.of(reversed(found)))
    known, left = loaded.split(found)
    assert all(known)
    assert not any(left.values())
    extra, _ = loaded.split([*found, *found])
    assert extra == [True] * len(found) + [False] * len(found)


def test_of_equal_findings_one_more_than_known_is_new() -> None:
    torn = [finding("TL001", None, line, ids={}) for line in (3, 5, 9)]
    outcome = apply(report(*torn), Policy(baseline=baseline.of(torn[:2])))
    assert (outcome.known, len(outcome.new), outcome.failed) == (2, 1, True)


def test_stale_is_only_what_was_looked_at() -> None:
    old = [finding(), finding("TL102"), finding(session="sess_gone"), finding("TL201")]
    outcome = apply(report(finding()), Policy(Selection((), ("TL2",)), baseline=baseline.of(old)))
    assert [entry.code for entry in outcome.stale] == ["TL102"]
    assert {(entry.code, entry.session_id) for entry in outcome.unseen} == {("TL103", "sess_gone"), ("TL201", "sess_a")}
    written = baseline.of((one.finding for one in outcome.counted), outcome.unseen)
    assert [(entry.session_id, entry.code) for entry in written.entries] == [
        ("sess_a", "TL103"),
        ("sess_a", "TL201"),
        ("sess_gone", "TL103"),
    ]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"{", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[]", "its schema is None"),
        (b'{"schema":"tracelink.report/1"}', "its schema is 'tracelink.report/1'"),
        (b'{"schema":"tracelink.baseline/1"}', "no list"),
        (b'{"schema":"tracelink.baseline/1","entries":[3]}', "entry 1 is no object"),
        (b'{"schema":"tracelink.baseline/1","entries":[{"code":"TL001"}]}', "lacks a fingerprint"),
        (b'{"schema":"tracelink.baseline/1","entries":[{"code":"TL001","fingerprint":"%s","count":0}]}' % (b"a" * 32), "count"),
        (b'{"schema":"tracelink.baseline/1","entries":[{"code":"TL001","fingerprint":"%s","ids":[]}]}' % (b"a" * 32), "ids"),
    ],
)
def test_what_is_no_baseline_is_told_in_a_sentence(data: bytes, told: str) -> None:
    with pytest.raises(ValueError, match=r"^its? ") as error:
        baseline.load(data)
    assert told in str(error.value)


def test_an_entry_twice_counts_once() -> None:
    entry = json.loads(baseline.dump(baseline.of([finding()])))["entries"][0]
    twice = json.dumps({"schema": baseline.SCHEMA, "entries": [entry, entry]}).encode()
    assert len(baseline.load(twice).entries) == 1


# --- ignores


@pytest.mark.parametrize(
    ("glob", "source", "fits"),
    [
        ("a.jsonl", "logs/a.jsonl", True),
        ("*.jsonl", "logs/old/a.jsonl", True),
        ("logs/*", "logs/old/a.jsonl", True),
        ("logs/", "logs/old/a.jsonl", True),
        ("logs/", "/repo/run/logs/a.jsonl", False),
        ("run/logs/", "logs/a.jsonl", True),  # as seen from the folder of the configuration file
        ("run/logs/a.jsonl", "/repo/run/logs/a.jsonl", True),
        ("./logs/a.jsonl", "./logs/a.jsonl", True),
        ("old/a.jsonl", "logs/old/a.jsonl", False),
        ("b.jsonl", "logs/a.jsonl", False),
        ("A.jsonl", "logs/a.jsonl", False),
    ],
)
def test_globs_of_files(glob: str, source: str, fits: bool) -> None:
    ignoring = Ignores(ignores.rows({glob: ["TL1"]}), (), "/repo", "/repo/run")
    assert (finding(source=source) in ignoring) is fits
    assert finding("TL201", source=source) not in ignoring


def test_globs_of_sessions() -> None:
    ignoring = Ignores((), ignores.rows({"sess_test*": ["wrong-turn-result"]}))
    assert finding(session="sess_test7") in ignoring
    assert finding(session="sess_live") not in ignoring
    assert finding(session=None) not in ignoring


def test_a_finding_without_a_place_is_ignored_by_no_file() -> None:
    assert replace(finding(), locations=()) not in Ignores(ignores.rows({"*": ["TL1"]}))


def test_an_unknown_rule_in_a_table_is_an_error() -> None:
    with pytest.raises(ValueError, match="Did you mean"):
        ignores.rows({"*": ["TL1O3"]})


# --- what counts


@pytest.mark.parametrize(
    ("fail_on", "severity", "fails"),
    [
        ("error", Severity.ERROR, True),
        ("error", Severity.WARNING, False),
        ("warning", Severity.WARNING, True),
        ("warning", Severity.NOTE, False),
        ("note", Severity.NOTE, True),
        ("never", Severity.ERROR, False),
    ],
)
def test_fail_on(fail_on: str, severity: Severity, fails: bool) -> None:
    assert apply(report(finding(severity=severity)), Policy(fail_on=severity_of(fail_on))).failed is fails


@pytest.mark.parametrize(("least", "kept"), [(Confidence.HIGH, 1), (Confidence.MEDIUM, 2), (Confidence.LOW, 3)])
def test_min_confidence(least: Confidence, kept: int) -> None:
    found = [finding(confidence=confidence) for confidence in Confidence]
    outcome = apply(report(*found), Policy(min_confidence=least))
    assert (len(outcome.new), outcome.unsure) == (kept, 3 - kept)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["TL103", "TL201", "TL701"]), st.sampled_from(["sess_a", None]), texts), max_size=8),
    st.integers(0, 8),
)
def test_nothing_vanishes(rows: list[tuple[str, str | None, str]], known: int) -> None:
    found: list[Finding] = [finding(code, session, ids={"x": x}) for code, session, x in rows]
    policy = Policy(Selection((), ("TL2",)), min_confidence=Confidence.HIGH, baseline=baseline.of(found[:known]))
    outcome = apply(report(*found), policy)
    assert len(outcome.new) + outcome.known + outcome.ignored + outcome.unsure == len(found)
    assert sum(outcome.by_severity.values()) == len(outcome.new)


def test_a_finding_seen_more_often_than_the_baseline_counts_is_new() -> None:
    seen = [replace(finding("TL102"), times=times) for times in (2, 3)]
    known = baseline.of(seen[:1])
    assert [entry.count for entry in known.entries] == [2]
    assert known.split(seen[:1])[0] == [True]
    assert known.split(seen[1:])[0] == [False]
    assert baseline.of(seen[1:]).split(seen[:1]) == ([True], {known.entries[0].fingerprint: 1})
