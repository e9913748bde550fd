"""The person of tests/reach, who finds things as a reviewer does: in menus, on tabs, in the palette, with the right button on a row."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget

from tests.reach.person import Person

LEFT = Qt.MouseButton.LeftButton


class Reviewer(Person):
    """A click on a menu, on an entry, on a tab is a step each; a word that is typed is one."""

    def did(self, task: str, steps: int) -> None:
        """The task is done, in so many steps after the file was dropped."""
        assert self.steps == steps + 1, self.steps - 1
        print(f"\n{task}: {steps} steps")

    def see(self, path: Path) -> None:
        self.drop(path)
        self.quiet()

    def press(self, keys: str) -> None:
        """As ever; a window manager gives the window back its focus when a dialog closes, the offscreen platform does not."""
        if QApplication.activeWindow() is None and QApplication.activePopupWidget() is None:
            self.window.activateWindow()
            self.wait(self.window.isActiveWindow)
        super().press(keys)

    def menu(self, *names: str) -> None:
        """`File`, then the words of an entry, submenus between them."""
        bar = self.window.menuBar()
        action = next(one for one in bar.actions() if plain(one.text()) == names[0])
        self._click(bar, bar.actionGeometry(action).center())
        for name in names[1:]:
            popup = QApplication.activePopupWidget()
            assert isinstance(popup, QMenu)
            self.entry(popup, name)

    def entry(self, popup: QMenu, words: str) -> None:
        """An entry of a menu that is open, by how it begins."""
        action = next(one for one in popup.actions() if plain(one.text()).startswith(words))
        assert action.isEnabled(), words
        if action.menu() is not None:  # it opens below the pointer
            popup.setActiveAction(action)
            self.press("Right")
            self.wait(lambda: QApplication.activePopupWidget() is action.menu())
        else:
            self._click(popup, popup.actionGeometry(action).center())

    def tab(self, words: str) -> None:
        bar = self.window.tabs.tabBar()
        at = next(n for n in range(bar.count()) if bar.tabText(n).startswith(words))
        self._click(bar, bar.tabRect(at).center())

    def palette(self, words: str) -> None:
        """Ctrl+K, some words, Return."""
        self.press("Ctrl+K")
        self.wait(lambda: self.focus.objectName() == "palette.field")
        self.type(words)
        self.press("Return")
        self.wait(lambda: QApplication.activePopupWidget() is None)

    def right_click(self, words: str) -> None:
        """The right button on the selected row of the list, then an entry of its menu."""
        view = self.window.list
        at = view.visualRect(view.model().index(view.current_row(), 0)).center()
        self.steps += 1
        self._in_menu(words)
        QApplication.sendEvent(view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.viewport().mapToGlobal(at)))

    def _in_menu(self, words: str) -> None:
        """Takes an entry once a menu that holds the event loop is open."""
        from PySide6.QtCore import QTimer

        def take() -> None:
            popup = QApplication.activePopupWidget()
            if isinstance(popup, QMenu) and popup.isVisible():
                self.entry(popup, words)
            else:
                QTimer.singleShot(5, take)

        QTimer.singleShot(0, take)

    def _click(self, widget: QWidget, at: Any) -> None:
        self.steps += 1
        QTest.mouseClick(widget, LEFT, Qt.KeyboardModifier.NoModifier, at)

    def link(self, widget: QWidget) -> None:
        """A button or a link that is seen."""
        assert widget.isVisible()
        assert widget.isEnabled()
        self._click(widget, widget.rect().center())

    def selected(self) -> int:
        """Where the selected row stands in the transcript."""
        return int(self.state.view.at(self.state.selected))

    def dialog(self, name: str) -> Any:
        return next((one for one in QApplication.topLevelWidgets() if one.objectName() == name and one.isVisible()), None)

    def field(self, name: str) -> str:
        found: list[QLineEdit] = []

        def look() -> bool:
            found[:] = [one for top in QApplication.topLevelWidgets() for one in top.findChildren(QLineEdit, name) if one.isVisible()]
            return bool(found)

        self.wait(look)
        return found[0].text()

    def applied(self, many: int = 1) -> Callable[[], bool]:
        return lambda: self.state.history.cursor == many and not self.session.busy


def plain(text: str) -> str:
    return text.replace("&", "").split("\t")[0]


def session_file(folder: Path, name: str = "4f1c0b7e-52d3-4f0a-9c1e-8a6b2d7f9e10") -> Path:
    """A session of Claude Code with the provider's usage: after a pause the cache is lost; the last call has no result."""
    out: list[dict[str, Any]] = []
    size, minute = 6_000, 0

    def add(kind: str, content: object, usage: dict[str, int] | None = None) -> None:
        message: dict[str, object] = {"role": kind, "content": content}
        if usage is not None:
            message |= {"id": f"msg_{len(out):03}", "type": "message", "model": "claude-sonnet-4-5", "usage": usage}
        uuid = f"00000000-0000-4000-8000-{len(out):012}"
        out.append({
            "type": kind, "uuid": uuid, "parentUuid": out[-1]["uuid"] if out else None, "sessionId": name, "isSidechain": False,
            "cwd": "/home/ada/shop", "version": "2.0.14", "timestamp": f"2026-03-03T10:{minute:02}:00.000Z", "message": message,
        })  # fmt: skip

    for turn in range(4):
        add("user", f"why does order ord_{4100 + turn} fail?")
        for number in range(3):
            lost = turn == 1 and number == 2
            minute += 12 if lost else 1
            read = 0 if lost else size
            size += 700
            usage = {"input_tokens": 4, "cache_read_input_tokens": read, "cache_creation_input_tokens": size - read, "output_tokens": 9}
            call = {"type": "tool_use", "id": f"toolu_{turn}{number}", "name": ("Read", "Bash", "Grep")[number], "input": {"n": len(out)}}
            add("assistant", [call], usage)
            if turn < 3 or number < 2:
                add("user", [{"type": "tool_result", "tool_use_id": call["id"], "content": f"line {turn} {number}\n" * 60 * (number + 1)}])
    add("user", "hello? go on please")
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in out))
    return path
