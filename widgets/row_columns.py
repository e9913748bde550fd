"""Where the columns of the list stand: measured from the font, for a width."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFontMetrics

from widgets.row_look import SHORT_WORDS
from widgets.theme import Theme

LANE = 6  # pixels from one tie to the next
LANES = 8
PIP = 12  # pixels from one pip to the next
PIP_SIZE = 10
SIGN = 11  # size of a shape
CHIP = 15
BAR = 64
LEAST = 170  # pixels that the words are left with before other columns go


@dataclass(frozen=True)
class Columns:
    """Pixels from the left edge of the list. `tokens` and `requests` are right ends; widths of 0: the column is left out."""

    width: int
    height: int  # of a row
    twists: tuple[int, int]  # of an exchange, of a step
    number: int
    sign: int  # of an exchange
    word: int  # an exchange's outcome; a step's words and a block's kind begin here
    what: int  # words of an exchange and of a block
    what_end: int
    requests: int
    requests_width: int
    pips: int
    tokens: int
    bar: int
    bar_width: int
    found: int
    mark: int
    has_words: bool  # beside the signs of outcomes and kinds
    has_marks: bool  # words beside the signs of a plan

    @property
    def lanes(self) -> int:
        """Right end of the ties in the gutter."""
        return self.word - 5


def columns(theme: Theme, width: int, labels: tuple[str, str], tokens: str, requests: str) -> Columns:
    """`labels`: the longest number of an exchange and of a step; `tokens`, `requests`: the longest such words that stand in the list.

    Where there is little room, columns leave in this order: bars, counts of requests, words of outcomes and kinds, words of the plan.
    """
    made = [_columns(theme, width, labels, tokens, requests, leave) for leave in range(5)]
    return next((at for at in made if at.what_end - at.what >= LEAST), made[-1])


def _columns(theme: Theme, width: int, labels: tuple[str, str], tokens: str, requests: str, leave: int) -> Columns:
    ui, bold = QFontMetrics(theme.ui), QFontMetrics(theme.ui_bold)
    number = 34
    sign = number + max(bold.horizontalAdvance(labels[0]), 10 + ui.horizontalAdvance(labels[1]), LANE * LANES - 14) + 8
    word = sign + SIGN + 6
    kinds = max(ui.horizontalAdvance(text) for text in (*SHORT_WORDS.values(), "400 ×4", "broken"))
    what = word + SIGN + 8 + (kinds + 5 if leave < 3 else 0)
    mark = width - SIGN - 12 - (ui.horizontalAdvance("140 blocks") if leave < 4 else 0)
    found = mark - 2 * SIGN - 2 * ui.horizontalAdvance("8") - 14
    bar_width = BAR if leave < 1 else 0
    requests_width = ui.horizontalAdvance(requests) + 10 if leave < 2 else 0
    tokens_at = found - 8 - (bar_width + 6 if bar_width else 0)
    token_width = max(ui.horizontalAdvance(tokens), ui.horizontalAdvance("Tokens")) + 8
    pips_width = max(6 * PIP + 2 + ui.horizontalAdvance("+999"), CHIP + 4 + ui.horizontalAdvance("no result")) + 4
    pips = tokens_at - token_width - pips_width
    return Columns(width, theme.row_height, (8, 22), number, sign, word, what, pips - requests_width - 6, pips - 8, requests_width, pips,
                   tokens_at, tokens_at + 6, bar_width, found, mark, leave < 3, leave < 4)  # fmt: skip
