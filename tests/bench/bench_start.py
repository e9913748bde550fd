"""The start: the first window beside a bare QMainWindow, one process each, in turns. The program is called as a person calls it, and stops
when its first window (widgets/first_window.py: the empty view, without what stands in the bar) has been painted; printed beside it, when
the real window, in which all can be used, has been painted in its place. And how long the window stands still while a file is
opened, judged, ranked and counted after its first paint.

Both in seconds of CPU, for the machine may be shared: of the whole process up to its first paint, of the window's own thread in one turn of
its event loop. The clock's figures are printed beside them."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt, QTimer

from tests.bench.measuring import FOLDER, dump_file, line, note

ROUNDS = 12
WHOLES = 3
OVER_BARE = 1.5
STALL_MS = 100
TICK_MS = 8
QUIET = 0.5  # s without anything to do, after which all is over

BARE = """
import os
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication(["bare"]); window = QMainWindow(); window.resize(1440, 900); window.show(); window.repaint(); os._exit(0)
"""
OURS = """
import os
from app import __main__, main_start
main_start.Start.painted = lambda self: os._exit(0)
__main__.main([])
"""
WHOLE = """
import os, time
from app import __main__, main_start
begin = main_start.Start.begin
def over(start):
    spent = time.process_time()  # of this process: the helper process, which starts beside it, is not counted
    start.window.session.close()
    os.write(1, str(spent).encode())
    os._exit(0)
main_start.Start.begin = lambda start, paths: (start.over.connect(lambda: over(start)), begin(start, paths))
__main__.main([])
"""


def started(code: str) -> tuple[float, float]:
    """Seconds from nothing to the first paint: of CPU, and of the clock. Bytecode is kept, as that of an installed program is."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(FOLDER / "bytecode")
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.stdout:
        return float(done.stdout), time.perf_counter() - start
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - start


class Ticks:
    """The longest turn of the event loop; `longest` is taken and forgotten."""

    def __init__(self) -> None:
        self._timer = QTimer(interval=TICK_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self.longest()
        self._timer.start()

    def _tick(self) -> None:
        now = time.thread_time(), time.perf_counter()
        self._longest = [max(most, here - there) for most, here, there in zip(self._longest, now, self._last, strict=True)]
        self._last = now

    def longest(self) -> list[float]:
        """Milliseconds of CPU, and of the clock."""
        found = [1000 * most for most in getattr(self, "_longest", (0.0, 0.0))]
        self._longest, self._last = [0.0, 0.0], (time.thread_time(), time.perf_counter())
        return found


def stalls(name: str) -> list[float]:
    """The longest standstill while a file is opened in a window that has its chart, until nothing is left to do."""
    from app.main import create_app

    app, window = create_app([])
    window.show()
    app.processEvents()
    window.chart.load()  # the chart's import, in the first idle moment before a file opens, is not looked at here
    window.session.warm()
    ticks, rested = Ticks(), time.monotonic()
    while time.monotonic() < rested + 2.0:
        app.processEvents()
    ticks.longest()
    window.session.open(str(dump_file(name)))
    rested = time.monotonic()
    while time.monotonic() < rested + QUIET:
        app.processEvents()
        if window.session.busy or window.session.state.report is None:
            rested = time.monotonic()
    longest = ticks.longest()
    window.session.close()
    window.hide()
    window.deleteLater()
    return longest


def main(argv: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRANSCRIPT_INSPECTOR_SETTINGS"] = folder
        started(BARE), started(OURS), started(WHOLE)  # what is read from the disk for the first time is nobody's
        pairs = [(started(BARE), started(OURS)) for _ in range(ROUNDS)]
        whole = [started(WHOLE) for _ in range(WHOLES)]
        note("first paint of a bare QMainWindow, by the clock", statistics.median(bare[1] for bare, _ in pairs), " s")
        note("first paint of the first window, by the clock", statistics.median(ours[1] for _, ours in pairs), " s")
        note("the real window painted in its place, by the clock", statistics.median(one[1] for one in whole), " s")
        bare = statistics.median(bare[0] for bare, _ in pairs)
        note("the real window painted over a bare one, CPU (no target)", statistics.median(one[0] for one in whole) / bare, " x")
        note("first window over a bare one, CPU, median of the pairs", statistics.median(ours[0] / bare[0] for bare, ours in pairs), " x")
        least = min(ours[0] for _, ours in pairs) / min(bare[0] for bare, _ in pairs)  # what else the machine does only adds
        short = line("first window over a bare one, CPU, least of each", least, OVER_BARE, " x")
        for name in argv or ["cc100"]:
            cpu, clock = stalls(name)
            note(f"longest turn while {name} is opened and counted, by the clock", clock, " ms")
            short |= line(f"longest turn while {name} is opened and counted, CPU", cpu, STALL_MS, " ms")
    return short


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
