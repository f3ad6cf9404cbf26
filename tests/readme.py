"""Makes the generated parts of README.md: transcripts by running the program, tables from the declarations.

`python -m tests.readme` rewrites the file; `tests/test_readme.py` holds it to what this makes.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tracelink.graph.vocabulary import EDGES, NODES
from tracelink.render.rule_page import table_markdown

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def transcript(command: str) -> str:
    """What a command prints in a pipe of 80 columns."""
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return f"$ {command}\n{done.stdout}"


def table(words: dict[str, str]) -> str:
    """A two-column Markdown table."""
    rows = [f"| `{word}` | {meaning.replace('|', chr(92) + '|')} |" for word, meaning in words.items()]
    return "\n".join(["| kind | meaning |", "| --- | --- |", *rows])


def rule_table() -> str:
    """All rules and the gate's reasons: code, name, severity, summary."""
    return table_markdown().rstrip("\n")


def made(text: str) -> str:
    """The README with its generated parts made anew."""
    text = re.sub(
        r"(<!-- output: (.+?) -->\n```text\n).*?(```)",
        lambda found: found[1] + transcript(found[2]) + found[3],
        text,
        flags=re.DOTALL,
    )
    for name, words in (("nodes", NODES), ("edges", EDGES)):
        text = re.sub(
            rf"(<!-- table: {name} -->\n).*?(<!-- /table -->)",
            lambda found, words=words: f"{found[1]}{table(words)}\n{found[2]}",
            text,
            flags=re.DOTALL,
        )
    return re.sub(
        r"(<!-- rules -->\n).*?(<!-- /rules -->)",
        lambda found: f"{found[1]}{rule_table()}\n{found[2]}",
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    README.write_text(made(README.read_text()))
