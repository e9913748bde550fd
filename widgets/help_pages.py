"""Help: five short pages with pictures of this window, which `make docs` takes anew. The pages are our own; nothing in them is a dump's."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QFont, QImage, QKeyEvent, QResizeEvent, QShowEvent, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QListWidget, QTextBrowser, QVBoxLayout, QWidget

from widgets import theme
from widgets.buttons import button
from widgets.labels import Hairline

FOLDER = "help"
SIDE = 190  # pixels of the list of pages
MARGIN = 24
_PICTURE = "\ufffc"  # what stands for one in a block's text


@lru_cache(maxsize=1)
def pages() -> tuple[tuple[str, str], ...]:
    """Title and Markdown of each page, in order."""
    found = sorted((entry.name, entry) for entry in files(__package__).joinpath(FOLDER).iterdir() if entry.name.endswith(".md"))
    texts = [entry.read_text("utf-8") for _, entry in found]
    return tuple((text.splitlines()[0].removeprefix("# "), text) for text in texts)


def picture(name: str, dark: bool) -> QImage:
    """A picture of a page, as the theme has it; a null image where there is none."""
    entry = files(__package__).joinpath(FOLDER, f"{name}-{'dark' if dark else 'light'}.png")
    image = QImage()
    if entry.is_file():
        image.loadFromData(entry.read_bytes())
    return image


class Page(QTextBrowser):
    """One page. Pictures are as wide as the page; links lead nowhere but to where they say."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("helpPages.page")
        self.setAccessibleName("Page of help")
        self.setOpenLinks(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # else pictures are laid out for a page without it
        self._text = ""

    def put(self, text: str) -> None:
        self._text = text
        now = theme.current()
        page = QTextDocument(self)  # a new one: one that is filled again keeps formats and sizes of pictures from before
        page.setDocumentMargin(MARGIN)
        page.setDefaultFont(now.ui)
        self.setDocument(page)
        self.setMarkdown(text)
        self._style(now)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _style(self, now: theme.Theme) -> None:
        """Headings and space between paragraphs: Markdown has no size of its own."""
        block = self.document().begin()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        while block.isValid():
            cursor.setPosition(block.position())
            form = QTextBlockFormat(block.blockFormat())
            level, listed = form.headingLevel(), block.textList() is not None
            form.setTopMargin(0 if level == 1 or listed else theme.scaled(4))
            form.setBottomMargin(theme.scaled(10 if level else 4 if listed else 8))
            if _PICTURE not in block.text():
                form.setLineHeight(128, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            cursor.setBlockFormat(form)
            if level:
                font = QFont(now.ui_bold)
                font.setPixelSize(now.ui.pixelSize() + 8)
                letters = QTextCharFormat()
                letters.setFont(font)
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(letters)
            block = block.next()
        cursor.endEditBlock()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """A picture by its name alone; nothing else is ever loaded."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return None
        image = picture(QUrl(name).toString().rpartition("/")[2], theme.current().dark)
        ratio = self.devicePixelRatioF()
        wide = round((self.viewport().width() - 2 * MARGIN - 8) * ratio)
        if image.isNull() or wide < 100:
            return image
        image = image.scaledToWidth(min(wide, image.width()), Qt.TransformationMode.SmoothTransformation)
        image.setDevicePixelRatio(max(ratio, image.width() / wide * ratio))
        return image

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._text and event.size().width() != event.oldSize().width():
            at = self.verticalScrollBar().value()
            self.put(self._text)
            self.verticalScrollBar().setValue(at)


class HelpPages(QDialog):
    """The titles at the left, a page at the right; F1, Esc or Close end it, Alt+arrows or the list turn pages."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("helpPages")
        self.setWindowTitle("What this is")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.titles = QListWidget()
        self.titles.setObjectName("helpPages.titles")
        self.titles.setAccessibleName("Pages of help")
        self.titles.setFrameShape(QFrame.Shape.NoFrame)
        self.titles.setFixedWidth(theme.scaled(SIDE))
        self.titles.addItems([title for title, _ in pages()])
        self.page = Page()
        self.before = button("Page before", "helpPages.before", "The page before", "")
        self.behind = button("Next page", "helpPages.next", "The next page", "primary")
        self.close_it = button("Close", "helpPages.close", "Close help", "")
        self.before.setToolTip("The page before (Alt+Left)")
        self.behind.setToolTip("The next page (Alt+Right)")
        self.close_it.setToolTip("Close help (Esc)")
        self.before.clicked.connect(lambda: self.turn(-1))
        self.behind.clicked.connect(lambda: self.turn(1))
        self.close_it.clicked.connect(self.close)
        self.titles.currentRowChanged.connect(self.show_page)
        self._lay_out()
        self.resize(theme.measure(900, 680))
        self.titles.setCurrentRow(0)
        self.titles.setFocus()

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 8, 12, 10)
        foot.setSpacing(8)
        foot.addWidget(self.close_it)
        foot.addStretch(1)
        foot.addWidget(self.before)
        foot.addWidget(self.behind)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.page, 1)
        right.addWidget(Hairline())
        right.addLayout(foot)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.titles)
        row.addWidget(Hairline(upright=True))
        row.addLayout(right, 1)

    @property
    def number(self) -> int:
        return self.titles.currentRow()

    def show_page(self, number: int) -> None:
        if 0 <= number < len(pages()):
            self.page.put(pages()[number][1])
            self.page.setAccessibleName(pages()[number][0])
            self.before.setEnabled(number > 0)
            self.behind.setEnabled(number < len(pages()) - 1)

    def turn(self, steps: int) -> None:
        self.titles.setCurrentRow(min(max(self.number + steps, 0), len(pages()) - 1))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.titles.doItemsLayout()  # the entries are as high as the style says, which is asked for only now

    def keyPressEvent(self, event: QKeyEvent) -> None:
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        if alt and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.turn(1 if event.key() == Qt.Key.Key_Right else -1)
        elif event.key() == Qt.Key.Key_F1:
            self.close()
        else:
            super().keyPressEvent(event)


def pages_window(parent: QWidget) -> HelpPages:
    return HelpPages(parent)
