"""A graph is written piece by piece: the pieces are the text, and a file is there whole or not at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import tracelink
from tracelink import export
from tracelink.cli import graphs, save
from tracelink.cli.out import OutputError
from tracelink.graph import build, marks_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("length", [1, 100, graphs.PIECE])
@pytest.mark.parametrize("form", ["dot", "json", "links", "mermaid"])
def test_the_pieces_are_the_text(form: str, length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "PIECE", length)
    report = tracelink.report(str(ROOT / "fixtures" / "stalled"), str(ROOT / "fixtures" / "subagents"))
    whole = [
        (one.trace, build(one.trace, marks=marks_of(one.trace, [*report.findings, *one.findings]))) for one in report.sessions
    ]
    pieces = list(graphs.export(report, form, detail="items", agent=None))
    text = export.render(form, whole)
    assert isinstance(text, str)
    assert b"".join(pieces).decode() == text
    assert all(len(piece) > length for piece in pieces[:-1])


def test_a_stream_that_breaks_changes_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"half of it"
        raise OSError(5, "no more")

    old = tmp_path / "old.dot"
    old.write_bytes(b"as it was")
    for path in (old, tmp_path / "new.dot"):
        with pytest.raises(OutputError, match=r"cannot be written: no more\."):
            save.save(str(path), broken())
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("old.dot", b"as it was")]


def test_what_cannot_be_written_is_said_before_anything_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tracelink.export.mermaid.LIMIT", 1)
    report = tracelink.report(str(ROOT / "fixtures" / "stalled"))
    with pytest.raises(OutputError, match=r"mermaid cannot be written: .* nodes are too many"):
        graphs.export(report, "mermaid", detail="items", agent=None)
