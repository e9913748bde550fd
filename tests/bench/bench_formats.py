"""The index pass of every format of JSON Lines against a bare pass of orjson over the same lines.

python -m tests.bench formats                       20 MB of each, at 6.7 and at 0.8 KB a record
TI_BENCH_MEGABYTES=100 python -m tests.bench formats
python -m tests.bench.bench_formats codex pi        some of them
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

from app import heap
from app.model.source import Source
from app.pipeline.load import load
from tests.bench.bench_index import floor
from tests.bench.make_lines import MAKERS, make
from tests.bench.measuring import FOLDER, cpu

LIMITS = {6700: 1.2, 800: 2.5}


def lines_file(name: str, record: int, megabytes: int) -> Path:
    """Made once and kept between runs."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"lines-{name.replace(' ', '-')}-{record}-{megabytes}.jsonl"
    if not path.exists():
        make(name, path.with_suffix(".part"), megabytes, record).rename(path)
    return path


def least(path: Path, rounds: int) -> float:
    """CPU of the index over that of the floor: the least of each over rounds that stand side by side, as the machine may be shared."""
    index, base = [], []
    for _ in range(rounds):
        base.append(cpu(lambda: floor(path)))
        gc.collect()
        index.append(cpu(lambda: load(Source.open(path))))
    return min(index) / min(base)


def main(argv: list[str]) -> int:
    heap.keep()  # as the program does; the floor has it too
    megabytes, rounds = int(os.environ.get("TI_BENCH_MEGABYTES", "20")), int(os.environ.get("TI_BENCH_ROUNDS", "5"))
    short = 0
    for name in [name for name in MAKERS if not argv or name in argv]:
        told = []
        for record, limit in LIMITS.items():
            path = lines_file(name, record, megabytes)
            found = load(Source.open(path)).format
            if found != name.split(" ")[0]:
                told.append(f"opened as {found}")
                short = 1
                continue
            ratio = least(path, rounds)
            short |= ratio > limit
            told.append(f"{ratio:5.2f} x (at most {limit:g}) {'holds      ' if ratio <= limit else 'falls short'}")
        print(f"{name:26s} {'   '.join(told)}", flush=True)
    return short


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
