"""All commands with all their forms, the exit codes that each may have, and what is true of its output whatever was read."""

import json
import re
import shutil
import unicodedata
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

import networkx as nx
from jsonschema import Draft202012Validator

from tests.fuzz.run import Done
from tests.render.html.page import Page

FILE, OTHER, HERE = "{file}", "{other}", "{here}"
"""Stand for the input, a second input, and the folder of both."""


@dataclass(frozen=True)
class Command:
    arguments: tuple[str, ...]
    codes: frozenset[int]
    check: Callable[[str], None]
    heavy: bool = False

    def __str__(self) -> str:
        return " ".join(self.arguments)


def strict(text: str) -> Any:
    """JSON as RFC 8259 has it: no NaN, no member twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len({name for name, _ in pairs}) == len(pairs), "a member twice"
        return dict(pairs)

    def refuse(name: str) -> Any:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


@cache
def _schema(room: str, name: str) -> Any:
    return Draft202012Validator(json.loads((files(f"tracelink.{room}") / f"{name}.schema.json").read_text()))


def fits(name: str, room: str = "render") -> Callable[[str], None]:
    def check(text: str) -> None:
        value = strict(text)
        wrong = [f"{list(error.path)}: {error.message[:200]}" for error in _schema(room, name).iter_errors(value)]
        assert not wrong, wrong[:3]

    return check


def report(text: str) -> None:
    fits("report")(text)
    for source in strict(text)["sources"]:
        assert sum(source["counts"].values()) == source["records"], f"something vanished: {source}"


def lines_of_json(text: str) -> None:
    assert not text or text.endswith("\n")
    for line in text.split("\n")[:-1]:
        assert isinstance(strict(line), dict)


def any_json(text: str) -> None:
    strict(text)


def values(text: str) -> None:
    for line in text.split("\n")[:-1]:
        strict(line)


@cache
def _sarif() -> Any:
    from tests.check.test_formats import SARIF

    return SARIF


def sarif(text: str) -> None:
    wrong = [f"{list(error.path)}: {error.message[:200]}" for error in _sarif().iter_errors(strict(text))]
    assert not wrong, wrong[:3]


def acts_on_nobody(text: str) -> None:
    """Text for people, which a CI runner reads too: no line is a command to it."""
    for line in text.split("\n"):
        assert not line.lstrip().startswith("::"), f"a GitHub command: {line}"
        assert "##[" not in line, f"a command ##[: {line}"


def github(text: str) -> None:
    for line in text.split("\n")[:-1]:
        assert re.match(r"::(error|warning|notice) (\w+=[^:,]*,)*\w+=[^:,]*::.", line), (
            line
        )  # what stands behind `::` is no command


def xml(text: str) -> None:
    ElementTree.fromstring(text)  # noqa: S314 - our own output


def graphml(text: str) -> None:
    assert nx.parse_graphml(text, force_multigraph=True) is not None


def svg(text: str) -> None:
    root = ElementTree.fromstring(text)  # noqa: S314 - our own output
    assert not [one.tag for one in root.iter() if one.tag.endswith(("script", "foreignObject"))]
    for one in root.iter():
        assert not [name for name, value in one.attrib.items() if name.startswith("on") or "javascript:" in value.lower()]


def dot(text: str) -> None:
    import pydot

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydot calls pyparsing by its old names
        parsed = pydot.graph_from_dot_data(text)
    assert parsed is not None
    assert len(parsed) == 1


LABEL = r'"(?:<b>|</b>|<br/>|#\d+;|[^"<>#;`{}\[\]()|\\%&])*"'
MERMAID = re.compile(
    "|".join(
        (
            r"flowchart LR",
            rf" *subgraph s\d+(a\d+)?\[{LABEL}\]",
            r" *end",
            rf" *n\d+\({LABEL}\):::\w+",
            rf" *n\d+ (-->|==>|-\. {LABEL} \.->) n\d+",
            r" *classDef \w+ [\w:,#-]+",
            r" *linkStyle [\d,]+ [\w:,.#-]+",
        )
    )
)


def mermaid(text: str) -> None:
    for line in text.splitlines():
        assert MERMAID.fullmatch(line), line


MARKDOWN = {
    "inline", "text", "code_inline", "softbreak", "fence", "paragraph_open", "paragraph_close", "heading_open", "heading_close",
    "bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close", "strong_open", "strong_close",
}  # fmt: skip


@cache
def _reader() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("gfm-like")


def markdown(text: str) -> None:
    kinds = {one.type for token in _reader().parse(text) for one in (token, *(token.children or ()))}
    assert kinds <= MARKDOWN, kinds - MARKDOWN


def page(text: str) -> None:
    Page(text.encode()).hold()


def table(text: str) -> None:
    """A tab-separated table: every line has the cells that the first has, and no cell begins as a formula would."""
    lines = text.split("\n")[:-1]
    assert len({line.count("\t") for line in lines}) <= 1


def all_of(*checks: Callable[[str], None]) -> Callable[[str], None]:
    def check(text: str) -> None:
        for one in checks:
            one(text)

    return check


def _command(line: str, codes: str, check: Callable[[str], None], *, heavy: bool = False) -> Command:
    return Command(tuple(line.split()), frozenset(map(int, codes.split())), check, heavy)


BUILD, CHECK, AWAITS, GATE, READ = "0 3", "0 1 3", "0 1 3 4", "0 1 3", "0 3"
GATE_OR_USAGE = "0 1 2 3"  # 2: no session is in both, and none was chosen
COMMANDS = (
    _command("build {file}", BUILD, acts_on_nobody),
    _command("build {file} --full --silence 0.001", BUILD, acts_on_nobody),
    _command("build {file} {other} --format json", BUILD, report),
    _command("build {file} --format json", BUILD, report),
    _command("build {here} --format json", BUILD, report),
    _command("build {file} --to json --detail all", BUILD, any_json),
    _command("build {file} --to links", BUILD, any_json),
    _command("build {file} --to mermaid --detail all", BUILD, mermaid),
    _command("build {file} --to mermaid --detail calls", BUILD, mermaid),
    _command("build {file} --to graphml --detail all", BUILD, graphml),
    _command("build {file} --to dot --detail all", BUILD, dot, heavy=True),
    _command("check {file}", CHECK, acts_on_nobody),
    _command("check {file} --full --fail-on never", CHECK, acts_on_nobody),
    _command("check {file} --format json", CHECK, fits("check")),
    _command("check {file} {other} --format jsonl", CHECK, lines_of_json),
    _command("check {file} --format sarif", CHECK, sarif),
    _command("check {file} --format github", CHECK, github),
    _command("check {file} --format junit", CHECK, xml),
    _command("check {file} --write-baseline {here}/base.json", CHECK, acts_on_nobody),
    _command("awaits {file}", AWAITS, acts_on_nobody),
    _command("awaits {file} {other}", AWAITS, acts_on_nobody),
    _command("awaits {file} --format json", AWAITS, fits("awaits")),
    _command("awaits {file} --emit payload", AWAITS, lines_of_json),
    _command("awaits {file} --emit payload --with-session", AWAITS, lines_of_json),
    _command("gate {file}", GATE, acts_on_nobody),
    _command("gate {file} --full --profile vllm", GATE, acts_on_nobody),
    _command("gate {file} --format json", GATE, fits("gate")),
    _command("gate {file} {other} --format jsonl --profile bedrock", GATE, lines_of_json),
    _command("gate {file} --format sarif", GATE, sarif),
    _command("gate {file} --format github", GATE, github),
    _command("gate {file} --repair - --synthesize", GATE, any_json),
    _command("gate {file} --repair {here}/new.json --format json", GATE, fits("gate")),
    _command("gate {file} --tools {other}", "0 1 2 3", acts_on_nobody),
    _command("gate {file} --against {other}", GATE, acts_on_nobody),
    _command("diff-items {file} {other}", GATE, acts_on_nobody),
    _command("diff-items {file} {other} --format json", GATE, any_json),
    _command("diff {file} {other}", GATE_OR_USAGE, acts_on_nobody),
    _command("diff {file} {file} --full", "0 3", acts_on_nobody),
    _command("diff {other} {file} --only ids", GATE_OR_USAGE, acts_on_nobody),
    _command("diff {file} {other} --format json", GATE_OR_USAGE, fits("diff")),
    _command("query $..* {file}", READ, acts_on_nobody),
    _command("query $..*[?(@.type!='x')] {file} --format jsonl", READ, lines_of_json),
    _command("query $..id {file} --format values", READ, values),
    _command("query --ids {file}", READ, all_of(acts_on_nobody, table)),
    _command("query --ids {file} --format values", READ, all_of(acts_on_nobody, table)),
    _command("query --ids {file} --format jsonl", READ, lines_of_json),
    _command("postmortem {file}", READ, acts_on_nobody),
    _command("postmortem {file} --full", READ, acts_on_nobody),
    _command("postmortem {file} --format markdown --full", READ, markdown),
    _command("postmortem {file} --format json", READ, fits("postmortem")),
    _command("postmortem {file} --format html", READ, page),
    _command("timeline {file}", READ, acts_on_nobody),
    _command("timeline {file} --full", READ, acts_on_nobody),
    _command("timeline {file} --format chrome", READ, any_json),
    _command("redact --force --format json -o {here}/redacted -- {file}", READ, fits("redact")),
    _command("redact --force --ids -o {here}/redacted -- {file} {other}", READ, acts_on_nobody),
    _command("build {file} --redact --format json", BUILD, report),
    _command("postmortem {file} --redact", READ, acts_on_nobody),
    *([_command("build {file} --to svg", BUILD, svg, heavy=True)] if shutil.which("dot") else []),
)
WITH_AN_ID = (
    _command("why --format text -- {id} {file}", "0 2 3", acts_on_nobody),
    _command("why --format json -- {id} {file}", "0 2 3", fits("why")),
    _command("diff --call={id} {file}", "0 1 2 3", acts_on_nobody),
    _command("diff --call={id} {file} {other} --format json", "0 1 2 3", fits("diff_call")),
    _command("build --session={id} {file}", "0 2 3", acts_on_nobody),
    _command("build --agent={id} {file} --to json", "0 2 3", any_json),
    _command("postmortem --turn={id} {file}", "0 2 3", acts_on_nobody),
    _command("timeline --turn={id} {file}", "0 2 3", acts_on_nobody),
    _command("rule -- {id}", "0 2", acts_on_nobody),
    _command("check --select={id} {file}", "0 1 2 3", acts_on_nobody),
    _command("query --field=call_id={id} --ids {file}", "0 2 3", acts_on_nobody),
    _command("build --as-of={id} {file}", "0 2 3", acts_on_nobody),
    _command("query -- {id} {file}", "0 2 3", acts_on_nobody),
)


def unseen(text: str, allowed: str) -> list[str]:
    """Characters that a terminal obeys or an eye overlooks. Made from Unicode's categories, not from the program's list."""
    return sorted(
        {char for char in text if char not in allowed and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    )


def hold(command: Command, done: Done, seconds: float) -> None:
    """What is true of every run. Raises AssertionError with a first line that names the kind of fault."""
    assert done.code != -1, f"hang\n{done}"
    assert done.code != 70, f"exit 70\n{done}"
    assert done.code in command.codes, f"exit {done.code}\n{done}"
    assert "Traceback" not in done.err, f"traceback\n{done}"
    assert done.seconds < seconds, f"slow: {done.seconds:.1f} s\n{done}"
    out = done.out.decode()
    tabs = "\t" if command.arguments[0] == "query" else ""
    for name, text in (("stdout", out), ("stderr", done.err)):
        assert not unseen(text, "\n" + tabs), f"raw characters in {name}: {unseen(text, chr(10) + tabs)}\n{done}"
    if "{id}" not in str(command):  # else it is the user's own word, told back
        acts_on_nobody(done.err)
    if out:
        try:
            command.check(out)
        except Exception as error:
            raise AssertionError(f"output of {command}: {type(error).__name__}: {str(error)[:600]}\n{done}") from error
