"""The same input gives the same bytes, whatever the seed of Python's hashes."""

import os
import subprocess
import sys
from pathlib import Path

import tracelink
from tests.world.trial import VIEWS

SCRIPT = """
import hashlib, sys
import tracelink
from tests.properties.worlds import some
from tests.world import trial
from tracelink.render import json
for seed in range(4):
    s = some(seed)
    for view in trial.VIEWS:
        if view == "sdk":
            continue
        report = tracelink.report(trial.recorded(s, view, len(s.log), seed)[0])
        print(seed, view, hashlib.sha256(json.render(report) + str(report.run).encode()).hexdigest())
"""


def test_hash_seeds() -> None:
    root = Path(__file__).parents[2]
    package = Path(tracelink.__file__).parents[1]
    path = os.pathsep.join(dict.fromkeys((str(package), str(root))))
    said = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "4242")
    }
    assert len(said) == 1
    assert next(iter(said)).count("\n") == 4 * (
        len(VIEWS) - 1
    )  # without the SDK's, which takes longest to write and reads like any stream
