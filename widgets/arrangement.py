"""Where the regions stand: two splitters, one size when wide, another arrangement when narrow; kept in the settings.

Wide: the list beside the column of tabs and block. Narrow: the column below the list, its two parts beside one another.
"""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.settings import Store
from widgets import theme

SIZE, LEAST = QSize(1440, 900), QSize(800, 560)
BAR = 40  # the bar's height
NARROW = 1100  # pixels; below, the right column goes under the list
CHART, CHART_LOW, LEAST_CHART = 206, 132, 112  # the low one on low windows
FULL_HEIGHT = 860  # from here on the chart has its whole height
WIDE_BODY, WIDE_COLUMN = [858, 582], [292, 268]
NARROW_BODY, NARROW_COLUMN = [205, 240], [500, 420]


class Arrangement:
    """The splitters: `body` holds the list and `column`, `column` holds tabs and viewer."""

    def __init__(self, store: Store, chart: QWidget, rows: QWidget, tabs: QWidget, viewer: QWidget) -> None:
        self._store, self._chart, self._tabs, self._viewer = store, chart, tabs, viewer
        self._part, self._scale = 0.0, 0  # the column's share of the body as it was divided here, 0 where a person did; for which text
        self._wide: bool | None = None
        rows.setMinimumSize(QSize(360, 100))
        self._say_least(True, SIZE.height())
        self.column = _splitter("columnSplitter", tabs, viewer)
        self.body = _splitter("bodySplitter", rows, self.column)
        self.body.setStretchFactor(0, 3)
        self.body.setStretchFactor(1, 2)

    def fit(self, size: QSize) -> bool:
        """Arranges for a window of this size; True where the regions changed places."""
        from PySide6.QtCore import Qt

        high, full = theme.scaled(CHART), theme.scaled(FULL_HEIGHT)
        low = min(theme.scaled(CHART_LOW), max(LEAST_CHART, size.height() // 4))
        self._chart.setFixedHeight(max(low, min(high, high - (full - size.height()) // 2)))
        wide = size.width() >= NARROW
        self._say_least(wide, size.height())
        if wide and wide == self._wide and theme.scaled(100) != self._scale and self._untouched():
            self._split_wide(size.width())
        if wide == self._wide:
            return False
        if self._wide:
            self.keep()
        self._wide = wide
        self.body.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        self.column.setOrientation(Qt.Orientation.Vertical if wide else Qt.Orientation.Horizontal)
        kept = self._store.value
        self._part = 0.0
        if wide and kept.body and kept.column:
            self.body.restoreState(QByteArray(kept.body))
            self.column.restoreState(QByteArray(kept.column))
        elif wide:
            self._split_wide(size.width())
            self.column.setSizes(WIDE_COLUMN)
        else:
            self.body.setSizes(NARROW_BODY)
            self.column.setSizes(NARROW_COLUMN)
        return True

    def _split_wide(self, width: int) -> None:
        """The drawing's split; with larger text the column takes some of the list's width, up to a half."""
        more = min(max(0, theme.scaled(WIDE_BODY[1]) - WIDE_BODY[1]) * 2 // 5, max(0, width // 2 - WIDE_BODY[1]))
        self.body.setSizes([WIDE_BODY[0] - more, WIDE_BODY[1] + more])
        self._part, self._scale = (WIDE_BODY[1] + more) / sum(WIDE_BODY), theme.scaled(100)

    def _untouched(self) -> bool:
        """Nobody has moved the wide body's splitter since it was divided here."""
        whole, column = sum(self.body.sizes()), self.body.sizes()[1]
        return self._part > 0 and (not self.body.isVisible() or not whole or abs(column / whole - self._part) < 0.02)

    def _say_least(self, wide: bool, height: int) -> None:
        """Explicit, else the widest panel would keep the window from becoming narrow. What stands one above the other is as high as its
        lines of text need, as far as the window has that."""
        for region, least in zip((self._tabs, self._viewer), (QSize(330, 144), QSize(300, 152)), strict=True):
            region.setMinimumSize(QSize(least.width(), min(theme.scaled(least.height()), height * 21 // 100) if wide else 120))

    def keep(self) -> None:
        """Writes down where the splitters stand; only those of a wide window are a person's choice."""
        if self._wide:
            self._store.change(body=bytes(self.body.saveState().data()), column=bytes(self.column.saveState().data()))


def first_size() -> QSize:
    """The size of the drawing, or what the screen has room for. (The offscreen platform's screen is no screen.)"""
    screen = QGuiApplication.primaryScreen()
    if screen is None or QGuiApplication.platformName() == "offscreen":
        return SIZE
    return SIZE.boundedTo(screen.availableGeometry().size()).expandedTo(LEAST)


def column(widget: QWidget) -> QVBoxLayout:
    """A layout of regions one below the other, without any gap."""
    made = QVBoxLayout(widget)
    made.setContentsMargins(0, 0, 0, 0)
    made.setSpacing(0)
    return made


def _splitter(name: str, *parts: QWidget) -> QSplitter:
    made = QSplitter()
    made.setObjectName(name)
    made.setChildrenCollapsible(False)
    made.setHandleWidth(2)
    for part in parts:
        made.addWidget(part)
    return made
