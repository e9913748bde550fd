"""Commands to be copied: each in a field of its own, with what it is for before it and a button behind it."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton

from widgets import theme
from widgets.buttons import button
from widgets.visible import visible


class CommandRows(QGridLayout):
    """`put` adds a line below the others. The field is named NAME, its button NAME.copy."""

    def put(self, words: str, name: str, command: str) -> None:
        label, field = QLabel(words), QLineEdit(visible(command))
        field.setObjectName(name)
        field.setAccessibleName(words)
        field.setReadOnly(True)
        field.setFont(theme.current().mono)
        field.setCursorPosition(0)
        copy = button("Copy", f"{name}.copy", f"{words}: copy the command")
        copy.clicked.connect(partial(_copied, command, copy))
        row = self.rowCount()
        for column, made in enumerate((label, field, copy)):
            self.addWidget(made, row, column)


def _copied(command: str, made: QPushButton) -> None:
    QGuiApplication.clipboard().setText(command)
    made.setText("Copied")
