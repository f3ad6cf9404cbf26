"""What machine it was: without that a figure says nothing."""

import os
import platform
import resource
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("orjson", "networkx", "typer", "openai", "duckdb")


def describe(root: Path) -> dict[str, str]:
    """Processor, cores that this process may use, memory, system, Python, packages, jq, and the commit under `root`.

    `least peak` is what this process used itself: no smaller peak of a child can be told (see `process`).
    """
    about = {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "load": f"{os.getloadavg()[0]:.1f}",
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
    }
    for name in PACKAGES:
        try:
            about[name] = version(name)
        except PackageNotFoundError:
            about[name] = "absent"
    about["least peak"] = f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB"
    about["jq"] = _first_line(["jq", "--version"]).removeprefix("jq-") or "absent"
    about["commit"] = _first_line(["git", "-C", str(root), "describe", "--always", "--dirty"]) or "unknown"
    return about


def sentence(about: dict[str, str]) -> str:
    """The same in one line."""
    first = "{processor}, {cores} cores, {memory} memory, load {load} at the start; {system}".format_map(about)
    rest = [f"{name} {value}" for name, value in about.items() if name in ("Python", *PACKAGES, "jq", "commit")]
    return f"{first}; {', '.join(rest)}."


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def _first_line(command: list[str]) -> str:
    """What the command prints first; nothing where it is not there or fails."""
    program = shutil.which(command[0])
    if program is None:
        return ""
    done = subprocess.run([program, *command[1:]], capture_output=True, text=True, check=False)  # noqa: S603 - our own commands
    return done.stdout.strip().partition("\n")[0] if done.returncode == 0 else ""
