"""One whole process, measured from outside: wall seconds, processor seconds, peak memory.

Memory is told in two ways, and the larger counts. `os.wait4` gives the largest resident set of the process or of any process
that it waited for. That misses that several workers live at once, so an untimed run is also watched: every 20 ms the proportional
set sizes (pages that processes share are divided among them) of the process and all its descendants are added up.

The kernel starts a child's peak at what its parent used when it was started, so this process imports nothing large.
"""

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PACE = 0.02


@dataclass(frozen=True, slots=True)
class Measured:
    """One run. `seconds` is wall time, `cpu` user and system seconds of it and its workers, `peak` bytes."""

    seconds: float
    cpu: float
    peak: int
    code: int
    error: str  # the end of what it wrote to standard error


def run(command: Sequence[str], folder: Path, output: Path | None = None, watch: bool = False) -> Measured:
    """Runs it in `folder`, standard output into the void or into `output`; `watch` adds up its workers' memory.

    A watched run's time is of no use. Raises OSError where the command cannot be started.
    """
    with open(output or os.devnull, "wb") as out, open(os.devnull, "rb") as nothing, _Scratch() as error:
        begin = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, stdin=nothing, stdout=out, stderr=error.file)  # noqa: S603 - our own commands
        seen = 0
        try:
            if watch:
                while not (ended := os.wait4(child.pid, os.WNOHANG))[0]:
                    seen = max(seen, _tree_bytes(child.pid))
                    time.sleep(PACE)
            else:
                ended = os.wait4(child.pid, 0)
        except BaseException:
            child.kill()
            raise
        seconds = time.perf_counter() - begin
        _, status, usage = ended
        child.returncode = os.waitstatus_to_exitcode(status)
        told = error.tail()
    return Measured(seconds, usage.ru_utime + usage.ru_stime, max(seen, usage.ru_maxrss * 1024), child.returncode, told)


class _Scratch:
    """Standard error in a file without a name, so that no pipe has to be emptied while the child runs."""

    def __enter__(self) -> "_Scratch":
        import tempfile

        self.file = tempfile.TemporaryFile()
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def tail(self) -> str:
        self.file.seek(max(0, self.file.seek(0, os.SEEK_END) - 400))
        return self.file.read().decode("utf-8", "replace").strip()


def _tree_bytes(pid: int) -> int:
    """Proportional set sizes of a process and its descendants, bytes; what has ended meanwhile counts nothing."""
    total, waiting = 0, [pid]
    while waiting:
        place = Path("/proc") / str(waiting.pop())
        try:
            total += next(
                int(line.split()[1]) for line in (place / "smaps_rollup").read_text().splitlines() if line.startswith("Pss:")
            )
            waiting += [int(one) for task in (place / "task").iterdir() for one in (task / "children").read_text().split()]
        except (OSError, StopIteration, ValueError):
            continue
    return total * 1024
