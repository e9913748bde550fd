"""Where the columns of the list stand: measured from the font, for a width."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtGui import QFontMetrics

from widgets.exchange_facts import PIPS_SHOWN
from widgets.row_look import SHORT_WORDS
from widgets.theme import Theme

LANE = 6  # pixels from one tie to the next
LANES = 8
PIP = 12  # pixels from one pip to the next
PIP_SIZE = 10
SIGN = 11  # size of a shape
CHIP = 15
BAR = 44
LEAST = 170  # pixels that the words are left with before other columns go


class Longest(NamedTuple):
    """What the list has to show at most: columns are no wider than that takes."""

    labels: tuple[str, str]  # numbers of an exchange and of a step
    tokens: str
    requests: str
    calls: int = 999  # of one exchange
    amiss: bool = True  # whether a call or a result stands without the other, or elsewhere
    found: tuple[int, ...] = (8, 8)  # of each severity in one exchange
    blocks: int = 140  # of one exchange


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


def found_words(count: int) -> str:
    """A count of findings beside its sign: none where there is one."""
    return "" if count < 2 else f"{count}" if count < 100 else "99+"


def found_width(metrics: QFontMetrics, count: int) -> int:
    words = found_words(count)
    return SIGN + 3 + (metrics.horizontalAdvance(words) + 4 if words else 2)


def columns(theme: Theme, width: int, longest: Longest) -> Columns:
    """Where there is little room, columns leave in this order: bars, counts of requests, words of outcomes and kinds, words of the plan."""
    made = [_columns(theme, width, longest, leave) for leave in range(5)]
    return next((at for at in made if at.what_end - at.what >= LEAST), made[-1])


def _columns(theme: Theme, width: int, longest: Longest, leave: int) -> Columns:
    ui, bold = QFontMetrics(theme.ui), QFontMetrics(theme.ui_bold)
    number = 34
    sign = number + max(bold.horizontalAdvance(longest.labels[0]), 10 + ui.horizontalAdvance(longest.labels[1]), LANE * LANES - 14) + 8
    word = sign + SIGN + 6
    kinds = max(ui.horizontalAdvance(text) for text in (*SHORT_WORDS.values(), "400 ×4", "broken"))
    what = word + SIGN + 8 + (kinds + 5 if leave < 3 else 0)
    marks = max(ui.horizontalAdvance(words) for words in (f"{longest.blocks:,} blocks", "inserted", "replaced"))
    mark = width - SIGN - 12 - (marks if leave < 4 else 0)
    found = mark - 6 - sum([found_width(ui, count) for count in longest.found if count][:2])
    bar_width = BAR if leave < 1 else 0
    requests_width = ui.horizontalAdvance(longest.requests) + 8 if leave < 2 else 0
    tokens_at = found - 6 - (bar_width + 6 if bar_width else 0)
    token_width = max(ui.horizontalAdvance(longest.tokens), ui.horizontalAdvance("Tokens")) + 8
    more = longest.calls - PIPS_SHOWN
    shown = min(longest.calls, PIPS_SHOWN) * PIP + (2 + ui.horizontalAdvance(f"+{more:,}") if more > 0 else 0)
    chip = CHIP + 4 + ui.horizontalAdvance("no result") if longest.amiss else 2 * CHIP + 10  # an arrow to where the other stands
    pips = tokens_at - token_width - max(shown, chip, ui.horizontalAdvance("Calls")) - 4
    return Columns(width, theme.row_height, (8, 22), number, sign, word, what, pips - requests_width - 6, pips - 8, requests_width, pips,
                   tokens_at, tokens_at + 6, bar_width, found, mark, leave < 3, leave < 4)  # fmt: skip
