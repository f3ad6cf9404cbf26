"""`tracelink redact` and the files that it writes: where they go, what it refuses, what it says."""

import gzip
import json
import os
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

import tracelink
from tracelink.cli.app import application
from tracelink.cli.out import OutputError

SCHEMA = Draft202012Validator(json.loads((resources("tracelink.render") / "redact.schema.json").read_text()))
LINE = {
    "type": "message",
    "id": "item_1",
    "turn_id": "turn_1",
    "role": "user",
    "content": [{"type": "input_text", "text": "I am Ida"}],
}
TEXT = json.dumps(LINE).encode() + b"\n"


def run(*arguments: Any, code: int = 0, stdin: bytes | None = None) -> Any:
    done = CliRunner().invoke(application(), ["redact", *map(str, arguments)], input=stdin)
    assert done.exit_code == code, (done.output, done.exception)
    return done


def refused(*arguments: Any) -> str:
    done = CliRunner().invoke(application(), ["redact", *map(str, arguments)])
    assert isinstance(done.exception, OutputError), done.output
    return str(done.exception)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    path.write_bytes(TEXT)
    return path


def test_a_file_and_its_summary(source: Path, tmp_path: Path) -> None:
    done = run(source, "-o", tmp_path / "out")
    text = (tmp_path / "out" / "a.jsonl").read_text()
    assert "Ida" not in text
    assert "item_1" in text
    assert "Left to be seen: ids; names" in done.stdout
    assert "kept: " in done.stdout
    assert "dropped: nothing" in done.stdout
    assert os.listdir(tmp_path / "out") == ["a.jsonl"]
    assert source.read_bytes() == TEXT


def test_the_summary_as_json(source: Path, tmp_path: Path) -> None:
    found = json.loads(run(source, "-o", tmp_path / "out", "--format", "json").stdout)
    SCHEMA.validate(found)
    assert found["kept"]["ids"] == 2
    assert found["replaced"] == {"texts": 1}


def test_the_summary_says_which_findings_the_copy_cannot_show(source: Path, tmp_path: Path) -> None:
    bounded = {"type": "object", "properties": {"day": {"type": "string", "pattern": "^[0-9-]+$"}}}
    agent = {"id": "agent_1", "tools": [{"type": "function", "name": "book", "parameters": bounded}]}
    (tmp_path / "bounded.json").write_text(json.dumps({"object": "agent.session", "id": "sess_1", "agent": agent}))
    for name, times in (("bounded.json", 1), (str(source), 0)):
        done = run(tmp_path / name, "-o", tmp_path / f"text{times}").stdout
        assert done.count("Not to be found in the copy: arguments that break nothing") == times
        found = json.loads(run(tmp_path / name, "-o", tmp_path / f"json{times}", "--format", "json").stdout)
        SCHEMA.validate(found)
        assert len(found["not_found_in_copy"]) == times


