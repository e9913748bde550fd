"""Rings are looked for on the thread of the window alone."""

from __future__ import annotations

import gc
import threading

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app import main_collector
from app.main_collector import BETWEEN, LONG_REST, MANY, OLDER, YOUNG, Collector


def test_a_ring_that_another_thread_left_goes_on_the_thread_of_the_window(qtbot: QtBot) -> None:
    class Ring:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            went.append(threading.current_thread())

    went: list[threading.Thread] = []
    gc.collect()  # what others left is many
    holder = QObject()
    collector = Collector(holder)
    assert not gc.isenabled()
    kept: list[list[int]] = []

    def make() -> None:
        Ring()
        kept.extend([n] for n in range(2 * YOUNG))

    def seen() -> bool:
        if not went and gc.get_count()[0] < YOUNG:  # once more: something else of this process may have had all frozen that was there
            other = threading.Thread(target=make)
            other.start()
            other.join()
            assert not went
        return bool(went)

    qtbot.waitUntil(seen)
    assert set(went) == {threading.main_thread()}
    assert collector.parent() is holder


class Gc:
    """What a collector does, written down."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = (0, 0, 0)
        self.did: list[str] = []
        monkeypatch.setattr(main_collector.gc, "get_count", lambda: self.count)
        monkeypatch.setattr(main_collector.gc, "collect", lambda generation=2: self.did.append(f"collect {generation}"))
        for name in ("freeze", "unfreeze"):
            monkeypatch.setattr(main_collector.gc, name, lambda name=name: self.did.append(name))

    def looked(self, collector: Collector, young: int, older: int = 0) -> list[str]:
        self.count, self.did = (young, older, 0), []
        collector._look()
        return self.did


def test_what_is_old_is_looked_at_when_nobody_presses_anything(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    busy = True
    collector = Collector(window, lambda: busy)
    collector._timer.stop()
    collected = Gc(monkeypatch)
    collected.looked(collector, YOUNG, OLDER)  # from here on the window is listened to
    collector._pressed -= 2 * LONG_REST
    assert collected.looked(collector, YOUNG - 1, OLDER) == []
    assert collected.looked(collector, YOUNG) == ["collect 0"]
    assert collected.looked(collector, YOUNG, OLDER) == ["collect 1"]
    assert collected.looked(collector, MANY) == ["freeze"]  # of a file: nothing of it is looked at
    collector._whole -= 2 * BETWEEN
    assert collected.looked(collector, 0) == []  # something is under way
    busy = False
    qtbot.keyClick(window.windowHandle(), Qt.Key.Key_A)
    assert collected.looked(collector, YOUNG, OLDER) == ["collect 0"]  # somebody is there
    collector._pressed -= 2 * LONG_REST
    assert collected.looked(collector, 0) == ["unfreeze", "collect 2", "freeze"]
    assert collected.looked(collector, 0) == []
