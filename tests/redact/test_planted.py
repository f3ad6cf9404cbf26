"""Nothing that was planted is left: in every string of every official type, in every form of file and of report."""

import gzip
import json
import re
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("openai.types.beta.agent_session_event", reason="the openai package is too old for the Agents API")

from tests.redact.compare import redacted
from tests.redact.planted import every_string, story, wires
from tracelink.cli.app import application

PERSON = "Zoëlina Quillfeather <zoelina@quillfeather.example>, +49 151 2345678"
BARE = "Quillfeather"
SECRET = "sk-proj-" + "Qw7Er8Ty9Ui0Op1As2Df3Gh4Jk5Lz6Xc7Vb8Nm9Qa" + "-quillfeather"
LEFT = re.compile(rb"quillfeather|zoelina|49291234|2345678|1232280891", re.IGNORECASE)

KEPT = re.compile(r"id|.*_id|.*_ids|name|server_label|model|code|version|allowed_tools|param|reasoning_effort|type")
"""Members whose strings stay where they have the form of an id, a name or a code."""
HIDDEN = ("field_id", "field_ids")


def mark_all(name: str) -> str:
    return PERSON


def mark_secret(name: str) -> str:
    return SECRET


def mark_bare(name: str) -> str:
    """A name as short as an id, everywhere but where ids and names belong."""
    return f"kept_{name}_1" if KEPT.fullmatch(name) and name not in HIDDEN else BARE


MARKS = {"person": mark_all, "secret": mark_secret, "bare": mark_bare}


@cache
def lines(name: str) -> bytes:
    """Everything as lines: bare, in a wrapper, and as a body in text."""
    out = list(dict.fromkeys(json.dumps(wire) for wire in wires(MARKS[name])))
    beside = {"ts": "2026-11-17T09:30:00Z", "note": MARKS[name]("note"), "dir": "in"}
    for number, wire in enumerate(out[::4]):
        out.append(json.dumps({**beside, "payload": json.loads(wire)} if number % 2 else {**beside, "body": wire}))
    return "\n".join(out).encode() + b"\n"


def left(data: bytes) -> list[bytes]:
    """What is left of the marks, with what stands around it."""
    escaped = data.decode("utf-8", "replace").encode("ascii", "backslashreplace")
    return [escaped[max(0, found.start() - 60) : found.end() + 20] for found in LEFT.finditer(escaped)][:5]


def test_the_marks_are_everywhere() -> None:
    """The builder reaches what it must: all kinds of members, and the marks are found by the search."""
    names = {name for wire in wires(mark_all) for name, text in every_string(wire) if text == PERSON}
    assert len(names) >= 65
    assert {"output", "arguments", "instructions", "title", "command", "cwd", "encrypted_content", "obfuscation"} - names <= {
        "arguments",
        "instructions",
    }
    for name in MARKS:
        assert left(lines(name))


@pytest.mark.parametrize("ids", [False, True], ids=["ids stay", "ids renamed"])
@pytest.mark.parametrize("name", MARKS)
def test_no_mark_is_left_in_lines(name: str, ids: bool) -> None:
    done = redacted(lines(name), ids=ids)
    assert left(done) == []
    assert done.count(b"\n") == lines(name).count(b"\n")
    assert len(done) > 1000


@pytest.mark.parametrize("name", MARKS)
def test_no_mark_is_left_in_other_frames(name: str) -> None:
    wires_ = lines(name).splitlines()
    event, id_, note = (MARKS[name](field).encode() for field in ("event", "id", ""))
    head = b"event: %s\nid: x %s\n: %s\ndata: " % (event, id_, note)
    sse = b"".join(head + wire + b"\n\n" for wire in wires_[::7])
    pretty = json.dumps([json.loads(wire) for wire in wires_[::5]], indent=1, ensure_ascii=False).encode()
    torn = b"\n".join(wire[: len(wire) * 2 // 3] for wire in wires_[::11])
    log = b"".join(
        b"2026-11-17T09:30:00Z INFO " + MARKS[name]("").encode() + b" posted " + wire + b"\n" for wire in wires_[::9]
    )
    for data in (sse, pretty, pretty[:-40], pretty.replace(b'"type": ', b'"type" ', 3), torn, log):
        assert left(redacted(data)) == []


COMMANDS = (
    ("build",),
    ("build", "--full", "--format", "json"),
    *(("build", "--to", form, "--detail", "all") for form in ("dot", "mermaid", "graphml", "json", "links")),
    *(("check", "--format", form) for form in ("text", "json", "jsonl", "sarif", "github", "junit")),
    ("awaits",),
    ("awaits", "--format", "json"),
    ("awaits", "--emit", "payload"),
    *(("postmortem", "--full", "--format", form) for form in ("text", "markdown", "json", "html")),
    ("timeline", "--full"),
    ("timeline", "--format", "chrome"),
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("planted")
    found = {}
    for name in MARKS:
        path = folder / f"{name}.jsonl"
        told = story(MARKS[name])
        path.write_bytes(told + b"\n".join(lines(name).splitlines()[::3]) + b"\n" + lines(name)[:300])
        found[name] = str(path)
    return found


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", MARKS)
def test_no_mark_is_left_in_a_report(name: str, command: tuple[str, ...], files: dict[str, str]) -> None:
    done = CliRunner().invoke(application(), [*command, "--redact", files[name]])
    assert done.exit_code in (0, 1, 4), done.output[-500:]
    assert left(done.stdout_bytes) == [], command
    assert left(done.stderr_bytes) == []
    assert len(done.stdout_bytes) > 20


@pytest.mark.parametrize("wanted", ["call_p1", "call_p2", "item_p1", "turn_p1", "sess_p1", "agent_p1", "ev_p6"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_no_mark_is_left_in_why(wanted: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / "story.jsonl"
    path.write_bytes(story(mark_all))
    done = CliRunner().invoke(application(), ["why", wanted, str(path), "--redact", "--format", form, "--full"])
    assert done.exit_code == 0, done.output
    assert left(done.stdout_bytes) == []


def test_the_reports_show_the_marks_without_redact(files: dict[str, str]) -> None:
    """The search would find them."""
    for command in (("postmortem", "--full"), ("build", "--full", "--format", "json"), ("awaits", "--emit", "payload")):
        assert left(CliRunner().invoke(application(), [*command, files["person"]]).stdout_bytes)


def test_no_mark_is_left_in_a_folder_of_files(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.jsonl").write_bytes(lines("person")[:200_000])
    (source / "b.jsonl.gz").write_bytes(gzip.compress(lines("secret")[:200_000]))
    done = CliRunner().invoke(application(), ["redact", str(source), "-o", str(tmp_path / "out"), "--format", "json"])
    assert done.exit_code == 0, done.output
    assert left(done.stdout_bytes) == []
    assert left((tmp_path / "out" / "a.jsonl").read_bytes()) == []
    assert left(gzip.decompress((tmp_path / "out" / "b.jsonl.gz").read_bytes())) == []
