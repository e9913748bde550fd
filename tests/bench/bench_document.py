"""Opening one document of 100 MB in a running window: how long its thread is held at a stretch, from the path to the exact counts.

A beat is asked for every 5 ms; between two of them the thread's own CPU is taken, since the machine may be shared. What a beat shows may be
several events together, so it is the most that one held.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import orjson
from PySide6.QtCore import Qt, QTimer

from app.headless import INCIDENT
from tests.bench.bench_open import wait
from tests.bench.make_dumps import _Session
from tests.bench.make_lines import anthropic_messages, openai_messages, steps
from tests.bench.measuring import FOLDER, line, note

HELD_MS = 50
HEADS = {
    "anthropic": b'{"model":"claude-sonnet-4-5","max_tokens":4096,"messages":[',
    "chat": b'{"model":"gpt-5.1","messages":[',
    "sharegpt": b"[",
}


def document(kind: str, megabytes: int) -> Path:
    """One request of a wire, or an array of conversations; made once and kept between runs."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"document-{kind}-{megabytes}.json"
    if not path.exists():
        unfinished = path.with_suffix(".part")
        with unfinished.open("wb", buffering=1 << 20) as file:
            _write(file, kind, megabytes * 1_000_000)
        unfinished.rename(path)
    return path


def _write(file: Any, kind: str, limit: int) -> None:
    s = _Session(5, 4000)
    size = file.write(HEADS[kind])
    row: list[dict[str, Any]] = []
    first = True
    for step in steps(s):
        made = list((anthropic_messages if kind == "anthropic" else openai_messages)(step))
        if kind == "sharegpt":
            names = {"user": "human", "assistant": "gpt", "tool": "observation"}
            row += [{"from": names[m["role"]], "value": m["content"] or "ok"} for m in made]
            made = [{"conversations": row}] if not step.calls else []
            row = row if step.calls else []
        for value in made:
            size += file.write((b"" if first else b",") + orjson.dumps(value))
            first = False
        if size > limit and not step.calls and not row:
            break
    file.write(b"]" if kind == "sharegpt" else b"]}")


def main(argv: list[str]) -> int:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRANSCRIPT_INSPECTOR_SETTINGS"] = folder
        return measure()


class Beats:
    """What the thread spent between two beats, and when."""

    def __init__(self) -> None:
        self.held: list[tuple[float, float]] = []
        self._begun, self._last = time.monotonic(), time.thread_time()
        self.timer = QTimer()
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self._beat)
        self.timer.start(5)

    def _beat(self) -> None:
        now = time.thread_time()
        self.held.append((now - self._last, time.monotonic() - self._begun))
        self._last = now


def measure() -> int:
    from app.main import create_app

    _app, window = create_app(["transcript-inspector"])
    session = window.session
    window.resize(1440, 900)
    window.show()
    short = 0
    megabytes = int(os.environ.get("TI_BENCH_MEGABYTES", "100"))
    session.open(str(INCIDENT))  # what the first file of all needs is imported: bench_start.py measures that
    wait(lambda: session.state.tokens is not None and session.state.rankings and not session.busy, 60)
    for kind in HEADS:
        path = document(kind, megabytes)
        rested = time.monotonic() + 2
        wait(lambda at=rested: time.monotonic() > at)
        beats = Beats()
        session.open(str(path))
        wait(lambda: session.state.tokens is not None and session.state.rankings and not session.busy, 240)
        beats.timer.stop()
        longest = sorted(beats.held, reverse=True)[:4]
        size = path.stat().st_size / 1e6
        short |= line(f"{kind}, {size:.0f} MB: the window's thread was held at most", longest[0][0] * 1000, HELD_MS, " ms")
        print("            " + ", ".join(f"{held * 1000:.0f} ms at {at:.1f} s" for held, at in longest), flush=True)
        note("opened after", beats.held[-1][1], " s")
    session.close()
    return short


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
