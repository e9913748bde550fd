"""Themes: words can be read on what lies under them, digits stand below one another, and a font that is missing is named."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QFontDatabase, QFontMetrics, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.model.kinds import Kind
from widgets import labels, theme


def contrast(one: QColor, other: QColor) -> float:
    """WCAG 2: from 1 to 21."""

    def light(colour: QColor) -> float:
        parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (colour.redF(), colour.greenF(), colour.blueF())]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_words_can_be_read(qapp: QApplication, name: theme.Name) -> None:
    now = theme.apply(qapp, name)
    papers = (now.paper, now.paper_alt, now.band)
    for paper in (*papers, now.selection, now.error_paper, now.warning_paper, now.green_paper, now.note_paper):
        assert contrast(now.ink, paper) >= 7
        assert contrast(now.ink_soft, paper) >= 4.5
    for words in (now.ink_faint, now.error, now.warning, now.note, now.green, now.blue):
        assert contrast(words, now.paper) >= 4.4, words.name()
    for words, paper in ((now.error, now.error_paper), (now.warning, now.warning_paper), (now.green, now.green_paper)):
        assert contrast(words, paper) >= 4.4, words.name()
    assert contrast(now.on_blue, now.blue) >= 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
def test_glyphs_can_be_seen(qapp: QApplication, name: theme.Name) -> None:
    now = theme.apply(qapp, name)
    for kind in Kind:
        assert contrast(now.kind(kind), now.paper) >= 2.3, kind
        assert theme.KIND_GLYPHS[kind]


def test_the_palette_of_the_drawing(qapp: QApplication) -> None:
    assert theme.apply(qapp, "light").tool_result.name() == "#d9982b"
    assert theme.apply(qapp, "dark").tool_call.name() == "#5cc4b5"


def test_apply_changes_palette_and_current(qapp: QApplication) -> None:
    theme.apply(qapp, "dark")
    assert theme.current().dark
    assert qapp.palette().color(QPalette.ColorRole.Base) == theme.current().paper
    theme.apply(qapp, "light")
    assert not theme.current().dark
    assert qapp.palette().color(QPalette.ColorRole.WindowText) == theme.current().ink
    assert qapp.style().objectName() in ("fusion", "")  # "": wrapped by the style sheet


def test_digits_are_tabular_and_the_mono_font_is(qapp: QApplication) -> None:
    now = theme.apply(qapp, "light")
    for font in (now.ui, now.small, now.ui_bold, now.mono):
        metrics = QFontMetrics(font)
        assert len({metrics.horizontalAdvance(digit) for digit in "0123456789"}) == 1
    mono = QFontMetrics(now.mono)
    assert mono.horizontalAdvance("iiii") == mono.horizontalAdvance("MMMM")
    assert now.row_height >= 22


def test_a_missing_font_is_named(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    assert theme.missing_font() is None
    monkeypatch.setattr(QFontDatabase, "families", lambda *a: [])
    line = theme.missing_font()
    assert line is not None
    assert "fonts-dejavu-core" in line
    assert "\n" not in line


def test_a_ground_of_its_own_outlasts_what_is_polished_later(qtbot: QtBot, qapp: QApplication) -> None:
    """Hidden widgets are polished when there is time, and their panel has told them of the theme before."""
    theme.apply(qapp, "light")
    outer, inner = QWidget(), QWidget()
    qtbot.addWidget(outer)
    inner.setParent(outer)
    labels.paper(inner, theme.current().paper_alt)
    inner.ensurePolished()
    inner.hide()
    outer.show()
    now = theme.apply(qapp, "dark")
    labels.paper(inner, now.paper_alt)
    qtbot.waitUntil(lambda: inner.property("transcript-inspector-polished") == now.key)
    assert inner.palette().color(QPalette.ColorRole.Window) == now.paper_alt
    theme.apply(qapp, "light")
