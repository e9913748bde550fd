"""Before anything is open."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from widgets.actions import Actions
from widgets.empty_view import PROMISE, SENTENCE, EmptyView, RecentButton, middle
from widgets.labels import Elided


def view_of(qtbot: QtBot) -> tuple[EmptyView, Actions]:
    parent = QObject()
    actions = Actions(parent)
    view = EmptyView(actions)
    view._keep = parent  # type: ignore[attr-defined]
    qtbot.addWidget(view)
    view.resize(1440, 800)
    view.show()
    return view, actions


def test_one_sentence_and_the_ways_in(qtbot: QtBot) -> None:
    view, actions = view_of(qtbot)
    words = [label.text() for label in view.findChildren(Elided) if label.isVisible()]
    assert words == [SENTENCE, PROMISE]
    assert PROMISE == "Files are opened read-only. Nothing leaves this machine."
    buttons = [button.text() for button in view.findChildren(QPushButton) if button.isVisible()]
    assert buttons == ["Open…  Ctrl+O", "Paste  Ctrl+V", "Find my sessions…", "See a broken session"]
    with qtbot.waitSignal(actions["file.incident"].triggered):
        view.findChild(QPushButton, "button.file.incident").click()
    with qtbot.waitSignal(actions["file.open"].triggered):
        qtbot.mouseClick(view.findChild(QWidget, "emptyView.drop"), Qt.MouseButton.LeftButton)


def test_recent_files_that_are_still_there(qtbot: QtBot, tmp_path: Path) -> None:
    view, _ = view_of(qtbot)
    here = tmp_path / "a & <b>.json"
    here.write_text("{}")
    view.show_recent((str(here), "/no/such/file.json"))
    found = view.findChild(QPushButton, "emptyView.recent_1")
    assert found.text().startswith("a && <b>.json")
    assert view.findChild(QPushButton, "emptyView.recent_2") is None
    with qtbot.waitSignal(view.file_wanted) as caught:
        found.click()
    assert caught.args == [str(here)]


def test_after_a_crash_the_last_file_is_offered(qtbot: QtBot) -> None:
    view, _ = view_of(qtbot)
    offer = view.findChild(QPushButton, "emptyView.offer")
    assert not offer.isVisible()
    view.offer("/home/me/dump.jsonl")
    assert offer.text() == "Open again what was open when the program ended: dump.jsonl"
    with qtbot.waitSignal(view.file_wanted) as caught:
        offer.click()
    assert caught.args == ["/home/me/dump.jsonl"]


def test_a_failure_is_said_where_one_looks(qtbot: QtBot) -> None:
    view, _ = view_of(qtbot)
    message = view.findChild(Elided, "emptyView.message")
    view.fail("x.json: empty; open another file")
    assert message.isVisible()
    assert message.text() == "x.json: empty; open another file"
    view.fail("")
    assert not message.isVisible()


def test_long_names_are_cut_in_the_middle_and_told_whole(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / ("a folder with a long name " * 4).strip()
    folder.mkdir()
    path = folder / f"{'long-' * 20}0412.jsonl"
    path.write_text("{}")
    view, _ = view_of(qtbot)
    view.show_recent([str(path)])
    view.offer(str(path))
    made = view.findChild(QPushButton, "emptyView.recent_1")
    assert isinstance(made, RecentButton)
    qtbot.waitUntil(lambda: 0 < made.width() <= view._inner.width())
    assert "0412.jsonl" in made.toolTip().replace("\n", "")
    assert made.accessibleDescription() == str(folder)
    assert made.accessibleName() == f"Open {path.name}"
    assert middle("short.json", 36) == "short.json"
    assert middle(path.name, 36) == "long-long-long-lon…g-long-0412.jsonl"
    assert view._offer.text().endswith("-0412.jsonl")
