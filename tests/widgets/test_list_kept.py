"""What is open in the list, and where it is scrolled to, over edits, undo, and the file read anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.session import Session
from tests.inline import Inline
from tests.widgets.claude_lines import claude_lines
from widgets.exchange_view import ExchangeView


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[tuple[Session, ExchangeView, Path]]:
    path = tmp_path / "session.jsonl"
    path.write_text(claude_lines(60))  # more than the head that is shown first
    session = Session(worker=Inline)
    session._count_exactly = False
    view = ExchangeView(session)
    qtbot.addWidget(view)
    view.resize(872, 400)
    view.show()
    session.changed.connect(view.refresh)
    view.row_selected.connect(session.select)
    session.open(str(path))
    settle(qtbot, session)
    yield session, view, path
    session.changed.disconnect(view.refresh)
    session.close()
    session._watch.stop()


def settle(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: session.state.report is not None and not session.busy, timeout=20_000)


def opened(view: ExchangeView) -> list[str]:
    """Labels of the exchanges that are open, and of the steps in them."""
    rows, out = view.rows, []
    for row in range(rows.rowCount()):
        if rows.can_open(row) and rows.opened(row):
            out.append(view._painter.look(rows.entity(row)).number)
    return out


def open_some(view: ExchangeView) -> None:
    layout = view.rows.layout
    assert layout is not None
    for top in (3, 50):
        view.toggle(view.rows.layout.row_of_top(top), True)  # type: ignore[union-attr]
        view.toggle(view.rows.layout.row_of_top(top) + 2, True)  # type: ignore[union-attr]


def place(view: ExchangeView) -> tuple[int, int, int]:
    """The row at the upper edge, how far it is scrolled, and the current row: by the table's rows."""
    first = view.first_visible()
    return view.rows.row_id(first), view.y_of(first), view.rows.row_id(view.current_row())


def test_over_a_plan_and_its_undo(desk: tuple[Session, ExchangeView, Path], qtbot: QtBot) -> None:
    session, view, _ = desk
    open_some(view)
    view.go(view.rows.layout.row_of_top(50) + 3)  # type: ignore[union-attr]
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() + 7)
    before, there = opened(view), place(view)
    assert before == ["E4", "r14", "E51", "r202"]
    session.set_budget(session.state.now - 4000)
    qtbot.waitUntil(lambda: bool(session.state.checked), timeout=20_000)
    session.apply_plan()
    qtbot.waitUntil(lambda: session.state.history.can_undo and not session.busy, timeout=20_000)
    assert opened(view) == before  # dropped ones were others
    assert place(view) == there
    session.undo()
    settle(qtbot, session)
    assert opened(view) == before
    assert place(view) == there


def test_over_the_file_read_anew(desk: tuple[Session, ExchangeView, Path], qtbot: QtBot) -> None:
    session, view, path = desk
    open_some(view)
    view.go(view.rows.layout.row_of_top(50) + 3)  # type: ignore[union-attr]
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() + 7)
    before, there = opened(view), place(view)
    session.reload()
    settle(qtbot, session)
    assert opened(view) == before
    assert place(view) == there
    assert session.state.selected == there[2]
    with path.open("a") as file:
        last = '"parentUuid": "00000000-0000-4000-8000-000000000598"'
        file.write(claude_lines(1).replace("-8000-", "-9000-").replace('"parentUuid": null', last))
    session.reload()
    settle(qtbot, session)
    assert opened(view) == before
    assert place(view) == there


def test_another_file_begins_anew(desk: tuple[Session, ExchangeView, Path], qtbot: QtBot, tmp_path: Path) -> None:
    session, view, _ = desk
    open_some(view)
    other = tmp_path / "other.jsonl"
    other.write_text(claude_lines(9))
    session.open(str(other))
    settle(qtbot, session)
    assert opened(view) == []
    assert view.first_visible() == 0
