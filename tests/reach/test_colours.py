"""Colours for eyes that see other ones: kinds and severities stay apart under deuteranopia and protanopia, or have another shape; words and
frames of the themes of high contrast stand out 7 to 1."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

import icons
from app.model.kinds import Kind
from tests.widgets.test_theme import contrast
from widgets import theme
from widgets.chart_data import Layer
from widgets.chart_paint import layer_colour
from widgets.exchange_facts import Outcome, Pip
from widgets.row_figures import _PIPS
from widgets.row_look import OUTCOMES, SIGNS

# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency (2009), severity 1.0, linear RGB
BLIND = {
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
}
LOOKS = [("light", "normal"), ("dark", "normal"), ("light", "high"), ("dark", "high")]
APART = 12.0  # CIE 1976 difference; 2.3 is just noticeable


def linear(colour: QColor) -> np.ndarray:  # type: ignore[type-arg]
    parts = np.array([colour.redF(), colour.greenF(), colour.blueF()])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb / np.array([0.9505, 1, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def apart(one: QColor, other: QColor, blind: str) -> float:
    """How far two colours are apart for such eyes."""
    seen = [lab(np.clip(np.array(BLIND[blind]) @ linear(colour), 0, 1)) for colour in (one, other)]
    return float(np.linalg.norm(seen[0] - seen[1]))


@pytest.mark.parametrize("blind", list(BLIND))
@pytest.mark.parametrize(("name", "high"), LOOKS)
def test_colours_that_stand_beside_each_other_stay_apart(qapp: QApplication, name: theme.Name, high: str, blind: str) -> None:
    now = theme.apply(qapp, name, high)
    layer = partial(layer_colour, now, all_kinds=False)
    pairs = {
        "the two tones of the chart": (layer(Layer.RESULT), layer(Layer.TEXT)),
        "the fill and the system part": (layer(Layer.TEXT), layer(Layer.HEAD)), "budget and fill": (now.blue, now.tool_result),
        "fits and fits not": (now.green, now.error), "error and note": (now.error, now.note), "warning and note": (now.warning, now.note),
        "a call and its result": (now.tool_call, now.tool_result), "inserted and selected": (now.green, now.blue),
    }  # fmt: skip
    close = {what: round(apart(*pair, blind), 1) for what, pair in pairs.items() if apart(*pair, blind) < APART}
    assert close == {}


def test_what_colour_says_a_shape_or_a_word_says_too() -> None:
    shapes = [shape for shape, _ in SIGNS.values()]
    assert len(shapes) == len(set(shapes))
    pips = [shape for shape, _ in _PIPS.values()]
    assert len(pips) == len(set(pips)) == len(Pip)
    signs = [sign for outcome, (sign, _, _) in OUTCOMES.items() if outcome != Outcome.NONE]
    assert len(signs) == len(set(signs))
    assert all(word for outcome, (_, word, _) in OUTCOMES.items() if outcome not in (Outcome.NONE, Outcome.ANSWERED))
    assert len({theme.KIND_GLYPHS[kind] for kind in (Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.MEDIA)}) == 5


@pytest.mark.parametrize("name", ["light", "dark"])
def test_high_contrast_is_high(qapp: QApplication, name: theme.Name) -> None:
    now = theme.apply(qapp, name, "high")
    assert now.high
    for paper in (now.paper, now.paper_alt, now.band):
        for ink in (now.ink, now.ink_soft, now.ink_faint):
            assert contrast(ink, paper) >= 7, (ink.name(), paper.name())
    for word in (now.error, now.warning, now.note, now.green, now.blue, now.outline):
        assert contrast(word, now.paper) >= 7, word.name()
    papers = ((now.error, now.error_paper), (now.warning, now.warning_paper), (now.green, now.green_paper), (now.on_blue, now.blue))
    for one, other in papers:
        assert contrast(one, other) >= 6.5, one.name()
    assert contrast(now.border, now.paper) >= 4.5
    assert contrast(now.rule_line, now.paper) >= 3
    for kind in Kind:
        assert contrast(now.kind(kind), now.paper) >= 4.5, kind
    theme.apply(qapp, "light", "normal")
    assert not theme.current().high


def test_severities_have_icons_of_other_shapes() -> None:
    shapes = [icons.svg(name) for name in ("error", "warning", "note", "refusal", "repair")]
    assert len(set(shapes)) == len(shapes)
