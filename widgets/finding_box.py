"""The finding of the selected block: its rule and sentence, the provider's likely words, why; one at a time where there are several."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.model.findings import Finding
from widgets import theme
from widgets.buttons import button
from widgets.labels import Elided, Glyph, TwoLines, Word, plain
from widgets.visible import line
from widgets.words import abridged


class FindingBox(QWidget):
    """`show_findings` puts it; `finding` is the one in front."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("blockViewer.finding")
        self._findings: list[Finding] = []
        self._at = 0
        self._title_of = ""
        self._brief = False
        self._glyph = Glyph(14)
        self._rule, self._message = Word(), Elided()
        self._words, self._why = TwoLines(), TwoLines()
        self._words.setObjectName("blockViewer.words")
        self._why.setObjectName("blockViewer.why")
        self._next = button("", "blockViewer.next_finding", "Next finding of this block", "link")
        self._next.clicked.connect(self._turn)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._glyph)
        head.addWidget(self._rule)
        head.addWidget(self._message, 1)
        head.addWidget(self._next)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 5, 10, 6)
        column.setSpacing(1)
        column.addLayout(head)
        below = QVBoxLayout()
        below.setContentsMargins(22, 0, 0, 0)
        below.setSpacing(1)
        below.addWidget(self._words)
        below.addWidget(self._why)
        column.addLayout(below)
        self.hide()

    @property
    def finding(self) -> Finding | None:
        return self._findings[self._at] if self._findings else None

    def show_findings(self, findings: list[Finding], provider: str) -> None:
        """All findings of a block, the first in front; an empty list hides the box."""
        if findings != self._findings:
            self._at = 0
        self._findings, self._title_of = findings, provider
        self._show()

    def bring(self, rule: str) -> None:
        """Puts the finding of a rule in front, where the block has one."""
        at = next((number for number, finding in enumerate(self._findings) if finding.rule == rule), self._at)
        if at != self._at:
            self._at = at
            self._show()

    def retint(self) -> None:
        self._show()

    def be_brief(self, on: bool) -> None:
        """Where the block has little room, one line alone; the provider's words and why are read in its tooltip."""
        if on != self._brief:
            self._brief = on
            self._show()

    def _turn(self) -> None:
        self._at = (self._at + 1) % len(self._findings)
        self._show()
        self._next.setFocus()

    def _show(self) -> None:
        finding = self.finding
        self.setVisible(finding is not None)
        if finding is None:
            return
        now = theme.current()
        colour = now.severity(finding.severity)
        self._glyph.show_icon({"error": "error", "warning": "warning"}.get(finding.severity, "note"), colour, finding.severity)
        self._rule.setText(finding.rule)
        self._rule.look(colour, now.ui_bold)
        self._message.setText(line(abridged(finding.message, finding.ids), 400))
        self._message.look(colour)
        words = f"{self._title_of} would say: {line(finding.provider_error, 600)}" if finding.provider_error else ""
        why = f"Why: {line(finding.reason, 600)}" if finding.reason else ""
        self._words.put("" if self._brief else words)
        self._why.put("" if self._brief else why)
        self.setToolTip(plain("\n".join(part for part in (words, why) if part)) if self._brief else "")
        self._words.look(now.ink)
        self._why.look(now.ink_soft)
        several = len(self._findings) > 1
        self._next.setVisible(several)
        self._next.setText(f"{self._at + 1} of {len(self._findings)} ▸" if several else "")
        self.setAccessibleName(f"{finding.severity} {finding.rule}: {line(finding.message, 600)}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        finding = self.finding
        if finding is None:
            return
        now = theme.current()
        paper = {"error": now.error_paper, "warning": now.warning_paper}.get(finding.severity, now.note_paper)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), paper)
            painter.fillRect(QRect(0, 0, 3, self.height()), now.severity(finding.severity))
