"""Standard output: its colours, its width, and writing to it."""

import os
import shutil
import sys

ASCII = str.maketrans({"─": "-", "│": "|", "└": "`", "├": "|", "…": "...", "→": "->", "·": "-"})


class OutputError(Exception):
    """An output that cannot be written; the message is one sentence."""


def is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def width() -> int:
    """Columns of the terminal (COLUMNS first), or 80."""
    return shutil.get_terminal_size((80, 24)).columns if is_terminal() else 80


def colors(choice: str) -> bool:
    """Whether to colour: what was asked for, else NO_COLOR, else FORCE_COLOR, else whether a terminal looks on."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    force = os.environ.get("FORCE_COLOR")
    if force:
        return force != "0"
    return is_terminal() and os.environ.get("TERM") != "dumb"


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(ASCII).encode(encoding, "backslashreplace")


def write(data: str | bytes) -> None:
    """Writes to standard output: bytes as they are, text in its encoding (drawn in ASCII where that has no lines).

    Raises BrokenPipeError for `main`, and OutputError where the output cannot take it (a full disk).
    """
    if sys.stdout is None:
        return
    try:
        if isinstance(data, str):
            encoding = sys.stdout.encoding or "utf-8"
            data = _encoded(data, encoding)
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stdout = None  # or the interpreter tries once more, and complains, at its end
        raise OutputError(f"standard output cannot be written: {error.strerror or error}.") from error
