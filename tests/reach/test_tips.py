"""Whatever can be pressed, chosen or typed into has a tooltip: what it is for, not its name once more."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QSpinBox, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.settings import Store
from tests.widgets.desk import DeskSession, change, found, history, report
from tests.widgets.states import broken_state, evict_exchanges, planned
from widgets import theme
from widgets.help_pages import HelpPages
from widgets.keys_window import KeysWindow
from widgets.main_window import MainWindow

QTS_OWN = ("qt_tableview_cornerbutton", "qt_menubar_ext_button", "qt_spinbox_lineedit", "ScrollLeftButton", "ScrollRightButton")


def bare(root: QWidget) -> list[str]:
    """Controls without a tooltip."""
    parts = [part for part in root.findChildren(QWidget) if isinstance(part, (QAbstractButton, QComboBox, QSpinBox, QLineEdit))]
    assert parts
    return [
        f"{type(part).__name__} {part.objectName()} {part.accessibleName()}"
        for part in parts
        if not part.toolTip() and part.objectName() not in QTS_OWN
        and not isinstance(part.parent(), (QSpinBox, QComboBox, QLineEdit, QTabBar))
    ]  # fmt: skip


def test_every_control_of_the_window_says_what_it_is_for(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    theme.apply(qapp, "light")
    session = DeskSession()
    window = MainWindow(session, Store(tmp_path / "kept"), "/incident.json")  # type: ignore[arg-type]
    qtbot.addWidget(window)
    window.show()
    state = broken_state()
    state = planned(state, evict_exchanges(state), state.now // 2)
    state = state.with_(
        report=report("reject", [found(row=4, fixes=(change(),)), found(row=6)]), other=state.report, history=history((change(),)),
        path="/home/me/a.json", selected=4,
    )  # fmt: skip
    session.put(state)
    assert bare(window) == []
    window._leave = True


def test_so_do_the_windows_of_help(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    for made in (HelpPages(root), KeysWindow(root)):
        assert bare(made) == []