def test_a_target_that_exists_is_refused_unless_forced(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(source, "-o", out)
    before = (out / "a.jsonl").read_bytes()
    assert "exists; remove it" in refused(source, "-o", out)
    assert (out / "a.jsonl").read_bytes() == before
    run(source, "-o", out, "--force")
    assert (out / "a.jsonl").read_bytes() != before, "another key"


def test_an_input_is_never_a_target(source: Path, tmp_path: Path) -> None:
    assert "also an input" in refused(source, "-o", tmp_path, "--force")
    link = tmp_path / "link"
    link.mkdir()
    (link / "a.jsonl").symlink_to(source)
    assert "also an input" in refused(source, "-o", link, "--force")
    assert source.read_bytes() == TEXT


def test_links_below_the_folder_are_not_followed(tmp_path: Path) -> None:
    outside, out, folder = tmp_path / "outside", tmp_path / "out", tmp_path / "in"
    for one in (outside, out, folder / "sub"):
        one.mkdir(parents=True)
    (folder / "sub" / "a.jsonl").write_bytes(TEXT)
    (folder / "b.jsonl").write_bytes(TEXT)
    (out / "sub").symlink_to(outside)
    assert "is a link" in refused(folder, "-o", out, "--force")
    assert os.listdir(outside) == []
    (out / "sub").unlink()
    (outside / "victim").write_text("mine")
    (out / "b.jsonl").symlink_to(outside / "victim")
    run(folder, "-o", out, "--force")
    assert (outside / "victim").read_text() == "mine"
    assert not (out / "b.jsonl").is_symlink()


def test_folders_keep_their_shape_and_equal_names_are_told_apart(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "b.jsonl").write_bytes(TEXT)
    (folder / "a.jsonl").write_bytes(TEXT + TEXT)
    run(source, folder, "-o", tmp_path / "out")
    found = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.jsonl"))
    assert found == ["a(2).jsonl", "a.jsonl", "deep/er/b.jsonl"]


def test_the_folder_itself_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(TEXT)
    run(tmp_path, "-o", tmp_path / "out")
    run(tmp_path, "-o", tmp_path / "out", "--force")
    assert [path.name for path in (tmp_path / "out").rglob("*") if path.is_file()] == ["a.jsonl"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (gzip.compress(TEXT * 50), None),
        (gzip.compress(TEXT * 50)[:-6], "TL002"),
        (gzip.compress(TEXT * 50) + b"\x1f\x8b\xff\xff" * 3, "TL001"),
    ],
    ids=["whole", "cut", "damaged"],
)
def test_gzip_stays_gzip_with_its_damage(data: bytes, code: str | None, tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(data)
    run(tmp_path / "a.gz", "-o", tmp_path / "out")
    new = (tmp_path / "out" / "a.gz").read_bytes()
    assert new.startswith(b"\x1f\x8b")
    before, after = tracelink.report(data), tracelink.report(new)
    assert before.run.counts == after.run.counts
    assert [one.code for one in before.findings] == [one.code for one in after.findings]
    assert code is None or code in [one.code for one in after.findings]


def test_zstd_stays_zstd(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    (tmp_path / "a.zst").write_bytes(zstandard.ZstdCompressor().compress(TEXT * 9))
    run(tmp_path / "a.zst", "-o", tmp_path / "out")
    assert tracelink.report((tmp_path / "out" / "a.zst").read_bytes()).run.counts == ({"used": 9},)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_the_encoding_stays(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(TEXT.decode().encode(encoding))
    run(tmp_path / "a.json", "-o", tmp_path / "out")
    text = (tmp_path / "out" / "a.json").read_bytes().decode(encoding)
    assert json.loads(text)["id"] == "item_1"
    assert "Ida" not in text


def test_what_is_not_understood_is_not_copied_and_told(source: Path, tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(bytes(range(256)) * 4)
    done = run(source, tmp_path / "x.bin", "-o", tmp_path / "out", code=3)
    assert "not copied" in done.stdout
    assert "binary" in done.stderr
    assert os.listdir(tmp_path / "out") == ["a.jsonl"]
    run(tmp_path / "none", "-o", tmp_path / "out2", code=3)
    assert not (tmp_path / "out2").exists()


def test_standard_input_and_a_key_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(os.urandom(32))
    for out in ("one", "two"):
        run("-", "-o", tmp_path / out, "--key-file", tmp_path / "key", stdin=TEXT)
    run("-", "-o", tmp_path / "three", stdin=TEXT)
    texts = [(tmp_path / out / "stdin").read_bytes() for out in ("one", "two", "three")]
    assert texts[0] == texts[1] != texts[2]


def test_a_key_that_is_none_is_a_usage_error(source: Path, tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"short")
    assert "at least 16" in run(source, "-o", tmp_path / "o", "--key-file", tmp_path / "key", code=2).stderr
    assert "cannot be read" in run(source, "-o", tmp_path / "o", "--key-file", tmp_path / "no", code=2).stderr
    assert "no JSONPath" in run(source, "-o", tmp_path / "o", "--keep", "$.[[", code=2).stderr


def test_ids_in_file_names_are_renamed_with_the_others(tmp_path: Path) -> None:
    (tmp_path / "sess_Abc123.jsonl").write_bytes(TEXT)
    run(tmp_path / "sess_Abc123.jsonl", "-o", tmp_path / "out", "--ids")
    (name,) = os.listdir(tmp_path / "out")
    assert name.startswith("sess_")
    assert "Abc123" not in name


def test_the_users_own_fields_stay_ids(tmp_path: Path) -> None:
    line = {"payload": {"myCall": "call_77", "who": "Ida"}, "event": {**LINE, "type": "function_call", "name": "look"}}
    (tmp_path / "a.json").write_text(json.dumps(line))
    run(tmp_path / "a.json", "-o", tmp_path / "out", "--field", "call_id=$.payload.myCall")
    found = json.loads((tmp_path / "out" / "a.json").read_text())
    assert found["payload"]["myCall"] == "call_77"
    assert "Ida" not in json.dumps(found)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    import tracemalloc

    from tracelink.model.limits import Limits
    from tracelink.redact.redactor import Redactor
    from tracelink.redact.sources import Rewriter

    delta = {"type": "agent.session.turn.output_text.delta", "session_id": "s", "turn_id": "t", "item_id": "i", "delta": "Ida"}
    block = b"".join(json.dumps({**delta, "event_id": f"ev_{n}"}).encode() + b"\n" for n in range(300))
    tracemalloc.start()
    Rewriter(Redactor(), Limits()).run((block for _ in range(3)), lambda data: None)
    tracemalloc.reset_peak()
    Rewriter(Redactor(), Limits()).run((block for _ in range(20)), lambda data: None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30 * len(block)


def test_a_folder_is_not_redacted_into_itself(source: Path, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "out" / ".."):
        (tmp_path / "out").mkdir(exist_ok=True)
        assert "all that was named lies in" in refused(tmp_path, "-o", folder)
    assert source.read_bytes() == TEXT


def test_names_of_files_are_said_to_stay(source: Path, tmp_path: Path) -> None:
    assert "names of files, tools, agents and models" in run(source, "-o", tmp_path / "out").stdout
