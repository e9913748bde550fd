"""A block of 12 MB on one line in the viewer: a wheel step, a drag of the bar, a search; of words, and with codes and hidden characters."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from tests.bench.measuring import line, note, p95
from widgets.block_body import BlockBody
from widgets.laid_text import Bytes, Text

FRAME_MS = 16
STALL_MS = 50
SIZE = 12_000_000
TEXTS = {
    "words": "abcdefghij 0123456789 " * (SIZE // 22),
    "colours and hidden characters": "\x1b[31mred\x1b[0m pay\u200bpal \u202eabc " * (SIZE // 32),
}


def main(argv: list[str]) -> int:
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    worst = 0
    for name, text in TEXTS.items():
        for whole in (Text(text), Bytes(text.encode())):
            worst |= _measure(app, whole, f"{name}, {whole.unit}s")
    return worst


def _measure(app: QApplication, whole: Text | Bytes, name: str) -> int:
    body = BlockBody()
    body.resize(560, 290)
    body.show()
    opened = _cpu(app, lambda: body.look_at(whole))
    bar = body.verticalScrollBar()
    wheel = [_cpu(app, lambda: bar.setValue(bar.value() + 3)) for _ in range(300)]
    drag = [_cpu(app, lambda at=at: body.whole_bar.setValue(at)) for at in range(0, SIZE, SIZE // 60)]  # type: ignore[misc]
    body.look_for("no such words")
    slices = []
    while not body.search.done:
        slices.append(_cpu(app, lambda: None))
    note(f"{name}, put on screen", opened, " ms of CPU")
    note(f"{name}, drag of the whole's bar, p95", p95(drag), " ms of CPU")
    worst = line(f"{name}, wheel step, p95", p95(wheel), FRAME_MS, " ms of CPU")
    worst |= line(f"{name}, longest stretch of a search through all of it", max(slices), STALL_MS, " ms of CPU")
    body.hide()
    body.deleteLater()
    return worst


def _cpu(app: QApplication, act: Callable[[], object]) -> float:
    start = time.process_time()
    act()
    app.processEvents()
    return (time.process_time() - start) * 1000


if __name__ == "__main__":
    raise SystemExit(main([]))
