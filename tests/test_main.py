"""The composition root: builds everything, starts nothing; a picture needs no screen."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import main
from app.model.errors import InspectorError
from widgets import theme
from widgets.main_window import MainWindow

REQUEST = '{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"hello"}]}'


@pytest.fixture
def closing(qapp: QApplication) -> Iterator[list[MainWindow]]:
    """Windows that were made; their helper processes end with the test."""
    made: list[MainWindow] = []
    yield made
    for window in made:
        window._leave = True
        window.close()
        window.deleteLater()


def words(file: Path, out: Path, **more: object) -> Namespace:
    known: dict[str, object] = dict.fromkeys(("size", "budget", "strategy", "transcript", "provider", "model", "mode", "format"))
    return Namespace(**{**known, "file": str(file), "out": str(out), "scale": 1.0, "theme": "light", **more})


@pytest.mark.parametrize(
    ("argv", "files"),
    [
        ([], []),
        (["transcript-inspector"], []),
        (["/usr/bin/transcript-inspector", "a.json"], ["a.json"]),
        (["a.json"], ["a.json"]),
        ([sys.argv[0], "a.json"], ["a.json"]),
        (["--incident"], [main.incident()]),
        (["a.json", "--style=x"], ["a.json"]),
    ],
)
def test_what_is_named(argv: list[str], files: list[str]) -> None:
    assert main._files(argv) == files


def test_the_incident_comes_with_the_program() -> None:
    assert Path(main.incident()).is_file()


def test_a_file_that_the_finder_hands_over_is_opened(qapp: QApplication) -> None:
    """What macOS sends; elsewhere the filter is not there, and the event comes to nothing."""
    opened: list[str] = []

    class Window(QObject):
        def open(self, path: str) -> None:
            opened.append(path)

    window = Window()
    handed = main._HandedOver(window)  # type: ignore[arg-type]
    assert handed.eventFilter(qapp, QFileOpenEvent("/tmp/session.jsonl")) is True
    assert handed.eventFilter(qapp, QEvent(QEvent.Type.None_)) is False
    assert opened == ["/tmp/session.jsonl"]


def test_nothing_is_opened_and_nothing_is_shown(closing: list[MainWindow], fresh_settings: Path) -> None:
    app, window = main.create_app([])
    closing.append(window)
    assert app is QApplication.instance()
    assert not window.isVisible()
    assert window.session.state.dump is None
    assert window.store.folder == fresh_settings
    assert app.applicationName() == "transcript-inspector"


def test_a_named_file_has_its_first_rows_at_once(closing: list[MainWindow], tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "request.json"
    path.write_text(REQUEST)
    _, window = main.create_app([str(path)])
    closing.append(window)
    assert window.session.state.path == str(path)
    qtbot.waitUntil(lambda: window.session.state.report is not None, timeout=30_000)
    assert window.strip.text.startswith("No reason found why Anthropic would refuse this: ")
    assert window.status.records.text() == "1 record = 1 shown"
    assert window.store.value.recent == (str(path),)
    assert window.store.value.open_file == str(path)
    assert window.close()
    assert window.store.value.open_file == ""


def test_a_file_that_is_none_leaves_the_window_as_it_was(closing: list[MainWindow], tmp_path: Path) -> None:
    path = tmp_path / "gone.json"
    _, window = main.create_app([str(path)])
    closing.append(window)
    assert window.session.state.dump is None
    assert str(path) in window.strip.text


def test_the_counter_that_was_chosen_is_kept(closing: list[MainWindow]) -> None:
    _, window = main.create_app([])
    window.store.change(counter="chars/4")
    window.store._file.sync()
    closing.append(window)
    _, again = main.create_app([])
    closing.append(again)
    assert again.session.state.counter == "chars/4"


def test_an_error_of_ours_is_one_line_and_the_window_goes_on(closing: list[MainWindow], capsys: pytest.CaptureFixture[str]) -> None:
    _, window = main.create_app([])
    closing.append(window)
    try:
        raise ZeroDivisionError("by nought")
    except ZeroDivisionError as error:
        main._reporting(window)(type(error), error, error.__traceback__)
    assert window.strip.text == "Something went wrong in this program (ZeroDivisionError: by nought). The file is untouched."
    assert "ZeroDivisionError: by nought" in capsys.readouterr().err


def test_without_a_font_the_window_is_not_opened(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], qapp: QApplication
) -> None:
    monkeypatch.setattr(theme, "missing_font", lambda: theme.FONT_NEEDED)
    assert main.main([]) == 2
    assert "fonts-dejavu-core" in capsys.readouterr().err


# -- pictures ---------------------------------------------------------------------------------------------------------------------


def test_a_picture_of_the_incident(qapp: QApplication, tmp_path: Path) -> None:
    out = tmp_path / "window.png"
    asked = words(Path(main.incident()), out, size=(1200, 800), theme="dark", budget=20_000, strategy="stub-tool-results", scale=2.0)
    assert main.snapshot(asked) == 0
    picture = QImage(str(out))
    assert (picture.width(), picture.height()) == (2400, 1600)
    assert picture.pixelColor(1200, 40).lightness() < 80
    assert len({picture.pixelColor(x, y).rgb() for x in range(0, 2400, 40) for y in range(0, 1600, 40)}) > 20


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"transcript": "nobody"}, "there is no transcript nobody"),
        ({"strategy": "evict-exchanges+drop-reasoning"}, "chains are for plan and export"),
        ({"out": "/no/such/folder/x.png"}, "cannot be written there"),
    ],
)
def test_a_picture_that_cannot_be_taken(qapp: QApplication, tmp_path: Path, more: dict[str, object], line: str) -> None:
    path = tmp_path / "request.json"
    path.write_text(REQUEST)
    with pytest.raises(InspectorError, match=line):
        main.snapshot(words(path, **{"out": tmp_path / "x.png", **more}))


def test_a_picture_of_a_file_that_is_none(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "noise.bin"
    path.write_bytes(b"\x00\x01\x02")
    with pytest.raises(InspectorError) as caught:
        main.snapshot(words(path, tmp_path / "x.png"))
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
