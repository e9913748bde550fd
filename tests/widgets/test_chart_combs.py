"""The combs of all strategies side by side: one lens, where each lands, words and clicks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from tests.widgets import chart_mouse as mouse
from tests.widgets.states import broken_state
from tests.widgets.test_chart_widget import Driven
from widgets.chart_combs import STRIDE
from widgets.chart_margin import _COMB, WIDTH


def comb(number: int) -> int:
    return int(_COMB + STRIDE * (number - 1) + 3)


@pytest.fixture
def it(qtbot: Any) -> Driven:
    made = Driven(qtbot, broken_state())
    made.key(Qt.Key.Key_R)
    return made


def test_the_key_shows_all_and_shows_one_again(it: Driven) -> None:
    margin = it.chart.margin
    QApplication.processEvents()
    assert margin.width() == WIDTH + 6 * STRIDE
    assert ("sizes of strategies 1 to 7, and where each lands", "combs") in it.chart.legend.entries()
    it.key(Qt.Key.Key_R)
    assert margin.width() == WIDTH
    assert "combs" not in [what for _, what in it.chart.legend.entries()]


def test_one_lens_holds_every_size_of_every_strategy(it: Driven) -> None:
    it.show("evict-exchanges", 60_000)
    lens = it.chart.margin.lens()
    assert lens is not None
    rankings = it.state.rankings.values()
    assert lens.high == max(int(one.rungs[0]) for one in rankings)
    assert lens.low == min(int(one.rungs[-1]) for one in rankings)
    assert lens.focus == 60_000
    heights = [lens.y(size) for size in np.linspace(lens.high, lens.low, 50)]
    assert heights == sorted(heights)


def test_each_comb_says_what_it_is_and_where_it_lands(it: Driven) -> None:
    it.show("evict-exchanges", 60_000)
    margin = it.chart.margin
    for number, (name, ranking) in enumerate(it.state.rankings.items(), 1):
        tip = margin.tip(QPoint(comb(number), 80)).splitlines()
        least, most, many = int(ranking.rungs[-1]), int(ranking.rungs[0]), len(ranking.rungs)
        assert tip[0] == f"{number}  {name}: {many:,} size{'s' if many != 1 else ''}, {least:,} to {most:,} tokens"
        plan = ranking.plan(60_000)
        if plan.after <= 60_000:
            assert tip[1].endswith(f"{plan.after:,}, freed {plan.freed / (plan.before - 60_000):.2f} × needed")
        else:
            assert tip[1].endswith(f"{plan.after - 60_000:,} above this budget")
        assert (f"click or Alt+{number} shows it" in tip) == (name != "evict-exchanges")


def test_a_click_on_a_comb_shows_its_strategy(it: Driven) -> None:
    asked: list[str] = []
    it.chart.strategy_clicked.connect(asked.append)
    it.show("evict-exchanges", 60_000)
    mouse.click(it.chart.margin, comb(3), 30)
    assert asked == ["stub-tool-results"]
    y = it.chart.margin.height_of(60_000)
    mouse.drag(it.chart.margin, (comb(3), y), (comb(3), y - 20))  # the line is there to be dragged, whatever lies under it
    assert len(asked) == 1
    assert it.dragged


def test_where_a_strategy_runs_dry_its_mark_is_red(it: Driven) -> None:
    it.show("evict-exchanges", 3_000)
    margin = it.chart.margin
    lens = margin.lens()
    assert lens is not None
    image = margin.grab().toImage()
    ratio = image.devicePixelRatio()
    for number, ranking in enumerate(it.state.rankings.values(), 1):
        plan = ranking.plan(3_000)
        y = round(lens.y(plan.after))
        colour = image.pixelColor(round(comb(number) * ratio), round((y + 1) * ratio))
        assert (colour.red() > 150 and colour.blue() < 80) == (plan.after > 3_000)
