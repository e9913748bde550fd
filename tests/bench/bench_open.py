"""Opening a large file in a running window: first rows on screen, and the memory that it adds in both processes."""

from __future__ import annotations

import os
import statistics
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QTimer

from tests.bench.measuring import anonymous, dump_file, line, note

FIRST_ROWS_MS = 100


def wait(until: object, seconds: float = 120) -> bool:
    """Runs the event loop until a condition holds."""
    assert callable(until)
    loop, end = QEventLoop(), time.monotonic() + seconds
    while not until() and time.monotonic() < end:
        QTimer.singleShot(5, loop.quit)
        loop.exec()
    return bool(until())


def main(argv: list[str]) -> int:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRANSCRIPT_INSPECTOR_SETTINGS"] = folder
        return measure()


def measure() -> int:
    from app.main import create_app

    app, window = create_app(["transcript-inspector"])
    session = window.session
    window.show()
    small = dump_file("small100")
    wait(lambda: not session.busy, 5)
    short, times = 0, []
    for name in ("cc100", "small100") * 3:
        path = str(dump_file(name))
        start = time.monotonic()
        session.open(path)
        app.processEvents()
        window.repaint()
        rows = session.state.view is not None and len(session.state.view) > 0
        times.append((time.monotonic() - start) * 1000 if rows else float("inf"))
        session.cancel()
        wait(lambda: not session.busy, 20)
    short |= line("first rows painted, median", statistics.median(times), FIRST_ROWS_MS, " ms")
    session.close()
    del small
    for name, limit in (("cc100", None), ("small100", 300)):
        short |= memory(session, name, limit)
    session.close()
    return short


def memory(session: object, name: str, per_block: int | None) -> int:
    """Anonymous memory added by opening, both processes, the vocabularies left out (nothing is counted meanwhile)."""
    from app.session import Session

    fresh = Session()
    fresh.warm()
    wait(lambda: fresh._worker.pid is not None, 5)
    time.sleep(1.5)  # the helper's imports belong to the program, not to the file
    pid = fresh._worker.pid
    before = anonymous() + anonymous(pid)
    path = dump_file(name)
    fresh._count_exactly = False
    fresh.open(str(path))
    wait(lambda: fresh.state.rankings and not fresh.busy)
    rested = time.monotonic() + 1
    wait(lambda: time.monotonic() > rested)  # the helper gives back what it needed meanwhile
    added = anonymous() + anonymous(pid) - before
    table = fresh.state.dump.table
    fresh.close()
    note(f"{name}: memory added", added / 1e6, " MB")
    if per_block:
        return line(f"{name}: anonymous memory added by opening", added / len(table), per_block, " B a block")
    return line(f"{name}: anonymous memory added by opening", added / path.stat().st_size, 0.3, " x the file")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
