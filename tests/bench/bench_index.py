"""The index pass and `check` against a bare pass of orjson over the lines of the same file."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import orjson

from app import heap
from app.headless import INCIDENT
from app.model.source import Source
from app.pipeline.load import load
from tests.bench.measuring import FOLDER, dump_file, line, note, paired

LIMITS = {"cc100": (1.2, 3.0), "small100": (2.5, 4.0)}
ROUNDS = 5
FLOOR = "import sys, orjson\nfor l in open(sys.argv[1], 'rb'): orjson.loads(l)"


def floor(path: Path) -> None:
    with path.open("rb") as f:
        for text in f:
            orjson.loads(text)


def children(*command: str) -> float:
    """CPU seconds of a command and all it started. Its bytecode is kept, as that of an installed program is."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(FOLDER / "bytecode")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(argv: list[str]) -> int:
    short = 0
    heap.keep()  # as the program does; the floor has it too
    children(sys.executable, "-m", "app", "check", str(INCIDENT))  # writes the bytecode
    for name, (index_limit, check_limit) in LIMITS.items():
        path = dump_file(name)
        ratio = paired(lambda p=path: load(Source.open(p)), lambda p=path: floor(p))
        short |= line(f"index {name}, CPU over orjson", ratio, index_limit, " x")
        runs = [
            (children(sys.executable, "-m", "app", "check", str(path), "--json"), children(sys.executable, "-c", FLOOR, str(path)))
            for _ in range(ROUNDS)
        ]  # side by side: what else the machine does changes by the second
        ratio = statistics.median(check / base for check, base in runs)
        short |= line(f"check {name}, CPU with start-up over the same floor", ratio, check_limit, " x")
        note(f"check {name}", statistics.median(check for check, _ in runs), " s")
    return short


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
