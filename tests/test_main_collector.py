"""Rings are looked for on the thread of the window alone."""

from __future__ import annotations

import gc
import threading

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.main_collector import YOUNG, Collector


def test_a_ring_that_another_thread_left_goes_on_the_thread_of_the_window(qtbot: QtBot) -> None:
    class Ring:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            went.append(threading.current_thread())

    went: list[threading.Thread] = []
    holder = QObject()
    collector = Collector(holder)
    assert not gc.isenabled()
    kept: list[list[int]] = []

    def make() -> None:
        Ring()
        kept.extend([n] for n in range(2 * YOUNG))

    def seen() -> bool:
        if not went:  # once more: something else of this process may have had all frozen that was there
            other = threading.Thread(target=make)
            other.start()
            other.join()
            assert not went
        return bool(went)

    qtbot.waitUntil(seen)
    assert set(went) == {threading.main_thread()}
    assert collector.parent() is holder
