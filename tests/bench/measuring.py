"""Parts of the benchmarks: lines, ratios, CPU time, memory, and the files that they measure on."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench import make_dumps

FOLDER = Path(os.environ.get("TI_BENCH_FOLDER", Path(tempfile.gettempdir()) / "transcript-inspector-bench"))


def dump_file(name: str) -> Path:
    """cc100: 100 MB at 6.7 KB a record; small100: 100 MB at 0.8 KB. Made once and kept between runs."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.jsonl"
    if not path.exists():
        record = {"cc100": 6700, "small100": 800}[name]
        unfinished = path.with_suffix(".part")
        make_dumps.cc(unfinished, 100, record, seed=7)
        unfinished.rename(path)
    return path


def line(what: str, value: float, limit: float, unit: str = "", least: bool = False) -> int:
    """Prints one figure against its limit; 1 where it falls short."""
    good = value >= limit if least else value <= limit
    word, bound = "holds      " if good else "falls short", "at least" if least else "at most"
    print(f"{word} {what}: {value:.3g}{unit} ({bound} {limit:g}{unit})", flush=True)
    return 0 if good else 1


def note(what: str, value: float, unit: str = "") -> None:
    print(f"            {what}: {value:.3g}{unit}", flush=True)


def cpu(work: Callable[[], object]) -> float:
    """Seconds of CPU of this process that `work` took."""
    start = time.process_time()
    work()
    return time.process_time() - start


def paired(work: Callable[[], object], floor: Callable[[], object], rounds: int = 5) -> float:
    """Median over rounds of CPU(work) / CPU(floor), interleaved."""
    ratios = []
    for _ in range(rounds):
        ratios.append(cpu(work) / cpu(floor))
    return statistics.median(ratios)


def p95(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


def anonymous(pid: int | str = "self") -> int:
    """Bytes of anonymous memory of a process (Linux)."""
    for text in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if text.startswith("Anonymous:"):
            return int(text.split()[1]) * 1024
    return 0
