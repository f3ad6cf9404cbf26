"""A long hunt without hypothesis: `python -m tests.fuzz.hunt SECONDS [SEED]`. Each new kind of fault is made small and saved.

Faults are told apart by command and the first line of what is wrong (for an exit 70: by the two innermost functions).
"""

import json
import random
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import tracelink
from tests.fuzz.commands import COMMANDS, FILE, WITH_AN_ID, Command, hold
from tests.fuzz.hostile import STRINGS
from tests.fuzz.mutate import any_plan, bytes_of, rows_of, strings
from tests.fuzz.run import Done, emptied, run

SECRET = b'{"type":"agent.session.input.tool_result","turn_id":"t","call_id":"c","success":true,"output":"sk-proj-HhxdADb94F6hgA23DAcH"}'


def arguments(command: Command, folder: Path, name: str = "in.jsonl", chosen: str = "x") -> list[str]:
    """The command line. A NUL or a lone surrogate that no operating system could hand over is made one that it can."""
    safe = chosen.replace("\x00", "")
    safe = safe.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
    names = {"{file}": str(folder / name), "{other}": str(folder / "other.jsonl"), "{here}": str(folder), "{id}": safe}
    return [re.sub(r"\{(file|other|here|id)\}", lambda match: names[match[0]], one) for one in command.arguments]


def trial(command: Command, data: bytes, folder: Path, other: bytes = b"", chosen: str = "x", seconds: float = 10) -> Done:
    """One command on one input. Raises AssertionError where something is wrong."""
    emptied(folder)
    (folder / "in.jsonl").write_bytes(data)
    (folder / "other.jsonl").write_bytes(other)
    done = run(*arguments(command, folder, chosen=chosen))
    hold(command, done, seconds)
    return done


def kind_of(command: Command, error: AssertionError) -> str:
    """What tells one fault from another."""
    text = str(error)
    first = text.split("\n")[0]
    if first.startswith(("exit 70", "traceback")):
        frames = re.findall(r'File "[^"]*/(tracelink/[^"]+)", line \d+, in (\w+)', text)
        errors = re.findall(r"^([\w.]+(?:Error|Exception))\b", text, re.MULTILINE)
        return " ".join(("70", *(f"{file}:{name}" for file, name in frames[-2:]), *errors[-1:]))
    return f"{command.arguments[0]} {' '.join(one for one in command.arguments if one.startswith('--'))} {first.split(' ##[')[0].split(': [')[0][:120]}"


def smaller(data: bytes, fails: Any, budget: int = 400) -> bytes:
    """The input with lines, then pieces of bytes, left out while it still fails."""
    best = data
    for unit in (b"\n", b",", b""):
        parts = best.split(unit) if unit else [best[i : i + 1] for i in range(len(best))]
        if len(parts) > 3000:
            continue
        size = max(1, len(parts) // 2)
        while size >= 1 and budget > 0:
            start = 0
            while start < len(parts) and budget > 0:
                fewer = parts[:start] + parts[start + size :]
                budget -= 1
                if fails(unit.join(fewer)):
                    parts = fewer
                else:
                    start += size
            size //= 2
        best = unit.join(parts)
    return best


def hunt(seconds: float, seed: int) -> dict[str, Any]:
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    found: dict[str, Any] = {}
    runs = inputs = 0
    worst: tuple[float, str] = (0, "")
    end = time.monotonic() + seconds
    light = [one for one in COMMANDS if not one.heavy]
    folder = Path(tempfile.mkdtemp(prefix="hunt"))
    for command in light:  # what is loaded once is not counted as slow
        trial(command, b"{}", folder, seconds=100)
    tracelink.report(SECRET)
    while time.monotonic() < end:
        plan = any_plan(rng)
        data, other = bytes_of(plan), bytes_of(any_plan(rng))
        known = [*strings(rows_of(plan))[:300], *STRINGS]
        inputs += 1
        commands = (
            rng.sample(light, 3) + rng.sample(WITH_AN_ID, 1) + (list(rng.sample(COMMANDS, 1)) if rng.random() < 0.1 else [])
        )
        for command in commands:
            chosen = rng.choice(known)
            runs += 1
            try:
                done = trial(command, data, folder, other, chosen)
                worst = max(worst, (done.seconds, f"{command} on {plan}"))
            except AssertionError as error:
                kind = kind_of(command, error)
                if kind in found:
                    found[kind]["times"] += 1
                    continue

                def fails(
                    data: bytes, command: Command = command, kind: str = kind, other: bytes = other, chosen: str = chosen
                ) -> bool:
                    try:
                        trial(command, data, folder, other, chosen)
                    except AssertionError as again:
                        return kind_of(command, again) == kind
                    return False

                quick = not kind.endswith("hang")
                small = smaller(data, fails) if quick and (FILE in str(command) or "{here}" in str(command)) else data
                found[kind] = {
                    "times": 1, "command": str(command), "id": chosen, "input": small.decode("latin-1"), "what": str(error)[:3000]
                }  # fmt: skip
                print(json.dumps({"kind": kind, **found[kind]}, indent=1), flush=True)
    print(f"{inputs:,} inputs, {runs:,} runs, {len(found)} kinds of fault; slowest {worst[0]:.2f} s: {worst[1]}")
    for kind, one in found.items():
        print(f"{one['times']:5} {kind}")
    return found


if __name__ == "__main__":
    import tests.conftest  # noqa: F401 - the secret scanner's patterns are compiled once

    sys.exit(bool(hunt(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)))
