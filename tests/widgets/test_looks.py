"""Small looks that nobody would miss until they are gone: lines that flow, empty lists that say why, words clear of the budget's line."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QMargins, QPoint, QStringListModel, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from widgets import chart_tags, theme
from widgets.flat_table import FlatTable
from widgets.flow import Flow, together
from widgets.lines import Line, LineList


@pytest.fixture(autouse=True)
def light(qapp: QApplication) -> None:
    theme.apply(qapp, "light", "normal")


def inked(widget: QWidget) -> int:
    """Pixels that are not the ground's."""
    image = QImage(widget.size(), QImage.Format.Format_RGB32)
    image.fill(theme.current().paper)
    with QPainter(image) as painter:
        widget.render(painter, QPoint())
    found = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    return int((found[8:-8, 8:-8] != theme.current().paper.rgb()).sum())


def test_a_flow_goes_on_in_a_new_line(qtbot: QtBot) -> None:
    panel = QWidget()
    flow = Flow(panel, gap=6, margins=QMargins(10, 2, 10, 2))
    parts = [QLabel("x") for _ in range(4)]
    for part in parts:
        part.setFixedSize(100, 20)
        flow.addWidget(part)
    qtbot.addWidget(panel)
    panel.resize(500, 24)
    panel.show()
    assert [part.x() for part in parts] == [10, 116, 222, 328]
    assert {part.y() for part in parts} == {2}
    assert panel.heightForWidth(500) == 24
    assert panel.heightForWidth(240) == 2 + 20 + 6 + 20 + 2
    panel.resize(240, 60)
    qtbot.waitUntil(lambda: parts[2].y() > parts[0].y())
    assert [(part.x(), part.y()) for part in parts] == [(10, 2), (116, 2), (10, 28), (116, 28)]
    parts[0].hide()
    qtbot.waitUntil(lambda: parts[1].x() == 10)
    assert flow.itemAt(9) is None
    assert flow.count() == 4


def test_a_word_stays_beside_its_field(qtbot: QtBot) -> None:
    made = together(QLabel("Window"), QLabel("200,000"))
    qtbot.addWidget(made)
    made.show()
    left, right = made.findChildren(QLabel)
    assert right.x() >= left.geometry().right()
    assert left.y() == right.y()


def test_an_empty_list_says_why(qtbot: QtBot) -> None:
    rows = LineList("list", "List")
    qtbot.addWidget(rows)
    rows.resize(300, 120)
    rows.show()
    assert inked(rows) == 0
    rows.blank = "No changes yet."
    assert inked(rows) > 100
    rows.put([Line("one")])
    with_one = inked(rows)
    rows.blank = ""
    assert inked(rows) == with_one, "where there is a line nothing else is said"


def test_an_empty_table_says_why_and_shows_no_handle(qtbot: QtBot) -> None:
    table, model = FlatTable(), QStringListModel([])
    qtbot.addWidget(table)
    table.setModel(model)
    table.set_row_height(20)
    table.resize(300, 120)
    table.show()
    table.blank = "Nothing here has these words."
    assert inked(table) > 100
    assert not table.verticalScrollBar().isEnabled()
    model.setStringList([str(n) for n in range(100)])
    table.settle()
    assert table.verticalScrollBar().isEnabled()


@pytest.mark.parametrize("budget_y", range(0, 60, 3))
def test_words_of_the_chart_keep_clear_of_the_budget(budget_y: int) -> None:
    for wanted in (chart_tags.TOP, 20.0):
        y = chart_tags.clear_y(wanted, 14, budget_y)
        assert budget_y <= y - chart_tags.GAP or budget_y >= y + 14 + chart_tags.GAP
        assert y == wanted or y == budget_y + chart_tags.GAP


def test_windows_grow_with_the_text(qapp: QApplication) -> None:
    small = theme.measure(600, 400)
    theme.apply(qapp, "light", "normal", 6)
    large = theme.measure(600, 400)
    tab_font = theme.current().ui.pixelSize()
    theme.apply(qapp, "light", "normal")
    assert (small.width(), small.height()) == (600, 400)
    assert (large.width(), large.height()) == (900, 600)
    assert tab_font == 18
    assert theme.measure(1240, 880).width() == 1240
    assert Qt.Orientation(0) == Flow().expandingDirections()
