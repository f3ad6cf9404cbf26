"""The rooms keep apart (DESIGN 3), and start-up stays cheap."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = (
    "networkx",
    "jinja2",
    "jsonpath_ng",
    "rich",
    "jsonschema",
    "pydot",
    "rapidfuzz",
    "orjson",
    "tomllib",
    "tracelink.read",
    "tracelink.link",
)


def test_each_room_imports_only_what_it_may() -> None:
    pytest.importorskip("importlinter")
    check = (
        "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    )
    done = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["build", "--help"], ["no-such-command"]])
def test_start_up_imports_nothing_heavy(arguments: list[str]) -> None:
    probe = (
        "import sys; from tracelink.cli import main; sys.argv[1:] = " + repr(arguments) + "; main();"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"


def test_the_probe_would_notice() -> None:
    probe = f"import sys, networkx; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert "networkx" in done.stdout
