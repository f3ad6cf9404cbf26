"""`tracelink rule`: pages, the list, suggestions, and the README's table."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tracelink.render.gate_rules import every
from tracelink.render.rule_page import BEGIN, END, FAMILIES, PARTS, family, markdown, table_markdown, text

README = Path(__file__).resolve().parents[2] / "README.md"


def test_a_page_says_it_all(program: Any) -> None:
    done = program("rule", "TL103")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[0] == "TL103 wrong-turn-result  error, high confidence"
    assert [line for line in lines if line and not line.startswith(" ")][1:] == [title for _, title in PARTS]
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("name", ["wrong-turn-result", "tl103", "Wrong-Turn-Result"])
def test_name_and_code_are_one(program: Any, name: str) -> None:
    assert program("rule", name).stdout == program("rule", "TL103").stdout


def test_without_an_argument_one_line_a_rule(program: Any) -> None:
    lines = program("rule").stdout.splitlines()
    listed = [line.split()[0] for line in lines if re.match(r"  TL\d", line)]
    assert listed == [rule.code for rule in every()]
    assert lines[-1].startswith("next: tracelink rule CODE")
    family = program("rule", "TL1").stdout.splitlines()
    assert [line.split()[0] for line in family if re.match(r"  TL\d", line)] == [code for code in listed if code[:3] == "TL1"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["TL1O3"], "TL103"),
        (["wrong-turn"], "Did you mean 'wrong-turn-result'"),
        (["zebra"], "no rule has the code, prefix or name 'zebra'."),
        (["TL103", "--all"], "it names all rules"),
        (["TL103", "--format", "md"], "none of text, json, markdown"),
    ],
)
def test_errors_of_use(program: Any, arguments: list[str], told: str) -> None:
    done = program("rule", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr.splitlines()[0]


def test_json(program: Any) -> None:
    schema = json.loads((files("tracelink.render") / "rules.schema.json").read_text())
    shown = json.loads(program("rule", "--all", "--format", "json").stdout)
    assert [error.message for error in Draft202012Validator(schema).iter_errors(shown)] == []
    assert [one["code"] for one in shown["rules"]] == [rule.code for rule in every()]
    assert len(json.loads(program("rule", "TL103", "--format", "json").stdout)["rules"]) == 1


def test_markdown(program: Any) -> None:
    assert program("rule", "TL103", "--format", "markdown").stdout.startswith("## TL103 wrong-turn-result\n")
    assert program("rule", "--format", "markdown").stdout == table_markdown()
    pages = program("rule", "--all", "--format", "markdown").stdout
    assert [line[3:8] for line in pages.splitlines() if line.startswith("## ")] == [rule.code for rule in every()]


@pytest.mark.parametrize("rule", every(), ids=lambda rule: rule.code)
def test_every_rule_has_a_page_that_can_be_read(rule: Any) -> None:
    assert family(rule) in FAMILIES
    for part, _ in PARTS:
        assert getattr(rule, part).strip(), part
    assert text(rule).isprintable() or "\n" in text(rule)
    shown = markdown(rule)
    assert "\n\n\n" not in shown
    assert "\n" not in rule.summary
    assert rule.summary.endswith(".")


def test_the_readme_has_the_table_of_the_declarations() -> None:
    shown = README.read_text("utf-8") if README.is_file() else ""
    if BEGIN not in shown:
        pytest.skip(f"README.md has no {BEGIN} yet")
    table = shown.split(BEGIN, 1)[1].split(END, 1)[0]
    assert table.strip() == table_markdown().strip(), "run `python -m tests.readme`"
