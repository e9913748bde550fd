"""The bundle's size, and its start against a bare window that is frozen in the same way. Needs both: `make bundle ARGS=--bare`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.measuring import line, note

ROOT = Path(__file__).resolve().parent.parent.parent
BUNDLES = ROOT / "build" / "bundle"
PROGRAM, BARE = BUNDLES / "transcript-inspector" / "transcript-inspector", BUNDLES / "bare" / "bare"
ROUNDS = 10
START = 1.5
MEGABYTES = 160


def first_window(*command: str, which: str = "1") -> tuple[float, float]:
    """Wall and CPU seconds from the call to the first paint; `which`: whole, of the real window, which takes the place of the first one."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "QT_QPA_PLATFORM": "offscreen", "TRANSCRIPT_INSPECTOR_FIRST_PAINT": which}
        before, start = os.times(), time.perf_counter()
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        wall, after = time.perf_counter() - start, os.times()
    assert done.stdout == b"painted\n", done
    return wall, after.children_user + after.children_system - before.children_user - before.children_system


def main(argv: list[str]) -> int:
    if not (PROGRAM.exists() and BARE.exists()):
        print("            left out: there is no bundle to measure; make bundle ARGS=--bare", flush=True)
        return 0
    size = sum(path.stat().st_size for path in PROGRAM.parent.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6
    short = line("size of the bundle", size, MEGABYTES, " MB")
    for command in (str(PROGRAM), str(BARE)):
        first_window(command)  # the files are in memory from here on
    pairs = [(first_window(str(PROGRAM)), first_window(str(BARE))) for _ in range(ROUNDS)]
    ours, bare = (tuple(min(pair[which][unit] for pair in pairs) for unit in (0, 1)) for which in (0, 1))
    note("first window of the bundle, from the call on", ours[0], " s")
    note("first window of a bare frozen QMainWindow", bare[0], " s")
    note("CPU of the two", ours[1], f" s and {bare[1]:.3g} s")
    note("the real window in its place", min(first_window(str(PROGRAM), which="whole")[0] for _ in range(3)), " s")
    return short | line(f"first window over a bare one, CPU, least of {ROUNDS} each", ours[1] / bare[1], START, " x")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
