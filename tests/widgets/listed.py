"""A list on a state, as tests meet it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.model.state import Changed, State
from app.model.view import Groups, Links, View
from tests.widgets.states import (
    FakeSession,
)
from widgets.exchange_view import ExchangeView


def make(qtbot: QtBot, state: State) -> ExchangeView:
    view = ExchangeView(FakeSession(state))
    qtbot.addWidget(view)
    view.resize(872, 562)
    view.refresh(state, Changed.ALL)
    view.show()
    qtbot.waitExposed(view)
    view.setFocus()
    return view


def press(view: ExchangeView, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(view, key)


def kinds(view: ExchangeView) -> list[int]:
    return [int(view.rows.entity(row).kind) for row in range(view.rows.rowCount())]


def y_of(view: ExchangeView, row: int) -> int:
    return view.visualRect(view.rows.index(row)).y()


def without_oldest(state: State, exchanges: int) -> State:
    """The state after the oldest exchanges were dropped: other positions, the same row ids."""
    view = state.view
    assert view is not None
    keep = (view.groups.exchange < 0) | (view.groups.exchange >= exchanges)
    where = np.cumsum(keep) - 1
    steps = view.groups.step_exchange >= exchanges
    gone = int((~steps).sum())
    groups = Groups(
        np.maximum(view.groups.exchange[keep] - exchanges, -1), np.maximum(view.groups.step[keep] - gone, -1),
        where[view.groups.first[exchanges:]], False, where[view.groups.step_first[steps]], view.groups.step_exchange[steps] - exchanges,
        view.groups.closed[steps], view.groups.refused[exchanges:],
    )  # fmt: skip
    partner = view.links.partner[keep]
    links = Links(np.where(partner >= 0, where[partner], -1), view.links.extra[keep])
    transcript = view.transcript.with_(order=view.rows[keep])
    assert view.tokens is not None
    return state.with_(transcript=transcript, view=View(transcript, groups, links, view.tokens[keep]))
