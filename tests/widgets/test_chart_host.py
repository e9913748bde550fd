"""The chart comes after the first paint."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget

from app.model.state import Changed, State
from tests.conftest import ROOT
from tests.widgets import chart_rankings as made
from tests.widgets.states import small_state
from widgets.chart_host import ChartHost


def test_the_chart_takes_the_place_of_the_frame_once_it_was_painted(qtbot: Any) -> None:
    host = ChartHost(None)
    qtbot.addWidget(host)
    assert host.chart is None
    assert host.findChild(QWidget, "budgetChart") is not None
    state = made.all_ranked(small_state())
    host.set_window(100_000, 8_000)
    host.refresh(state, Changed.ALL)
    host.resize(900, 206)
    with qtbot.waitSignal(host.loaded):
        host.show()
    assert host.chart is not None
    assert host.findChild(QWidget, "budgetChart") is host.chart
    assert host.chart.state is state
    assert host.chart.model.window == 100_000
    assert host.focusProxy() is host.chart


def test_its_signals_are_those_of_the_chart(qtbot: Any) -> None:
    host = ChartHost(None)
    qtbot.addWidget(host)
    host.load()
    said: list[tuple[str, int]] = []
    host.budget_dragged.connect(lambda n: said.append(("dragged", n)))
    host.budget_released.connect(lambda n: said.append(("released", n)))
    host.request_clicked.connect(lambda n: said.append(("clicked", n)))
    assert host.chart is not None
    host.refresh(small_state(), Changed.ALL)
    host.chart.ask(4_000)
    host.chart.go_to(0)
    assert said[:2] == [("dragged", 4_000), ("released", 4_000)]
    assert said[2][0] == "clicked"


def test_focus_stays_where_it_was(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    host = ChartHost(None)
    qtbot.addWidget(host)
    monkeypatch.setattr(host, "hasFocus", lambda: True)
    host.show()
    host.load()
    assert host.chart is not None
    assert host.chart.isVisible()
    assert host.focusWidget() is host.chart


def test_loading_twice_is_loading_once(qtbot: Any) -> None:
    host = ChartHost(None)
    qtbot.addWidget(host)
    host.load()
    chart = host.chart
    host.load()
    host.refresh(State(), Changed.ALL)
    assert host.chart is chart


def test_pyqtgraph_is_not_imported_with_the_window() -> None:
    """Two modules import it, and nothing that the window imports imports these."""
    found = [path.name for path in sorted((ROOT / "widgets").glob("*.py")) if "import pyqtgraph" in path.read_text("utf-8")]
    assert found == ["budget_chart.py", "chart_scene.py"]
    code = "import sys, widgets.chart_host, widgets.plan_panel; print('pyqtgraph' in sys.modules, 'widgets.budget_chart' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False False"
