"""What the ruler says: what its ticks are, and what cutting by messages risks."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from app.model.cut_risk import cut_risk
from tests.widgets.states import broken_state
from widgets.chart_model import ChartModel
from widgets.chart_ruler import Ruler


def test_the_tip_says_what_a_cut_by_messages_risks(qtbot: QtBot) -> None:
    model = ChartModel()
    ruler = Ruler(model)
    qtbot.addWidget(ruler)
    assert ruler.tip(QPointF(5, 20)).splitlines()[0].endswith("both are safe for pairs of call and result")
    assert ruler.tip(QPointF(5, 20)).splitlines()[-1] == "Alt and drag: the cut anywhere, to see what it would break"
    state = broken_state()
    model.state = state
    assert state.view is not None
    risk = cut_risk(state.view)
    assert 0 < risk.bad < risk.places
    assert ruler.tip(QPointF(5, 20)).splitlines()[1] == risk.words()
    assert f"{risk.bad:,} of {risk.places:,} places between messages" in ruler.tip(QPointF(5, 20))
