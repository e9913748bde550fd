"""The window: regions of the drawing, every action and control named, keys that do what the table says, drops, questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QPlainTextEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from app.model.edits import Layer
from app.model.filter import Filter, Test
from app.model.findings import Finding
from app.model.state import Changed, Preview, Progress, State
from app.settings import Store
from tests.widgets.desk import DeskSession, change, found, history, report
from tests.widgets.states import broken_state, evict_exchanges, planned, row_of, small_state
from widgets import tab_order, theme
from widgets.actions import TABLE
from widgets.arrangement import CHART, CHART_LOW
from widgets.drops import dropped
from widgets.main_window import MainWindow, unexported

NOTHING: frozenset[int] = frozenset()


@pytest.fixture
def session() -> DeskSession:
    return DeskSession()


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, session: DeskSession, tmp_path: Path) -> Iterator[MainWindow]:
    theme.apply(qapp, "light")
    made = MainWindow(session, Store(tmp_path / "settings"), "/incident.json")  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.show()
    yield made
    made._leave = True


def opened(window: MainWindow, session: DeskSession, state: State | None = None) -> State:
    state = state or broken_state()
    state = state.with_(path="/home/me/invoice-agent-0412.json", other=state.report)
    session.put(state)
    session.asked.clear()
    return state


def top(window: MainWindow, widget: QWidget) -> int:
    return widget.mapTo(window, QPoint(0, 0)).y()


# -- regions --------------------------------------------------------------------------------------------------------------------


def test_nothing_open_shows_the_empty_view(window: MainWindow) -> None:
    assert window.empty.isVisible()
    assert not window.list.isVisible()
    assert not window.strip.isVisible()
    assert not window.status.isVisible()
    assert window.windowTitle() == "Transcript Inspector"


def test_the_regions_have_their_names_and_sizes(window: MainWindow, session: DeskSession) -> None:
    opened(window, session)
    for name in ("verdictStrip", "budgetChart", "exchangeView", "findingsPanel", "changesPanel", "planPanel", "blockViewer"):
        assert window.findChild(QWidget, name) is not None, name
    assert (window.bar.height(), window.strip.height(), window.chart.height(), window.status.height()) == (40, 44, CHART, 24)
    assert 846 <= window.list.parentWidget().width() * window.body.sizes()[0] // sum(window.body.sizes()) <= 871
    tabs, viewer = window.column.sizes()
    assert abs(tabs - 292) <= 12
    assert viewer >= 248
    assert top(window, window.chart) < top(window, window.body) < top(window, window.status)
    assert window.windowTitle() == "invoice-agent-0412.json — Transcript Inspector"


def test_below_1100_the_column_goes_under_the_list(window: MainWindow, session: DeskSession) -> None:
    opened(window, session)
    window.resize(1000, 700)
    QApplication.processEvents()
    assert window.width() == 1000
    assert window.body.orientation() == Qt.Orientation.Vertical
    assert window.column.orientation() == Qt.Orientation.Horizontal
    assert CHART_LOW <= window.chart.height() < CHART
    assert top(window, window.tabs) > top(window, window.list)
    assert top(window, window.tabs) == top(window, window.viewer)
    window.resize(1440, 900)
    QApplication.processEvents()
    assert window.body.orientation() == Qt.Orientation.Horizontal


def test_errors_bring_the_findings_to_the_front_and_only_once(window: MainWindow, session: DeskSession) -> None:
    state = opened(window, session)
    assert window.tabs.currentWidget() is window.findings
    assert window.tabs.tabText(1) == "Findings  5"
    window.tabs.setCurrentWidget(window.plan)
    session.put(state, Changed.FINDINGS)
    assert window.tabs.currentWidget() is window.plan


def test_without_errors_the_plan_is_in_front(window: MainWindow, session: DeskSession) -> None:
    good = report()
    opened(window, session, small_state().with_(report=good))
    assert window.tabs.currentWidget() is window.plan
    assert window.tabs.tabText(1) == "Findings"


def test_a_first_look_shows_rows_and_progress(window: MainWindow, session: DeskSession) -> None:
    state = small_state()
    assert state.dump is not None
    state.dump.complete = False
    session.put(state.with_(path="big.jsonl", report=None, progress=Progress("reading", 0.38)))
    assert window.strip.text == "Reading big.jsonl, 38 %"
    assert window.list.isVisible()


# -- names ------------------------------------------------------------------------------------------------------------------------


def test_every_action_of_the_table_is_in_a_menu(window: MainWindow) -> None:
    def actions(menu: object) -> list[QAction]:
        out = []
        for action in menu.actions():  # type: ignore[attr-defined]
            out += actions(action.menu()) if action.menu() else [action]
        return out

    menus = {action.text(): actions(action.menu()) for action in window.menuBar().actions()}
    assert list(menus) == ["&File", "&Edit", "&Go", "&View", "&Plan", "&Help"]
    names = {action.objectName() for found in menus.values() for action in found if not action.isSeparator()}
    assert names == {row.id for row in TABLE}


def test_every_control_has_a_name_to_be_read_aloud(window: MainWindow, session: DeskSession) -> None:
    opened(window, session)
    window.chart.load()
    nameless = [
        f"{type(widget).__name__} {widget.objectName()}"
        for widget in window.findChildren(QWidget)
        if isinstance(widget, QAbstractButton | QLineEdit | QPlainTextEdit | QComboBox | QSpinBox)
        and not widget.accessibleName()
        and not widget.objectName().startswith("qt_")
        and not isinstance(widget.parent(), QLineEdit | QComboBox | QSpinBox)
        and widget.metaObject().className() not in ("QTabBar", "CloseButton", "QMenuBarExtension", "QTableCornerButton")
    ]
    assert nameless == []


@pytest.mark.parametrize("broken", [True, False])
@pytest.mark.parametrize("filtered", [True, False])
def test_tab_goes_from_bar_to_strip_chart_list_tabs_and_block(
    qtbot: QtBot, window: MainWindow, session: DeskSession, broken: bool, filtered: bool
) -> None:
    state = opened(window, session, broken_state() if broken else small_state())
    assert state.view is not None
    session.put(state.with_(selected=int(state.view.rows[1])))
    window.chart.load()
    window.tabs.setCurrentWidget(window.findings if broken else window.plan)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    names = ("bar", "strip", "chart", "list", "tabs", "viewer", "status")
    regions: dict[str, QWidget] = {name: getattr(window, name) for name in names} | {"filter": window.filters.place}

    def walk(start: QWidget, key: Qt.Key) -> list[str]:
        order: list[str] = []
        start.setFocus()
        for _ in range(80):
            current = QApplication.focusWidget()
            assert current is not None
            name = next(name for name, region in regions.items() if region is current or region.isAncestorOf(current))
            if not order or order[-1] != name:
                order.append(name)
            qtbot.keyClick(current, key)
            if QApplication.focusWidget() is start:
                return order
        raise AssertionError(f"never back: {order}")

    below = [name for name in names[1:] if tab_order.stops(regions[name])]
    assert set(names[2:6]) <= set(below)
    assert ("strip" in below) is broken
    if filtered:  # the field shows its line of parts as soon as it has the keyboard
        order = ["bar", "filter", "bar", *below, "bar"]
        assert walk(window.bar.field, Qt.Key.Key_Tab) == order
        assert walk(window.bar.field, Qt.Key.Key_Backtab) == ["bar", *below[::-1], "bar"]  # the line has gone with the keyboard
    else:
        order = walk(tab_order.stops(window.bar)[-1], Qt.Key.Key_Tab)
        assert [name for name in order if name != "filter"][: len(below) + 2] == ["bar", *below, "bar"]
        back = walk(window.list, Qt.Key.Key_Backtab)
        assert back[: 3 if broken else 2] == (["list", "chart", "strip"] if broken else ["list", "chart"])
    held = [part.objectName() for region in ("tabs", "viewer") for part in tab_order.stops(regions[region])]
    assert held[0] == "qt_tabwidget_tabbar"
    assert held[-1] == "blockViewer.body"
    assert ("findingsPanel.list" if broken else "planTable") in held


# -- keys -------------------------------------------------------------------------------------------------------------------------


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    window.activateWindow()
    qtbot.keyClick(window.focusWidget() or window, key, modifiers)


CTRL, SHIFT, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


@pytest.mark.parametrize(
    ("action", "asked"),
    [
        ("finding.preview", ("preview_repair", ("all",))),
        ("finding.preview_safe", ("preview_repair", ("safe",))),
        ("finding.fix_all", ("preview_repair", ("all",))),
        ("edit.undo", ("undo", ())),
        ("edit.redo", ("redo", ())),
        ("plan.reset", ("set_budget", (None,))),
        ("plan.apply", ("apply_plan", ())),
        ("plan.strategy_1", ("show_strategy", ("evict-exchanges",))),
        ("finding.apply", ("apply_preview", ())),
        ("finding.cancel", ("cancel_preview", ())),
        ("view.mode_prefix", ("judge_mode", ("prefix",))),
        ("file.cancel", ("cancel", ())),
    ],
)
def test_an_action_asks_the_session(window: MainWindow, session: DeskSession, action: str, asked: tuple[str, tuple[object, ...]]) -> None:
    state = broken_state()
    opened(window, session, planned(state, evict_exchanges(state), state.now))
    window.acts[action].setEnabled(True)
    window.acts[action].trigger()
    assert session.asked[-1] == asked


def test_keys_reach_their_actions(window: MainWindow, session: DeskSession, qtbot: QtBot) -> None:
    state = broken_state()
    assert state.report is not None
    first, *rest = state.report.findings
    state = opened(window, session, state.with_(report=replace(state.report, findings=[replace(first, fixes=(change(),)), *rest])))
    window.list.setFocus()
    press(qtbot, window, Qt.Key.Key_F8)
    assert session.asked[-1] == ("select", (row_of(state, "toolu_01A"),))
    press(qtbot, window, Qt.Key.Key_P, CTRL)
    assert session.asked[-1] == ("preview_repair", ("all",))
    press(qtbot, window, Qt.Key.Key_H, CTRL)
    assert session.asked[-1] == ("set_budget", (state.now // 2,))
    press(qtbot, window, Qt.Key.Key_F, CTRL)
    assert window.bar.field.hasFocus()
    qtbot.keyClicks(window.bar.field, "1p[/")
    assert window.bar.field.text() == "1p[/"  # letters are the field's own while it has the focus
    qtbot.keyClick(window.bar.field, Qt.Key.Key_Return)
    assert session.asked[-1] == ("filter", ("1p[/",))


def test_enter_and_esc_answer_a_preview(window: MainWindow, session: DeskSession, qtbot: QtBot) -> None:
    state = opened(window, session)
    preview = Preview(Layer("R", ((change(),),)), (), NOTHING, NOTHING, NOTHING, report())
    session.put(state.with_(preview=preview))
    window.list.setFocus()
    press(qtbot, window, Qt.Key.Key_Return)
    assert session.asked[-1] == ("apply_preview", ())
    press(qtbot, window, Qt.Key.Key_Escape)
    assert session.asked[-1] == ("cancel_preview", ())
    window.bar.field.setFocus()
    window.bar.field.setText("x")
    qtbot.keyClick(window.bar.field, Qt.Key.Key_Return)
    assert session.asked[-1] == ("filter", ("x",))


def test_partner_and_pin_go_by_the_selected_row(window: MainWindow, session: DeskSession) -> None:
    state = small_state()
    opened(window, session, state.with_(selected=row_of(state, "c3")))
    window.acts["go.partner"].trigger()
    name, (row,) = session.asked[-1]
    assert name == "select"
    assert session.block(int(row)).call_id == "c3"
    window.acts["plan.pin"].trigger()
    assert session.asked[-1] == ("pin", (1, True))


def test_f6_goes_round_the_regions(window: MainWindow, session: DeskSession, qtbot: QtBot) -> None:
    opened(window, session)
    window.chart.load()
    window.list.setFocus()
    seen = []
    for _ in range(5):
        window.acts["view.focus_next"].trigger()
        focus = window.focusWidget()
        seen.append(next(i for i, region in enumerate(window.regions) if region is focus or region.isAncestorOf(focus)))
    assert seen == [2, 3, 4, 0, 1]


# -- wiring -----------------------------------------------------------------------------------------------------------------------


def test_a_drag_sets_the_budget_and_brings_the_plans(window: MainWindow, session: DeskSession) -> None:
    opened(window, session)
    assert window.tabs.currentWidget() is window.findings
    window.chart.budget_dragged.emit(30_000)
    assert session.asked[-1] == ("set_budget", (30_000,))
    assert window.tabs.currentWidget() is window.plan


def test_fix_is_applied_as_soon_as_its_preview_is_there(window: MainWindow, session: DeskSession, qtbot: QtBot) -> None:
    state = opened(window, session)
    window.findings.fix_wanted.emit(change("Drop the result"))
    assert session.names() == ["preview_change"]
    session.put(state.with_(preview=Preview(Layer("R", ((change(),),)), (), NOTHING, NOTHING, NOTHING, report())), Changed.PREVIEW)
    qtbot.waitUntil(lambda: "apply_preview" in session.names())
    session.asked.clear()
    session.put(session.state.with_(preview=Preview(Layer("R", ((change(),),)), (), NOTHING, NOTHING, NOTHING, report())), Changed.PREVIEW)
    QApplication.processEvents()
    assert session.names() == []  # a preview that was asked for by itself is looked at


def test_a_fix_that_failed_is_not_applied_later(window: MainWindow, session: DeskSession) -> None:
    state = opened(window, session)
    window.acts["finding.fix_all"].trigger()
    session.failed.emit("nothing could be mended")
    assert window.strip.text == "nothing could be mended"
    session.asked.clear()
    session.put(state.with_(preview=Preview(Layer("R", ((change(),),)), (), NOTHING, NOTHING, NOTHING, report())), Changed.PREVIEW)
    QApplication.processEvents()
    assert session.names() == []


def test_fix_here_takes_the_finding_of_the_selected_row(window: MainWindow, session: DeskSession) -> None:
    state = small_state()
    row = row_of(state, "c2")
    fix = change("Drop it", "loses", row)
    findings: list[Finding] = [found(row=row, fixes=(fix,))]
    opened(window, session, state.with_(report=report("reject", findings), selected=row))
    window.acts["finding.fix"].trigger()
    assert session.asked[-1] == ("preview_change", (fix,))


def test_a_selection_from_elsewhere_is_brought_on_screen(window: MainWindow, session: DeskSession, monkeypatch: pytest.MonkeyPatch) -> None:
    state = opened(window, session)
    shown: list[int] = []
    monkeypatch.setattr(window.list, "show_row", shown.append)
    row = row_of(state, "z13")
    session.put(state.with_(selected=row), Changed.SELECTION)
    assert shown == [row]


def test_unparsed_records_one_after_the_other(window: MainWindow, session: DeskSession) -> None:
    opened(window, session)
    session.records = {4: b"half a li", 9: b"\xff"}
    action = window.acts["go.unparsed"]
    action.setEnabled(True)
    shown = []
    for _ in range(3):
        action.trigger()
        shown.append(window.viewer.body.toPlainText())
    assert shown == ["half a li", "\\xff", "half a li"]
    assert window.status.changes.text() == "unparsed record 1 of 2"


def test_pointer_and_text_are_copied(window: MainWindow, session: DeskSession) -> None:
    state = small_state()
    row = row_of(state, "c2")
    opened(window, session, state.with_(selected=row))
    window.acts["edit.copy_pointer"].trigger()
    assert QGuiApplication.clipboard().text() == session.pointer(row)
    window.acts["edit.copy_text"].trigger()
    assert QGuiApplication.clipboard().text() == session.block(row).text


def test_hits_are_shown(window: MainWindow, session: DeskSession) -> None:
    state = opened(window, session)
    assert state.view is not None
    mask = np.zeros(len(state.view), bool)
    mask[[2, 5, 7]] = True
    row = int(state.view.rows[5])
    session.put(state.with_(filter=Filter("finding", Test("finding"), mask, shown=np.flatnonzero(mask)), selected=row))
    assert window.bar._hits.text() == "2 of 3"


def test_the_words_of_a_rule(window: MainWindow, session: DeskSession) -> None:
    state = opened(window, session)
    session.put(state.with_(selected=row_of(state, "t3")), Changed.SELECTION)
    window.acts["help.rule"].trigger()
    text = window.findChild(QPlainTextEdit, "ruleWindow.text")
    assert text.toPlainText() == "What tool-call-partially-answered means."
    text.window().close()


def test_about(window: MainWindow) -> None:
    window.acts["help.about"].trigger()
    made = window.findChild(QWidget, "aboutWindow")
    assert made.isVisible()
    text = window.findChild(QPlainTextEdit, "aboutWindow.text").toPlainText()
    assert "read-only" in text
    assert "valid" not in text.lower()
    made.close()


# -- opening ----------------------------------------------------------------------------------------------------------------------


def drop(window: MainWindow, data: QMimeData) -> bool:
    place = QPointF(700, 400)
    enter = QDragEnterEvent(place.toPoint(), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        event = QDropEvent(place, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(window, event)
    return enter.isAccepted()


def test_a_file_is_dropped_on_the_window(window: MainWindow, session: DeskSession, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/a b.json"), QUrl.fromLocalFile("/tmp/c.json")])
    assert drop(window, data)
    qtbot.waitUntil(lambda: ("open", ("/tmp/a b.json",)) in session.asked)


def test_a_text_is_dropped_on_the_window(window: MainWindow, session: DeskSession, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setText('{"messages":[]}')
    assert drop(window, data)
    qtbot.waitUntil(lambda: ("paste", (b'{"messages":[]}', "pasted")) in session.asked)


def test_a_web_address_is_not_taken(window: MainWindow, session: DeskSession) -> None:
    data = QMimeData()
    data.setUrls([QUrl("https://example.com/x.json")])
    assert not drop(window, data) or dropped(data) is not None
    assert "open" not in session.names()


def test_the_clipboard_is_pasted(window: MainWindow, session: DeskSession) -> None:
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("{}")
    window.acts["file.paste"].trigger()
    assert session.asked[-1] == ("paste", (b"{}", "pasted"))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/x.json")])
    clipboard.setMimeData(data)
    window.acts["file.paste"].trigger()
    assert session.asked[-1] == ("open", ("/tmp/x.json",))
    clipboard.clear()
    window.acts["file.paste"].trigger()
    assert window.strip.text.startswith("The clipboard holds no text")


def test_open_asks_for_a_file(window: MainWindow, session: DeskSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("widgets.commands.QFileDialog.getOpenFileName", lambda *a: ("/tmp/y.json", ""))
    window.acts["file.open"].trigger()
    assert session.asked[-1] == ("open", ("/tmp/y.json",))
    window.acts["file.incident"].trigger()
    assert session.asked[-1] == ("open", ("/incident.json",))


def test_what_is_not_exported_is_not_lost_without_a_question(window: MainWindow, session: DeskSession) -> None:
    state = opened(window, session)
    session.put(state.with_(history=history((change(), change()))))
    session.asked.clear()
    window.open("/tmp/z.json")
    assert "open" not in session.names()
    assert window.strip.text == "2 changes not exported would be lost."
    window.strip._yes.click()
    assert session.asked[-1] == ("open", ("/tmp/z.json",))


def test_closing_asks_and_closing_again_is_no_answer(qtbot: QtBot, window: MainWindow, session: DeskSession) -> None:
    state = opened(window, session)
    session.put(state.with_(history=history((change(),))))
    assert not window.close()
    assert window.strip.text == "1 change not exported would be lost."
    window.strip.fail("")  # Stay
    assert not window.close()
    assert not window.close()
    assert "close" not in session.names()
    (answer,) = [one for one in window.strip.findChildren(QAbstractButton) if one.text() == "Close all the same" and one.isVisible()]
    qtbot.mouseClick(answer, Qt.MouseButton.LeftButton)
    assert "close" in session.names()


def test_unexported() -> None:
    state = small_state()
    assert unexported(state) == 0
    changed = state.with_(history=history((change(),)))
    assert unexported(changed) == 1
    assert unexported(changed.with_(exported_cursor=1)) == 0
    assert unexported(changed.with_(history=changed.history.undo())) == 0


# -- settings, themes, export -------------------------------------------------------------------------------------------------------


def test_the_theme_is_kept(window: MainWindow, session: DeskSession, tmp_path: Path) -> None:
    opened(window, session)
    window.acts["view.theme_dark"].trigger()
    assert theme.current().dark
    assert window.acts["view.theme_dark"].isChecked()
    assert window.grab().toImage().pixelColor(700, 50).lightness() < 60
    window.acts["view.theme_light"].trigger()
    assert window.grab().toImage().pixelColor(700, 50).lightness() > 200
    assert window.store.value.theme == "light"


def test_splitters_are_kept(window: MainWindow, session: DeskSession, qtbot: QtBot, tmp_path: Path) -> None:
    opened(window, session)
    window.body.setSizes([700, 740])
    window.column.setSizes([330, 230])
    QApplication.processEvents()
    kept = (window.body.sizes(), window.column.sizes())
    window.close()
    again = MainWindow(DeskSession(), Store(tmp_path / "settings"))  # type: ignore[arg-type]
    qtbot.addWidget(again)
    again.resize(1440, 900)  # the screen of the offscreen platform is smaller than the window was
    again.show()
    again.session.put(broken_state())  # type: ignore[attr-defined]
    QApplication.processEvents()
    for now, then in zip((again.body.sizes(), again.column.sizes()), kept, strict=True):
        assert abs(now[0] - then[0]) <= 8


def test_the_export_dialog_hands_on_and_listens(window: MainWindow, session: DeskSession) -> None:
    opened(window, session, small_state().with_(report=report()))
    window.acts["file.export"].trigger()
    dialog = window.commands.export_dialog
    assert dialog is not None
    dialog.path.setText("/tmp/never-written.json")
    dialog.write.click()
    assert session.asked[-1] == ("export", ("/tmp/never-written.json", False, ""))
    session.failed.emit("no room on the disk")
    assert dialog._refusal.text() == "no room on the disk"
    dialog.reject()
    assert window.commands.export_dialog is None


def test_a_report_is_saved(window: MainWindow, session: DeskSession, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(window, session)
    monkeypatch.setattr("widgets.report_desk.QFileDialog.getSaveFileName", lambda *a: ("/tmp/r.md", ""))
    window.acts["file.report"].trigger()
    assert session.asked[-1] == ("save_report", ("/tmp/r.md", ""))


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_window_can_be_pictured_in_every_state(window: MainWindow, session: DeskSession, name: str) -> None:
    window.acts[f"view.theme_{name}"].trigger()
    window.chart.load()
    state = opened(window, session)
    for shown in (state, planned(state, evict_exchanges(state), state.now // 2), state.with_(history=history((change(),))), State()):
        session.put(shown)
        for size in ((1440, 900), (1000, 700)):
            window.resize(*size)
            assert not window.grab().isNull()
