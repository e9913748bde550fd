"""How a block's text is shown: hidden characters spelled out or not, codes of terminals as colours, as text, or left out."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from widgets.buttons import Choice, PickList, button
from widgets.laid_text import Codes, Laid

CODES: dict[Codes, tuple[str, str]] = {
    "colours": ("Colours", "codes of a terminal are shown as the colours that they stand for"),
    "text": ("Codes as text", "codes of a terminal are shown as they stand in the text"),
    "none": ("No colours", "codes of a terminal are left out on screen"),
}


class ViewerTools(QWidget):
    """Each tool is there where the text has something for it. `changed()`: another way to show it is asked for."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.codes: Codes = "colours"
        self.marks = button("¶ hidden", "blockViewer.marks", "Spell out characters that cannot be seen", "flat")
        self.marks.setCheckable(True)
        self.marks.setChecked(True)
        self.marks.toggled.connect(self._toggled)
        self.pick = PickList("blockViewer.codes", "Codes of a terminal in this text", self._choices)
        self.pick.setProperty("flat", "true")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.pick)
        row.addWidget(self.marks)
        self.show_for(Laid("", ""), True)
        self._say()

    def show_for(self, laid: Laid, new: bool) -> None:
        """What the text in view calls for; `new`: it is another block's, and what the last one had is of the past."""
        kinds = {piece.kind for piece in laid.pieces}
        coded = "codes" in kinds or (self.codes == "text" and "\x1b[" in laid.source)
        self.pick.setVisible(coded or (not new and not self.pick.isHidden()))
        self.marks.setVisible("hidden" in kinds or (not new and not self.marks.isHidden()) or not self.marks.isChecked())

    def _toggled(self, on: bool) -> None:
        self._say()
        self.changed.emit()

    def _say(self) -> None:
        on = self.marks.isChecked()
        self.marks.setText("¶ hidden: shown" if on else "¶ hidden: not shown")
        self.marks.setToolTip(
            "Zero-width, bidirectional and other characters that nobody sees are spelled out; point at one for its name"
            if on else "Characters that nobody sees are left as they are: the text may read otherwise than it is"
        )  # fmt: skip
        self.pick.say(CODES[self.codes][0], CODES[self.codes][1])

    def _choices(self) -> list[Choice]:
        return [
            Choice(words, lambda name=name: self.use(name), name == self.codes, name=f"blockViewer.codes_{name}")  # type: ignore[misc]
            for name, (words, _) in CODES.items()
        ]  # fmt: skip

    def use(self, codes: str) -> None:
        """Another way to show codes of a terminal."""
        self.codes = cast(Codes, codes)
        self._say()
        self.changed.emit()
