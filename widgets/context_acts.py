"""Actions of the window that stand in the menu of a row, and in that of a finding."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

ROW_ACTS = ("go.partner", "go.other", "finding.real_result", "finding.fix", "help.rule", "file.bug_report")
FINDING_ACTS = ("finding.fix", "finding.real_result", "go.other", "help.rule", "file.bug_report")


def offer(rows: QWidget, actions: Sequence[QAction]) -> None:
    """A list's menu: those that can be used now. The row under the pointer is the selected one by then."""

    def show(at: object) -> None:
        menu = QMenu(rows)
        menu.setAccessibleName("Menu of the finding")
        menu.addActions([action for action in actions if action.isEnabled()])
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if menu.actions():
            menu.popup(rows.mapToGlobal(at))  # type: ignore[call-overload]

    rows.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    rows.customContextMenuRequested.connect(show)
