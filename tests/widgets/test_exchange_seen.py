"""The list as it is seen and heard: pictures, tooltips, menus, the strip at its edge."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QImage, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.model.state import Changed
from tests.widgets.listed import kinds, make, press, y_of
from tests.widgets.states import (
    bot,
    broken_state,
    call,
    evict_exchanges,
    huge_state,
    make_state,
    one_prompt_state,
    planned,
    result,
    user,
)
from widgets import theme
from widgets.exchange_tree import BLOCK
from widgets.exchange_view import ExchangeView
from widgets.list_menu import menu
from widgets.row_marks import Marks


@pytest.fixture
def broken(qtbot: QtBot) -> ExchangeView:
    return make(qtbot, broken_state())


def picture(view: ExchangeView) -> QImage:
    for _ in range(3):
        QApplication.processEvents()
    return view.viewport().grab().toImage()


def test_the_cut_lies_above_the_first_row_that_stays(broken: ExchangeView) -> None:
    broken.refresh(planned(broken._state, evict_exchanges(broken._state), 36_000), Changed.PLAN)
    broken.verticalScrollBar().setValue(20 * broken.row_height)
    y = y_of(broken, 31)
    blue = theme.current().blue.rgb()
    image = picture(broken)
    assert sum(image.pixel(x, y) == blue for x in range(100)) > 40
    assert sum(image.pixel(x, y + 60) == blue for x in range(100)) == 0
    assert broken._header.above() == f"{broken.first_visible() - 1} dropped above"


def test_held_down_b_shows_the_file_as_it_is(qtbot: QtBot, broken: ExchangeView) -> None:
    before = picture(broken)
    broken.refresh(planned(broken._state, evict_exchanges(broken._state), 36_000), Changed.PLAN)
    assert picture(broken) != before
    QTest.keyPress(broken, Qt.Key.Key_B)
    assert picture(broken) == before
    QTest.keyRelease(broken, Qt.Key.Key_B)
    assert picture(broken) != before


def test_a_row_painted_again_from_its_picture_looks_the_same(broken: ExchangeView) -> None:
    broken.set_level(3)
    broken.go(300)
    first = picture(broken)
    assert picture(broken) == first
    broken._painter.pictures.clear()
    assert picture(broken) == first


def test_dark_rows_are_dark(qtbot: QtBot, broken: ExchangeView) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    light = picture(broken)
    try:
        theme.apply(app, "dark")
        broken.refresh(broken._state, Changed.ALL)
        dark = picture(broken)
    finally:
        theme.apply(app, "light")
        broken.refresh(broken._state, Changed.ALL)
    assert light.pixelColor(300, 3).lightness() > 200
    assert dark.pixelColor(300, 3).lightness() < 80


def test_hostile_words_are_painted_plainly(qtbot: QtBot) -> None:
    hostile = "<img src=x onerror=y> \u202e\x00\ud800 " + "\u0301" * 50
    view = make(qtbot, make_state([user(hostile), bot(hostile, call("a" * 300, hostile[:30].replace("\ud800", ""), x="\u202e")),
                                   user(result("a" * 300, hostile * 1000))]))  # fmt: skip
    view.set_level(3)
    assert not picture(view).isNull()
    where = view.visualRect(view.rows.index(0)).center()
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, where, view.viewport().mapToGlobal(where)))
    assert "img" not in QToolTip.text()


def test_tooltips_say_what_a_column_means(broken: ExchangeView) -> None:
    broken.verticalScrollBar().setValue(20 * broken.row_height)
    columns = broken._painter.scene.columns if broken._painter.scene else None
    assert columns is not None
    y = broken.visualRect(broken.rows.index(31)).center().y()
    said = []
    for x in (columns.pips + 5, columns.tokens - 5, columns.found + 4, columns.what):
        place = QPoint(x, y)
        QApplication.sendEvent(broken.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, broken.viewport().mapToGlobal(place)))
        said.append(QToolTip.text())
    assert said[:3] == ["Calls: 2 answered, 1 without a result; 2 results without a call", "4,623 tokens, counted", "3 errors"]


def test_the_menu_of_a_row_tells_facts(qtbot: QtBot, broken: ExchangeView) -> None:
    broken.refresh(broken._state.with_(pinned=frozenset({30})), Changed.PLAN)
    made = menu(broken, 31)
    words = {action.text().split("\t")[0].split(":")[0]: action for action in made.actions() if action.text()}
    assert list(words) == [
        "Open",
        "Unpin E31",
        "Copy text",
        "Copy JSON",
        "Copy JSON pointer",
        "Copy line number",
        "Copy raw record",
        "Show exchanges",
        "Show steps",
        "Show blocks",
    ]
    told: list[tuple[object, ...]] = []
    broken.pin_requested.connect(lambda *args: told.append(args))
    broken.copy_requested.connect(lambda *args: told.append(args))
    words["Unpin E31"].trigger()
    words["Copy JSON pointer"].trigger()
    assert told == [(30, False), ("pointer", 211)]
    words["Open"].trigger()
    assert broken.rows.opened(31)
    words["Show blocks"].trigger()
    assert BLOCK in kinds(broken)


def test_the_menu_key_opens_the_menu_of_the_current_row(broken: ExchangeView, monkeypatch: pytest.MonkeyPatch) -> None:
    from widgets import exchange_view

    asked: list[int] = []

    class Made:
        def exec(self, where: QPoint) -> None:
            asked.append(where.y())

        def deleteLater(self) -> None:
            asked.append(-1)

    monkeypatch.setattr(exchange_view, "menu", lambda view, row: asked.append(row) or Made())
    broken.go(4)
    QApplication.sendEvent(broken.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
    assert (asked[0], asked[2]) == (4, -1)


def test_every_row_has_a_sentence(broken: ExchangeView) -> None:
    broken.set_level(3)
    said = [broken.rows.data(broken.rows.index(row), Qt.ItemDataRole.AccessibleTextRole) for row in range(broken.rows.rowCount())]
    assert all(words and "  " not in words for words in said)
    assert sum(words.startswith("Exchange E") for words in said) == 38


def test_the_outline_shows_errors_and_what_is_in_view(broken: ExchangeView) -> None:
    outline = broken.outline
    outline.repaint()
    places = broken._places()
    assert places.errors.tolist() == [31, 37]  # closed: at the rows of their exchanges
    upper, lower = outline.spans()
    assert (upper, round(lower)) == (0, round(outline.height() * broken.viewport().height() / (39 * broken.row_height)))
    error = theme.current().error.rgb()
    image = outline.grab().toImage()
    at = [y for y in range(image.height()) if image.pixel(3, y) == error]
    assert abs(at[0] - 31.5 / 39 * outline.height()) < 4
    QTest.mouseClick(outline, Qt.MouseButton.LeftButton, pos=QPoint(5, outline.height() - 2))
    assert broken.verticalScrollBar().value() == broken.verticalScrollBar().maximum()


def test_rows_in_view_are_told(broken: ExchangeView) -> None:
    seen = broken.rows_visible()
    assert seen.start == 0
    assert seen.stop == min(39, -(-broken.viewport().height() // broken.row_height))


def test_a_narrow_list_leaves_columns_out_and_nothing_overlaps(qtbot: QtBot, broken: ExchangeView) -> None:
    for width in (480, 620, 872, 1400):
        broken.resize(width, 300)
        QApplication.processEvents()
        at = broken._painter.scene.columns if broken._painter.scene else None
        assert at is not None
        assert at.width == broken.viewport().width()
        assert at.what < at.what_end < at.pips < at.tokens < at.found < at.mark < at.width
        assert (at.bar_width > 0) == (width >= 872)


def test_a_huge_list_opens_all_and_goes_to_the_end(qtbot: QtBot) -> None:
    view = make(qtbot, huge_state(60_000))
    press(view, Qt.Key.Key_3, Qt.Key.Key_End)
    assert view.current_row() == view.rows.rowCount() - 1 > 60_000
    assert QRect(0, 0, 1, view.viewport().height()).contains(0, y_of(view, view.current_row()))


def tags(view: ExchangeView) -> list[tuple[str, QRect]]:
    """Words of cuts and walls as they are painted, and where."""
    seen: list[tuple[str, QRect]] = []

    class Painter(QPainter):
        def drawText(self, *given: object) -> None:
            if isinstance(given[0], QRect):
                seen.append((str(given[2]), given[0]))

    scene = view._painter.scene
    assert scene is not None
    paper = QPixmap(view.viewport().size())
    with Painter(paper) as painter:
        view._overlay.paint(painter, scene, view.rows, view.y_of(0), paper.rect(), view.viewport().height(), view._painter.free)
    return seen


def cut_at(view: ExchangeView, seam: int, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, QRect]]:
    """The list with a plan that takes all before a position."""
    monkeypatch.setattr(Marks, "seam", property(lambda self: seam))
    view.refresh(planned(view._state, evict_exchanges(view._state), 36_000), Changed.PLAN)
    return tags(view)


def test_a_cut_says_the_whole_request_and_covers_no_figure(broken: ExchangeView) -> None:
    broken.verticalScrollBar().setValue(20 * broken.row_height)
    broken.refresh(planned(broken._state, evict_exchanges(broken._state), 36_000), Changed.PLAN)
    scene = broken._painter.scene
    assert scene is not None
    assert scene.marks.plan is not None
    [(words, place)] = tags(broken)
    assert words == f"cut · {scene.marks.plan.after:,} tokens are sent"
    assert place.right() < scene.columns.what_end
    broken.resize(1200, 562)
    QApplication.processEvents()
    [(_, place)] = tags(broken)
    assert all(place.left() >= broken._painter.free(row)[0] for row in (30, 31))


def test_a_cut_inside_of_an_exchange_lies_where_it_cuts(broken: ExchangeView, monkeypatch: pytest.MonkeyPatch) -> None:
    view, layout, height = broken._state.view, broken.rows.layout, broken.row_height
    assert view is not None
    assert layout is not None
    tree = layout.tree
    child = int(tree.top_child[2]) + 2
    seam = int(tree.child_first[child])  # a step of E1
    [(words, place)] = cut_at(broken, seam, monkeypatch)
    assert words.startswith("cut inside · ")
    blue, image = theme.current().blue.rgb(), picture(broken)
    assert image.pixel(3, y_of(broken, 2) + height // 2) == blue
    assert sum(image.pixel(x, y_of(broken, 2)) == blue for x in range(100)) == 0
    assert abs(place.center().y() - (y_of(broken, 2) + height // 2)) <= 1
    broken.toggle(2, True)
    [(words, place)] = tags(broken)
    assert words.startswith("cut · ")
    row = layout.row_of(seam)
    assert abs(place.center().y() - y_of(broken, row)) <= 1
    broken.toggle(row, True)  # a step that is open is below the line with its own row
    [(_, place)] = tags(broken)
    assert abs(place.center().y() - y_of(broken, row)) <= 1
    [(words, place)] = cut_at(broken, seam + 1, monkeypatch)
    assert abs(place.center().y() - y_of(broken, row + 2)) <= 1
    broken.toggle(row, False)
    [(words, place)] = tags(broken)
    assert words.startswith("cut inside")
    assert abs(place.center().y() - (y_of(broken, row) + height // 2)) <= 1


def test_prompts_have_the_room_that_other_columns_do_not_need(broken: ExchangeView) -> None:
    scene = broken._painter.scene
    assert scene is not None
    assert scene.columns.what_end - scene.columns.what > 280  # at the width that the list has in a window of 1440
    broken.refresh(broken._state.with_(report=None), Changed.FINDINGS)
    assert scene.columns.what_end < broken._painter.scene.columns.what_end  # type: ignore[union-attr]


def test_the_row_of_a_lone_exchange_has_a_bar(qtbot: QtBot) -> None:
    view = make(qtbot, one_prompt_state(6))
    at, bar = view._painter.scene.columns if view._painter.scene else None, theme.current().bar.rgb()
    assert at is not None
    image = picture(view)
    for row in (0, 1):
        y = y_of(view, row) + at.height // 2
        assert sum(image.pixel(x, y) == bar for x in range(at.bar, at.bar + at.bar_width)) > 0
