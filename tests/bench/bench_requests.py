"""A log of requests that extend one another: its index, and the verbs, against a bare pass of orjson over its lines.

    TI_BENCH_REQUESTS=2000 python -m tests.bench requests       670 MB a wire
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

from app import heap
from app.headless import INCIDENT
from app.model.source import Source
from app.pipeline.load import load
from tests.bench.bench_index import FLOOR, children, floor
from tests.bench.make_requests import cumulative
from tests.bench.measuring import FOLDER, line, note, paired

VERBS = {"check": 4.0, "costs": 7.0, "plan": 7.0, "replay": 7.0}
"""With the most that each may cost over the floor, start-up included."""


def log_file(wire: str, count: int) -> Path:
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"requests-{wire}-{count}.jsonl"
    if not path.exists():
        cumulative(path.with_suffix(".part"), count, wire).rename(path)
    return path


def _index(path: Path) -> None:
    load(Source.open(path))


def main(argv: list[str]) -> int:
    short = 0
    heap.keep()
    count = int(os.environ.get("TI_BENCH_REQUESTS", "700"))
    children(sys.executable, "-m", "app", "check", str(INCIDENT))  # writes the bytecode
    for wire in ("anthropic", "chat"):
        path = log_file(wire, count)
        size = path.stat().st_size / 1e6
        ratio = paired(partial(_index, path), partial(floor, path), 3)
        short |= line(f"index of {count:,} {wire} requests ({size:.0f} MB), CPU over orjson", ratio, 1.2, " x")
        for verb, limit in VERBS.items():
            more = ["--strategy", "evict-exchanges", "--budget", "5000"] if verb == "plan" else []
            base = children(sys.executable, "-c", FLOOR, str(path))
            spent = children(sys.executable, "-m", "app", verb, str(path), *more)
            short |= line(f"{verb}, CPU with start-up over the same floor", spent / base, limit, " x")
            note(verb, spent, " s")
    return short


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
