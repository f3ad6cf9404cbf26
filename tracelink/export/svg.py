"""The picture as SVG: the DOT text laid out by Graphviz's `dot`, which is a program of its own."""

import shutil
import subprocess

from tracelink.export import dot
from tracelink.export.sessions import Sessions, short

LIMIT = 2_000
"""Most nodes: beyond, layout takes minutes and nobody can read the picture."""

TIMEOUT = 60.0
"""Seconds that `dot` may take."""


def render(sessions: Sessions) -> bytes:
    """Raises ValueError, one sentence each, where there are too many nodes, `dot` is missing, fails or takes too long."""
    short(sessions, LIMIT, "an SVG")
    program = shutil.which("dot")
    if program is None:
        raise ValueError(
            "SVG needs Graphviz's `dot`: apt-get install graphviz, or brew install graphviz (dot and mmd need nothing)"
        )
    text = dot.render(sessions).encode()
    try:
        done = subprocess.run([program, "-Tsvg"], input=text, capture_output=True, timeout=TIMEOUT, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise ValueError(f"Graphviz took more than {TIMEOUT:.0f} s: narrow it with --agent ID or --detail calls") from None
    if done.returncode != 0 or not done.stdout:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise ValueError(f"Graphviz could not draw the graph: {said[-1] if said else f'exit code {done.returncode}'}")
    return done.stdout
