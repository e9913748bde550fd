"""Why PySide6 is pinned: 6.12.0 loses a reference to None (and to True) on every call under Python 3.11 and then aborts the process.

Whoever lifts the pin is told here. From Python 3.12 on None and True are immortal (PEP 683), and their counts do not move at all.
"""

import sys

from PySide6.QtCore import QObject, QRect, Signal

CALLS = 1_000
SLACK = 50  # what else the interpreter does meanwhile


class Bell(QObject):
    rang = Signal()
    told = Signal(object)


def test_void_calls_leave_none_and_true_alone(qapp):
    rect, bell, heard = QRect(0, 0, 10, 10), Bell(), []
    bell.told.connect(heard.append)
    none, true = sys.getrefcount(None), sys.getrefcount(True)
    for _ in range(CALLS):
        rect.translate(1, 1)
        bell.setObjectName("bell")
        bell.rang.emit()
        bell.told.emit(7)
    heard.clear()
    assert abs(sys.getrefcount(None) - none) < SLACK
    assert abs(sys.getrefcount(True) - true) < SLACK
    assert rect.x() == CALLS
