"""README.md says what the program does: its transcripts and tables are what running it makes."""

from tests.readme import README, made


def test_generated_parts_are_current() -> None:
    text = README.read_text()
    assert made(text) == text, "run: python -m tests.readme"
