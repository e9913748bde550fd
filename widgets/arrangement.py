"""Where the regions stand: two splitters, one size when wide, another arrangement when narrow; kept in the settings.

Wide: the list beside the column of tabs and block. Narrow: the column below the list, its two parts beside one another.
"""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.settings import Store
from widgets import theme

SIZE, LEAST = QSize(1440, 900), QSize(800, 560)
BAR = 40  # the bar's height
NARROW = 1100  # pixels; below, the right column goes under the list
CHART, CHART_LOW = 206, 132  # the low one on low windows
FULL_HEIGHT = 860  # from here on the chart has its whole height
WIDE_BODY, WIDE_COLUMN = [858, 582], [292, 268]
NARROW_BODY, NARROW_COLUMN = [205, 240], [500, 420]


class Arrangement:
    """The splitters: `body` holds the list and `column`, `column` holds tabs and viewer."""

    def __init__(self, store: Store, chart: QWidget, rows: QWidget, tabs: QWidget, viewer: QWidget) -> None:
        self._store, self._chart = store, chart
        self._wide: bool | None = None
        # explicit, else the widest panel would keep the window from becoming narrow
        for region, least in ((tabs, QSize(330, 120)), (viewer, QSize(300, 120)), (rows, QSize(360, 100))):
            region.setMinimumSize(least)
        self.column = _splitter("columnSplitter", tabs, viewer)
        self.body = _splitter("bodySplitter", rows, self.column)
        self.body.setStretchFactor(0, 3)
        self.body.setStretchFactor(1, 2)

    def fit(self, size: QSize) -> bool:
        """Arranges for a window of this size; True where the regions changed places."""
        high, low = theme.scaled(CHART), theme.scaled(CHART_LOW)
        self._chart.setFixedHeight(max(low, min(high, high - (FULL_HEIGHT - size.height()) // 2)))
        wide = size.width() >= NARROW
        if wide == self._wide:
            return False
        if self._wide:
            self.keep()
        self._wide = wide
        self.body.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        self.column.setOrientation(Qt.Orientation.Vertical if wide else Qt.Orientation.Horizontal)
        kept = self._store.value
        if wide and kept.body and kept.column:
            self.body.restoreState(QByteArray(kept.body))
            self.column.restoreState(QByteArray(kept.column))
        else:
            self.body.setSizes(WIDE_BODY if wide else NARROW_BODY)
            self.column.setSizes(WIDE_COLUMN if wide else NARROW_COLUMN)
        return True

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
